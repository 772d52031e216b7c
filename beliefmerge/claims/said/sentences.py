"""Sentences with their character offsets: prose in any script, list items, table rows, configuration lines.

Nothing is split inside inline code, URLs, numbers or after an abbreviation. Fenced code is left out but for lines that
set a value.
"""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST = 600
"""Characters; a longer sentence is no single statement."""

_HUNK = 50
"""Lines that one change takes out at most."""


class Piece(NamedTuple):
    """A sentence's place in its block: ``text[start:end]``, and what kind of line it was found on."""

    start: int
    end: int
    kind: str
    """`prose`, `item` (of a list), `done` (a ticked box), `code` (a setting inside a fence), `heading`
    or `row` (of a table)."""


_ABBREVIATIONS = frozenset(
    "e.g i.e eg ie etc vs cf dr mr mrs ms prof sr jr st no nr fig eq sec vol pp approx ca al dept est inc ltd co corp "
    "min max avg resp incl excl z.b d.h bzw usw u.a ca vgl abs str tel ggf m mme p.ex av a.m p.m u.s u.k ph.d jan "
    "feb mar "
    "apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun".split()
)
# A terminator counts before white space or the end; a CJK one always does.
_STOP = re.compile(r"[.!?…。！？؟।]+(?:(?<=[。！？])[\"”’」』）)]*|[\"'”’)\]*_»]*(?=\s|$))")
_PREFIX = re.compile(r"[ \t]*(?:(?:[-*+•·‣▪]|\d{1,3}[.)]|\[[ xX]\]|>+)[ \t]+)*")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+")
_FENCE = re.compile(r"[ \t]*(?:```+|~~~+)")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_GAP = re.compile(r"\S[ \t]+\|(?=[ \t])|-\+-|[^\s.!?;:,](?: {2,}|[ \t]*\t[ \t]*)(?=\S)")
_RULE = re.compile(r"[ \t]*[|+:]?-{2,}[-+|: \t]*(?:\n|$)")
"""Below the heads of a table, which are no claim."""
_ROW_COUNT = re.compile(r"[ \t]*\(\d+ rows?\)[ \t]*$")
_SETTING = re.compile(r"[ \t]*(?:export |set )?[A-Za-z_][\w.-]{1,60}[ \t]*[:=][ \t]*[^\s=({\[<>].{0,80}$")
_CODE_SPAN = re.compile(r"`[^`\n]+`")
_STARTS_NEW = re.compile(r"[ \t]*(?:[-*+•>|#~`]|\d{1,3}[.)][ \t]|[\w.\- ]{1,40}[:=])")


def split(text: str) -> list[Piece]:
    """The sentences of `text`, in order. Offsets are characters; white space and list markers are outside."""
    out: list[Piece] = []
    if "\n" in text:
        _lines(text, out)
    elif text:
        _line(text, 0, len(text), out)
    return out


def _lines(text: str, out: list[Piece]) -> None:
    fence, start, length = False, 0, len(text)
    while start < length:
        end = text.find("\n", start)
        end = length if end < 0 else end
        if text.startswith(("`", "~", " ", "\t"), start) and _FENCE.match(text, start, end):
            fence = not fence
        elif fence:
            if end - start <= 160 and _SETTING.match(text, start, end):
                out.append(Piece(*_trimmed(text, start, end), "code"))
        elif text[start] == "-" and _is_taken_out(text, end):
            pass
        elif _is_row(text, start, end):
            if not _RULE.match(text, end + 1):
                out.append(Piece(*_trimmed(text, start, end), "row"))
        else:
            while end < length and _continues(text, start, end):
                following = text.find("\n", end + 1)
                end = length if following < 0 else following
            if end > start:
                _line(text, start, end, out)
        start = end + 1


def _is_taken_out(text: str, end: int) -> bool:
    """Whether a line with a minus, which ends at `end`, is the old text of a change: the lines after it have a plus."""
    for _ in range(_HUNK):
        if text[end + 1 : end + 2] != "-":
            break
        end = text.find("\n", end + 1)
        if end < 0:
            return False
    return text[end + 1 : end + 2] == "+"


