"""Every detector, and the prefilter that spares clean text from them; a law compares the two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from beliefmerge.session.redaction.carriers import (
    CARRIERS,
    find_addresses,
    find_commands,
    find_headers,
    find_private_keys,
)
from beliefmerge.session.redaction.columns import find_in_columns
from beliefmerge.session.redaction.keyforms import FORMS, find_dotted_keys, find_jwts, find_prefixed_keys
from beliefmerge.session.redaction.labels import LABELS, find_labelled
from beliefmerge.session.redaction.plugins import GATES, find_provider_keys
from beliefmerge.session.redaction.secret import Secret, fold

Detector = Callable[[str, str], Iterator[Secret]]
"""Takes a text and the same in lower case (`fold`)."""


class Family(NamedTuple):
    """Detectors, and an RE2 expression that matches in every text in which one finds something, and in few others."""

    gate: str
    detectors: tuple[Detector, ...]


FAMILIES = (
    Family(f"(?i:{LABELS})", (find_labelled, find_in_columns)),
    Family("|".join(CARRIERS), (find_private_keys, find_headers, find_addresses, find_commands)),
    Family("|".join((*FORMS, *GATES)), (find_provider_keys, find_prefixed_keys, find_jwts, find_dotted_keys)),
)

PREFILTER_FROM = 1_000_000
"""Characters from which the prefilter pays off: loading Arrow, whose RE2 it is, takes as long as this much text."""
_BATCH = 16_000_000


def find_secrets(texts: Sequence[str]) -> Iterator[Secret]:
    """All secrets in `texts`; one value can come more than once. Much clean text costs little more than three scans."""
    gates = [family.gate for family in FAMILIES]
    for family, suspects in zip(FAMILIES, suspects_for(gates, texts), strict=True):
        for text in suspects:
            lower = fold(text)
            for detector in family.detectors:
                yield from detector(text, lower)


def find_secrets_plain(texts: Iterable[str]) -> Iterator[Secret]:
    """The same by every detector on every text: what `find_secrets` is tested and timed against."""
    for text in texts:
        lower = fold(text)
        for family in FAMILIES:
            for detector in family.detectors:
                yield from detector(text, lower)


def suspects_for(patterns: Sequence[str], texts: Sequence[str]) -> list[Sequence[str]]:
    """For each RE2 pattern the texts in which it occurs, in their order; all where filtering is not worth it."""
    if sum(map(len, texts)) < PREFILTER_FROM:
        return [texts for _ in patterns]
    found: list[list[str]] = [[] for _ in patterns]
    for batch in _batches(texts):
        for hits, new in zip(found, _matching(batch, patterns), strict=True):
            hits += new
    return list(found)


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Consecutive texts of about 16 million characters together: bounds the memory of the encoded copy."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _matching(batch: list[str], patterns: Sequence[str]) -> list[list[str]]:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        column = pa.array(batch, pa.large_string())
    except UnicodeEncodeError:
        # A lone surrogate, which UTF-8 cannot hold: nothing of this batch is filtered out.
        return [batch for _ in patterns]
    masks = (pc.match_substring_regex(column, pattern) for pattern in patterns)
    return [[batch[i] for i in pc.indices_nonzero(mask).to_pylist()] for mask in masks]
