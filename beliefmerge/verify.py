"""The independent check of a rendered block against its claims. It fails closed: any doubt refuses the block.

The text that is about to be emitted is parsed, and everything it says is compared with what
`beliefmerge.rederive` reads off the claims by its own code. A difference in either direction refuses: a label that is
too strong launders, one that is too weak means that one of the two readings is wrong.
"""

from __future__ import annotations

import re
from collections import Counter as Multiset
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from beliefmerge.algebra.decision import Outcome
from beliefmerge.algebra.evidence import Trust
from beliefmerge.algebra.score import Score
from beliefmerge.claims.claim import Claim
from beliefmerge.errors import TrustViolation
from beliefmerge.rederive import BadResolution, Expected, ExpectedSide, rederive
from beliefmerge.render.block import HEADING, assemble
from beliefmerge.render.escape import MalformedBlock, escape, fold
from beliefmerge.render.item import line
from beliefmerge.render.parse import parse
from beliefmerge.render.parsed import ParsedBlock, ParsedItem, ParsedSide, PrintedStatus, Quote
from beliefmerge.session.model import Channel
from beliefmerge.slot import Resolution
from beliefmerge.tokens import Counter

_REDACTED = re.compile(r"\[REDACTED:[^\]]*\]")
_NO_RESOLUTIONS: Mapping[str, Resolution] = MappingProxyType({})


def verify(
    text: str,
    claims: Iterable[Claim],
    *,
    score: Score,
    budget: int,
    counter: Counter,
    resolutions: Mapping[str, Resolution] = _NO_RESOLUTIONS,
    current: str | None = None,
    leaks: Callable[[str], bool] | None = None,
) -> ParsedBlock:
    """What the block `text` says, if the claims bear it out. Raises TrustViolation, one line, with the first reason.

    `claims` are all claims of the merge, `resolutions` what an adjudicator said of its ties, `current` the id of the
    session whose user may be TRUSTED. `leaks` tells whether a text holds a redacted value: a predicate of the redactor,
    so that no secret is handed on. Of the footer, `omitted` and `adjudicated` are checked exactly; `unresolved` and
    `retracted` count slots that are not shown too, and are only refused below what is shown.
    """
    everything = list(claims)
    block = _parsed(text)
    if leaks is not None:
        _check_leaks(block, leaks)
    _check_keys(block)
    _check_origins(everything, current)
    try:
        expected = rederive((item.key for item in block.items), everything, score, resolutions)
    except BadResolution as error:
        raise TrustViolation(f"refused: {error}") from None
    for item in block.items:
        _check_item(item, expected.get(item.key))
    _check_frame(text, block, everything, resolutions)
    if (size := counter(text)) > budget:
        raise TrustViolation(f"refused: the block takes {size} tokens of a budget of {budget}")
    return block


def _refuse(item: ParsedItem, reason: str) -> TrustViolation:
    return TrustViolation(f"refused: {_named(item.key)}: {reason}")


def _named(text: str) -> str:
    shown = escape(text)
    return f'"{shown}"' if len(shown) <= 60 else f'"{shown[:60]}…"'


def _parsed(text: str) -> ParsedBlock:
    headings = [each for each in text.splitlines() if each.lstrip().startswith(("#", "＃"))]
    if len(headings) > 1 or (headings and headings != [HEADING]):
        raise TrustViolation(f"refused: {len(headings)} headings, and only {HEADING!r} may stand")
    try:
        block = parse(text)
    except MalformedBlock as error:
        raise TrustViolation(f"refused: {error}") from None
    if assemble([line(item) for item in block.items], banner=block.banner, counts=block.counts) != text:
        raise TrustViolation("refused: the block is not in canonical form")
    return block


def _check_leaks(block: ParsedBlock, leaks: Callable[[str], bool]) -> None:
    """No field holds a redacted value. Our own words are not asked about, nor the marks of what was redacted."""
    for item in block.items:
        if any(leaks(_REDACTED.sub(" ", field)) for field in _fields(item)):
            raise TrustViolation("refused: a redacted value appears in the block")


def _fields(item: ParsedItem) -> Iterable[str]:
    yield item.key
    for side in item.sides:
        yield side.value
        yield side.guard or ""
        yield side.quote.text if side.quote else ""
    for premise in item.premises:
        yield premise.key
        yield premise.value or ""


def _check_keys(block: ParsedBlock) -> None:
    for key, times in Multiset(item.key for item in block.items).items():
        if times > 1:
            raise TrustViolation(f"refused: {_named(key)} is shown {times} times")


def _check_origins(claims: Iterable[Claim], current: str | None) -> None:
    """A claim's own trust is within what its channel and its session allow."""
    for claim in claims:
        if claim.assertion.trust > _ceiling(claim, current):
            raise TrustViolation(
                f"refused: a claim of {_named(claim.key)} on channel {claim.channel} calls itself "
                f"{claim.assertion.trust.label}"
            )


