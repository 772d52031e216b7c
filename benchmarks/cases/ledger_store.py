"""Group commit: 64 clients of one writer, beside plain loops over the same SQLite with a commit for 1 and for 100 rows.

All of them chain the same records by hash and wait for the disk at each commit (write-ahead log, ``synchronous=FULL``).
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import apsw

from beliefmerge.ledger.core.chain import GENESIS, link
from beliefmerge.ledger.store.log import Row as LogRow
from beliefmerge.ledger.store.sqlite import SqliteLog
from beliefmerge.ledger.store.writer import Draft, Writer
from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.row import Row

CLIENTS, EACH = 64, 250
RECORD = b'{"kind":"observation","text":"' + b"x" * 270 + b'"}'
TENANT = "bench"
ROUNDS, ROWS = 5, 1_000
BATCH = 100
ONE, HUNDRED = 8, 0.12
"""Times as many rows a second as the loops with one row, and with ``BATCH`` rows, to a commit."""


class Count:
    """The cheapest state."""

    def __init__(self) -> None:
        self.rows = 0

    def apply(self, row: LogRow) -> None:
        """Count it."""
        self.rows += 1


def add(draft: Draft[Count]) -> bytes:
    """Add the record; its hash."""
    return draft.add(RECORD).hash


def loop(directory: Path, rows: int, batch: int) -> float:
    """Rows a second of a plain loop with `batch` rows to a commit."""
    connection = apsw.Connection(str(directory / f"loop-{batch}.sqlite"))
    connection.pragma("journal_mode", "WAL")
    connection.pragma("synchronous", "FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS log(seq INTEGER PRIMARY KEY, prev BLOB, hash BLOB, record BLOB)")
    seq = first = connection.execute("SELECT coalesce(max(seq) + 1, 0) FROM log").get
    prev = GENESIS
    start = time.perf_counter()
    while seq < first + rows:
        made = []
        for _ in range(batch):
            digest = link(prev, RECORD)
            made.append((seq, prev, digest, RECORD))
            prev, seq = digest, seq + 1
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO log VALUES(?, ?, ?, ?)", made)
        connection.execute("COMMIT")
    rate = rows / (time.perf_counter() - start)
    connection.close()
    return rate


def by_tasks(writer: Writer[Count], key: Callable[[int, int], str | None]) -> float:
    """Answers a second of 64 tasks of one event loop, each waiting for its answer before it asks again."""

    async def client(number: int) -> None:
        for i in range(EACH):
            await writer.asubmit(add, key=key(number, i), digest=b"d" * 32)

    async def clients() -> None:
        await asyncio.gather(*map(client, range(CLIENTS)))

    start = time.perf_counter()
    asyncio.run(clients())
    return CLIENTS * EACH / (time.perf_counter() - start)


def by_threads(writer: Writer[Count]) -> float:
    """The same by 64 threads."""

    def client() -> None:
        for _ in range(EACH):
            writer.submit(add).result()

    threads = [threading.Thread(target=client) for _ in range(CLIENTS)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return CLIENTS * EACH / (time.perf_counter() - start)


def run() -> list[Row]:
    """The same thousand rows beside either loop."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        log = SqliteLog(directory)
        log.create(TENANT)
        writer = Writer(log, TENANT, Count)
        rounds = [_round(directory, writer, number) for number in range(ROUNDS)]
        writer.close()
        log.close()
    ours, keyed, threads, single, hundred = (tuple(ROWS / rate for rate in way) for way in zip(*rounds, strict=True))
    rate, with_keys, as_threads, one, many = (
        ROWS / statistics.median(way) for way in (ours, keyed, threads, single, hundred)
    )
    note = f"{rate:.0f}/s; {with_keys:.0f}/s with keys; {as_threads:.0f}/s as threads"
    what = f"{CLIENTS} clients, {ROWS:,} rows"
    return [
        Row(
            f"{what}, beside 1 a commit",
            ours,
            single,
            "a plain loop, a commit for each row",
            f">= {ONE}x one row a commit",
            rate >= ONE * one,
            f"{note}; loop {one:.0f}/s",
        ),
        Row(
            f"{what}, beside {BATCH} a commit",
            ours,
            hundred,
            f"a plain loop, a commit for {BATCH} rows",
            f">= {HUNDRED}x {BATCH} rows a commit",
            rate >= HUNDRED * many,
            f"loop {many:.0f}/s",
        ),
    ]


def _round(directory: Path, writer: Writer[Count], number: int) -> tuple[float, ...]:
    """Rows a second of each way once, one after the other, so that what else the disk does meets all of them."""
    return (
        by_tasks(writer, lambda client, i: None),
        by_tasks(writer, lambda client, i: f"{number} {client} {i}"),
        by_threads(writer),
        loop(directory, 300, 1),
        loop(directory, 20_000, BATCH),
    )


BENCHMARK = Benchmark("Group commit of 64 clients, beside plain loops over the same SQLite", run)
