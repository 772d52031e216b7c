"""Counting failing profiles, exactly. Spaces that differ in n alone share tables; the last layer goes in pieces.

A piece is a class of templates and a range of multisets of n - 1 templates (see `confluence.orbits`). Pieces add up
exactly, whoever counts them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from beliefmerge.algebra.score import Score
from confluence.automaton import Automaton, decision_bit
from confluence.coding import Code, Machine, Weighing
from confluence.multisets import Array, Multisets, count, refuse_too_many
from confluence.orbits import Classes, symmetric, trivial
from confluence.reference import Profile
from confluence.space import Shape, Space

CHUNK = 1 << 18
"""Multisets looked at in one go; bounds the memory of temporary arrays."""


class Piece(NamedTuple):
    """Multisets ``low..high`` of n - 1 templates, with the last template of class `number`."""

    number: int
    low: int
    high: int


@dataclass
class Counted:
    """Failing and all profiles of some pieces, and the failing multisets that may be the minimal counterexample."""

    failures: int = 0
    total: int = 0
    least: tuple[int, int] | None = None
    """Fewest assertions, and with these the most silent branches, negated: a prefix of the order of counterexamples."""
    minimal: list[Profile] = field(default_factory=list)

    def add(self, other: Counted) -> None:
        """Take in what was counted elsewhere."""
        self.failures += other.failures
        self.total += other.total
        if other.least is not None and (self.least is None or other.least < self.least):
            self.least, self.minimal = other.least, []
        if other.least == self.least:
            self.minimal = [*self.minimal, *other.minimal]


def pieces(classes: Classes, branches: int, most: int = CHUNK) -> Iterator[Piece]:
    """The last layer for n = `branches`, in pieces of at most `most` multisets."""
    for number, (_, end) in enumerate(classes.bounds):
        rests = count(end, branches - 1)
        for low in range(0, rests, most):
            yield Piece(number, low, min(low + most, rests))


def refuse_too_large(space: Space) -> None:
    """Raise UsageError for a space whose states do not fit 64 bits or whose multisets do not fit memory."""
    Code(space.values, space.levels, space.branches)
    refuse_too_many(space.width, space.branches - 1)


@dataclass(frozen=True)
class Batch:
    """Pieces looked at together: N multisets, each a rest R and a greatest template r."""

    rests: Array
    """Ranks of R: a slice, or N numbers."""
    greatest: Array
    """r: one number for all, or N."""
    ways: Array
    """N: the profiles that each stands for, all renamings of the class included."""


class Family:
    """Spaces of one k, E, form and shape with up to `branches` branches, under one engine."""

    def __init__(self, space: Space, branches: int, *, symmetry: bool, certify: bool = True) -> None:
        """With `certify`, what provably cannot fail (`Machine.cannot_fail`) is not enumerated."""
        import numpy as np

        self.classes = symmetric(space) if symmetry else trivial(space)
        self._certify = certify
        self.code = Code(space.values, space.levels, branches)
        keys = np.array([self.code.key(t) for t in self.classes.templates], np.uint64)
        self.multisets = Multisets(keys, np.array([len(t) for t in self.classes.templates], np.int16))
        self._weighings: dict[str, Weighing] = {}
        self._automata: dict[tuple[str, str, Shape], Automaton] = {}
        self._batches: dict[tuple[int, tuple[Piece, ...]], Batch] = {}
        self._expected: dict[tuple[str, int, tuple[Piece, ...]], Array] = {}

    def weighing(self, score: Score) -> Weighing:
        """The score's tables."""
        if score.name not in self._weighings:
            self._weighings[score.name] = Weighing(self.code, score)
        return self._weighings[score.name]

    def automaton(self, score: Score, representation: str, shape: Shape) -> Automaton:
        """The automaton of a representation under a score."""
        key = score.name, representation, shape
        if key not in self._automata:
            machine = Machine(self.weighing(score), representation)
            self._automata[key] = Automaton(machine, self.multisets, shape)
        return self._automata[key]

    def forget(self) -> None:
        """Free what was made for one score."""
        self._automata.clear()
        self._expected.clear()

    def count(self, pieces: Sequence[Piece], branches: int, score: Score, representation: str, shape: Shape) -> Counted:
        """Count the failing profiles in `pieces`."""
        automaton = self.automaton(score, representation, shape)
        safe = self._certify and automaton.machine.cannot_fail()
        counted = Counted()
        for together in _grouped(pieces):
            batch = self._batch(together, branches)
            part = Counted(0, exact_sum(batch.ways))
            if not safe:
                key = score.name, branches, together
                if key not in self._expected:
                    self._expected[key] = self._expecting(automaton.machine.weighing, batch, branches)
                wrong = (self._reached(automaton, batch, branches) != self._expected[key]).nonzero()[0]
                if len(wrong):
                    part.failures = exact_sum(batch.ways[wrong])
                    self._note_minimal(batch, branches, wrong, part)
            counted.add(part)
        return counted

    def _batch(self, pieces: tuple[Piece, ...], branches: int) -> Batch:
        """Pieces as one batch, kept for the next score and representation."""
        import numpy as np

        if (branches, pieces) not in self._batches:
            bounds = [self.classes.bounds[piece.number] for piece in pieces]
            lengths = [piece.high - piece.low for piece in pieces]
            begin, end = (np.repeat(side, lengths) for side in zip(*bounds, strict=True))
            rests: Array = np.concatenate([np.arange(piece.low, piece.high) for piece in pieces])
            if len(pieces) == 1:
                # Slices are views and single numbers broadcast, where arrays would be gathered.
                begin, end, rests = begin[0], end[0], slice(pieces[0].low, pieces[0].high)
            layer = self.multisets.layer(branches - 1)
            same = np.ones(sum(lengths), np.int64)
            for column in layer.columns:
                same += column[rests] >= begin
            ways = layer.arrangements[rests] * branches // same * (end - begin)
            self._batches[branches, pieces] = Batch(rests, end - 1, ways)
        return self._batches[branches, pieces]

    def _expecting(self, weighing: Weighing, batch: Batch, branches: int) -> Array:
        """The n-ary decision's bit for each multiset of the batch."""
        keys = self.multisets.layer(branches - 1).keys[batch.rests] + self.multisets.keys[batch.greatest]
        return decision_bit(weighing.decide(keys), self.code.values)

    def _note_minimal(self, batch: Batch, branches: int, wrong: Array, counted: Counted) -> None:
        """Keep, of the multisets at `wrong`, those with the fewest assertions and then the most silent branches."""
        import numpy as np

        layer, templates = self.multisets.layer(branches - 1), self.classes.templates
        rests = wrong + batch.rests.start if isinstance(batch.rests, slice) else batch.rests[wrong]
        greatest = np.broadcast_to(batch.greatest, batch.ways.shape)[wrong]
        assertions = layer.weights[rests] + self.multisets.weights[greatest]
        few = (assertions == assertions.min()).nonzero()[0]
        columns = [*(column[rests[few]] for column in layer.columns), greatest[few]]
        # Template 0 is the silent one.
        silent = sum((column == 0).astype(np.int16) for column in columns)
        rows = zip(*(column[silent == silent.max()].tolist() for column in columns), strict=True)
        counted.least = int(assertions.min()), -int(silent.max())
        counted.minimal = [tuple(templates[t] for t in row) for row in rows]

    def _reached(self, automaton: Automaton, batch: Batch, branches: int) -> Array:
        """Bits of all decisions that merging each multiset of the batch may reach."""
        rest = branches - 1
        # The part without r is all of the rest, or some of it; r is the greatest element of the other part.
        bits = automaton.decided(branches, 1)[automaton.layer(rest).of[batch.rests], batch.greatest]
        for size in range(1, rest if automaton.shape is Shape.TREE else min(2, rest)):
            for places in combinations(range(rest), size):
                bits = bits | self._split(automaton, batch, branches, places)
        return bits

    def _split(self, automaton: Automaton, batch: Batch, branches: int, places: tuple[int, ...]) -> Array:
        """Decisions of the splits into the elements of the rest at `places`, and all others with r."""
        rest, size = branches - 1, len(places)
        others = tuple(p for p in range(rest) if p not in places)
        multisets = self.multisets
        start = multisets.layer(branches - size).starts[batch.greatest]
        large = automaton.layer(branches - size).of[multisets.remove(rest, places)[batch.rests] + start]
        if size == 1:
            small = multisets.layer(rest).columns[places[0]][batch.rests]
        else:
            small = automaton.layer(size).of[multisets.remove(rest, others)[batch.rests]]
        if branches - size >= size:
            return automaton.decided(branches, size)[large, small]
        return automaton.decided(branches, branches - size)[small, large]


def _grouped(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    """Consecutive pieces of at most `CHUNK` multisets together."""
    group: list[Piece] = []
    filled = 0
    for piece in pieces:
        size = piece.high - piece.low
        if group and filled + size > CHUNK:
            yield tuple(group)
            group, filled = [], 0
        group.append(piece)
        filled += size
    if group:
        yield tuple(group)


def exact_sum(numbers: Array) -> int:
    """The sum as a Python integer, right beyond 64 bits."""
    return (int((numbers >> 31).sum()) << 31) + int((numbers & 0x7FFFFFFF).sum())
