"""The hash chain: ``hash = SHA-256(previous hash ‖ record)``, one chain a tenant, from 32 zero bytes.

An entry is named by its hash, so that a reference says what it refers to and cannot be guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

GENESIS = bytes(32)


def link(prev: bytes, record: bytes) -> bytes:
    """The 32 bytes of the hash of `record` (exact stored bytes) after the entry whose hash is `prev`."""
    return sha256(prev + record).digest()


def links(records: Iterable[bytes], prev: bytes = GENESIS) -> Iterator[bytes]:
    """The hash of each of `records` in turn."""
    for record in records:
        prev = link(prev, record)
        yield prev
