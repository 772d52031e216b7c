"""Errors a user can act on: one line, no traceback, exit code 2 (3 when a trust check refuses)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class BeliefMergeError(Exception):
    """Base of every error that is the caller's or the input's, not a bug. ``str(error)`` is one line."""

    exit_code = 2


class UnreadableSession(BeliefMergeError):
    """A source could not be read as a session; the message names the file, the place and the cause."""


class UsageError(BeliefMergeError):
    """An option or argument is out of range or unknown."""


class TrustViolation(BeliefMergeError):
    """A rendered block claims more than its claims allow; nothing is emitted."""

    exit_code = 3


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to `name` by similarity ratio, or None when nothing is near."""
    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return matches[0] if matches else None


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """The error for an unknown `name` of a `kind`: lists the known ones and suggests the nearest."""
    names = sorted(known)
    match = nearest(name, names)
    hint = f"; did you mean {match!r}?" if match else ""
    return UsageError(f"unknown {kind} {name!r}{hint} (known: {', '.join(names)})")
