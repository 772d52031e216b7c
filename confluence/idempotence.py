"""Merging again what is already there: whether the state stays, and the decision.

`X` is the annotation of a profile, sources and all, and ``X + X = X`` as sources are known. *State*: what is kept of X
is not X. *Decision*: what is kept of X decides otherwise than X. *Re-delivered*: after some order of folding, when
sources are gone, some branch of the profile comes once more and changes the decision.
"""

from __future__ import annotations

from dataclasses import dataclass

from beliefmerge.algebra.score import Score
from confluence.outcomes import Folder, Multiset, multisets
from confluence.overlap import joins, sourced, told
from confluence.representation import union
from confluence.space import Space


@dataclass(frozen=True, slots=True)
class Broken:
    """Of `total` profiles, how many break idempotence, by level."""

    total: int
    state: int
    decision: int
    redelivered: int


def broken(space: Space, score: Score, representation: str) -> Broken:
    """Exact counts over all profiles of `space`."""
    folder = Folder(representation, score, space.levels)
    state = decision = redelivered = 0
    for branches, orders in multisets(space.templates(), space.branches):
        x = union(branches)
        kept = folder.rewrite(x)
        state += orders * (kept != x)
        decision += orders * (folder.decide(kept) != folder.decide(x))
        redelivered += orders * _changed(folder, representation, branches)
    return Broken(space.total, state, decision, redelivered)


def _changed(folder: Folder, representation: str, branches: Multiset) -> bool:
    if representation == "JOIN":
        named = [sourced(i, template) for i, template in enumerate(branches)]
        states = [(told(end), told(end | again)) for end in joins(named) for again in named]
    else:
        states = [(end, folder.step(end, again)) for end in folder.ends(branches) for again in set(branches)]
    return any(folder.decide(before) != folder.decide(after) for before, after in states)
