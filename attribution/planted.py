"""Problems whose answer is known: a response whose log-odds are a stated function of the entries kept.

Four structures, each with sources among bystanders that do nothing: `linear` (every source adds its own), `redundant`
(sources that say the same thing: any one is enough), `conjunctive` (all are needed), `saturating` (each further source
adds less). ``mixed`` has a conjunctive group and one that is redundant but for a tenth, as two tellings in other words
are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attribution.arrays import Floats, Masks
from attribution.step import Entry, Step
from beliefmerge.errors import unknown

BASE, REACH = -3.5, 4.0
"""Log-odds per token without any source, and what all sources together add."""
TOKENS = 8
_LEFT = {"nearly any": 0.1, "saturating": 0.22}
"""The part of what is missing that one more entry leaves missing."""
KINDS = ("linear", "redundant", "conjunctive", "saturating", "mixed")


@dataclass(frozen=True, slots=True)
class Term:
    """What a group of entries adds: `sum`, `any`, `all`, or less with each one kept: `nearly any`, `saturating`."""

    kind: str
    entries: tuple[int, ...]
    weights: tuple[float, ...]
    """One an entry for `sum`; otherwise the first is the group's."""

    def value(self, masks: Masks) -> Floats:
        """[N]: its share of the log-odds per token."""
        kept = masks[:, list(self.entries)]
        if self.kind == "sum":
            return np.asarray(kept @ np.array(self.weights), dtype=np.float64)
        if self.kind == "any":
            return np.asarray(self.weights[0] * kept.any(axis=1), dtype=np.float64)
        if self.kind == "all":
            return np.asarray(self.weights[0] * kept.all(axis=1), dtype=np.float64)
        left = _LEFT[self.kind]
        filled = (1.0 - left ** kept.sum(axis=1)) / (1.0 - left ** len(self.entries))
        return np.asarray(self.weights[0] * filled, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Truth:
    """A planted problem: terms, and noise of standard deviation `noise` that is a fixed function of the mask."""

    kind: str
    terms: tuple[Term, ...]
    noise: float = 0.0
    seed: int = 0

    @property
    def sources(self) -> frozenset[int]:
        """Entries that matter."""
        return frozenset(entry for term in self.terms for entry in term.entries)

    def clean(self, masks: Masks) -> Floats:
        """[N]: log-odds per token without noise."""
        return np.asarray(BASE + sum(term.value(masks) for term in self.terms), dtype=np.float64)

    def log_odds(self, masks: Masks) -> Floats:
        """[N]: log-odds per token."""
        clean = self.clean(masks)
        if self.noise == 0.0:
            return clean
        return clean + self.noise * np.array([_normal(self.seed, row) for row in masks])

    def banzhaf(self, entries: int) -> Floats:
        """[D]: each entry's mean effect over all masks, without noise, from its own term alone."""
        from attribution.values import banzhaf, every_mask

        effects = np.zeros(entries)
        for term in self.terms:
            local = Term(term.kind, tuple(range(len(term.entries))), term.weights)
            effects[list(term.entries)] += banzhaf(local.value(every_mask(len(term.entries))))
        return effects


def _normal(seed: int, mask: Masks) -> float:
    """A standard normal number that belongs to this mask."""
    digest = hashlib.blake2b(np.packbits(mask).tobytes() + seed.to_bytes(8, "big"), digest_size=8).digest()
    return float(np.random.default_rng(int.from_bytes(digest, "big")).standard_normal())


def truth(kind: str, entries: int, rng: np.random.Generator, noise: float = 0.0) -> Truth:
    """A drawn problem of a kind. Raises UsageError for an unknown one."""
    if kind not in KINDS:
        raise unknown("planted problem", kind, KINDS)
    sources = [int(i) for i in rng.permutation(entries)]
    seed = int(rng.integers(1 << 62))
    if kind == "linear":
        group = tuple(sorted(sources[: max(2, min(5, entries // 3))]))
        shares = rng.dirichlet(np.full(len(group), 4.0))
        return Truth(kind, (Term("sum", group, tuple(float(REACH * s) for s in shares)),), noise, seed)
    if kind == "mixed":
        return Truth(
            kind,
            (
                Term("nearly any", tuple(sorted(sources[:2])), (REACH / 2,)),
                Term("all", tuple(sorted(sources[2:4])), (REACH / 2,)),
            ),
            noise,
            seed,
        )
    size = {"redundant": 2, "conjunctive": 2, "saturating": min(4, entries)}[kind]
    name = {"redundant": "any", "conjunctive": "all", "saturating": "saturating"}[kind]
    return Truth(kind, (Term(name, tuple(sorted(sources[:size])), (REACH,)),), noise, seed)


def planted_step(kind: str, entries: int, rng: np.random.Generator, *, name: str, noise: float = 0.0) -> Step:
    """A step around a drawn problem. Its sources and as many bystanders are declared, as an eager agent would."""
    drawn = truth(kind, entries, rng, noise)
    bystanders = [i for i in rng.permutation(entries) if int(i) not in drawn.sources][: len(drawn.sources)]
    declared = sorted({*drawn.sources, *map(int, bystanders)})
    ids = [f"entry-{i:03d}" for i in range(entries)]
    return Step(
        step_id=name,
        claim_id=f"claim-of-{name}",
        entries=tuple(Entry(id, f"Note {i} ({_role(drawn, i)}).", "sealed_unverified") for i, id in enumerate(ids)),
        query="What follows?",
        response="It follows.",
        declared=tuple(ids[i] for i in declared),
        tenant="planted",
        truth=drawn,
    )


def _role(truth: Truth, entry: int) -> str:
    names = {
        "sum": "adds its own",
        "any": "one of several that say so",
        "nearly any": "one of several that say so in other words",
        "all": "one of several needed",
    }
    for term in truth.terms:
        if entry in term.entries:
            return names.get(term.kind, "adds less the more there are")
    return "bystander"


def planted_steps(kinds: Sequence[str], sizes: Sequence[int], seed: int, noise: float = 0.0) -> list[Step]:
    """One step for each kind and size, drawn from `seed`."""
    from experiment.seeds import seed_of

    return [
        planted_step(
            kind,
            size,
            np.random.default_rng(seed_of("attribution", "planted", kind, size, seed)),
            name=f"{kind}-{size}-{seed}",
            noise=noise,
        )
        for kind in kinds
        for size in sizes
    ]
