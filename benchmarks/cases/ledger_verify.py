"""Verifying an export of a hundred thousand entries, beside hashing its bytes once. CPU seconds."""

from __future__ import annotations

import tempfile
import time
from hashlib import sha256

from beliefmerge.ledger.chainverify import verify
from beliefmerge.ledger.core import chain
from beliefmerge.ledger.core.export import lines
from benchmarks.cases.ledger_fold import ENTRIES, log
from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.measure import in_turn
from benchmarks.suite.row import Row, ratio_of

ROUNDS = 9
TIMES = 6
"""Times the hashing that it may take."""


def exported() -> tuple[bytes, str]:
    """A whole export and the key that it is signed with (public, hex)."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public = key.public_key().public_bytes_raw().hex()
    records = list(log(ENTRIES))
    digests = list(chain.links(records))
    rows = zip(range(len(records)), [chain.GENESIS, *digests], digests, records, strict=False)
    return b"".join(lines("bench", rows, public, key.sign)), public


def run() -> list[Row]:
    """One row."""
    whole, public = exported()
    with tempfile.TemporaryFile() as file:
        file.write(whole)

        def verified() -> None:
            file.seek(0)
            verify(file, key=public)

        ours, reference = in_turn(verified, lambda: sha256(whole), rounds=ROUNDS, clock=time.process_time)
    times = 1 / ratio_of(ours, reference).value
    note = f"{times:.1f}x the hashing; {ENTRIES:,} entries, {len(whole) / 1e6:.0f} MB"
    return [Row("ledger verify", ours, reference, "SHA-256 of its bytes", f"<= {TIMES}x SHA-256", times <= TIMES, note)]


BENCHMARK = Benchmark("Verifying an export, beside hashing its bytes", run)
