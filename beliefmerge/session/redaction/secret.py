"""A found credential, and the kinds there are."""

from __future__ import annotations

import re
from dataclasses import dataclass

MIN_LENGTH = 6
"""No value shorter than this is taken for a secret: it would be replaced in places that have nothing to do with it."""

GENERIC_KINDS = (
    "private-key",
    "jwt",
    "dotted-key",
    "provider-key",
    "authorization",
    "connection-string",
    "url-password",
    "cookie",
    "password",
    "api-key",
    "token",
    "secret",
)
"""Kinds that are not a provider's, the most telling first. A provider's own (`aws-access-key`) goes before them all."""


def rank(kind: str) -> tuple[int, str]:
    """Sort key: of two kinds found for one value the smaller is written, in whatever order they were found."""
    return (GENERIC_KINDS.index(kind) if kind in GENERIC_KINDS else -1, kind)


def placeholder(kind: str) -> str:
    """What stands in a text instead of a secret of this kind."""
    return f"[REDACTED:{kind}]"


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """A value that was found. `whole` restricts it to places where no letter or digit touches it.

    The representation shows the kind only, so that no traceback or log carries the value.
    """

    value: str
    kind: str
    whole: bool = False

    def __repr__(self) -> str:
        return f"Secret(kind={self.kind!r})"


_ESCAPE = re.compile(r"\\[nrt]\Z|%[0-9A-Fa-f]{2}\Z")
_RUN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def may_begin(text: str, start: int) -> bool:
    r"""Whether a key may begin at `start`: not inside a longer run, unless after a spelled-out ``\n`` or a ``%20``."""
    if start == 0 or text[start - 1] not in _RUN:
        return True
    return _ESCAPE.search(text[max(0, start - 3) : start]) is not None


def may_end(text: str, end: int) -> bool:
    """Whether a key may end at `end`: no letter, digit, underscore or hyphen follows."""
    return text[end : end + 1] not in _RUN


def fold(text: str) -> str:
    """`text` in lower case, of the same length: positions in it are positions in `text`."""
    lower = text.lower()
    # U+0130 is the one character whose lower case is longer.
    return lower if len(lower) == len(text) else text.replace("\u0130", "i").lower()
