"""Independent evidence on confluence from an SMT solver (z3; de Moura & Bjørner, 2008).

It shares no code with the enumeration: branches and weights are unknowns, so one query covers every profile of a
shape and every order of its branches, and, where it says so, every choice of weights. What it proves and what it
leaves to the text is said by `LIMITS`, which is printed with the findings.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from confluence.symbolic import (
    ELITIST,
    ENCODED,
    Branch,
    Setting,
    added,
    branch,
    differ,
    folded,
    merged,
    opinions,
    shaped,
    solver_library,
    winners,
)

PROVED, FOUND, UNKNOWN = "proved", "found", "unknown"
TRUNK = "trunk"
LIMITS = (
    "any number of branches: z3 proves one step for an unconstrained accumulator; the induction over steps, and that "
    "neighbouring swaps make every order, are arguments on paper",
    "JOIN: for any values, levels, score and sources; SCORES, classes: at the k and E shown, E for elitist only",
    "COUNT, MAX without a weight given: all 0 < w1 < w2 < …, real; minimality is up to the number of branches shown",
    "not encoded: that no bounded summary is confluent (pigeonhole over unboundedly many classes), merge trees",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One query: what was asked, of what, and what came of it."""

    claim: str
    representation: str
    score: str
    form: str
    values: int | None
    levels: int | None
    branches: int | None
    """None is any number."""
    weights: str
    verdict: str
    assertions: int | None = None
    witness: str | None = None
    seconds: float = 0.0


def solve(constraints: Sequence[Any], milliseconds: int) -> tuple[str, Any]:
    """``(PROVED, None)`` where `constraints` cannot all hold, ``(FOUND, model)`` where they can; or UNKNOWN in time."""
    z3 = solver_library()
    solver = z3.Solver()
    solver.set("timeout", milliseconds)
    solver.set("random_seed", 0)
    solver.add(*constraints)
    answer = solver.check()
    if answer == z3.sat:
        return FOUND, solver.model()
    return (PROVED if answer == z3.unsat else UNKNOWN), None


@dataclass(frozen=True)
class Query:
    """A symbolic profile and the statement that something goes wrong with it; `solve_minimal` makes it concrete."""

    claim: str
    representation: str
    setting: Setting
    form: str
    branches: Sequence[Branch]
    names: Sequence[str]
    wrong: Any
    weights: str

    def solve_minimal(self, milliseconds: int) -> Finding:
        """The fewest opinions that make `wrong` true, each smaller number being refuted; or a proof that none do."""
        z3 = solver_library()
        begun = time.perf_counter()
        shape = [shaped(one, well_formed=self.form == "well_formed") for one in self.branches]
        picks = opinions(self.branches)
        constraints = [*self.setting.ordered(), *shape, self.wrong]
        verdict, model = solve(constraints, milliseconds)
        fewest = 0
        while verdict == FOUND:
            least, smaller = solve([*constraints, z3.AtMost(*picks, fewest)], milliseconds)
            if least == FOUND:
                model = _first(constraints, picks, fewest, smaller, milliseconds)
            if least != PROVED:
                verdict = least
                break
            fewest += 1
        found = verdict == FOUND
        return self._finding(verdict, fewest if found else None, self._shown(model) if found else None, begun)

    def _finding(self, verdict: str, assertions: int | None, witness: str | None, begun: float) -> Finding:
        s, n = self.setting, sum(name != TRUNK for name in self.names)
        return Finding(
            self.claim, self.representation, s.score, self.form, s.values, s.levels, n, self.weights,
            verdict, assertions, witness, time.perf_counter() - begun,
        )  # fmt: skip

    def _shown(self, model: Any) -> str:
        z3 = solver_library()
        parts = []
        for name, one in zip(self.names, self.branches, strict=True):
            held = [
                f"{'abcdefgh'[value]}@{level}"
                for value, picks in enumerate(one)
                for level, pick in enumerate(picks, 1)
                if z3.is_true(model.eval(pick, model_completion=True))
            ]
            parts.append(f"{name}: {', '.join(held) or '-'}")
        return "; ".join(parts) + self._shown_weights(model)

    def _shown_weights(self, model: Any) -> str:
        weights = [w for w in self.setting.weights if not isinstance(w, int)]
        if not weights or self.setting.score == ELITIST:
            return ""
        values = [model.eval(w, model_completion=True) for w in weights]
        return f" (weights {', '.join(str(Fraction(v.numerator_as_long(), v.denominator_as_long())) for v in values)})"


def _first(constraints: Sequence[Any], picks: Sequence[Any], fewest: int, model: Any, milliseconds: int) -> Any:
    """The model whose opinions come first: the same witness whatever the solver happens to find."""
    z3 = solver_library()
    settled: list[Any] = [*constraints, z3.AtMost(*picks, fewest)]
    for pick in picks:
        if not z3.is_true(model.eval(pick, model_completion=True)):
            verdict, other = solve([*settled, pick], milliseconds)
            if verdict != FOUND:
                settled.append(z3.Not(pick))
                continue
            model = other
        settled.append(pick)
    return model


def lossy(representation: str, setting: Setting, form: str, n: int, weights: str) -> Query:
    """A profile of `n` branches that COUNT or MAX, folding it in order, decides otherwise than the n-ary merge."""
    branches = [branch(setting, f"b{i}") for i in range(n)]
    wrong = differ(winners(folded(setting, representation, branches)), winners(merged(setting, branches)))
    names = [f"b{i}" for i in range(n)]
    return Query("fold differs from n-ary", representation, setting, form, branches, names, wrong, weights)


def shared_trunk(setting: Setting, form: str, n: int) -> Query:
    """A trunk that `n` branches carry: SCORES adds it n times, a union of sources once."""
    own = [branch(setting, f"b{i}") for i in range(n)]
    trunk = branch(setting, TRUNK)
    together = merged(setting, own)
    once = merged(setting, [trunk])
    twice = merged(setting, [trunk] * n)
    wrong = differ(winners(added(together, twice)), winners(added(together, once)))
    names = [TRUNK, *(f"b{i}" for i in range(n))]
    weights = "all" if setting.score == ELITIST else "2^(l-1)"
    return Query("shared trunk changes decision", "scores", setting, form, [trunk, *own], names, wrong, weights)


def counterexamples(values: int, levels: int, branches: int, milliseconds: int) -> Iterator[Finding]:
    """Minimal failures of COUNT, MAX and (on a shared trunk) SCORES, or proofs that there are none, by branches."""
    for score in ENCODED:
        for form in ("general", "well_formed"):
            for n in range(2, branches + 1):
                for representation in ("count", "max"):
                    yield from _with_and_without_weights(representation, values, levels, score, form, n, milliseconds)
            yield shared_trunk(Setting.of(values, levels, score, fixed=True), form, 2).solve_minimal(milliseconds)


def _with_and_without_weights(
    representation: str, values: int, levels: int, score: str, form: str, n: int, milliseconds: int
) -> Iterator[Finding]:
    """A proof for all weights where there is one, else what holds for weights 1, 2, 4, … and, if other, for some."""
    free = Setting.of(values, levels, score, fixed=score == ELITIST)
    some = lossy(representation, free, form, n, "any" if score == ELITIST else "some").solve_minimal(milliseconds)
    if score == ELITIST or some.verdict == PROVED:
        yield replace(some, weights="all")
        return
    fixed = Setting.of(values, levels, score, fixed=True)
    usual = lossy(representation, fixed, form, n, "2^(l-1)").solve_minimal(milliseconds)
    yield usual
    if usual.verdict != some.verdict:
        yield some
