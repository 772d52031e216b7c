"""One origin more among ten thousand, beside comparing its text with each of theirs. CPU seconds."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence, Set

from beliefmerge.ledger.core.likeness import alike, shingles
from beliefmerge.ledger.core.quorum import Independence, Origin
from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.measure import agree
from benchmarks.suite.row import Rounds, Row

ORIGINS, MORE = 10_000, 20
VOCABULARY = [f"word{i}" for i in range(5_000)]
LENGTH = 100
"""Words of a text."""
MOST = 0.010
"""CPU seconds."""


class Pairwise:
    """The plain way to count independent origins: a new one is compared with every one before it."""

    def __init__(self) -> None:
        self._chosen: list[tuple[Origin, Set[str]]] = []

    def take(self, origin: Origin) -> None:
        """Take in an origin that is known to be independent of all before it."""
        self._chosen.append((origin, shingles(origin.text)))

    def count(self, origin: Origin) -> int:
        """How many independent origins there are with `origin`."""
        said = shingles(origin.text)
        if not any(
            origin.source == other.source or origin.domain == other.domain or alike(said, text)
            for other, text in self._chosen
        ):
            self._chosen.append((origin, said))
        return len(self._chosen)


class Indexed:
    """The same by ours."""

    def __init__(self) -> None:
        self._found = Independence()

    def take(self, origin: Origin) -> None:
        """Take in an origin."""
        self._found.add(origin)

    def count(self, origin: Origin) -> int:
        """How many independent origins there are with `origin`."""
        self._found.add(origin)
        return len(self._found.chosen())


def origins(count: int) -> list[Origin]:
    """Origins of which no two have a source, a domain or much of their text in common."""
    draw = random.Random(3)
    texts = (" ".join(draw.choices(VOCABULARY, k=LENGTH)) for _ in range(count))
    return [Origin(key, f"s{key}", f"d{key}.com", text) for key, text in enumerate(texts)]


def counted(way: Indexed | Pairwise, given: Sequence[Origin]) -> tuple[Rounds, list[int]]:
    """CPU seconds for each of the last ``MORE`` origins, one after the other, and how many there are with each."""
    for origin in given[:ORIGINS]:
        way.take(origin)
    taken, counts = [], []
    for origin in given[ORIGINS:]:
        start = time.process_time()
        counts.append(way.count(origin))
        taken.append(time.process_time() - start)
    return tuple(taken), counts


def run() -> list[Row]:
    """One row."""
    given = origins(ORIGINS + MORE)
    ours, found = counted(Indexed(), given)
    reference, expected = counted(Pairwise(), given)
    agree(found, expected, "origins")
    bar, holds = f"<= {1e3 * MOST:.0f} ms", statistics.median(ours) <= MOST
    note = f"{ORIGINS:,} origins of {LENGTH} words; {MORE} more, one after the other"
    return [Row("ledger origin", ours, reference, "comparing it with each of them", bar, holds, note)]


BENCHMARK = Benchmark("One independent origin more among many, beside comparing it with each", run)
