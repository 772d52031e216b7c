"""Bare corrections: "actually, 45 days" says again what was said last, with another value of the same kind."""

from __future__ import annotations

import re

from beliefmerge.claims.values.normalise import UNTYPED, read
from beliefmerge.claims.words.completeness import is_finite
from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import BE
from beliefmerge.claims.words.nouns import is_name

_GATE = Gate("no wait sorry oops actually correction rather mean meant make mistake bad scratch")
_BARE = re.compile(
    r"^(?P<opening>(?:(?:oh|no|wait|sorry|oops|actually|correction|rather|i (?:mean|meant)|make (?:that|it)|"
    r"my (?:bad|mistake)|scratch that)\b[,:;.!–—-]* +)+)(?:(?:it|that)(?:['’]s| is) )?(?P<value>[^,;:?]{1,40}?)[.!]*$",
    re.IGNORECASE,
)
_OF_NAMES = re.compile(r"\b(?:actually|mean|meant|make|correction|rather|scratch)\b", re.IGNORECASE)
"""Openings after which a name is a value; after "sorry" it may be who is spoken to."""
_LONGEST = 5
"""Words of a value."""


def corrected(before: str, text: str) -> str:
    """`text`, where it is a bare correction of the statement `before`, as that statement with its value."""
    match = _BARE.match(text) if _GATE(text) else None
    if match is None:
        return text
    value, words = match["value"], before.rstrip(" .!").split()
    if len(value.split()) > _LONGEST:
        return text
    cut = _named(words) if _OF_NAMES.search(match["opening"]) and _is_named(value) else _typed(words, read(value).kind)
    return f"{' '.join(words[:cut])} {value}" if cut else text


def _typed(words: list[str], kind: str) -> int:
    """Where in a statement its value of a kind begins, at its end; 0 for nowhere."""
    if kind in UNTYPED or kind in ("boolean", "none"):
        return 0
    for cut in range(max(2, len(words) - _LONGEST), len(words)):
        if read(" ".join(words[cut:])).kind == kind and (any(map(is_finite, words[:cut])) or words[cut - 1][-1] == ":"):
            return cut
    return 0


def _named(words: list[str]) -> int:
    """Where in "the owner is Ana" the name begins; 0 for nowhere."""
    cut = next((i + 1 for i, word in enumerate(words) if i and word.casefold() in BE), 0)
    return cut if cut < len(words) and _is_named(" ".join(words[cut:])) else 0


def _is_named(value: str) -> bool:
    return is_name(value) and value[0].isupper()
