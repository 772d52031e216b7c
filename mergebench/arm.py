"""Arms: ways to turn branches into one context. Every arm obeys the same hard budget, counted by the same counter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from beliefmerge.claims.claim import Span
from beliefmerge.llm.protocol import LanguageModel
from beliefmerge.tokens import Counter, chars4
from mergebench.scenario import Question, Scenario


@dataclass(frozen=True)
class Request:
    """What an arm is asked to keep to."""

    budget: int
    count: Counter = chars4
    tokens: str = "chars4"
    score: str = "egalitarian"
    options: Mapping[str, Any] = field(default_factory=dict)
    question: Question | None = None
    """Given to arms that see the question, and to no other."""
    model: LanguageModel | None = None
    """Given to arms that ask one, and to no other."""


@dataclass(frozen=True)
class Output:
    """What an arm prints, and what it says about it.

    `sources` gives, for each value shown in a block, by (key, value), the span it comes from. `conflicts` are the sets
    of values the arm reports as belonging together and not all holding, printed or not. `block` says that the text is a
    rendered block of the library and can be parsed.
    """

    text: str
    block: bool = False
    sources: Mapping[tuple[str, str], Span] = field(default_factory=dict)
    conflicts: tuple[frozenset[str], ...] = ()
    degraded: bool = False


class Work(Protocol):
    """What an arm does."""

    def __call__(self, scenario: Scenario, request: Request) -> Output:
        """Print within ``request.budget``."""
        ...


@dataclass(frozen=True)
class Arm:
    """An arm and what must be said of it beside its results."""

    work: Work
    sees_question: bool = False
    """It prints one context a question, each within the whole budget."""
    sees_truth: bool = False
    """It uses what no real system knows: a ceiling, or an oracle choice."""
    asks_model: bool = False
    """It asks a language model, and is in the panel only where one is configured."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options it has, with their defaults."""
