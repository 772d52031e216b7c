"""What a run has to do: rows (tasks), cut into blocks that can be done anywhere, in any order, once.

A block holds some tasks, or a part of one large task. Blocks are dealt to shards in turn.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from beliefmerge.scores import SCORES
from confluence import reference
from confluence.counterexample import minimal, order_of
from confluence.engine import Counted, Family, Piece, pieces
from confluence.orbits import symmetric, trivial
from confluence.space import Space

ENGINES = ("orbits", "automaton", "reference")
TASKS, MULTISETS = 4, 1 << 20
"""A block is full with so many tasks, or so many multisets."""


@dataclass(frozen=True, slots=True)
class Task:
    """One row: a space (with its shape) under a score and a representation."""

    space: Space
    score: str
    representation: str


class Part(NamedTuple):
    """What a block does of a task; no pieces means all of it, by brute force."""

    task: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """The unit of storing, resuming and distributing."""

    number: int
    parts: tuple[Part, ...]


def plan(tasks: Sequence[Task], engine: str) -> list[Block]:
    """All blocks of `tasks` in order; the same for the same arguments."""
    blocks: list[Block] = []
    parts: list[Part] = []
    filled = 0
    for part, size in _parts(tasks, engine):
        if parts and (len(parts) >= TASKS or filled + size > MULTISETS):
            blocks.append(Block(len(blocks), tuple(parts)))
            parts, filled = [], 0
        parts.append(part)
        filled += size
    return [*blocks, Block(len(blocks), tuple(parts))] if parts else blocks


def _parts(tasks: Sequence[Task], engine: str) -> Iterator[tuple[Part, int]]:
    for number, task in enumerate(tasks):
        if engine == "reference":
            yield Part(number, ()), MULTISETS
            continue
        classes = symmetric(task.space) if engine == "orbits" else trivial(task.space)
        held: list[Piece] = []
        filled = 0
        for piece in pieces(classes, task.space.branches):
            size = piece.high - piece.low
            if held and filled + size > MULTISETS:
                yield Part(number, tuple(held)), filled
                held, filled = [], 0
            held.append(piece)
            filled += size
        yield Part(number, tuple(held)), filled


class Worker:
    """Does blocks, and keeps the tables of the family of spaces it is at."""

    def __init__(self, tasks: Sequence[Task], engine: str) -> None:
        self.tasks, self.engine = tasks, engine
        self._family: Family | None = None
        self._at: tuple[Any, ...] = ()

    def do(self, block: Block) -> list[dict[str, Any]]:
        """A row for each part of the block: counts as decimal strings, the least counterexample, and the time taken."""
        rows = []
        for part in block.parts:
            begun = time.perf_counter()
            task = self.tasks[part.task]
            counted = self._count(task, part)
            found = minimal(counted.minimal, task.space.values)
            rows.append(
                {
                    "block": block.number,
                    "task": part.task,
                    "failures": str(counted.failures),
                    "total": str(counted.total),
                    "counterexample": json.dumps(found),
                    "seconds": time.perf_counter() - begun,
                }
            )
        return rows

    def _count(self, task: Task, part: Part) -> Counted:
        score = SCORES[task.score]
        if self.engine == "reference":
            return _by_reference(task)
        family = self._family_of(task)
        return family.count(part.pieces, task.space.branches, score, task.representation, task.space.shape)

    def _family_of(self, task: Task) -> Family:
        alike = replace(task.space, branches=2)
        if self._family is None or self._at[0] != alike:
            most = max(t.space.branches for t in self.tasks if replace(t.space, branches=2) == alike)
            self._family = Family(task.space, most, symmetry=self.engine == "orbits")
        elif self._at != (alike, task.score):
            self._family.forget()
        self._at = alike, task.score
        return self._family


def _by_reference(task: Task) -> Counted:
    counted = Counted(0, task.space.total)
    least = None
    for profile in reference.failing(task.space, SCORES[task.score], task.representation):
        counted.failures += 1
        if least is None or order_of(profile) < least:
            least = order_of(profile)
    counted.minimal = [] if least is None else [least[1]]
    return counted


def profile_from(text: str) -> reference.Profile | None:
    """A stored counterexample, or None."""
    stored = json.loads(text)
    if stored is None:
        return None
    return tuple(tuple((value, level) for value, level in branch) for branch in stored)
