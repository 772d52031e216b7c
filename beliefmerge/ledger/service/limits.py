"""How much and how long the service takes."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class BodyTime:
    """Seconds in which a body has to have arrived, and for which it may pause."""

    seconds: float
    idle_seconds: float = 10.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes and seconds. `body_*` bound JSON bodies, `blob_*` contents."""

    body_bytes: int = 4 * MEBIBYTE
    body_time: BodyTime = BodyTime(30.0)
    blob_bytes: int = 64 * MEBIBYTE
    blob_time: BodyTime = BodyTime(300.0)
    head_seconds: float = 10.0
    """In which the head of a request has to have arrived."""
    linger_bytes: int = 256 * 1024
    """Read and dropped of the body of a refused request, so that its sender is still listening for the answer."""
    linger_seconds: float = 1.0
    drain_seconds: float = 10.0
    """Given to running requests when the service is told to stop."""
