"""Slot keys: a readable form that is shown, and a folded form that says which spellings are one key.

"The cache TTL", "cache_ttl", "cacheTtl" and "TTL of the cache" fold to one key.
"""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from beliefmerge.claims.values.normalise import singular
from beliefmerge.claims.values.numerals import NUMBER_WORDS, ordinal
from beliefmerge.claims.words.lexicon import (
    ARTICLES,
    BE,
    FILLERS,
    KEY_FILLERS,
    POSSESSIVES,
    VERB_BASE,
    VERB_TENSE,
)

_LONGEST = 120
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOISE = re.compile(r"(?<!\d):|:(?!\d)|[*`\"“”«»「」『』()\[\]{}<>|#!?;,。，；：！？、]+")
_TOKEN = re.compile(r"\d+(?:[.:,]\d+)+|[^\W_]+(?:['’][^\W_]+)*|[+#&%$€£@°]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK_FILLER = re.compile(r"我们的|我们|我的|你的|您的|咱们的|当前的?|目前的?|现在的?|这个|该|的")
_UNSHOWN = ARTICLES | {"our"}
_PLACED = re.compile(r"(?: is)? (?:live|reside|sit|locate|base|situate|host) in$")
_SPELLING = {
    "colour": "color",
    "centre": "center",
    "licence": "license",
    "grey": "gray",
    "ownership": "owner",
    "favourite": "favorite",
}
_DROPPED = ARTICLES | FILLERS
_AUXILIARY = frozenset("do does did will shall have has had 've 'll going gonna".split())
_UNIT_SUFFIX = re.compile(
    r"(?:[_ ]|\s?[(\[]|,? in )(ms|s|sec|secs|seconds|min|mins|minutes|hours|days|kb|mb|gb|bytes|percent|pct|%|km|"
    r"kg)[)\]]?$",
    re.I,
)


@lru_cache(maxsize=1 << 16)
def canonical(text: str) -> str:
    """`text` as a key: one line, lower case, without articles, markup or ": ", separators as spaces. Never empty.

    Dots stay (``migration.complete``), so keys given as data keep their shape.
    """
    text = unicodedata.normalize("NFKC", text)
    if " " not in text.strip():
        text = text.replace("-", " ")
        if text[:1].islower():
            text = _CAMEL.sub(" ", text)
    words = [word.strip("'’.…-") or word for word in _NOISE.sub(" ", text).replace("_", " ").split()]
    # "service A" names a service: a capital A that does not open the key is no article.
    kept = [word for i, word in enumerate(words) if word.casefold() not in _UNSHOWN or (word == "A" and i)] or words
    key = " ".join(kept).casefold()
    if len(key) > _LONGEST:
        key = key[:_LONGEST].rsplit(" ", 1)[0]
    return key or "unnamed"


@lru_cache(maxsize=1 << 16)
def fold_name(key: str) -> str:
    """What two spellings of a noun-phrase key share; word order does not count ("TTL of the cache")."""
    words = _words(key)
    kept = [w for w in words if w not in KEY_FILLERS and w not in POSSESSIVES and w not in ("of", "for", "s")]
    return " ".join(sorted(_SPELLING.get(singular(w), singular(w)) for w in (kept or words)))


@lru_cache(maxsize=1 << 16)
def fold_clause(key: str) -> str:
    """What two wordings of a clause key share: verb forms and auxiliaries are folded, word order counts."""
    words = _words(key)
    folded = " ".join(stem(w) for w in words if w not in _AUXILIARY and w not in POSSESSIVES) or " ".join(words)
    return _PLACED.sub(" is in", folded)


def stem(word: str) -> str:
    """Base form of a known verb, "is" for every form of be, else the singular."""
    if word in BE:
        return "is"
    if word in VERB_BASE and VERB_TENSE[word]:
        return VERB_BASE[word]
    return singular(word)


def _words(key: str) -> list[str]:
    text = canonical(key)
    if _CJK.search(text):
        text = _CJK_FILLER.sub("", text) or text
        return _TOKEN.findall(text.replace(" ", "")) or [text]
    words = [word.removesuffix("'s").removesuffix("’s") for word in _TOKEN.findall(text)]
    kept = [word for i, word in enumerate(words) if word not in _DROPPED or (word == "a" and i)]
    return [_digits(word) for word in (kept or words)] or [text]


def _digits(word: str) -> str:
    place = ordinal(word)
    return f"{place}th" if place is not None and word not in NUMBER_WORDS else word


def split_unit(key: str) -> tuple[str, str | None]:
    """``timeout_ms`` -> (``timeout``, ``ms``): a unit that a key carries for its bare number; None without one."""
    match = _UNIT_SUFFIX.search(key.strip())
    if match is None or match.start() == 0:
        return key, None
    return key[: match.start()], match[1]
