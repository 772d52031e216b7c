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


@functools.lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """NFKC, case folded, ``_`` as a space, runs of white space as one."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("_", " ").split())


@functools.lru_cache(maxsize=65536)
def _pattern(value: str) -> re.Pattern[str]:
    folded = fold(value)
    before = after = ""
    if not UNSPACED.match(folded[:1]):
        before = rf"(?<![^\W{SCRIPTS}])"
        if folded[:1].isdigit():
            before += r"(?<!-)(?<!\d[.,:/])"
    if not UNSPACED.match(folded[-1:]):
        after = rf"(?![^\W{SCRIPTS}])"
        if folded[-1:].isdigit():
            after += r"(?![.,:/-]?\d)"
    return re.compile(before + re.escape(folded) + after)


def shows(text: str, value: str) -> bool:
    """Whether `text` shows `value`. An empty value is shown nowhere."""
    wanted, folded = fold(value), fold(text)
    return bool(wanted) and wanted in folded and _pattern(value).search(folded) is not None


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
