"""What a merge did: which rung of the ladder it reached, what it kept, what it left out and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from beliefmerge.pack import preserved_prefix
from beliefmerge.tokens import counter


@dataclass(frozen=True, slots=True)
class Report:
    """Plain numbers about one merge; ``to_json`` is an interface."""

    mode: str
    """Extraction that was used: `heuristic`, `joint`, or the name of the caller's own."""
    branches: int
    messages: int
    claims: int
    slots: int
    disputed: int
    retracted: int
    adjudicated: int
    shown: int
    dropped: int
    """Slots that the budget left out."""
    shortened: int
    """Slots that are shown without their quote for want of room."""
    budget: int
    tokens: int
    counter: str
    solver: str
    utility: float
    gap: float
    """Certified: by how much of the upper bound the utility may be short of the best packing; 0 when proved optimal."""
    rungs: tuple[str, ...] = ()
    """Steps down the degradation ladder with their causes; empty when nothing failed."""
    notes: tuple[str, ...] = ()
    """What went wrong in extraction and was mended."""
    unreadable: tuple[str, ...] = ()
    """Sources that were left out, with the cause."""
    damaged: tuple[str, ...] = ()
    """Sources of which only a part could be read, with what is wrong."""
    warnings: tuple[str, ...] = ()
    dropped_claims: Mapping[str, int] = field(default_factory=dict)
    """What extraction left out, by cause."""
    redacted: Mapping[str, int] = field(default_factory=dict)
    """Secrets that were replaced, by kind."""
    adjudication: Mapping[str, Any] = field(default_factory=dict)
    """Ties there were, ties offered, calls, answers that changed with the order, answers rejected by cause; empty where
    nobody was asked."""
    model: Mapping[str, Any] = field(default_factory=dict)
    """The language model's name, its calls, how many were on record, tokens, seconds, cost; empty without one."""
    text: str = field(default="", repr=False)

    def preserved_prefix(self, previous: str) -> int:
        """Tokens of the block that a prompt cache holding the `previous` block need not compute again."""
        return preserved_prefix(previous, self.text, counter(self.counter))

    def line(self) -> str:
        """One line for a person."""
        parts = [
            f"{self.mode}: {_counted(self.branches, 'branch', 'branches')}",
            _counted(self.slots, "slot"),
            f"{self.disputed} disputed",
            f"{self.retracted} retracted",
            f"{self.dropped} dropped",
            f"{self.tokens}/{self.budget} tokens",
        ]
        if self.model.get("calls"):
            parts.append(self._calls())
        if self.redacted:
            parts.append(f"{_counted(sum(self.redacted.values()), 'secret')} redacted")
        if self.unreadable:
            parts.append(f"{_counted(len(self.unreadable), 'source')} left out")
        if self.damaged:
            parts.append(f"{_counted(len(self.damaged), 'source')} damaged: {'; '.join(self.damaged)}")
        if self.warnings:
            parts.append(_counted(len(self.warnings), "warning"))
        return ", ".join(parts) + "".join(f"; {each}" for each in (*self.notes, *self.rungs))

    def _calls(self) -> str:
        spent = self.model["prompt_tokens"] + self.model["completion_tokens"]
        cached = f", {self.model['cached']} cached" if self.model["cached"] else ""
        return f"{_counted(self.model['calls'], 'call')} to {self.model['name']} ({spent} tokens{cached})"

    def to_json(self) -> dict[str, Any]:
        """Plain data, without the text."""
        fields = {key: value for key, value in asdict(self).items() if key != "text"}
        return {key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()}


def _counted(number: int, one: str, several: str | None = None) -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"
