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
        self._expected: dict[tuple[str, int, Piece], Array] = {}

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
        """Free what was made for the scores and representations so far."""
        self._automata.clear()
        self._expected.clear()

    def count(self, pieces: Sequence[Piece], branches: int, score: Score, representation: str, shape: Shape) -> Counted:
        """Count the failing profiles in `pieces`."""
        automaton = self.automaton(score, representation, shape)
        safe = self._certify and automaton.machine.cannot_fail()
        counted = Counted()
        for piece in pieces:
            arrangements = self._arrangements(piece, branches)
            begin, end = self.classes.bounds[piece.number]
            part = Counted(0, exact_sum(arrangements) * (end - begin))
            if not safe:
                self._failing(automaton, piece, branches, arrangements, part)
            counted.add(part)
        return counted

    def _arrangements(self, piece: Piece, branches: int) -> Array:
        """Profiles that each multiset of the piece stands for."""
        import numpy as np

        begin, _ = self.classes.bounds[piece.number]
        layer = self.multisets.layer(branches - 1)
        same = np.ones(piece.high - piece.low, np.int64)
        for column in layer.columns:
            same += column[piece.low : piece.high] >= begin
        ways: Array = layer.arrangements[piece.low : piece.high] * branches // same
        return ways

    def _failing(
        self, automaton: Automaton, piece: Piece, branches: int, arrangements: Array, counted: Counted
    ) -> None:
        """Add what fails in `piece` to `counted`. Template 0 is the silent one."""
        import numpy as np

        begin, end = self.classes.bounds[piece.number]
        layer = self.multisets.layer(branches - 1)
        reached = self._reached(automaton, piece, branches)
        expected = self._expecting(automaton, piece, branches)
        wrong = (reached != expected).nonzero()[0]
        if not len(wrong):
            return
        counted.failures = exact_sum(arrangements[wrong]) * (end - begin)
        assertions = layer.weights[piece.low + wrong]
        chosen = wrong[assertions == assertions.min()] + piece.low
        silent = sum((column[chosen] == 0).astype(np.int16) for column in layer.columns)
        most = int(silent.max())
        chosen = chosen[silent == most]
        rows = zip(*(column[chosen].tolist() for column in layer.columns), strict=True)
        templates = self.classes.templates
        greatest = templates[end - 1]
        counted.least = int(assertions.min()) + len(greatest), -most - (not greatest)
        counted.minimal = [(*(templates[t] for t in row), greatest) for row in rows]

    def _expecting(self, automaton: Automaton, piece: Piece, branches: int) -> Array:
        """The n-ary decision's bit for each multiset of the piece."""
        weighing = automaton.machine.weighing
        key = weighing.score.name, branches, piece
        if key not in self._expected:
            keys = self.multisets.layer(branches - 1).keys[piece.low : piece.high]
            greatest = self.multisets.keys[self.classes.bounds[piece.number][1] - 1]
            self._expected[key] = decision_bit(weighing.decide(keys + greatest), self.code.values)
        return self._expected[key]

    def _reached(self, automaton: Automaton, piece: Piece, branches: int) -> Array:
        """Bits of all decisions that merging each multiset of the piece may reach."""
        greatest = self.classes.bounds[piece.number][1] - 1
        rest = branches - 1
        part = slice(piece.low, piece.high)
        # The part without r is all of the rest, or some of it; r is the greatest element of the other part.
        bits = automaton.decided(branches, 1)[automaton.layer(rest).of[part], greatest]
        for size in range(1, rest if automaton.shape is Shape.TREE else min(2, rest)):
            for places in combinations(range(rest), size):
                bits = bits | self._split(automaton, part, branches, places, greatest)
        return bits

    def _split(self, automaton: Automaton, part: slice, branches: int, places: tuple[int, ...], greatest: int) -> Array:
        """Decisions of the splits into the elements of the rest at `places`, and all others with r."""
        rest, size = branches - 1, len(places)
        others = tuple(p for p in range(rest) if p not in places)
        multisets = self.multisets
        start = multisets.layer(branches - size).starts[greatest]
        large = automaton.layer(branches - size).of[multisets.remove(rest, places)[part] + start]
        if size == 1:
            small = multisets.layer(rest).columns[places[0]][part]
        else:
            small = automaton.layer(size).of[multisets.remove(rest, others)[part]]
        if branches - size >= size:
            return automaton.decided(branches, size)[large, small]
        return automaton.decided(branches, branches - size)[small, large]


def exact_sum(numbers: Array) -> int:
    """The sum as a Python integer, right beyond 64 bits."""
    return (int((numbers >> 31).sum()) << 31) + int((numbers & 0x7FFFFFFF).sum())
