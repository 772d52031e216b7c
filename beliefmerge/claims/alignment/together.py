"""Clauses of all branches read together: what templates and twins make of those said under one condition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from beliefmerge.claims.alignment.templates import aligned
from beliefmerge.claims.alignment.twins import twins
from beliefmerge.claims.reading import Clause, Reading
from beliefmerge.claims.words.keys import canonical, fold_clause


def together(clauses: Iterable[Clause], crowd: int) -> dict[Clause, Reading]:
    """A reading for every clause that others tell the value of; `crowd` as in `templates.aligned`.

    What holds in staging and what holds in production never share a slot. A clause that says "also" or "one of" leaves
    room for other values whatever reads it.
    """
    by_condition: dict[str, list[Clause]] = defaultdict(list)
    for clause in clauses:
        by_condition[fold_clause(clause.condition) if clause.condition else ""].append(clause)
    out: dict[Clause, Reading] = {}
    for condition, group in by_condition.items():
        found = aligned((clause for clause in group if clause.alignable), crowd) | twins(group, crowd)
        for clause, reading in found.items():
            placed = _under(reading, clause.condition, condition) if condition else reading
            out[clause] = placed.but(multi=True) if clause.additive and not placed.multi else placed
    return out


def _under(reading: Reading, condition: str, folded: str) -> Reading:
    return reading.but(key=canonical(f"{reading.key} {condition}"), fold=f"{reading.fold} {folded}")
