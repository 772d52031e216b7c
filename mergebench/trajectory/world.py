"""Trajectories on the ledger's own service, in this process: sealed at the tool boundary, committed by an agent,
checked by the verifier, judged by the quorum.

Everything is handed on under the events' names, not under the hashes, which are others in every run.
"""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from beliefmerge.ledger.agent import Agent
from beliefmerge.ledger.client import LedgerClient
from beliefmerge.ledger.core.views import ContextEntry
from beliefmerge.ledger.seal import Shim, Tool
from beliefmerge.ledger.transcript import Step, Transcript
from beliefmerge.ledger.verifier import Verifier
from beliefmerge.ledger.wire import Commit, Context, Edge, Measure, Written
from mergebench.trajectory.reader import Strict
from mergebench.trajectory.trajectory import CONCLUDED, SEALED, Event, Part, Trajectory

if TYPE_CHECKING:
    import httpx

    from beliefmerge.ledger.store.log import Log

_TOKEN_DAYS = 1.0
_BUDGET = 1200


@dataclass(frozen=True)
class Story:
    """A trajectory as the ledger holds it when the question is asked."""

    ids: Mapping[str, str]
    """Event names to entry ids."""
    entries: tuple[ContextEntry, ...]
    claims: tuple[Step, ...]
    """The steps at which the agent concluded something: what attribution measures edges from."""
    passed: bool
    """Whether the quorum let the correction retract the premise."""


class _Named:
    """An agent's ledger in which entries go by the names of events."""

    def __init__(self, client: LedgerClient) -> None:
        self._client = client
        self.ids: dict[str, str] = {}
        self.next = ""

    def commit(self, body: Commit) -> Written:
        """Commit under the name `next`."""
        parents = [self.ids[parent] for parent in body.parents]
        written = self._client.commit(msgspec.structs.replace(body, parents=parents))
        self.ids[self.next] = written.id
        return msgspec.structs.replace(written, id=self.next)

    def context(self) -> Context:
        """The state, under names."""
        found = self._client.context()
        names = {id: name for name, id in self.ids.items()}
        entries = [
            msgspec.structs.replace(entry, id=names[entry.id], parents=tuple(names[parent] for parent in entry.parents))
            for entry in found.entries
        ]
        return msgspec.structs.replace(found, entries=entries)


class Ledgers:
    """One log a trajectory, written when it is first asked for."""

    def __init__(self, log: Log, transport: httpx.BaseTransport, scratch: Path) -> None:
        self._log, self._transport, self._scratch = log, transport, scratch
        self._stories: dict[Trajectory, Story] = {}

    def story(self, trajectory: Trajectory) -> Story:
        """The trajectory, lived through once. Raises LedgerError."""
        if trajectory not in self._stories:
            self._stories[trajectory] = self._lived(trajectory)
        return self._stories[trajectory]

    def claims(self, trajectory: Trajectory) -> tuple[Step, ...]:
        """The steps of a trajectory that some arm has asked for."""
        return self._stories[trajectory].claims if trajectory in self._stories else ()

    def passed(self, trajectory: Trajectory) -> bool | None:
        """Whether the quorum passed the correction of a trajectory that some arm has asked for."""
        return self._stories[trajectory].passed if trajectory in self._stories else None

    def measured(self, trajectory: Trajectory, edges: Sequence[Edge], report: str) -> tuple[ContextEntry, ...]:
        """The state once the measured `edges` between events are in; `report` is their report's hash.

        Those of other trajectories and those that were not declared are left out.
        """
        story = self.story(trajectory)
        declared = {(event.name, parent) for event in trajectory.events for parent in event.parents}
        sent = [
            msgspec.structs.replace(edge, child=story.ids[edge.child], parent=story.ids[edge.parent])
            for edge in edges
            if (edge.child, edge.parent) in declared
        ]
        if not sent:
            return story.entries
        with self._client("attributor", trajectory.tenant) as attributor:
            attributor.measure(Measure(edges=sent, report_hash=report))
        with self._client("agent", trajectory.tenant) as client:
            named = _Named(client)
            named.ids.update(story.ids)
            return tuple(named.context().entries)

    def _client(self, role: str, tenant: str) -> LedgerClient:
        from beliefmerge.ledger.service.opening import make_token

        token = make_token(self._log, role, tenant, days=_TOKEN_DAYS)
        return LedgerClient("http://ledger", token, transport=self._transport)

    def _lived(self, trajectory: Trajectory) -> Story:
        with contextlib.ExitStack() as opened:
            sealer, agent, verifier = (
                opened.enter_context(self._client(role, trajectory.tenant)) for role in ("sealer", "agent", "verifier")
            )
            named, judge = _Named(agent), Verifier(verifier)
            steps = Transcript(self._scratch / f"{trajectory.tenant}.jsonl")
            who = self._agent(trajectory, named, Shim(sealer), steps)
            passed = False
            for event in trajectory.events:
                self._step(event, who, named)
                if event.part is Part.CORRECTION:
                    passed = self._checked(trajectory, agent, named, judge) or passed
            return Story(dict(named.ids), tuple(named.context().entries), tuple(steps), passed)

    def _agent(self, trajectory: Trajectory, named: _Named, shim: Shim, steps: Transcript) -> Agent:
        pages = {event.url: event.text for event in trajectory.of(*SEALED)}
        shim.tools.add(Tool("page", lambda url: pages[url], url=lambda args: args["url"]))
        return Agent(
            named,
            Strict(trajectory.values),
            tools=shim.call,
            transcript=steps,
            budget=_BUDGET,
            name=f"{trajectory.number:04d}:claim",
        )

    def _step(self, event: Event, agent: Agent, named: _Named) -> None:
        if event.part in SEALED:
            named.ids[event.name] = agent.observe("page", url=event.url).id
        elif event.part in CONCLUDED:
            named.next = event.name
            agent.commit_claim(event.text, event.parents)

    def _checked(self, trajectory: Trajectory, agent: LedgerClient, named: _Named, judge: Verifier) -> bool:
        """Have the premise checked against all that is sealed; whether it falls."""
        (premise,) = trajectory.of(Part.PREMISE)
        if premise.name not in named.ids:
            return False
        known = {entry.id: entry for entry in agent.context().entries}
        found = judge.check(known[named.ids[premise.name]], known.values())
        return found is not None and found.verdict.passed


def digest(data: bytes) -> str:
    """The hash that a measurement is recorded with."""
    return hashlib.sha256(data).hexdigest()


@contextlib.contextmanager
def ledgers() -> Iterator[Ledgers]:
    """A service over a directory that is gone afterwards."""
    from beliefmerge.ledger.service.app import application
    from beliefmerge.ledger.service.inprocess import in_process
    from beliefmerge.ledger.service.opening import open_ledger

    with tempfile.TemporaryDirectory(prefix="mergebench-") as directory:
        ledger = open_ledger(Path(directory))
        with in_process(application(ledger)) as transport:
            yield Ledgers(ledger.log, transport, Path(directory))
