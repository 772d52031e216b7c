"""One slot as one line: ``- key: MARKS value [labels] "quote" | value [labels] derived from key = value``."""

from __future__ import annotations

import re

from beliefmerge.algebra.annotation import Premise
from beliefmerge.algebra.decision import Outcome
from beliefmerge.algebra.evidence import Trust
from beliefmerge.claims.claim import ClaimType
from beliefmerge.claims.clauses.reasons import reason_in
from beliefmerge.render.escape import field, fold, quoted
from beliefmerge.render.parsed import ELLIPSIS, OUTCOME_WORDS, ParsedItem, ParsedSide, PrintedStatus, Quote
from beliefmerge.slot import Side, Slot, Status

QUOTE_LIMIT = 160
"""Characters of a quote that are printed at most."""


def renditions(slot: Slot) -> tuple[str, ...]:
    """The ways to print `slot`, fullest first: with a quote a side, without. Each is whole lines, breaks included.

    None for a slot that says nothing. What was ruled out for a reason is printed with its quote only: without the
    reason, it is proposed again.
    """
    if not slot.sides:
        return ()
    full, bare = (line(printed(slot, quotes=quotes)) for quotes in (True, False))
    return (full,) if full == bare or _rests_on_reason(slot) else (full, bare)


def _rests_on_reason(slot: Slot) -> bool:
    return slot.outcome is Outcome.REFUTED and any(_reason(side) for side in slot.sides)


def _reason(side: Side) -> str:
    """Why the strongest opinion of a denied side rules it out, in its own words."""
    first = side.claims[0] if side.claims else None
    return reason_in(fold(first.span.quote)) if first and first.type is ClaimType.REFUTED else ""


def printed(slot: Slot, *, quotes: bool = True) -> ParsedItem:
    """What the line of `slot` says, as ``parse`` gives it back."""
    return ParsedItem(
        key=slot.key,
        outcome=slot.outcome,
        sides=tuple(_side(slot, side, quotes=quotes) for side in shown(slot)),
        status=printed_status(slot),
        adjudicated=slot.outcome is not slot.decision.outcome,
        premises=slot.unmet if slot.status is Status.RETRACTED else slot.derived_from,
    )


def shown(slot: Slot) -> tuple[Side, ...]:
    """The sides that are printed: those that an adjudication chose, else all; strongest first."""
    chosen = slot.sides
    if slot.resolution is not None and slot.outcome is not slot.decision.outcome:
        chosen = tuple(side for side in slot.sides if side.stance in slot.resolution.chosen)
    return tuple(sorted(chosen, key=_strongest_first))


def _strongest_first(side: Side) -> tuple[object, ...]:
    return (-side.trust, -side.evidence, -side.witnesses, side.spelling, side.stance)


def printed_status(slot: Slot) -> PrintedStatus:
    """What the line says of its standing."""
    if slot.status is Status.RETRACTED:
        return PrintedStatus.RETRACTED
    return PrintedStatus.DERIVED if slot.derived_from else PrintedStatus.STANDS


def _side(slot: Slot, side: Side, *, quotes: bool) -> ParsedSide:
    guard = None
    if slot.outcome is Outcome.CONDITIONAL and slot.resolution is not None:
        guard = slot.resolution.guard(side.stance) or ""
    return ParsedSide(
        value=side.spelling,
        denied=side.stance.denied,
        evidence=side.evidence,
        witnesses=side.witnesses,
        trust=side.trust,
        retracted=side.retracted and slot.status is not Status.RETRACTED,
        guard=guard,
        quote=excerpt(slot.key, side) if quotes else None,
    )


def excerpt(key: str, side: Side) -> Quote | None:
    """The strongest opinion's quote, shortened around the value, or to the reason why it was ruled out.

    None where it says no more than key and value do.
    """
    text = fold(side.claims[0].span.quote) if side.claims else ""
    if side.stance.denied and 0 < len(reason := _reason(side)) <= QUOTE_LIMIT:
        return Quote(reason, cut_before=True)
    if not _adds_to(f"{key} {side.spelling}", text):
        return None
    if len(text) <= QUOTE_LIMIT:
        return Quote(text)
    return _window(text, fold(side.spelling))


_WORD = re.compile(r"\w+")
_NEGATIONS = frozenset({"no", "not", "nor", "t"})


def _adds_to(said: str, quote: str) -> bool:
    """Whether `quote` has a word that `said` lacks; short ones, but for negations, hold a sentence together."""
    known = set(_WORD.findall(said.casefold().replace("_", " ")))
    words = set(_WORD.findall(quote.casefold().replace("_", " "))) - known
    return any(len(word) > 3 or word in _NEGATIONS or not word.isascii() for word in words)


def _window(text: str, value: str) -> Quote:
    found = re.search(re.escape(value), text, re.IGNORECASE)
    at, until = found.span() if found else (0, 0)
    start = min(at, max(0, min((at + until - QUOTE_LIMIT) // 2, len(text) - QUOTE_LIMIT)))
    end = start + QUOTE_LIMIT
    # White space only: text without any, as in Chinese, is cut where the limit is.
    if start and (space := text.find(" ", start, at)) >= 0:
        start = space + 1
    if end < len(text) and (space := text.rfind(" ", min(until, end), end + 1)) >= 0:
        end = space
    kept = text[start:end]
    return Quote(kept.strip(), cut_before=start > 0, cut_after=end < len(text))


def line(item: ParsedItem) -> str:
    """The printed line of `item`, its line break included."""
    words = [f"- {field(item.key)}:"]
    if item.status is PrintedStatus.RETRACTED:
        words.append("RETRACTED")
    if item.adjudicated:
        words.append("ADJUDICATED")
    if item.outcome in OUTCOME_WORDS:
        words.append(OUTCOME_WORDS[item.outcome])
    words.append(" | ".join(_side_text(item.outcome, side) for side in item.sides))
    if item.premises:
        words.append("unmet" if item.status is PrintedStatus.RETRACTED else "derived from")
        words.append("; ".join(_premise_text(premise) for premise in item.premises))
    return " ".join(words) + "\n"


def _side_text(outcome: Outcome, side: ParsedSide) -> str:
    words = ["not", field(side.value)] if side.denied and outcome is not Outcome.REFUTED else [field(side.value)]
    if side.guard is not None:
        words += ["if", quoted(side.guard)]
    words.append(f"[{labels(side)}]")
    if side.quote is not None:
        before, after = (ELLIPSIS if cut else "" for cut in (side.quote.cut_before, side.quote.cut_after))
        words.append(before + quoted(side.quote.text) + after)
    return " ".join(words)


def labels(side: ParsedSide) -> str:
    """Evidence, witnesses where there are several, trust where it is not EXTERNAL, and whether it has fallen."""
    text = side.evidence.label
    if side.witnesses != 1:
        text += f" x{side.witnesses}"
    if side.trust is Trust.TRUSTED:
        text += ", trusted"
    if side.trust is Trust.UNTRUSTED:
        text += ", UNTRUSTED"
    return text + (", RETRACTED" if side.retracted else "")


def _premise_text(premise: Premise) -> str:
    if premise.value is None:
        return field(premise.key)
    return f"{field(premise.key)} = {field(premise.value)}"
