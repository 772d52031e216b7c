"""What a fusion did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class FusionResult:
    """Counts and names; ``to_json`` is an interface. Every message read is kept, deduplicated, omitted or pruned."""

    session_id: str | None
    """Id of the new session; None when the plan advised against it and nothing was created."""
    title: str
    path: str | None
    """The file; None where the result is only in `text`."""
    source_count: int
    original_messages: int
    kept_messages: int
    deduplicated_messages: int
    omitted_messages: int
    """Left out by the limits, the earliest first."""
    truncated_messages: int
    pruned_messages: int
    """Left out by the plan."""
    topics: tuple[str, ...]
    reason: str
    """The plan's reason; empty without one."""
    kept_bytes: int
    """UTF-8 bytes of the kept snapshot."""
    strategy: str
    durable: bool
    """Whether the file and its directories were flushed to the disk."""
    warnings: tuple[str, ...] = ()
    redacted: Mapping[str, int] = field(default_factory=dict)
    """Secrets that were replaced in the sources' texts, by kind."""
    text: str = field(default="", repr=False)
    """What was written, for formats that are text."""

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "sessionId": self.session_id,
            "title": self.title,
            "path": self.path,
            "sourceCount": self.source_count,
            "originalMessages": self.original_messages,
            "keptMessages": self.kept_messages,
            "deduplicatedMessages": self.deduplicated_messages,
            "omittedMessages": self.omitted_messages,
            "truncatedMessages": self.truncated_messages,
            "prunedMessages": self.pruned_messages,
            "topics": list(self.topics),
            "reason": self.reason,
            "keptBytes": self.kept_bytes,
            "strategy": self.strategy,
            "durable": self.durable,
            "warnings": list(self.warnings),
            "redacted": dict(self.redacted),
        }

    def line(self) -> str:
        """One line for a person."""
        if self.session_id is None:
            return f"nothing created: the plan advises against it: {self.reason}"
        parts = [f"{self.kept_messages} of {self.original_messages} messages of {self.source_count} sessions"]
        for count, what in (
            (self.deduplicated_messages, "deduplicated"),
            (self.omitted_messages, "omitted"),
            (self.truncated_messages, "cut"),
            (self.pruned_messages, "pruned"),
        ):
            if count:
                parts.append(f"{count} {what}")
        if secrets := sum(self.redacted.values()):
            parts.append(f"{secrets} {'secret' if secrets == 1 else 'secrets'} redacted")
        if self.path is not None and not self.durable:
            parts.append("not certain to be on the disk")
        return f"{self.session_id} {self.title!r}: {', '.join(parts)}, {self.strategy}"
