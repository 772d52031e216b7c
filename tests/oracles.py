"""Slow, obvious twins of the fast paths, written from the definitions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from beliefmerge.algebra.annotation import Annotation, Assertion
from beliefmerge.algebra.semiring import OUT, Graph


def copies(annotation: Annotation) -> dict[tuple, list[Assertion]]:
    """Assertions by identity; only the copies of greatest trust count."""
    groups: dict[tuple, list[Assertion]] = {}
    for a in annotation:
        groups.setdefault(a.identity, []).append(a)
    return {k: [a for a in g if a.trust == max(x.trust for x in g)] for k, g in groups.items()}


def before(x: list[Assertion], y: list[Assertion]) -> bool:
    """Whether x lies in y's history, or earlier in y's message."""
    if x[0].message == y[0].message:
        return (x[0].block, x[0].start) < (y[0].block, y[0].start)
    return any(x[0].message in a.history for a in y)


def supersedes(y: list[Assertion], x: list[Assertion], *, multi: bool) -> bool:
    """The definition, pair by pair (histories that agree)."""
    a, b = y[0], x[0]
    same_matter = a.value == b.value or (not multi and not a.denied and not b.denied)
    if a.speaker != b.speaker or not same_matter or a.trust < b.trust:
        return False
    if before(x, y):
        return a.evidence >= b.evidence
    return before(y, x) and a.evidence > b.evidence


def opinions(annotation: Annotation) -> dict[tuple, tuple]:
    """Identity -> (witness, justifications) of every opinion, by trying every pair."""
    groups = copies(annotation)
    out = {}
    for k, y in groups.items():
        if any(supersedes(z, y, multi=annotation.multi) for z in groups.values() if z is not y):
            continue
        told = [
            x
            for x in groups.values()
            if (x[0].value, x[0].denied, x[0].speaker) == (y[0].value, y[0].denied, y[0].speaker)
            and x[0].trust >= y[0].trust
            and (x is y or before(x, y))
        ]
        first = [x for x in told if not any(before(z, x) for z in told)]
        grounded = [x for x in told if any(a.justifications for a in x)]
        if any(a.justifications for a in y):
            grounded = [y]
        last = [x for x in grounded if not any(before(x, z) for z in grounded)]
        out[k] = (
            {x[0].identity for x in first},
            [{j for a in x for j in a.justifications} for x in last],
        )
    return out


def grades(graph: Graph) -> list[int]:
    """Max-min by iterating until nothing changes."""
    out = [OUT] * graph.size
    for _ in range(graph.size + 1):
        for rule in graph.rules:
            if all(out[b] != OUT for b in rule.body):
                out[rule.head] = max(out[rule.head], min([rule.ceiling, *(out[b] for b in rule.body)]))
    return out


def minimal_supports(graph: Graph, axioms: Sequence[int]) -> list[set[frozenset[int]]]:
    """Per node, the minimal sets of axiom rules that derive it, by trying every subset."""
    supports: list[set[frozenset[int]]] = [set() for _ in range(graph.size)]
    for chosen in product([False, True], repeat=len(axioms)):
        used = frozenset(r for r, yes in zip(axioms, chosen, strict=True) if yes)
        rules = [rule for r, rule in enumerate(graph.rules) if rule.body or r in used]
        for node, value in enumerate(grades(Graph(graph.size, rules))):
            if value != OUT:
                supports[node].add(used)
    return [{s for s in sets if not any(t < s for t in sets)} for sets in supports]
