"""What is signed when a head is: which tenant's chain ends where.

A signed head is the last line of an export, and what a checkpoint kept elsewhere is; docs/ledger-format.md describes
both. An empty chain ends at number -1 with the hash of 32 zero bytes. Signatures are Ed25519 (RFC 8032), in hex.
"""

from __future__ import annotations

from beliefmerge.ledger.core.canonical import canonical

_PURPOSE = b"beliefmerge ledger head v1\n"
"""Before the statement, so that no signature of anything else can be taken for one of a head."""


def statement(tenant: str, seq: int, digest: str) -> bytes:
    """The bytes that are signed: the purpose, then the canonical JSON ``{"hash": …, "seq": …, "tenant": …}``."""
    return _PURPOSE + canonical({"hash": digest, "seq": seq, "tenant": tenant})
