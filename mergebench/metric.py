"""Metrics: one file each, computed from what an arm printed, for every arm alike.

A metric gives one value a scenario for each of its columns, or None where the scenario has nothing to measure it on.
The runner takes means over scenarios and puts Student's interval around them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mergebench.arm import Request
from mergebench.reading import Reading
from mergebench.scenario import Kind, Question, Scenario


@dataclass(frozen=True)
class Case:
    """One arm on one scenario: what it printed for each question, and what the best single branch would have done.

    An arm that does not see the question has one reading, the same for all.
    """

    scenario: Scenario
    request: Request
    readings: Mapping[str, Reading]
    """By question id."""
    best_single: float | None
    """Share of bridge questions that the best single branch, cut to the same budget, answers."""
    seconds: float
    rerun: Callable[[Scenario], Reading] | None = None
    """Has the same arm print for other branches; None unless asked for, or when the arm sees the question."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """What a model answered from the context, by question id, where an answerer was asked."""
    peak: int | None = None
    """Bytes the arm held at once for one context, where the family measures it."""

    @cached_property
    def distinct(self) -> tuple[Reading, ...]:
        """Each context that was printed, once."""
        return tuple({id(reading): reading for reading in self.readings.values()}.values())

    def reading(self, question: Question) -> Reading:
        """What was printed for `question`."""
        return self.readings[question.id]

    def about(self, key: str) -> Reading:
        """What was printed for the question that probes `key`; for an arm that sees no question, its one context."""
        return self.readings[self.scenario.alone[key].id]

    def tokens(self, reading: Reading) -> int:
        """Tokens of a context by the run's counter."""
        return self.request.count(reading.text)

    def winners_quotes(self, key: str, value: str) -> tuple[str, ...]:
        """Sentences that name `value` without asserting it: they assert another value of `key`, or rule it out."""
        from mergebench.match import shows

        return tuple(
            telling.sentence
            for telling in self.scenario.told.get(key, ())
            if (telling.value != value or telling.denied) and shows(telling.sentence, value)
        )

    def presents(self, key: str, value: str) -> bool:
        """Whether the context printed for `key` presents `value` as holding."""
        others = tuple(v for v in self.scenario.by_key[key].asserted if v != value)
        return self.about(key).presents(value, others, self.winners_quotes(key, value))

    def asked(self, kind: Kind) -> list[Question]:
        """The scenario's questions of one kind."""
        return self.scenario.asked(kind)


@dataclass(frozen=True)
class Column:
    """A column of `runs.parquet` that a metric fills."""

    name: str
    title: str = ""
    """In the shown table; empty: not shown."""
    rate: bool = True
    """A share in 0..1 (shown in per cent); otherwise a count or an amount."""
    signed: bool = False
    """A difference of rates, in -1..1."""
    total: bool = False
    """Summed over scenarios instead of averaged, and without an interval."""
    interval: bool = True
    families: tuple[str, ...] = ()
    """Families in whose table it is shown; empty: all."""


@dataclass(frozen=True)
class Metric:
    """One idea, one or a few columns."""

    columns: tuple[Column, ...]
    measure: Callable[[Case], Mapping[str, float | None]]
