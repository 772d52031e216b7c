"""The stages in order: redact, extract, reconcile, pack, render, verify; and the ladder down when one of them fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beliefmerge.adjudicate import Adjudication, Adjudicator, adjudicate
from beliefmerge.algebra.decision import Outcome
from beliefmerge.claims.claim import Extraction, Extractor
from beliefmerge.errors import UsageError, nearest, unknown
from beliefmerge.extraction import EXTRACTIONS, extracted, without_secrets
from beliefmerge.pack import SOLVERS, Choice, Item, Packing, Unit, Weights, pack, unit
from beliefmerge.reconcile import reconcile
from beliefmerge.render import Counts, assemble, count, frame, needs_banner, renditions
from beliefmerge.report import Report
from beliefmerge.scores import SCORES
from beliefmerge.session.lineage import is_earlier_state
from beliefmerge.session.model import LOSSES, Session
from beliefmerge.session.text import one_line
from beliefmerge.slot import Resolution, Slot, Status
from beliefmerge.verify import verify

if TYPE_CHECKING:
    from beliefmerge.llm.account import Metered
    from beliefmerge.llm.protocol import LanguageModel
    from beliefmerge.llm.settings import LlmSettings
    from beliefmerge.session.redact import Known

__all__ = ["EXTRACTIONS", "Merged", "merge"]


@dataclass(frozen=True)
class Merged:
    """The block, every slot (shown or not, by key), and what was done."""

    text: str
    slots: tuple[Slot, ...]
    report: Report

    def to_json(self) -> dict[str, Any]:
        """What `merge --json` prints: an interface."""
        return {
            "text": self.text,
            "slots": [slot.to_json() for slot in self.slots],
            "report": self.report.to_json(),
        }


@dataclass(frozen=True)
class _Options:
    """The arguments of ``merge`` but for the sessions and the model."""

    budget: int
    query: str | None
    score: str
    extract: str | Extractor
    current: str | None
    tokens: str
    solver: str
    weights: Weights | None
    adjudicate: bool
    adjudicator: Adjudicator | None
    unreadable: tuple[str, ...]


def merge(
    sessions: Iterable[Session],
    *,
    budget: int = 1200,
    query: str | None = None,
    score: str = "egalitarian",
    extract: str | Extractor = "heuristic",
    current: str | None = None,
    tokens: str = "chars4",
    solver: str = "auto",
    weights: Weights | None = None,
    llm: LlmSettings | LanguageModel | None = None,
    adjudicate: bool = True,
    adjudicator: Adjudicator | None = None,
    unreadable: Sequence[str] = (),
) -> Merged:
    """Merge `sessions` into one labelled block of at most `budget` tokens, everything printed included.

    `current` is the id of the caller's own session: its user is TRUSTED, all else is quoted. `query` says what the
    context is for. `tokens` is the counter, `unreadable` names sources that were left out. The result does not depend
    on the order of `sessions`, nor on one being given twice. Nothing that fits gives an empty text.

    `llm` is the model that ``extract="joint"`` asks, once, and that is offered the ties, twice, if there are any and
    `adjudicate` is not false; an `adjudicator` of the caller's own goes before it. Without a model nothing is asked,
    and when one fails the merge goes on without it and the report says why.

    Raises UsageError for an unknown name or a budget below 1, TrustViolation when the block claims more than its
    claims allow.
    """
    options = _Options(
        *(budget, query, score, extract, current, tokens, solver, weights, adjudicate, adjudicator, tuple(unreadable))
    )
    found = _checked(sessions, options)
    with _asked(llm) as model:
        return _merged(found, options, model)


def _checked(sessions: Iterable[Session], options: _Options) -> list[Session]:
    """The sessions, if everything that was asked for can be done with them."""
    if options.budget < 1:
        raise UsageError(f"budget {options.budget} is not positive")
    found = list(sessions)
    if options.solver not in SOLVERS:
        raise unknown("solver", options.solver, SOLVERS)
    if wrong := [each for each in found if not isinstance(each, Session)]:
        raise UsageError(f"merge takes sessions, not {type(wrong[0]).__name__}: read files with read_session(path)")
    _check_current(found, options.current)
    return found


@contextmanager
def _asked(llm: LlmSettings | LanguageModel | None) -> Iterator[Metered | None]:
    """The model to ask, its calls counted; one that is opened here is closed again."""
    from beliefmerge.llm.account import Account, Metered
    from beliefmerge.llm.settings import LlmSettings

    if not isinstance(llm, LlmSettings):
        yield None if llm is None else Metered(llm, Account())
    elif not llm.configured:
        yield None
    else:
        from beliefmerge.llm.open import open_model

        with open_model(llm) as model:
            yield Metered(model, Account())


def _merged(found: Sequence[Session], options: _Options, model: Metered | None) -> Merged:
    from beliefmerge.session.lineage import resolve
    from beliefmerge.session.redact import redact_and_learn
    from beliefmerge.session.strands import as_branches

    score, units = SCORES[options.score], unit(options.tokens)
    redacted, kinds, secrets = redact_and_learn(resolve(found))
    current = options.current
    if current is not None and secrets:
        current = _redacted_id(current, found, redacted, secrets)
    branches = as_branches(redacted, current)
    reached = extracted(branches, options.extract, model, current)
    extraction = without_secrets(reached.extraction, secrets) if secrets else reached.extraction
    settling = _Settling(_adjudicator(options, model))
    slots = reconcile(extraction.claims, score, adjudicate=settling if settling.adjudicator else None)
    text, packing = _pack(slots, _recencies(branches), units, options)
    if text:
        verify(
            text,
            extraction.claims,
            score=score,
            budget=options.budget,
            counter=lambda block: units.tokens(units.cost(block)),
            resolutions=settling.done.resolutions,
            current=current,
            leaks=secrets.occurs_in if secrets else None,
        )
    starved = ("nothing survives the budget",) if slots and not text else ()
    report = _report(
        redacted,
        extraction,
        slots,
        packing,
        mode=reached.mode,
        budget=options.budget,
        tokens=units.tokens(units.cost(text)),
        counter=options.tokens,
        rungs=(*reached.rungs, *settling.rungs(), *starved),
        unreadable=options.unreadable,
        redacted=dict(sorted(kinds.items())),
        adjudication=settling.to_json(),
        model={} if model is None else {"name": model.name, **model.account.totals.to_json()},
        text=text,
    )
    return Merged(text, tuple(slots), report)


def _adjudicator(options: _Options, model: LanguageModel | None) -> Adjudicator | None:
    if options.adjudicator is not None or model is None or not options.adjudicate:
        return options.adjudicator
    from beliefmerge.model_adjudicator import ModelAdjudicator

    return ModelAdjudicator(model)


@dataclass
class _Settling:
    """Stage 3b as ``reconcile`` calls it; `done` is what came of it."""

    adjudicator: Adjudicator | None
    done: Adjudication = field(default_factory=Adjudication)

    def __call__(self, ties: Sequence[Slot]) -> Mapping[str, Resolution]:
        if self.adjudicator is not None:
            self.done = adjudicate(ties, self.adjudicator)
        return self.done.resolutions

    def rungs(self) -> tuple[str, ...]:
        """What it failed of."""
        return () if self.done.failure is None else (f"adjudication failed, ties stand: {self.done.failure}",)

    def to_json(self) -> dict[str, Any]:
        """Plain data for the report; empty where nobody was asked."""
        if not self.done.calls:
            return {}
        sensitive = sum(each.order_sensitive for each in self.done.resolutions.values())
        return {
            "ties": self.done.ties,
            "offered": self.done.offered,
            "calls": self.done.calls,
            "order_sensitive": sensitive,
            "rejected": dict(sorted(self.done.rejected.items())),
        }


def _report(
    sessions: Sequence[Session], extraction: Extraction, slots: Sequence[Slot], packing: Packing, **given: Any
) -> Report:
    """The report: what can be counted, and what is `given`."""
    return Report(
        branches=len(sessions),
        messages=sum(len(session.messages) for session in sessions),
        claims=len(extraction.claims),
        slots=len(slots),
        disputed=sum(slot.outcome is Outcome.DISPUTED for slot in slots),
        retracted=sum(slot.status is Status.RETRACTED for slot in slots),
        adjudicated=sum(slot.outcome is not slot.decision.outcome for slot in slots),
        shown=len(packing.chosen),
        dropped=packing.omitted,
        shortened=packing.shortened,
        solver=packing.solver,
        utility=packing.utility,
        gap=packing.gap,
        damaged=tuple(sorted(set(_damaged(sessions)))),
        warnings=tuple(_warnings(sessions)),
        notes=extraction.notes,
        dropped_claims=dict(sorted(extraction.dropped.items())),
        **given,
    )


def _check_current(sessions: Sequence[Session], current: str | None) -> None:
    """`current` is one of them, and no second file passes for it."""
    from beliefmerge.session.redact import redact_text

    if current is None:
        return
    mine = [session for session in sessions if session.id == current]
    if not mine:
        ids = sorted({session.id for session in sessions})
        match = nearest(current, ids)
        hint = f"; did you mean {match!r}?" if match else ""
        known = redact_text(f"{hint} (there are: {', '.join(ids)})")[0]
        raise UsageError(f"no session {current!r} to be the current one{known}")
    # A file may call itself anything: another one with this id is no more than an older state of the same log.
    whole = max(mine, key=lambda session: (len(session.messages), len(session.claims)))
    if not all(is_earlier_state(session, whole) for session in mine):
        files = len({session.path for session in mine})
        raise UsageError(f"{files} different files call themselves session {current!r}: only one can be current")


def _redacted_id(current: str, before: Sequence[Session], after: Sequence[Session], secrets: Known) -> str:
    """What the current session is called once secrets are redacted, if nobody else is then called so."""
    name = secrets.redact(current)[0]
    if any(new.id == name and old.id != current for old, new in zip(before, after, strict=True)):
        raise UsageError("the current session's id holds a secret, and without it is the id of another session too")
    return name


def _pack(slots: Sequence[Slot], recencies: Mapping[str, float], units: Unit, options: _Options) -> tuple[str, Packing]:
    printable = {slot.key: slot for slot in slots if slot.sides}

    def block(choices: Sequence[Choice]) -> str:
        shown = [printable[choice.item.id] for choice in choices]
        counts = count(printable.values(), omitted=len(printable) - len(shown))
        return assemble([c.rendition.text for c in choices], banner=needs_banner(shown), counts=counts)

    counts: Counts = count(printable.values(), omitted=len(printable))
    packing = pack(
        [_item(slot, recencies, units) for slot in printable.values()],
        budget=units.capacity(options.budget),
        overhead=units.cost(frame(counts, banner=needs_banner(printable.values()))),
        weights=options.weights,
        query=options.query,
        solver=options.solver,
        measure=lambda choices: units.cost(block(choices)),
    )
    return block(packing.chosen), packing


def _item(slot: Slot, recencies: Mapping[str, float], units: Unit) -> Item:
    texts = renditions(slot)
    claims = [claim for side in slot.sides for claim in side.claims]
    return Item(
        id=slot.key,
        type=slot.type.value,
        renditions=tuple(units.rendition(text, quality=1.0 if i == 0 else 0.0) for i, text in enumerate(texts)),
        evidence=int(slot.evidence),
        witnesses=max(side.witnesses for side in slot.sides),
        trust=int(slot.trust),
        recency=max(recencies.get(claim.span.message, 1.0) for claim in claims),
        salience=max(claim.salience for claim in claims),
        retracted=slot.status is Status.RETRACTED,
        contested=slot.outcome is Outcome.DISPUTED,
        since=max(side.claims[0].span.seq for side in slot.sides),
        text=" ".join([slot.key, *slot.values, *(side.claims[0].span.quote for side in slot.sides)]),
    )


def _recencies(sessions: Sequence[Session]) -> dict[str, float]:
    """How late in its branch each message stands: 0 the first, 1 the last; a copied one as early as anywhere.

    A log's older copy ends sooner, so that everything stands later in it: it must not change what is packed.
    """
    late: dict[str, float] = {}
    for session in sessions:
        last = max(len(session.messages) - 1, 1)
        for i, message in enumerate(session.messages):
            late[message.key] = min(i / last, late.get(message.key, 1.0))
    return late


def _damaged(sessions: Sequence[Session]) -> Iterable[str]:
    """Files that hold more than could be read of them."""
    for session in sessions:
        if flags := sorted(LOSSES.intersection(session.flags)):
            yield f"{one_line(Path(session.path).name if session.path else session.id, 80)} ({', '.join(flags)})"


def _warnings(sessions: Sequence[Session]) -> Iterable[str]:
    """Ids that stand for two contents: both are kept, and somebody should know."""
    contents: dict[str, set[str]] = {}
    for session in sessions:
        for message in session.messages:
            if message.id is not None:
                contents.setdefault(message.id, set()).add(message.digest)
    double = sorted(id for id, digests in contents.items() if len(digests) > 1)
    if double:
        shown = ", ".join(double[:3]) + (", …" if len(double) > 3 else "")
        yield f"{len(double)} message ids stand for different contents ({shown}); each is kept"
    owners = Counter(session.id for session in {(s.id, s.path): s for s in sessions}.values())
    for owner in sorted(id for id, n in owners.items() if n > 1):
        yield f"{owners[owner]} sources call themselves session {owner!r}"
