"""No number in the text is typed: digits are allowed where they are no result.

Allowed are formulas (but not one that is only a number of several digits or per cent), raw text, labels, references,
addresses, words that begin with a letter (`BM25`), and in code lengths, arguments by name, and the strings of the
functions in `QUIET`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from paper.source import Piece, Source

QUIET = frozenset({
    "num", "fact", "constant", "fig", "tab", "image", "cite", "label", "ref", "bibliography", "include",
    "import", "json", "read", "raw", "regex", "rgb", "luma",
})  # fmt: skip
"""Functions whose strings are names, not text."""
_TEXTS = frozenset({"numbering"})
_DIGITS = re.compile(r"(?<![^\W_])[\d\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2089][\d.,\u2009\u202f]*")
_BARE = re.compile(r"(?:[\s+\u2212~\u2248=<>-]|approx|tilde|thin|quad|\()*(?:\d[\d.,]+|[\d.,]+\s*\\?%)[\s)]*")
_ESCAPED = re.compile(r"\\(?:u\{[0-9a-fA-F]+\}|\d)")
_HELP = "a number in the text comes from the results: #num, #fact or #constant"


def typed(sources: Iterable[Source]) -> Iterator[str]:
    """One line for each typed number in `sources`: file, line, and what was found."""
    for source in sources:
        for match in _ESCAPED.finditer(source.text):
            yield f"{source.place(match.start())}: {match[0]!r} hides a character; {_HELP}"
        for piece in sorted(source.pieces, key=lambda piece: piece.offset):
            for offset, found in _found(piece):
                yield f"{source.place(piece.offset + offset)}: {found!r} is typed; {_HELP}"


def _found(piece: Piece) -> Iterator[tuple[int, str]]:
    if piece.kind == "formula":
        if _BARE.fullmatch(piece.text):
            yield 0, f"${piece.text}$"
    elif piece.kind == "number":
        if not (piece.is_length or piece.setting):
            yield 0, piece.text
    elif piece.kind == "prose" or (piece.kind == "string" and not _quiet(piece)):
        for match in _DIGITS.finditer(piece.text):
            yield match.start(), match[0].rstrip(".,")


def _quiet(piece: Piece) -> bool:
    return piece.function in QUIET or piece.setting in _TEXTS
