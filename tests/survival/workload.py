"""A writer that works on a disk that may fail, and what must be found on it afterwards."""

from __future__ import annotations

import contextlib
import random
from dataclasses import dataclass
from pathlib import Path

from beliefmerge.ledger.store.errors import StoreError
from beliefmerge.ledger.store.log import EMPTY, Head, Row, continues
from beliefmerge.ledger.store.sqlite import SqliteLog
from beliefmerge.ledger.store.writer import Draft, Writer
from tests.ledger_stores import chain
from tests.survival.disk import Disk

TENANT = "t"
WAIT = 60


class Count:
    """A state: how many rows."""

    def __init__(self) -> None:
        self.rows = 0

    def apply(self, row: Row) -> None:
        self.rows += 1


@dataclass(frozen=True)
class Plan:
    """How much is written: `rounds` of up to `clients` submissions at once, a restart every `restart` rounds."""

    rounds: int
    clients: int
    restart: int
    seed: int


def run(directory: Path, disk: Disk, plan: Plan) -> int:
    """Write as planned, noting on the disk what was acknowledged. Gives how many submissions failed."""
    rng = random.Random(plan.seed)
    failed = 0
    SqliteLog(directory).create(TENANT)
    for first in range(0, plan.rounds, plan.restart):
        log = SqliteLog(directory, vfs=disk.vfs_name)
        rounds = range(first, min(first + plan.restart, plan.rounds))
        try:
            writer = Writer(log, TENANT, Count)
        except StoreError:
            failed += len(rounds) * plan.clients
        else:
            for number in rounds:
                failed += _round(writer, disk, number, [rng.randrange(3000) for _ in range(plan.clients)])
            writer.close()
        log.close()
    return failed


def _round(writer: Writer[Count], disk: Disk, number: int, sizes: list[int]) -> int:
    """Submit a record of each size at once. Gives how many failed."""
    failed = 0
    answers = []
    for i, size in enumerate(sizes):
        key = f"{number}-{i}"
        with contextlib.suppress(StoreError):
            answers.append(writer.submit(_adding(key.encode() + b" " * size), key=key, digest=b"d"))
    for answer in answers:
        try:
            disk.acknowledged(answer.result(WAIT))
        except StoreError:
            failed += 1
    return failed + len(sizes) - len(answers)


def _adding(record: bytes):
    def work(draft: Draft[Count]) -> bytes:
        row = draft.add(record)
        return b"%d %s %s" % (row.seq, row.hash.hex().encode(), record.split()[0])

    return work


def check(directory: Path, acknowledged: list[bytes]) -> int:
    """That the log in `directory` is a chain that holds all that was acknowledged, and goes on. Gives its length."""
    log = SqliteLog(directory)
    head, rows = EMPTY, []
    for row in log.read(TENANT):
        head = continues(head, (row,))
        rows.append(row)
    pen = log.pen(TENANT)
    keys: list[tuple[str, bytes]] = []
    for told in acknowledged:
        seq, digest, key = told.decode().split()
        assert int(seq) < len(rows), f"lost: row {seq} of {len(rows)}"
        assert rows[int(seq)].hash.hex() == digest, f"lost: row {seq} is another"
        keys.append((key, told))
    replies = pen.recall([key for key, _ in keys])
    assert all(replies[key].response == told for key, told in keys), "lost: a reply"
    assert pen.head == head
    pen.append(chain([b"after"], Head(*head)), {})
    pen.close()
    log.close()
    return len(rows)
