"""Whether a text shows a value: case, width and ``_`` folded, whole words only.

"12" is not found in "120", "12.5", "3:12" or "-12"; "Alder House" is found in "alder_house". Where a value begins or
ends in a script without spaces, its neighbours say nothing and are not looked at; nor is a neighbour in such a script.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable

SCRIPTS = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
"""Scripts without spaces, as part of a character class."""
UNSPACED = re.compile(f"[{SCRIPTS}]")
_NUMBER_MAY_BEGIN = re.compile(r"(?<!-)(?<!\d[.,:/])")
_NUMBER_MAY_END = re.compile(r"(?![.,:/-]?\d)")


@functools.lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """NFKC, case folded, ``_`` as a space, runs of white space as one."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("_", " ").split())


def shows(text: str, value: str) -> bool:
    """Whether `text` shows `value`. An empty value is shown nowhere."""
    wanted, folded = fold(value), fold(text)
    if not wanted:
        return False
    start = folded.find(wanted)
    while start >= 0:
        if _begins(folded, start, wanted[0]) and _ends(folded, start + len(wanted), wanted[-1]):
            return True
        start = folded.find(wanted, start + 1)
    return False


def _begins(text: str, start: int, first: str) -> bool:
    """Whether a value whose first character is `first` may begin at `start`."""
    if UNSPACED.match(first):
        return True
    if _in_word(text[max(0, start - 1) : start]):
        return False
    return not first.isdigit() or _NUMBER_MAY_BEGIN.match(text, start) is not None


def _ends(text: str, end: int, last: str) -> bool:
    """Whether a value whose last character is `last` may end before `end`."""
    if UNSPACED.match(last):
        return True
    if _in_word(text[end : end + 1]):
        return False
    return not last.isdigit() or _NUMBER_MAY_END.match(text, end) is not None


def _in_word(neighbour: str) -> bool:
    """Whether a neighbour (or none) runs on the word beside it. Text is folded: it has no ``_``."""
    return neighbour.isalnum() and not UNSPACED.match(neighbour)


def shown(text: str, values: Iterable[str]) -> list[str]:
    """Those of `values` that `text` shows."""
    return [value for value in values if shows(text, value)]


def without(text: str, passages: Iterable[str]) -> str:
    """`text`, folded, with each of `passages` taken out wherever it stands."""
    folded = fold(text)
    for passage in passages:
        if wanted := fold(passage):
            folded = folded.replace(wanted, " ")
    return folded
