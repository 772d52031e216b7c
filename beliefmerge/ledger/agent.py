"""An agent that thinks on a ledger: it sees what the ledger holds, commits what it concludes, and is recorded.

It holds an agent's token and nothing else: what seals is behind `tools`, what reports contradictions behind `verifier`.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from beliefmerge.errors import UsageError
from beliefmerge.ledger.claimkey import claim_key
from beliefmerge.ledger.context import Rendered, render, retracted
from beliefmerge.ledger.core.views import ContextEntry
from beliefmerge.ledger.seal import Observed
from beliefmerge.ledger.transcript import TEMPLATE, Step, Transcript, entries_of, filled, storable
from beliefmerge.ledger.verifier import Contradiction, Relation, Verifier
from beliefmerge.ledger.wire import Commit, Context, Written
from beliefmerge.llm.protocol import Cause, ChatMessage, LanguageModel, ModelError


class Epistemic(Protocol):
    """What an agent needs of a client: the right to commit, and to read the context."""

    def commit(self, body: Commit) -> Written:
        """Record a derivation or a conjecture."""
        ...

    def context(self) -> Context:
        """The current state of the entries."""
        ...


class Outcome(StrEnum):
    """What became of a conjecture that was put to the test."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model said, and the step that records it."""

    text: str
    step: Step


@dataclass(frozen=True, slots=True)
class Tested:
    """A conjecture after a test: the evidence, and the derivation or the contradiction that followed from it."""

    outcome: Outcome
    evidence: Observed
    claim: str | None = None
    contradiction: Contradiction | None = None


class Agent:
    """An agent with a model, wired to a ledger.

    `tools` is ``Shim.call``; `contract`, `budget` and `tokens` are those of ``context.render``. Each step goes into
    `transcript`, but for those that were shown no entry: nothing can be attributed in them. `name` begins the ids of
    its steps. Methods raise what the client, the tools and the model raise.
    """

    def __init__(
        self,
        ledger: Epistemic,
        model: LanguageModel,
        *,
        tools: Callable[..., Observed] | None = None,
        verifier: Verifier | None = None,
        transcript: Transcript | None = None,
        contract: str = "v2",
        budget: int = 1200,
        tokens: str = "chars4",
        template: str = TEMPLATE,
        max_tokens: int = 512,
        name: str | None = None,
    ) -> None:
        self._ledger, self._model, self._tools, self._verifier = ledger, model, tools, verifier
        self._transcript, self._template, self._max_tokens = transcript, template, max_tokens
        self._contract, self._budget, self._tokens = contract, budget, tokens
        self._name = name or uuid.uuid4().hex[:12]
        self._steps = 0
        self._announced: frozenset[str] = frozenset()

    def observe(self, tool: str, /, **args: object) -> Observed:
        """Run a tool at the boundary; its result comes back sealed."""
        if self._tools is None:
            raise UsageError("this agent has no tools")
        return self._tools(tool, **args)

    def answer(self, question: str) -> Answer:
        """What the model says to `question`, given the ledger's context. Nothing is committed."""
        tenant, rendered = self._look()
        text = self._ask(question, rendered)
        return Answer(text, self._record(tenant, rendered, question, text, None, ()))

    def conclude(self, question: str, parents: Sequence[str]) -> str:
        """Have the model answer `question`, and commit the answer as a derivation from `parents`; its entry's id."""
        tenant, rendered = self._look()
        text = self._ask(question, rendered)
        if not text:
            raise ModelError(Cause.EMPTY, "nothing to commit")
        return self._commit(text, parents, tenant, rendered, question)

    def commit_claim(self, text: str, parents: Sequence[str], *, question: str = "What follows?") -> str:
        """Commit `text` as a derivation from `parents`; its entry's id."""
        tenant, rendered = self._look()
        return self._commit(text, parents, tenant, rendered, question)

    def conjecture(self, text: str, parents: Sequence[str] = ()) -> str:
        """Commit `text` as a guess; its entry's id. The parents it names lend it nothing."""
        body = Commit(kind="conjecture", text=text, claim=claim_key(text), parents=list(parents))
        return self._ledger.commit(body).id

    def verify_conjecture(self, conjecture: str, tool: str, /, **args: object) -> Tested:
        """Put a conjecture to the test: observe, and compare with it what was observed.

        Evidence that says the same makes it a derivation from that evidence. Sealed entries that contradict it are
        reported to the ledger, whose quorum decides. Anything else leaves it open.
        """
        if self._verifier is None:
            raise UsageError("this agent has no verifier")
        evidence = self.observe(tool, **args)
        known = {entry.id: entry for entry in self._ledger.context().entries}
        if conjecture not in known:
            raise UsageError(f"no entry {conjecture!r} in the context")
        guess, seen = known[conjecture], [known[evidence.id]]
        if self._verifier.examine(guess, seen).of(Relation.AGREE):
            return Tested(Outcome.SUPPORTED, evidence, claim=self.commit_claim(guess.text, [evidence.id]))
        found = self._verifier.check(guess, list(known.values()))
        if found is not None:
            return Tested(Outcome.CONTRADICTED, evidence, contradiction=found)
        return Tested(Outcome.OPEN, evidence)

    def _look(self) -> tuple[str, Rendered]:
        """The tenant and its context, rendered; what was announced once is not announced again."""
        context = self._ledger.context()
        rendered = render(
            context.entries,
            contract=self._contract,
            budget=self._budget,
            tokens=self._tokens,
            announced=self._announced,
        )
        told = {line.entry.id for line in rendered.shown} | self._announced
        self._announced = frozenset(entry.id for entry in _retracted(context) if entry.id in told)
        return context.tenant, rendered

    def _ask(self, question: str, rendered: Rendered) -> str:
        prompt = filled(self._template, question, [entry.text for entry in entries_of(rendered)])
        return storable(self._model.complete([ChatMessage("user", prompt)], max_tokens=self._max_tokens).text)

    def _commit(self, text: str, parents: Sequence[str], tenant: str, rendered: Rendered, question: str) -> str:
        body = Commit(kind="derivation", text=text, claim=claim_key(text), parents=list(parents))
        written = self._ledger.commit(body)
        self._record(tenant, rendered, question, text, written.id, parents)
        return written.id

    def _record(
        self, tenant: str, rendered: Rendered, query: str, response: str, claim: str | None, parents: Sequence[str]
    ) -> Step:
        self._steps += 1
        name = f"{self._name}-{self._steps:04d}"
        entries = entries_of(rendered)
        shown = {entry.entry_id for entry in entries}
        declared = tuple(dict.fromkeys(parent for parent in parents if parent in shown))
        step = Step(name, tenant, claim or name, entries, self._template, query, response, declared)
        if self._transcript is not None and entries:
            self._transcript.append(step)
        return step


def _retracted(context: Context) -> list[ContextEntry]:
    return [entry for entry in context.entries if retracted(entry)]
