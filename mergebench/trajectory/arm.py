"""An arm of the trajectory experiment: a function from a trajectory to what is in the working set at the question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from beliefmerge.ledger.transcript import StepEntry
from beliefmerge.llm.protocol import LanguageModel
from beliefmerge.tokens import Counter, chars4
from mergebench.trajectory.trajectory import Trajectory

if TYPE_CHECKING:
    from mergebench.trajectory.world import Ledgers


@dataclass(frozen=True)
class Request:
    """What an arm is asked to keep to, and what it may use."""

    ledgers: Ledgers
    budget: int = 400
    count: Counter = chars4
    tokens: str = "chars4"
    retention: float = 0.5
    """Probability that a compaction that is not the ledger's keeps the correction."""
    options: Mapping[str, Any] = field(default_factory=dict)
    model: LanguageModel | None = None
    """Given to arms that ask one, and to no other."""


@dataclass(frozen=True)
class WorkingSet:
    """The lines under a heading, and the prompt that they are put into.

    `standing` are the ids of the entries presented as holding; None where lines are nobody's entries.
    """

    heading: str
    template: str
    entries: tuple[StepEntry, ...]
    standing: frozenset[str] | None

    @property
    def text(self) -> str:
        """What counts against the budget: heading and lines; nothing where there are no lines."""
        return "".join(f"{line}\n" for line in (self.heading, *(e.text for e in self.entries))) if self.entries else ""


@dataclass(frozen=True)
class Arm:
    """An arm, the source's number of it, and what must be said of it beside its results."""

    work: Callable[[Trajectory, Request], WorkingSet]
    source: str = ""
    asks_model: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options it has, with their defaults."""


def fitted(
    heading: str, entries: Sequence[StepEntry], request: Request, *, newest: bool = False
) -> tuple[StepEntry, ...]:
    """As many of `entries` as the budget holds under `heading`, from the first on, or from the newest back."""
    kept: list[StepEntry] = []
    for entry in reversed(entries) if newest else entries:
        tried = [entry, *kept] if newest else [*kept, entry]
        if request.count("".join(f"{line}\n" for line in (heading, *(e.text for e in tried)))) > request.budget:
            break
        kept = tried
    return tuple(kept)
