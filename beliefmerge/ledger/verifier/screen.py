"""Stage A: which statements could contradict a target, found cheaply and without judging.

A candidate is kept when it is about the same slot (by claim key), or similar by words or by embedding. Signs of
opposition (another quantity of one kind, another polarity, excluding words) lower how similar it has to be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from beliefmerge.ledger.verifier.embedders import Embedder
from beliefmerge.ledger.verifier.features import containment, differing_quantities, features, likeness, opposed_words


@dataclass(frozen=True, slots=True)
class Statement:
    """A text of the ledger by its entry's id. `claim` is its claim key, `source` who said it, where it has one."""

    id: str
    text: str
    claim: str | None = None
    source: str | None = None

    @property
    def slot(self) -> str | None:
        """What the claim is about, its value left out."""
        if self.claim is None:
            return None
        return self.claim.replace("≠", "=").split(" = ")[0]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Similarity from which a candidate is kept: the share of the shorter text's content words that both have, 0..1,
    with and without a sign of opposition.
    """

    lexical: float = 0.5
    lexical_opposed: float = 0.3
    kept: int = 32
    """Candidates that are kept at most: the most similar of each source, then the next of each."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement that stage A kept, how similar it is, and which signs there are."""

    statement: Statement
    score: float
    signs: tuple[str, ...]


def screen(
    target: Statement,
    statements: Sequence[Statement],
    *,
    embedder: Embedder | None = None,
    thresholds: Thresholds | None = None,
) -> list[Candidate]:
    """The `statements` that could contradict `target`, most similar first; the order of `statements` does not matter.

    Linear in their number. The target itself is left out.
    """
    limits = thresholds or Thresholds()
    others = sorted({s.id: s for s in statements if s.id != target.id}.values(), key=lambda s: s.id)
    cosines = _cosines(target, others, embedder)
    found = [
        candidate
        for other, cosine in zip(others, cosines, strict=True)
        if (candidate := _candidate(target, other, cosine, embedder, limits)) is not None
    ]
    found.sort(key=lambda c: (-c.score, c.statement.id))
    return _fairly(found, limits.kept)


def _fairly(found: Sequence[Candidate], most: int) -> list[Candidate]:
    """At most `most` of `found`, in its order: no source crowds out the others by saying much."""
    said: Counter[str] = Counter()
    places = []
    for candidate in found:
        source = candidate.statement.source or candidate.statement.id
        places.append(said[source])
        said[source] += 1
    chosen = set(sorted(range(len(found)), key=places.__getitem__)[:most])
    return [candidate for at, candidate in enumerate(found) if at in chosen]


def _candidate(
    target: Statement, other: Statement, cosine: float | None, embedder: Embedder | None, limits: Thresholds
) -> Candidate | None:
    one, two = features(target.text), features(other.text)
    similar, shared = likeness(one, two), containment(one, two)
    opposition = []
    if differing_quantities(one, two):
        opposition.append("quantity")
    if one.negated != two.negated:
        opposition.append("negation")
    if opposed_words(one, two) is not None:
        opposition.append("antonym")
    near = []
    if target.slot is not None and target.slot == other.slot:
        near.append("slot")
    if shared >= (limits.lexical_opposed if opposition else limits.lexical):
        near.append("words")
    if cosine is not None and embedder is not None and cosine >= embedder.floor:
        near.append("embedding")
    if not near:
        return None
    return Candidate(other, max(similar, cosine or 0.0, float("slot" in near)), (*near, *opposition))


def _cosines(target: Statement, others: Sequence[Statement], embedder: Embedder | None) -> list[float | None]:
    if embedder is None or not others:
        return [None] * len(others)
    first, *rest = embedder.embed([target.text, *(other.text for other in others)])
    return [sum(a * b for a, b in zip(first, vector, strict=True)) for vector in rest]
