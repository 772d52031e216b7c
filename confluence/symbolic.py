"""A slot in z3 terms: symbolic branches, weights and accumulators, folded by each representation.

Everything stays linear: an opinion is a Boolean (branch, value, level), so a weight is only ever chosen or not, never
multiplied by an unknown. The order of folding is the order of the branches; since the branches are symbolic, every
order of every profile is covered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from beliefmerge.errors import UsageError

EGALITARIAN, ELITIST = "egalitarian", "elitist"
ENCODED = (EGALITARIAN, ELITIST)
"""Scores that have an encoding: a sum of weights, and counts by level compared strongest first."""


def solver_library() -> Any:
    """The z3 module. Raises UsageError where it is not installed."""
    try:
        import z3
    except ImportError as error:
        raise UsageError("smt=true needs the package z3-solver: install beliefmerge[smt]") from error
    return z3


@dataclass(frozen=True)
class Setting:
    """Sizes and meaning of a symbolic slot: `values` values, evidence levels 1..`levels`, their weights as terms."""

    values: int
    levels: int
    score: str
    weights: Sequence[Any]

    @classmethod
    def of(cls, values: int, levels: int, score: str, *, fixed: bool) -> Setting:
        """Weights 1, 2, 4, … where `fixed`, else real unknowns; `ordered` says what is known of those."""
        if score not in ENCODED:
            raise UsageError(f"score {score!r} has no encoding for z3 (there is one for {', '.join(ENCODED)})")
        z3 = solver_library()
        names = [f"w{level}" for level in range(1, levels + 1)]
        weights = [1 << i for i in range(levels)] if fixed else [z3.Real(name) for name in names]
        return cls(values, levels, score, weights)

    def ordered(self) -> list[Any]:
        """0 < w1 < w2 < …, for weights that are unknowns."""
        if all(isinstance(weight, int) for weight in self.weights):
            return []
        pairs = zip(self.weights, self.weights[1:], strict=False)
        return [self.weights[0] > 0, *(low < high for low, high in pairs)]

    def support(self, picks: Sequence[Any]) -> list[Any]:
        """Score vector, compared in order, of one opinion: ``picks[level - 1]`` says whether it has that level."""
        z3 = solver_library()
        if self.score == EGALITARIAN:
            return [z3.Sum([z3.If(pick, weight, 0) for pick, weight in zip(picks, self.weights, strict=True)])]
        return [z3.If(pick, 1, 0) for pick in reversed(picks)]

    @property
    def length(self) -> int:
        """Components of a score vector."""
        return 1 if self.score == EGALITARIAN else self.levels


Branch = Sequence[Sequence[Any]]
"""``branch[value][level - 1]``: whether the branch holds that opinion."""
Scores = Sequence[Sequence[Any]]
"""One score vector a value."""


def branch(setting: Setting, name: str) -> Branch:
    """A branch of unknown opinions."""
    z3 = solver_library()
    return [
        [z3.Bool(f"{name}:{value}@{level}") for level in range(1, setting.levels + 1)]
        for value in range(setting.values)
    ]


def opinions(branches: Sequence[Branch]) -> list[Any]:
    """Every opinion of `branches`, as Booleans."""
    return [pick for one in branches for picks in one for pick in picks]


def shaped(one: Branch, *, well_formed: bool) -> Any:
    """That a branch holds at most one level a value and, where `well_formed`, at most one opinion in all."""
    z3 = solver_library()
    if well_formed:
        return z3.AtMost(*opinions([one]), 1)
    return z3.And([z3.AtMost(*picks, 1) for picks in one])


def added(a: Scores, b: Scores) -> Scores:
    """The sum of two states' scores."""
    return [[x + y for x, y in zip(xs, ys, strict=True)] for xs, ys in zip(a, b, strict=True)]


def above(a: Sequence[Any], b: Sequence[Any], *, strictly: bool) -> Any:
    """``a > b`` (or ``a >= b``) in lexicographic order."""
    z3 = solver_library()
    if not a:
        return z3.BoolVal(not strictly)
    return z3.Or(a[0] > b[0], z3.And(a[0] == b[0], above(a[1:], b[1:], strictly=strictly)))


def winners(scores: Scores) -> list[Any]:
    """Per value, whether the decision names it: it has support, and no other has more."""
    z3 = solver_library()
    zero = [0] * len(scores[0])
    return [
        z3.And(above(mine, zero, strictly=True), *(above(mine, other, strictly=False) for other in scores))
        for mine in scores
    ]


def differ(a: Sequence[Any], b: Sequence[Any]) -> Any:
    """That two decisions are not the same."""
    z3 = solver_library()
    return z3.Or([x != y for x, y in zip(a, b, strict=True)])


def merged(setting: Setting, branches: Sequence[Branch]) -> Scores:
    """Scores of the n-ary merge, which is also what SCORES (and JOIN, of disjoint sources) has kept."""
    total: Scores = [[0] * setting.length for _ in range(setting.values)]
    for one in branches:
        total = added(total, [setting.support(picks) for picks in one])
    return total


def folded(setting: Setting, representation: str, branches: Sequence[Branch]) -> Scores:
    """Scores of the accumulator once `branches` are folded in order by COUNT or MAX; the first enters as it is."""
    z3 = solver_library()
    kept: Branch = branches[0]
    scores = merged(setting, branches[:1])
    for one in branches[1:]:
        scores = added(scores, merged(setting, [one]))
        wins = winners(scores)
        if representation == "max":
            kept = [[z3.And(win, top) for top in _top(old, new)] for win, old, new in zip(wins, kept, one, strict=True)]
            scores = merged(setting, [kept])
        else:
            scores = [[z3.If(win, x, 0) for x in xs] for win, xs in zip(wins, scores, strict=True)]
    return scores


def _top(old: Sequence[Any], new: Sequence[Any]) -> list[Any]:
    """Which level is the greatest of two opinions on one value."""
    z3 = solver_library()
    either = [z3.Or(a, b) for a, b in zip(old, new, strict=True)]
    return [z3.And(here, z3.Not(z3.Or(either[i + 1 :]))) for i, here in enumerate(either)]
