"""The two orders everything is labelled by: evidence (how strong) and trust (on whose authority)."""

from __future__ import annotations

from enum import IntEnum


class Evidence(IntEnum):
    """How a statement came about, weakest first."""

    SPECULATIVE = 1
    INFERRED = 2
    TOOL_VERIFIED = 3
    USER_STATED = 4

    @property
    def weight(self) -> int:
        """1, 2, 4, 8."""
        return 1 << (self - 1)

    @property
    def label(self) -> str:
        """The word the rendered block uses."""
        return ("speculative", "inferred", "tool-verified", "user-stated")[self - 1]


class Trust(IntEnum):
    """On whose authority, lowest first: injected or unknown; another session; the current session's own user."""

    UNTRUSTED = 0
    EXTERNAL = 1
    TRUSTED = 2

    @property
    def label(self) -> str:
        """The word the rendered block uses."""
        return self.name.lower()
