"""What z3 proves for any number of branches: the steps of inductions, with accumulators and weights left open.

Each theorem is refuted in the negative: the solver shows that its denial has no model.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from confluence.smt import FOUND, UNKNOWN, Finding, solve
from confluence.symbolic import (
    EGALITARIAN,
    ENCODED,
    Branch,
    Scores,
    Setting,
    above,
    added,
    branch,
    differ,
    folded,
    merged,
    shaped,
    solver_library,
    winners,
)

REFUTED = "refuted"
"""The denial of what was to be proved has a model. It would be a bug here, and is reported as what it is."""


def _prove(
    claim: str, representation: str, denial: Sequence[Any], milliseconds: int, setting: Setting | None, score: str
) -> Finding:
    begun = time.perf_counter()
    verdict, model = solve(denial, milliseconds)
    values, levels = (setting.values, setting.levels) if setting else (None, None)
    return Finding(
        claim, representation, score, "any", values, levels, None, "all", REFUTED if verdict == FOUND else verdict,
        witness=str(model) if verdict == FOUND else None, seconds=time.perf_counter() - begun,
    )  # fmt: skip


def join(milliseconds: int) -> Iterator[Finding]:
    """JOIN: states are sets of opinions of an unknown sort, the decision an unknown function of the set.

    Union is associative, commutative and idempotent, so any order, grouping and repetition of any branches, overlapping
    or not, ends in one set; then any decision, score and weights at all agree.
    """
    z3 = solver_library()
    opinion = z3.DeclareSort("Opinion")
    sets = z3.SetSort(opinion)
    x, y, z = (z3.Const(name, sets) for name in "xyz")
    decision = z3.Function("decision", sets, z3.DeclareSort("Decision"))
    union = z3.SetUnion
    laws = {
        "order of two neighbours": (union(union(x, y), z), union(union(x, z), y)),
        "order of the first two": (union(x, y), union(y, x)),
        "grouping": (union(union(x, y), z), union(x, union(y, z))),
        "re-delivery": (union(union(x, y), y), union(x, y)),
    }
    for claim, (left, right) in laws.items():
        denial = [decision(left) != decision(right)]
        yield _prove(f"{claim} does not change decision", "join", denial, milliseconds, None, "any")


def _unknown(setting: Setting, name: str) -> Scores:
    """Scores no profile is needed for: any non-negative reals (egalitarian) or counts by level (elitist)."""
    z3 = solver_library()
    make = z3.Real if setting.score == EGALITARIAN else z3.Int
    return [[make(f"{name}:{value}:{i}") for i in range(setting.length)] for value in range(setting.values)]


def _natural(*states: Scores) -> list[Any]:
    return [component >= 0 for state in states for scores in state for component in scores]


def _equal(a: Scores, b: Scores) -> Any:
    z3 = solver_library()
    return z3.And([x == y for xs, ys in zip(a, b, strict=True) for x, y in zip(xs, ys, strict=True)])


def _spoken(state: Scores) -> Any:
    """That somebody said something: generators are positive, so some component is not zero."""
    z3 = solver_library()
    return z3.Or([component > 0 for scores in state for component in scores])


def scores(setting: Setting, milliseconds: int) -> Iterator[Finding]:
    """SCORES: from an unconstrained accumulator that equals the n-ary scores, a step keeps that, in either order."""
    z3 = solver_library()
    kept, nary = _unknown(setting, "kept"), _unknown(setting, "nary")
    s, t = branch(setting, "s"), branch(setting, "t")
    shape = [*setting.ordered(), *_natural(kept, nary), *(shaped(one, well_formed=False) for one in (s, t))]
    one, two = merged(setting, [s]), merged(setting, [t])
    step = z3.Or(
        z3.Not(_equal(added(kept, one), added(nary, one))),
        differ(winners(added(kept, one)), winners(added(nary, one))),
    )
    yield _prove(
        "a step keeps the n-ary scores and decision", "scores", [*shape, _equal(kept, nary), step], milliseconds,
        setting, setting.score,
    )  # fmt: skip
    swap = z3.Not(_equal(added(added(kept, one), two), added(added(kept, two), one)))
    yield _prove(
        "order of two neighbours does not matter", "scores", [*shape, swap], milliseconds, setting, setting.score
    )


def differences(setting: Setting, milliseconds: int) -> Iterator[Finding]:
    """The classes on disjoint sources are the score differences: equal ones never part, unequal ones can be parted."""
    z3 = solver_library()
    m, other, more = (_unknown(setting, name) for name in ("m", "n", "more"))
    same = z3.And([x - x0 == y - y0 for xs, ys in zip(m, other, strict=True)
                   for x, x0, y, y0 in zip(xs, m[0], ys, other[0], strict=True)])  # fmt: skip
    natural = [*_natural(m, other, more), _spoken(m), _spoken(other)]
    part = differ(winners(added(m, more)), winners(added(other, more)))
    yield _prove(
        "equal differences: no continuation parts them", "classes", [*natural, same, part], milliseconds,
        setting, setting.score,
    )  # fmt: skip
    if setting.values < 2:
        return
    lift = _unknown(setting, "lift")[0]
    tied = _tying(m, lift)
    first = z3.Or([x - y != p - q for x, y, p, q in zip(m[0], m[1], other[0], other[1], strict=True)])
    high = [above(lift, scores, strictly=True) for scores in m]
    unparted = z3.Not(differ(winners(added(m, tied)), winners(added(other, tied))))
    yield _prove(
        "unequal differences: tying two values parts them", "classes",
        [*_natural(m, other, [lift]), first, *high, unparted], milliseconds, setting, setting.score,
    )  # fmt: skip


def _tying(m: Scores, lift: Sequence[Any]) -> Scores:
    """The continuation that gives each of the first two values the other's support, and a lift above the rest."""
    given = [[a + b for a, b in zip(m[1], lift, strict=True)], [a + b for a, b in zip(m[0], lift, strict=True)]]
    return [*given, *([0] * len(lift) for _ in m[2:])]


def always_fails(representation: str, script: str, levels: int, milliseconds: int) -> Finding:
    """A profile, one letter a branch at level 1, that fails whatever the weights are."""
    z3 = solver_library()
    setting = Setting.of(2, levels, EGALITARIAN, fixed=False)
    no = [z3.BoolVal(False)] * levels
    yes = [z3.BoolVal(True), *no[1:]]
    branches: list[Branch] = [[yes if letter == value else no for value in "ab"] for letter in script]
    agree = z3.Not(differ(winners(folded(setting, representation, branches)), winners(merged(setting, branches))))
    told = "; ".join(f"b{i}: {letter}@1" for i, letter in enumerate(script))
    denial = [*setting.ordered(), agree]
    return _prove(f"fails whatever the weights: {told}", representation, denial, milliseconds, setting, EGALITARIAN)


def theorems(values: int, levels: int, milliseconds: int) -> Iterator[Finding]:
    """All of them at `values` and `levels`."""
    yield from join(milliseconds)
    for score in ENCODED:
        setting = Setting.of(values, levels, score, fixed=False)
        yield from scores(setting, milliseconds)
        yield from differences(setting, milliseconds)
    yield always_fails("max", "aab", levels, milliseconds)
    yield always_fails("count", "aabb", levels, milliseconds)


def settled(findings: Sequence[Finding]) -> bool:
    """Whether the solver answered every query, and none against what was to be proved."""
    return all(finding.verdict not in (UNKNOWN, REFUTED) for finding in findings)
