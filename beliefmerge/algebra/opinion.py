"""Opinions and witnesses: what is read off an annotation.

An opinion is an assertion that nothing supersedes. Its witness is its root: the earliest telling of the same value by
the same speaker in its history. Both are functions of the set of assertions, in time linear in assertions x chains.

`y` supersedes `x` when one speaker made both, one lies in the other's history (or earlier in the same message), `y` is
greater by (evidence, position), `y` is at least as trusted, and both speak to the same matter: the same value, or in a
single-valued slot two values asserted. A denial is about its value only, so "not Friday" leaves an earlier "Monday" be.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any, TypeAlias

from beliefmerge.algebra.annotation import Annotation, Assertion, Justification
from beliefmerge.algebra.evidence import Trust
from beliefmerge.algebra.history import Chain, History

Identity: TypeAlias = tuple[str, int, int, int, str, bool]
Place: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Opinion:
    """A current assertion, with what makes it count: its witness and the grounds it was given on.

    `justifications` are its own, or those of the latest earlier telling by its witness that gave some: a retelling
    rests on what the telling rested on. None at all: it was simply said.
    """

    assertion: Assertion
    witness: Identity
    justifications: tuple[Justification, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """An annotation read: current opinions and superseded assertions, each in order of (seq, message, block, start)."""

    opinions: tuple[Opinion, ...]
    superseded: tuple[Assertion, ...]


@dataclass(slots=True)
class _Telling:
    """One assertion with its copies folded in."""

    assertion: Assertion
    histories: tuple[History, ...]
    superseded: bool = False
    root: _Telling | None = None
    grounds: _Telling | None = None
    position: tuple[int, int, int] = (0, 0, 0)


def read(annotation: Annotation) -> Reading:
    """Opinions with their witnesses, and what they superseded."""
    speakers: dict[str, list[_Telling]] = {}
    for telling in fold_copies(annotation):
        speakers.setdefault(telling.assertion.speaker, []).append(telling)
    for tellings in speakers.values():
        if len(tellings) > 1:
            _supersede(tellings, single=not annotation.multi)
    everything = sorted((t for ts in speakers.values() for t in ts), key=_canonical)
    return Reading(
        tuple(_opinion(t) for t in everything if not t.superseded),
        tuple(t.assertion for t in everything if t.superseded),
    )


def fold_copies(annotation: Annotation) -> list[_Telling]:
    """One telling per identity: trust is the greatest among its copies, and only the copies of that trust count."""
    copies: dict[Identity, list[Assertion]] = {}
    for assertion in annotation:
        copies.setdefault(assertion.identity, []).append(assertion)
    return [_folded(group) for group in copies.values()]


def _folded(group: list[Assertion]) -> _Telling:
    if len(group) == 1:
        return _Telling(group[0], (group[0].history,))
    trust = max(copy.trust for copy in group)
    best = sorted((copy for copy in group if copy.trust == trust), key=lambda a: (a.seq, a.speaker))
    justifications = {j for copy in best for j in copy.justifications}
    merged = replace(
        best[0],
        evidence=max(copy.evidence for copy in best),
        justifications=tuple(sorted(justifications, key=sorted)),
    )
    return _Telling(merged, tuple(dict.fromkeys(copy.history for copy in best)))


def _canonical(telling: _Telling) -> tuple[Any, ...]:
    a = telling.assertion
    return (a.seq, *a.identity)


def _opinion(telling: _Telling) -> Opinion:
    root = telling.root or telling
    grounds = telling if telling.assertion.justifications else telling.grounds or telling
    return Opinion(telling.assertion, root.assertion.identity, grounds.assertion.justifications)


def _supersede(tellings: list[_Telling], *, single: bool) -> None:
    """Mark what is superseded, and find each telling's root and grounds; `tellings` are one speaker's."""
    chains = list({id(h.chain): h.chain for t in tellings for h in t.histories}.values())
    order = None if _place(tellings, chains) else _positioned
    for chain in chains:
        index = chain.index
        events = [((index[t.assertion.message],), t) for t in tellings if t.assertion.message in index]
        queries = [((h.length,), t) for t in tellings for h in t.histories if h.chain is chain]
        _compare(events, queries, single=single, order=order)
    by_message: dict[str, list[tuple[Place, _Telling]]] = {}
    for t in tellings:
        by_message.setdefault(t.assertion.message, []).append(((t.assertion.block, t.assertion.start), t))
    for places in by_message.values():
        if len(places) > 1:
            _compare(places, places, single=single, order=None)


def _place(tellings: Sequence[_Telling], chains: Sequence[Chain]) -> bool:
    """Set positions: a message's depth in the order that all histories make together.

    Where histories contradict one another, the sequence number instead. Returns whether they agree.
    """
    depth = _depths({t.assertion.message for t in tellings}, tellings, chains)
    for t in tellings:
        a = t.assertion
        t.position = (a.seq if depth is None else depth[a.message], a.block, a.start)
    return depth is not None


def _depths(messages: set[str], tellings: Sequence[_Telling], chains: Sequence[Chain]) -> dict[str, int] | None:
    if any(t.assertion.message in h for t in tellings for h in t.histories):
        return None
    if len(chains) == 1 and all(m in chains[0].index for m in messages):
        return chains[0].index
    before: dict[str, set[str]] = {message: set() for message in messages}
    for chain in chains:
        shared = sorted((m for m in messages if m in chain.index), key=chain.index.__getitem__)
        for earlier, later in pairwise(shared):
            before[later].add(earlier)
    for t in tellings:
        for h in t.histories:
            if t.assertion.message not in h.chain.index:
                before[t.assertion.message].update(m for m in messages if m in h)
    depth: dict[str, int] = {}
    try:
        for message in TopologicalSorter(before).static_order():
            depth[message] = 1 + max((depth[m] for m in before[message]), default=-1)
    except CycleError:
        return None
    return depth


def _positioned(y: _Telling, x: _Telling) -> bool:
    return y.position > x.position


def _compare(
    events: Iterable[tuple[Place, _Telling]],
    queries: Iterable[tuple[Place, _Telling]],
    *,
    single: bool,
    order: Callable[[_Telling, _Telling], bool] | None,
) -> None:
    """Settle every pair (x, y) with x an event strictly before the query y.

    Without `order` the later one has the greater position, and running maxima do; with it, pairs are tried one by one.
    """
    events, queries = sorted(events, key=lambda p: p[0]), sorted(queries, key=lambda p: p[0])
    if order is not None:
        _compare_pairs(events, queries, single=single, order=order)
        return
    earlier, said = _Strongest(single), _Said()
    i = 0
    for place, y in queries:
        while i < len(events) and events[i][0] < place:
            earlier.add(events[i][1].assertion)
            said.add(events[i][1])
            i += 1
        a = y.assertion
        if earlier.evidence(a) > a.evidence:
            y.superseded = True
        said.settle(y)
    later = _Strongest(single)
    j = len(queries) - 1
    for place, x in reversed(events):
        while j >= 0 and queries[j][0] > place:
            later.add(queries[j][1].assertion)
            j -= 1
        if later.evidence(x.assertion) >= x.assertion.evidence:
            x.superseded = True


def _compare_pairs(
    events: Sequence[tuple[Place, _Telling]],
    queries: Sequence[tuple[Place, _Telling]],
    *,
    single: bool,
    order: Callable[[_Telling, _Telling], bool],
) -> None:
    for place, y in queries:
        for before, x in events:
            if before >= place or x is y:
                continue
            for new, old in ((y, x), (x, y)):
                a, b = new.assertion, old.assertion
                greater = a.evidence > b.evidence or (a.evidence == b.evidence and order(new, old))
                if greater and a.trust >= b.trust and _same_matter(a, b, single=single):
                    old.superseded = True
            said = _Said()
            said.add(x)
            said.settle(y)


def _same_matter(a: Assertion, b: Assertion, *, single: bool) -> bool:
    return a.value == b.value or (single and not a.denied and not b.denied)


class _Strongest:
    """Running maxima of evidence by matter and trust."""

    def __init__(self, single: bool) -> None:
        self._single = single
        self._best: dict[Hashable, list[int]] = {}

    def add(self, a: Assertion) -> None:
        self._raise(("value", a.value), a)
        if self._single and not a.denied:
            self._raise("asserted", a)

    def _raise(self, matter: Hashable, a: Assertion) -> None:
        best = self._best.setdefault(matter, [0, 0, 0])
        for trust in range(a.trust + 1):
            best[trust] = max(best[trust], a.evidence)

    def evidence(self, a: Assertion) -> int:
        """The strongest seen on `a`'s matter among those at least as trusted; 0 for none."""
        found = self._best.get(("value", a.value), _NOTHING)[a.trust]
        if self._single and not a.denied:
            found = max(found, self._best.get("asserted", _NOTHING)[a.trust])
        return found


_NOTHING = (0, 0, 0)


class _Said:
    """First tellings, and latest tellings with grounds, of each stance by least trust."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, bool, Trust], _Telling] = {}
        self._grounded: dict[tuple[str, bool, Trust], _Telling] = {}

    def add(self, t: _Telling) -> None:
        a = t.assertion
        for trust in range(a.trust + 1):
            stance = (a.value, a.denied, Trust(trust))
            first = self._first.get(stance)
            if first is None or _order(t) < _order(first):
                self._first[stance] = t
            grounded = self._grounded.get(stance)
            if a.justifications and (grounded is None or _order(t) > _order(grounded)):
                self._grounded[stance] = t

    def settle(self, y: _Telling) -> None:
        """Move `y`'s root back, and its grounds forward, over what was said before it."""
        stance = (y.assertion.value, y.assertion.denied, y.assertion.trust)
        first, grounded = self._first.get(stance), self._grounded.get(stance)
        if first is not None and _order(first) < _order(y.root or y):
            y.root = first
        if grounded is not None and (y.grounds is None or _order(grounded) > _order(y.grounds)):
            y.grounds = grounded


def _order(t: _Telling) -> tuple[tuple[int, int, int], Identity]:
    return (t.position, t.assertion.identity)
