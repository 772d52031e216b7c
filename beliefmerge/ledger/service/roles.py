"""Who may do what: a bearer token names one role and one tenant."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """A token's role. No role contains another: a sealer cannot commit, an agent cannot seal."""

    SEALER = "sealer"
    AGENT = "agent"
    VERIFIER = "verifier"
    ATTRIBUTOR = "attributor"
    AUDITOR = "auditor"


EVERY = frozenset(Role)
"""Reading the current state is open to each role of a tenant."""


@dataclass(frozen=True, slots=True)
class Grant:
    """What a valid token allows."""

    role: Role
    tenant: str


def mint() -> str:
    """A new token: 256 random bits. Only its digest is kept, so it cannot be shown again."""
    return "bml_" + secrets.token_urlsafe(32)


def digest(token: str) -> bytes:
    """What a store keeps of a token: its SHA-256. A token is as random as a key, so a slow hash would add nothing."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
