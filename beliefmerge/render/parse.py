"""The inverse of rendering: what a block says, or why it is none of ours."""

from __future__ import annotations

import re
from dataclasses import fields

from beliefmerge.algebra.annotation import Premise
from beliefmerge.algebra.decision import Outcome
from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.render.block import BANNER, HEADING
from beliefmerge.render.escape import MalformedBlock, escape, unescape
from beliefmerge.render.parsed import (
    ELLIPSIS,
    OUTCOME_WORDS,
    Counts,
    ParsedBlock,
    ParsedItem,
    ParsedSide,
    PrintedStatus,
    Quote,
)

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_KEY = re.compile(rf"- ({_QUOTED}|[^\"].*?): ")
_MARKS = re.compile(rf"(RETRACTED )?(ADJUDICATED )?(?:({'|'.join(OUTCOME_WORDS.values())}) )?")
_SIDE = re.compile(
    rf'(?P<denied>not )?(?P<value>{_QUOTED}|[^"\[ ][^"\[]*?)(?: if (?P<guard>{_QUOTED}))? '
    rf"\[(?P<evidence>{'|'.join(e.label for e in Evidence)})(?: x(?P<witnesses>[1-9][0-9]{{0,8}}))?"
    r"(?P<trust>, trusted|, UNTRUSTED)?(?P<retracted>, RETRACTED)?\]"
    rf"(?: (?P<before>{ELLIPSIS})?(?P<quote>{_QUOTED})(?P<after>{ELLIPSIS})?)?"
)
_PREMISE = re.compile(rf'({_QUOTED}|[^"].*?)(?: = ({_QUOTED}|[^";]+?))?(?=; |\Z)')
_COUNT = re.compile(r"([a-z]+) ([1-9][0-9]{0,8})")

_EVIDENCE = {e.label: e for e in Evidence}
_OUTCOMES = {word: outcome for outcome, word in OUTCOME_WORDS.items()}
_TRUST = {None: Trust.EXTERNAL, ", trusted": Trust.TRUSTED, ", UNTRUSTED": Trust.UNTRUSTED}


def parse(text: str) -> ParsedBlock:
    """What the block `text` says; the empty text says nothing. Raises MalformedBlock."""
    if not text:
        return ParsedBlock(banner=False, items=())
    lines = text.split("\n")
    if lines.pop() or lines[:1] != [HEADING]:
        raise MalformedBlock(f"a block starts with {HEADING!r} and ends with a line break")
    banner = lines[1:2] == [BANNER]
    body = lines[2:] if banner else lines[1:]
    counts = Counts()
    if len(body) >= 2 and body[-2] == "" and body[-1].startswith("("):
        counts = _counts(body[-1])
        body = body[:-2]
    return ParsedBlock(banner, tuple(_item(line) for line in body), counts)


def _counts(line: str) -> Counts:
    found = [_COUNT.fullmatch(part) for part in line.removeprefix("(").removesuffix(")").split("; ")]
    values = {m[1]: int(m[2]) for m in found if m}
    if len(values) != len(found) or not values.keys() <= {f.name for f in fields(Counts)}:
        raise MalformedBlock(f"not a footer: {_cited(line)}")
    return Counts(**values)


def _item(line: str) -> ParsedItem:
    key = _KEY.match(line)
    if key is None:
        raise MalformedBlock(f"not an item: {_cited(line)}")
    marks = _MARKS.match(line, key.end())
    assert marks is not None  # every part of it is optional
    outcome = _OUTCOMES.get(marks[3], Outcome.RESOLVED)
    sides, end = _sides(line, marks.end(), outcome)
    status, premises = _premises(line[end:], retracted=marks[1] is not None)
    if outcome is Outcome.RESOLVED and len(sides) != 1:
        raise MalformedBlock(f"one value of several, unmarked: {_cited(line)}")
    return ParsedItem(
        key=_field(key[1]),
        outcome=outcome,
        sides=sides,
        status=status,
        adjudicated=marks[2] is not None,
        premises=premises,
    )


def _sides(line: str, start: int, outcome: Outcome) -> tuple[tuple[ParsedSide, ...], int]:
    sides: list[ParsedSide] = []
    while True:
        match = _SIDE.match(line, start)
        if match is None:
            raise MalformedBlock(f"not a value with labels: {_cited(line[start:])}")
        sides.append(_side(match, outcome))
        if not line.startswith(" | ", match.end()):
            return tuple(sides), match.end()
        start = match.end() + 3


def _side(match: re.Match[str], outcome: Outcome) -> ParsedSide:
    if (match["guard"] is not None) != (outcome is Outcome.CONDITIONAL):
        raise MalformedBlock(f"a condition belongs to a conditional item and to no other: {_cited(match[0])}")
    quote = None
    if match["quote"] is not None:
        quote = Quote(_field(match["quote"]), match["before"] is not None, match["after"] is not None)
    return ParsedSide(
        value=_field(match["value"]),
        denied=match["denied"] is not None or outcome is Outcome.REFUTED,
        evidence=_EVIDENCE[match["evidence"]],
        witnesses=int(match["witnesses"] or 1),
        trust=_TRUST[match["trust"]],
        retracted=match["retracted"] is not None,
        guard=None if match["guard"] is None else _field(match["guard"]),
        quote=quote,
    )


def _premises(rest: str, *, retracted: bool) -> tuple[PrintedStatus, tuple[Premise, ...]]:
    without = PrintedStatus.RETRACTED if retracted else PrintedStatus.STANDS
    if not rest:
        return without, ()
    word, status = (" unmet ", without) if retracted else (" derived from ", PrintedStatus.DERIVED)
    if not rest.startswith(word):
        raise MalformedBlock(f"text after the value: {_cited(rest)}")
    premises: list[Premise] = []
    start = len(word)
    while True:
        match = _PREMISE.match(rest, start)
        if match is None:
            raise MalformedBlock(f"not a premise: {_cited(rest[start:])}")
        premises.append(Premise(_field(match[1]), None if match[2] is None else _field(match[2])))
        if match.end() == len(rest):
            return status, tuple(premises)
        start = match.end() + 2


def _field(text: str) -> str:
    return unescape(text[1:-1]) if text.startswith('"') else text


def _cited(text: str) -> str:
    """`text` as an error message may show it: one line, short."""
    shown = escape(text)
    return shown if len(shown) <= 80 else shown[:79] + ELLIPSIS
