"""The requests that are refused: a fixed list of kinds, each with its status. The body is ``{"kind", "text"}``."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from beliefmerge.errors import BeliefMergeError


class Kind(Enum):
    """Why a request is refused: name, status, what it means."""

    UNAUTHENTICATED = ("unauthenticated", 401, "no token, or one that is unknown or has expired")
    FORBIDDEN = ("forbidden", 403, "the token's role may not do this")
    MALFORMED = ("malformed", 400, "the body is no strict JSON, or the address is no address of a blob")
    INVALID = ("invalid", 422, "a field is unknown, missing or out of range")
    NOT_FOUND = ("not_found", 404, "there is no such thing, or it is another tenant's: the answer is the same")
    CONFLICT = ("conflict", 409, "the idempotency key was used for another request")
    TOO_LARGE = ("too_large", 413, "the body is over the limit")
    TOO_SLOW = ("too_slow", 408, "the body did not arrive in time")
    WRONG_METHOD = ("wrong_method", 405, "the path takes another method")
    INTERNAL = ("internal", 500, "a fault of the service; its log says which")
    UNAVAILABLE = ("unavailable", 503, "too much waits, or the store cannot be reached or is taken; try again later")
    STOPPED = ("stopped", 503, "the tenant's writer has stopped: nothing more is taken")

    def __init__(self, word: str, status: int, meaning: str) -> None:
        self.word, self.status, self.meaning = word, status, meaning


_NOT_FOUND = "not found"
"""One text for all that is not found, so that an answer does not tell what is another tenant's from what is not."""


class Refusal(BeliefMergeError):
    """A request is refused. `headers` go with the answer."""

    def __init__(self, kind: Kind, text: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(text)
        self.kind, self.text, self.headers = kind, text, dict(headers or {})


def not_found() -> Refusal:
    """The one refusal of all that is not there or not the caller's."""
    return Refusal(Kind.NOT_FOUND, _NOT_FOUND)
