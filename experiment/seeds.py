"""Random streams named after what draws from them.

A stream depends on its names alone: not on the order in which streams are made, nor on the global generator, nor on
the interpreter's string hashing. Adding a component never changes what another one draws.
"""

from __future__ import annotations

import hashlib
import random


def seed_of(*names: str | int) -> int:
    """A 64-bit seed for the component called by `names`."""
    digest = hashlib.blake2b("\x1f".join(map(str, names)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def stream(*names: str | int) -> random.Random:
    """A generator of its own for the component called by `names`."""
    return random.Random(seed_of(*names))