def _is_row(text: str, start: int, end: int) -> bool:
    """Whether a line is one of a table, in Markdown or as a program prints it: columns as in a line above or below."""
    if text[start] in "|( \t" and (_ROW.match(text, start, end) or _ROW_COUNT.match(text, start, end)):
        return True
    if not _columns(text, start, end):
        return False
    above, below = text.rfind("\n", 0, max(0, start - 1)) + 1, text.find("\n", end + 1)
    return (start > 0 and _columns(text, above, start - 1)) or _columns(
        text, end + 1, below if below >= 0 else len(text)
    )


def _columns(text: str, start: int, end: int) -> bool:
    """Whether `text` has three fields between wide gaps, or two between bars, from `start` to `end`."""
    if not 0 < end - start <= LONGEST or text[end - 1] in ".!?":
        return False
    if not any(text.find(mark, start, end) >= 0 for mark in ("  ", "\t", " |", "-+-")):
        return False
    gaps = [match[0] for match in _GAP.finditer(text, start, end)]
    return len(gaps) > 1 or any(gap[-1] in "|-" for gap in gaps)


def _continues(text: str, start: int, end: int) -> bool:
    """Whether the line that ends at `end` is hard-wrapped: long, unfinished, and the next one begins in lower case."""
    if end - start < 40 or end - start > LONGEST or text[end - 1] in ".!?:;。！？：；|":
        return False
    if not text[end + 1 : end + 2].islower():
        return False
    return not _STARTS_NEW.match(text, end + 1, min(len(text), end + 60))


def _line(text: str, start: int, end: int, out: list[Piece]) -> None:
    kind = "prose"
    if not text[start].isalpha():
        if text[start] in "|\t " and _ROW.match(text, start, end):
            out.append(Piece(*_trimmed(text, start, end), "row"))
            return
        if match := _HEADING.match(text, start, end):
            start, end = _trimmed(text, match.end(), end)
            if end > start:
                out.append(Piece(start, end, "heading"))
            return
        match = _PREFIX.match(text, start, end)
        if match and match.end() > start:
            if match.group().strip():
                kind = "done" if "[x]" in match.group().casefold() else "item"
            start = match.end()
    _prose(text, start, end, kind, out)


def _prose(text: str, start: int, end: int, kind: str, out: list[Piece]) -> None:
    protected = [m.span() for m in _CODE_SPAN.finditer(text, start, end)] if text.find("`", start, end) >= 0 else ()
    for stop in _STOP.finditer(text, start, end):
        dot, cut = stop.span()
        if cut >= end:
            break
        # A full stop after a word of six letters needs no closer look.
        if (
            text[dot] == "."
            and not (dot - 6 > start and text[dot - 6 : dot].isalpha())
            and not _ends(text, start, dot, cut)
        ):
            continue
        if protected and any(a <= dot < b for a, b in protected):
            continue
        if start < cut:
            out.append(Piece(start, cut, kind))
        start = cut
        while start < end and text[start].isspace():
            start += 1
    start, end = _trimmed(text, start, end)
    if start < end:
        out.append(Piece(start, end, kind))


def _ends(text: str, at: int, dot: int, cut: int) -> bool:
    """Whether the full stop at `dot` ends a sentence rather than an abbreviation, an initial or a list number."""
    if cut - dot > 1:
        return True
    space = max(text.rfind(" ", at, dot), text.rfind("\n", at, dot), text.rfind("(", at, dot), at - 1)
    word = text[space + 1 : dot]
    if len(word) > 5:
        return True
    folded = word.casefold()
    if folded in _ABBREVIATIONS:
        # "at 5 p.m. We left": an abbreviation may still end a sentence before a capitalised function word.
        return folded in ("etc", "a.m", "p.m", "co", "inc", "min", "sec", "max") and text[cut + 1 : cut + 2].isupper()
    if len(word) == 1 and word.isupper():
        return bool(re.match(r"\s+(?:The|We|It|I|They|This|That|So|But|And)\b", text[cut : cut + 8]))
    return not (word.isdigit() and space + 1 <= at + 1)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
