"""The ledger's log stores as the tests meet them: where one is, how it is opened, and how its index is spoiled."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw
import psycopg

from beliefmerge.ledger.core.chain import link
from beliefmerge.ledger.store.log import EMPTY, Head, Log, Pen, Row
from beliefmerge.ledger.store.places import open_log
from tests.postgres import database_of, emptied, new_database


@dataclass(frozen=True)
class Place:
    """A store's address, and how to spoil the index over one tenant's idempotency keys (and, where a row is found by an
    index, that one too) while nobody has it open. `spoil` gives the address of the spoiled store.
    """

    address: str
    spoil: Callable[[str], str]

    def open(self) -> Log:
        return open_log(self.address)


def sqlite_place(directory: Path) -> Place:
    def spoil(tenant: str) -> str:
        path = directory / "tenants" / f"{tenant}.sqlite"
        connection = apsw.Connection(str(path))
        page: int = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'log_key'").get
        size: int = connection.execute("PRAGMA page_size").get
        connection.close()
        scribble(path, (page - 1) * size, size)
        return str(directory)

    return Place(str(directory), spoil)


def postgres_place(server: str) -> Place:
    address = emptied(server)

    def spoil(tenant: str) -> str:
        # A copy of the files is in no buffer: what is written over them is what the server reads.
        copy = new_database(server, template=address)
        with psycopg.connect(address) as connection:
            ((data,),) = connection.execute("SHOW data_directory")
            ((oid,),) = connection.execute("SELECT oid FROM pg_database WHERE datname = %s", (database_of(copy),))
            indexes = "SELECT relfilenode FROM pg_class WHERE relname LIKE 'ledger_log_%' AND relkind = 'i'"
            files = [Path(data) / "base" / str(oid) / str(node) for (node,) in connection.execute(indexes)]
        for file in files:
            scribble(file, 0, file.stat().st_size)
        return copy

    return Place(address, spoil)


def scribble(path: Path, start: int, size: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xa5" * size)


def chain(records: Iterable[bytes], head: Head = EMPTY) -> list[Row]:
    """The rows that `records` make after `head`."""
    rows = []
    for record in records:
        rows.append(Row(head.seq + 1, head.hash, link(head.hash, record), record))
        head = Head(rows[-1].seq, rows[-1].hash)
    return rows


@contextlib.contextmanager
def writing(log: Log, tenant: str) -> Iterator[Pen]:
    pen = log.pen(tenant)
    try:
        yield pen
    finally:
        pen.close()


def write(log: Log, tenant: str, *records: bytes) -> list[Row]:
    """Append `records`, making the tenant when it is not there."""
    log.create(tenant)
    with writing(log, tenant) as pen:
        rows = chain(records, pen.head)
        pen.append(rows, {})
    return rows
