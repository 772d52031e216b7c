"""One sentence of any language to its clauses and readings."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re
from functools import lru_cache

from beliefmerge.claims.frames import explicit
from beliefmerge.claims.languages import english, others
from beliefmerge.claims.reading import Clause, Frame, Parsed, name_reading
from beliefmerge.claims.words.nouns import noun_phrase
from beliefmerge.claims.words.other_languages import language

_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_WIDE = {i: i - 0xFEE0 for i in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_LETTER = re.compile(r"[^\W\d_]")
_HEADERS = frozenset(
    "key value setting name field parameter property option item description type 键 值 字段 名称 参数 说明".split()
)


@lru_cache(maxsize=1 << 15)
def parse(text: str, kind: str) -> Parsed:
    """Clauses of the sentence `text`, found on a line of kind `kind`."""
    if not text.isascii():
        text = text.translate(_WIDE)
    if not _LETTER.search(text):
        return Parsed()
    if kind in ("json", "echo"):
        path, _, value = text.partition(": ")
        key, value = explicit.with_unit(explicit.Pair(path, value))
        return Parsed((Clause((name_reading(key, value, Frame.EXPLICIT),)),))
    if kind == "row":
        return _row(text)
    if _HAN.search(text) and not _KANA.search(text):
        from beliefmerge.claims.languages import chinese

        return chinese.parse(text)
    name = language(text)
    return english.parse(text, kind) if name == "en" else others.parse(text, kind, name)


def _row(text: str) -> Parsed:
    """A two-column table row is a pair; other rows say nothing without their header."""
    cells = explicit.row(text)
    if len(cells) != 2 or not all(cells) or cells[0].casefold().strip("* ") in _HEADERS:
        return Parsed()
    key, value = (english.without_markup(cell) for cell in cells)
    noun = noun_phrase(key)
    if noun is None or len(value.split()) > 12:
        return Parsed()
    return Parsed((Clause((name_reading(noun, value, Frame.EXPLICIT),)),))
