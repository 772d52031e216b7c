"""Relevance of each candidate to the query: Okapi BM25 over the candidates themselves.

Robertson & Zaragoza (2009), *The Probabilistic Relevance Framework: BM25 and Beyond*, eq. 3.15, with the inverse
document frequency ``ln(1 + (N - n + 0.5) / (n + 0.5))``, which is never negative.
"""

from __future__ import annotations

import functools
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

K1 = 1.5
B = 0.75

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_UNSPACED = (  # scripts written without spaces, and Hangul, whose particles stick to the word
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)


@functools.cache
def _run() -> re.Pattern[str]:
    """Group 1: a run of a script without spaces; group 2: a word of any other, combining marks included."""
    marks = "".join(c for c in map(chr, range(0x300, 0x12000)) if unicodedata.category(c)[0] == "M")
    return re.compile(rf"([{_UNSPACED}]+)|((?:[^\W_{_UNSPACED}]|[{marks}])+)")


def terms(text: str) -> list[str]:
    """Case-folded words; overlapping pairs of characters where a script puts no spaces between words."""
    text = unicodedata.normalize("NFKC", text).casefold()
    if text.isascii():
        return _ASCII_WORD.findall(text)
    found: list[str] = []
    for unspaced, word in _run().findall(text):
        if word:
            found.append(word)
        elif len(unspaced) == 1:
            found.append(unspaced)
        else:
            found.extend(unspaced[i : i + 2] for i in range(len(unspaced) - 1))
    return found


def bm25(query: Sequence[str], documents: Sequence[Sequence[str]], *, k1: float = K1, b: float = B) -> list[float]:
    """Score of each document; terms repeated in the query count once."""
    if not documents:
        return []
    wanted = frozenset(query)
    counts = [Counter(term for term in document if term in wanted) for document in documents]
    mean = sum(map(len, documents)) / len(documents)
    frequency = Counter(term for count in counts for term in count)
    idf = {term: math.log1p((len(documents) - n + 0.5) / (n + 0.5)) for term, n in frequency.items()}
    scores = []
    for document, count in zip(documents, counts, strict=True):
        norm = k1 * (1 - b + b * len(document) / mean) if count else 0.0
        scores.append(math.fsum(idf[term] * n * (k1 + 1) / (n + norm) for term, n in count.items()))
    return scores


def relevance(query: str | None, texts: Sequence[str]) -> list[float]:
    """BM25 of each text, as a share of the best one's: 0 for no term in common, 1 for the best. No query: all 0."""
    scores = bm25(terms(query), [terms(text) for text in texts]) if query else []
    best = max(scores, default=0.0)
    return [score / best for score in scores] if best > 0 else [0.0] * len(texts)