def _ceiling(claim: Claim, current: str | None) -> Trust:
    if claim.channel is Channel.INJECTED:
        return Trust.UNTRUSTED
    own = current is not None and claim.span.session == current and claim.channel is Channel.USER
    return Trust.TRUSTED if own else Trust.EXTERNAL


def _check_item(item: ParsedItem, expected: Expected | None) -> None:
    if expected is None:
        raise _refuse(item, "no claim supports it")
    _check_outcome(item, expected)
    unmatched = list(expected.sides)
    for side in item.sides:
        unmatched.remove(_check_side(item, side, unmatched))
    if unmatched:
        raise _refuse(item, f"a side is hidden: {len(item.sides)} shown of {len(expected.sides)}")
    if item.adjudicated != expected.adjudicated:
        raise _refuse(item, "what an adjudicator settled and what it did not are mixed up")
    _check_standing(item, expected)


def _check_outcome(item: ParsedItem, expected: Expected) -> None:
    if item.outcome is expected.outcome:
        return
    if expected.outcome is Outcome.DISPUTED:
        raise _refuse(item, f"a dispute is shown as {item.outcome.value}")
    raise _refuse(item, f"shown as {item.outcome.value}, but the claims make it {expected.outcome.value}")


def _check_side(item: ParsedItem, side: ParsedSide, candidates: list[ExpectedSide]) -> ExpectedSide:
    """The expected side that `side` shows; refuses with the reason of the likeliest when there is none."""
    named = [each for each in candidates if (each.spelling, each.stance.denied) == (side.value, side.denied)]
    if not named:
        raise _refuse(item, f"no current claim supports {'not ' * side.denied}{_named(side.value)} as it is shown")
    reasons = [_difference(side, each) for each in named]
    if None in reasons:
        return named[reasons.index(None)]
    raise _refuse(item, f"{_named(side.value)}: {reasons[0]}")


def _difference(side: ParsedSide, expected: ExpectedSide) -> str | None:
    if side.evidence != expected.evidence:
        return f"labelled {side.evidence.label}, its evidence is {expected.evidence.label}"
    if side.witnesses != expected.witnesses:
        return f"labelled with {side.witnesses} witnesses, it has {expected.witnesses}"
    if side.trust != expected.trust:
        return f"labelled {side.trust.label}, its trust is {expected.trust.label}"
    if side.retracted != expected.retracted:
        return "retracted, and not marked so" if expected.retracted else "marked retracted, and it is not"
    if side.guard != expected.guard:
        return "shown under another condition than the adjudicator's"
    if side.quote is not None and not any(_is_part(side.quote, fold(text)) for text in expected.quotes):
        return "the quote is not in its spans"
    return None


def _is_part(quote: Quote, text: str) -> bool:
    """Whether `quote` is verbatim in `text`, and whole where it does not say that it was cut."""
    starts = quote.cut_before or text.startswith(quote.text)
    ends = quote.cut_after or text.endswith(quote.text)
    whole = quote.cut_before or quote.cut_after or text == quote.text
    return bool(quote.text) and starts and ends and whole and quote.text in text


def _check_standing(item: ParsedItem, expected: Expected) -> None:
    premises = frozenset(item.premises)
    if len(premises) != len(item.premises) or sorted(premises) != list(item.premises):
        raise _refuse(item, "its premises are repeated or out of order")
    if expected.retracted != (item.status is PrintedStatus.RETRACTED):
        raise _refuse(item, "retracted, and not marked so" if expected.retracted else "marked retracted, and it is not")
    if expected.retracted:
        if premises != expected.unmet:
            raise _refuse(item, "the premises named as unmet are not those that are")
    elif premises not in (expected.routes or [frozenset()]):
        raise _refuse(item, "the premises named are not those it rests on")


def _check_frame(text: str, block: ParsedBlock, claims: Iterable[Claim], resolutions: Mapping[str, Resolution]) -> None:
    """Banner and footer. The empty text owes neither."""
    if not text:
        return
    if not block.banner and any(side.trust < Trust.TRUSTED for item in block.items for side in item.sides):
        raise TrustViolation("refused: something shown is not trusted, and the banner is missing")
    counts = block.counts
    omitted = len({claim.key for claim in claims}) - len(block.items)
    if counts.omitted != omitted:
        raise TrustViolation(f"refused: {omitted} items are omitted, and the footer says {counts.omitted}")
    settled = sum(resolution.outcome != "unresolvable" for resolution in resolutions.values())
    if counts.adjudicated != settled:
        raise TrustViolation(f"refused: {settled} ties were adjudicated, and the footer says {counts.adjudicated}")
    disputed = sum(item.outcome is Outcome.DISPUTED for item in block.items)
    if counts.unresolved < disputed:
        raise TrustViolation(f"refused: {disputed} disputes are shown, and the footer says {counts.unresolved}")
    retracted = sum(item.status is PrintedStatus.RETRACTED for item in block.items)
    if counts.retracted < retracted:
        raise TrustViolation(f"refused: {retracted} retracted items are shown, and the footer says {counts.retracted}")
