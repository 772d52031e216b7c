"""The stages in order: redact, extract, reconcile, pack, render, verify; and the ladder down when one of them fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from beliefmerge.adjudicate import Adjudicator, adjudicate
from beliefmerge.algebra.decision import Outcome
from beliefmerge.claims.claim import Claim, Extraction, Extractor
from beliefmerge.errors import BeliefMergeError, UsageError, nearest, unknown
from beliefmerge.pack import SOLVERS, Choice, Item, Packing, Unit, Weights, pack, unit
from beliefmerge.reconcile import reconcile
from beliefmerge.render import Counts, assemble, count, frame, needs_banner, renditions
from beliefmerge.render.escape import fold
from beliefmerge.report import Report
from beliefmerge.scores import SCORES
from beliefmerge.session.lineage import is_earlier_state
from beliefmerge.session.model import Session
from beliefmerge.slot import Resolution, Slot, Status
from beliefmerge.verify import verify

if TYPE_CHECKING:
    from beliefmerge.session.redact import Known

EXTRACTIONS = ("heuristic", "joint")


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
    adjudicator: Adjudicator | None = None,
    unreadable: Sequence[str] = (),
) -> Merged:
    """Merge `sessions` into one labelled block of at most `budget` tokens, everything printed included.

    `current` is the id of the caller's own session: its user is TRUSTED, all else is quoted. `query` says what the
    context is for. `tokens` is the counter, `unreadable` names sources that were left out. The result does not depend
    on the order of `sessions`, nor on one being given twice. Nothing that fits gives an empty text.

    Raises UsageError for an unknown name or a budget below 1, TrustViolation when the block claims more than its
    claims allow.
    """
    from beliefmerge.session.lineage import resolve
    from beliefmerge.session.redact import redact_and_learn

    if budget < 1:
        raise UsageError(f"budget {budget} is not positive")
    found, scored, units = list(sessions), SCORES[score], unit(tokens)
    if solver not in SOLVERS:
        raise unknown("solver", solver, SOLVERS)
    if wrong := [each for each in found if not isinstance(each, Session)]:
        raise UsageError(f"merge takes sessions, not {type(wrong[0]).__name__}: read files with read_session(path)")
    _check_current(found, current)
    redacted, kinds, secrets = redact_and_learn(resolve(found))
    if current is not None and secrets:
        current = _redacted_id(current, found, redacted, secrets)
    mode, extraction, rungs = _extract(redacted, extract, current)
    if secrets:
        extraction = _without_secrets(extraction, secrets)
    resolutions: dict[str, Resolution] = {}
    slots = reconcile(extraction.claims, scored, adjudicate=_settling(adjudicator, resolutions, rungs))
    text, packing = _pack(slots, _recencies(redacted), budget, query, units, solver, weights)
    if text:
        verify(
            text,
            extraction.claims,
            score=scored,
            budget=budget,
            counter=lambda block: units.tokens(units.cost(block)),
            resolutions=resolutions,
            current=current,
            leaks=secrets.occurs_in if secrets else None,
        )
    elif slots:
        rungs.append("nothing survives the budget")
    report = _report(
        redacted,
        extraction,
        slots,
        packing,
        mode=mode,
        budget=budget,
        tokens=units.tokens(units.cost(text)),
        counter=tokens,
        rungs=tuple(rungs),
        unreadable=tuple(unreadable),
        redacted=dict(sorted(kinds.items())),
        text=text,
    )
    return Merged(text, tuple(slots), report)


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
        warnings=tuple(_warnings(sessions)),
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


def _extract(
    sessions: Sequence[Session], extract: str | Extractor, current: str | None
) -> tuple[str, Extraction, list[str]]:
    """(mode, claims, rungs): by the extractor asked for, or by the heuristic one when that fails."""
    from beliefmerge.claims.heuristic import extract as heuristic

    if callable(extract):
        mode = getattr(extract, "name", type(extract).__name__)
        try:
            return mode, extract(sessions, current=current), []
        except BeliefMergeError as error:
            return "heuristic", heuristic(sessions, current=current), [f"{mode} extraction failed: {error}"]
    if extract not in EXTRACTIONS:
        raise unknown("extraction", extract, EXTRACTIONS)
    rungs = [] if extract == "heuristic" else ["no model is configured: heuristic extraction"]
    return "heuristic", heuristic(sessions, current=current), rungs


def _without_secrets(extraction: Extraction, secrets: Known) -> Extraction:
    """`extraction` without claims that show a secret: one written full width or with joiners, as no redactor sees it,
    comes to light when its spelling is made plain.
    """
    shown = {claim: frozenset(_shown(claim)) for claim in extraction.claims}
    suspects = secrets.candidates(sorted(frozenset[str]().union(*shown.values())))
    leaks = frozenset(text for text in suspects if secrets.occurs_in(text))
    kept = tuple(claim for claim in extraction.claims if leaks.isdisjoint(shown[claim]))
    dropped = Counter(extraction.dropped)
    dropped["redacted"] += len(extraction.claims) - len(kept)
    return replace(extraction, claims=kept, dropped=+dropped)


def _shown(claim: Claim) -> Iterable[str]:
    """Whatever of `claim` a block may print."""
    yield from (claim.key, claim.spelling, claim.assertion.value, claim.span.quote, fold(claim.span.quote))
    for justification in claim.assertion.justifications:
        for premise in justification:
            yield from (premise.key, premise.value or "")


def _settling(
    adjudicator: Adjudicator | None, resolutions: dict[str, Resolution], rungs: list[str]
) -> Callable[[Sequence[Slot]], Mapping[str, Resolution]] | None:
    """Stage 3b for ``reconcile``; what it settles goes into `resolutions`, what fails into `rungs`."""
    if adjudicator is None:
        return None

    def settle(ties: Sequence[Slot]) -> Mapping[str, Resolution]:
        settled = adjudicate(ties, adjudicator)
        if settled.failure is not None:
            rungs.append(f"adjudication failed, ties stand: {settled.failure}")
        resolutions.update(settled.resolutions)
        return settled.resolutions

    return settle


def _pack(
    slots: Sequence[Slot],
    recencies: Mapping[str, float],
    budget: int,
    query: str | None,
    units: Unit,
    solver: str,
    weights: Weights | None,
) -> tuple[str, Packing]:
    printable = {slot.key: slot for slot in slots if slot.sides}

    def block(choices: Sequence[Choice]) -> str:
        shown = [printable[choice.item.id] for choice in choices]
        counts = count(printable.values(), omitted=len(printable) - len(shown))
        return assemble([c.rendition.text for c in choices], banner=needs_banner(shown), counts=counts)

    counts: Counts = count(printable.values(), omitted=len(printable))
    packing = pack(
        [_item(slot, recencies, units) for slot in printable.values()],
        budget=units.capacity(budget),
        overhead=units.cost(frame(counts, banner=needs_banner(printable.values()))),
        weights=weights,
        query=query,
        solver=solver,
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
    """How late in its branch each message stands: 0 the first, 1 the last; a copied one as late as anywhere."""
    late: dict[str, float] = {}
    for session in sessions:
        last = max(len(session.messages) - 1, 1)
        for i, message in enumerate(session.messages):
            late[message.key] = max(i / last, late.get(message.key, 0.0))
    return late


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
