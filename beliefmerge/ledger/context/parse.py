"""The inverse of rendering: the prefixes and texts of a context, or why it is none of ours."""

from __future__ import annotations

from beliefmerge.ledger.context.contracts import HEADING
from beliefmerge.ledger.context.line import LINE, original
from beliefmerge.render.escape import MalformedBlock


def parse(text: str) -> list[tuple[str, str]]:
    """(prefix, folded entry text) of every line; the empty text has none. Raises MalformedBlock."""
    if not text:
        return []
    lines = text.split("\n")
    if lines.pop() or lines[:1] != [HEADING]:
        raise MalformedBlock(f"a ledger context starts with {HEADING!r} and ends with a line break")
    found = [LINE.fullmatch(line) for line in lines[1:]]
    if None in found:
        raise MalformedBlock(f"line {found.index(None) + 2} is not an entry")
    return [(match[1], original(match[2])) for match in found if match]
