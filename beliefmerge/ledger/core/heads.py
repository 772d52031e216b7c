"""What is signed when a head is: which tenant's chain ends where.

An export is JSON Lines: a header ``{"kind": "header", "v": 1, "tenant", "public_key"}``, then each row as ``{"seq",
"prev", "hash", "record"}`` (hashes in hex, the record's exact bytes as a string), then the signed head ``{"kind":
"head", "tenant", "seq", "hash", "public_key", "signature"}``, which is also what a checkpoint kept elsewhere is. An
empty chain ends at number -1 with the hash of 32 zero bytes. Signatures are Ed25519 (RFC 8032), in hex.
"""

from __future__ import annotations

from beliefmerge.ledger.core.canonical import canonical

_PURPOSE = b"beliefmerge ledger head v1\n"
"""Before the statement, so that no signature of anything else can be taken for one of a head."""


def statement(tenant: str, seq: int, digest: str) -> bytes:
    """The bytes that are signed: the purpose, then the canonical JSON ``{"hash": …, "seq": …, "tenant": …}``."""
    return _PURPOSE + canonical({"hash": digest, "seq": seq, "tenant": tenant})
