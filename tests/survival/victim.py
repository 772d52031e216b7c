"""``python -m tests.survival.victim STORE BLOBS``: writes until it is killed, and says on standard output what was
acknowledged, one line each: number, hash, idempotency key, blob.
"""

from __future__ import annotations

import asyncio
import os
import sys
from hashlib import sha256

from beliefmerge.ledger.store import sqlite
from beliefmerge.ledger.store.blobs import Blobs
from beliefmerge.ledger.store.places import open_blobs, open_log
from beliefmerge.ledger.store.writer import Draft, Writer
from tests.survival.workload import TENANT, Count

CLIENTS = 8
RESTART = b"started\n"


async def client(writer: Writer[Count], blobs: Blobs, name: str) -> None:
    for number in range(1_000_000):
        blob = blobs.put(TENANT, f"{name} {number}".encode())
        key = sha256(f"{name} {number}".encode()).hexdigest()[:16]

        def work(draft: Draft[Count], key: str = key, blob: str = blob) -> bytes:
            row = draft.add(f"{key} {blob}".encode())
            return f"{row.seq} {row.hash.hex()} {key} {blob}\n".encode()

        os.write(1, await writer.asubmit(work, key=key, digest=b"d"))


async def main(store: str, blobs: str) -> None:
    sqlite.CHECKPOINT_PAGES = 40
    log = open_log(store)
    log.create(TENANT)
    writer = Writer(log, TENANT, Count)
    os.write(1, RESTART)
    await asyncio.gather(*(client(writer, open_blobs(blobs), f"{os.getpid()}-{i}") for i in range(CLIENTS)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
