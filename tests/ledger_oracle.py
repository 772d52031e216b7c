"""The ledger's calculus again, slowly: everything from scratch, with fractions, from the list of entries alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from beliefmerge.ledger.core import chain
from beliefmerge.ledger.core.domains import registrable
from beliefmerge.ledger.core.entries import (
    Cascade,
    Conjecture,
    Derivation,
    Entry,
    Finding,
    MeasuredEdge,
    Observation,
    Reputation,
    Restoration,
    encode,
)
from beliefmerge.ledger.core.likeness import shingles

BASES = {
    "conjecture": Fraction(1, 5),
    "derived": Fraction(9, 10),
    "unverified": Fraction(7, 10),
    "verified": Fraction(19, 20),
}
LEFT = Fraction(1, 20)


def near_copies(a: str, b: str) -> bool:
    x, y = shingles(a), shingles(b)
    return Fraction(len(x & y), len(x | y)) > Fraction(7, 10)


def conflict(a: tuple[str, str, str], b: tuple[str, str, str]) -> bool:
    """Whether two origins (source, domain, text) are not independent."""
    return a[0] == b[0] or a[1] == b[1] or near_copies(a[2], b[2])


def most_independent(origins: Sequence[tuple[str, str, str]]) -> int:
    """The size of the largest subset without a conflict, by trying all."""
    clash = {(i, j) for i, j in combinations(range(len(origins)), 2) if conflict(origins[i], origins[j])}
    for size in range(len(origins), 0, -1):
        for chosen in combinations(range(len(origins)), size):
            if not clash.intersection(combinations(chosen, 2)):
                return size
    return 0


class Oracle:
    """Answers what a state answers, from all entries each time."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        ids = [digest.hex() for digest in chain.links(map(encode, entries))]
        self.at = {id: seq for seq, id in enumerate(ids)}
        undone = {self.at[e.cascade] for e in entries if isinstance(e, Restoration)}
        self.passes = [e for e in entries if isinstance(e, Cascade) and e.seq not in undone]
        self.targets = {self.at[e.target] for e in self.passes}
        self.active = {e.seq for e in self.passes}
        findings = [e for e in entries if isinstance(e, Finding)]
        self.verified = {self.at[e.seal] for e in findings if e.outcome == "match"}
        self.quarantined = {self.at[e.seal] for e in findings if e.outcome == "mismatch"}
        self.weights: dict[tuple[int, int], Fraction] = {}
        for e in entries:
            if isinstance(e, Derivation | Conjecture):
                self.weights |= {(e.seq, self.at[p]): Fraction(1) for p in e.parents}
            if isinstance(e, MeasuredEdge) and e.rho_ppm >= 600_000:
                self.weights[self.at[e.claim], self.at[e.parent]] = Fraction(e.weight_ppm, 1_000_000)

    def path(self, node: int, target: int) -> Fraction:
        """The greatest product of weights over all paths, 0 without one."""
        if node == target:
            return Fraction(1)
        return max((w * self.path(p, target) for (c, p), w in self.weights.items() if c == node), default=Fraction(0))

    def origins(self, seq: int) -> int:
        own = self.entries[seq]
        if own.claim is None:
            return 1
        counted = [
            (e.source_id, domain, e.text)
            for e in self.entries
            if isinstance(e, Observation)
            and e.claim == own.claim
            and (e.seq == seq or not {e.seq} & (self.targets | self.quarantined))
            and (domain := registrable(e.url)) is not None
        ]
        return most_independent(counted)

    def founding(self, seq: int) -> Fraction:
        e = self.entries[seq]
        if isinstance(e, Conjecture):
            return BASES["conjecture"]
        if isinstance(e, Derivation):
            return BASES["derived"] * min(self.founding(self.at[p]) for p in e.parents)
        counts = [
            (r.alpha_delta, r.beta_delta)
            for r in self.entries[:seq]
            if isinstance(r, Reputation) and r.source_id == e.source_id and self.at[r.cause] in self.active
        ]
        alpha, beta = 1 + sum(a for a, _ in counts), 1 + sum(b for _, b in counts)
        base = BASES["verified" if seq in self.verified else "unverified"] * Fraction(alpha, alpha + beta)
        return 1 - (1 - base) / 2 ** max(self.origins(seq) - 1, 0)

    def belief(self, seq: int) -> Fraction:
        if seq in self.quarantined:
            return Fraction(0)
        out = self.founding(seq)
        for target in self.targets:
            out *= 1 - (1 - LEFT) * self.path(seq, target)
        return out

    def corroborated(self, seq: int) -> bool:
        voted = {self.at[vote] for e in self.passes for vote in e.votes}
        return seq in voted or (isinstance(self.entries[seq], Observation) and self.origins(seq) >= 2)

    def status(self, seq: int) -> str:
        if seq in self.quarantined:
            return "quarantined"
        if seq in self.targets:
            return "retracted"
        return "fallen" if any(self.path(seq, t) for t in self.targets) else "active"

    def claims(self) -> list[int]:
        return [e.seq for e in self.entries if isinstance(e, Observation | Derivation | Conjecture)]
