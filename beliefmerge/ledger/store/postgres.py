"""Logs in PostgreSQL: one table for the rows of all tenants, one for the tenants, one for the tokens.

A commit returns after the server's flush: the session asks for it, and a server that was told not to flush is refused.
The right to append is an advisory lock of the session, which the server drops with the connection.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, LiteralString, TypeVar

from beliefmerge.ledger.store.errors import LogDamaged, StoreUnavailable, TenantBusy, UnknownTenant
from beliefmerge.ledger.store.log import EMPTY, Head, Reply, Row, Token, check_tenant, continues, dense

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[tuple[Any, ...]]

T = TypeVar("T")

_SETUP: tuple[LiteralString, ...] = (
    "SELECT pg_advisory_xact_lock(hashtextextended('beliefmerge ledger', 0))",
    'CREATE TABLE IF NOT EXISTS ledger_tenant(name text COLLATE "C" PRIMARY KEY)',
    """CREATE TABLE IF NOT EXISTS ledger_log(
      tenant text COLLATE "C" NOT NULL, seq bigint NOT NULL, prev bytea NOT NULL, hash bytea NOT NULL,
      record bytea NOT NULL, key text COLLATE "C", digest bytea, response bytea)""",
    """CREATE TABLE IF NOT EXISTS ledger_token(
      digest bytea PRIMARY KEY, role text NOT NULL, tenant text NOT NULL, expires_ms bigint NOT NULL)""",
)
_INDEXES: dict[LiteralString, LiteralString] = {
    "ledger_log_seq": "CREATE UNIQUE INDEX IF NOT EXISTS ledger_log_seq ON ledger_log(tenant, seq)",
    "ledger_log_key": """CREATE UNIQUE INDEX IF NOT EXISTS ledger_log_key
        ON ledger_log(tenant, key) WHERE key IS NOT NULL""",
}
_SCANS: LiteralString = "SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off"
_HEAD: LiteralString = "SELECT seq, hash FROM ledger_log WHERE tenant = %s ORDER BY seq DESC LIMIT 1"
_ROWS: LiteralString = "SELECT seq, prev, hash, record FROM ledger_log WHERE tenant = %s AND seq >= %s ORDER BY seq"
_FETCH = 2000


class PostgresLog:
    """The logs in the database at `url` (``postgresql://…``). Its tables are made when they are not there."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._mutex = threading.Lock()
        self._shared = _connect(url)
        with _reached(), self._shared.transaction():
            for statement in (*_SETUP, *_INDEXES.values()):
                self._shared.execute(statement)

    def tenants(self) -> list[str]:
        """The names of all tenants, sorted."""
        return self._ask(lambda c: [n for (n,) in c.execute("SELECT name FROM ledger_tenant ORDER BY name")])

    def create(self, tenant: str) -> None:
        """Make the tenant if it is not there."""
        add: LiteralString = "INSERT INTO ledger_tenant VALUES(%s) ON CONFLICT DO NOTHING"
        self._ask(lambda c: c.execute(add, (check_tenant(tenant),)))

    def head(self, tenant: str) -> Head:
        """The last row."""
        self._known(tenant)
        return self._ask(lambda c: _head(c, tenant))

    def read(self, tenant: str, start: int = 0) -> Iterator[Row]:
        """The rows from `start` on. What an index cannot give is read from the table and sorted."""
        self._known(tenant)
        return dense(tenant, self._rows(tenant, start), start)

    def pen(self, tenant: str) -> PostgresPen:
        """The right to append."""
        self._known(tenant)
        connection = _connect(self._url)
        try:
            with _reached():
                query: LiteralString = "SELECT pg_try_advisory_lock(hashtextextended('beliefmerge ' || %s, 0))"
                if connection.execute(query, (tenant,)).fetchone() != (True,):
                    raise TenantBusy(f"tenant {tenant}: another writer has it")
                return PostgresPen(tenant, connection)
        except BaseException:
            connection.close()
            raise

    def rebuild(self, tenant: str) -> None:
        """Make the indexes anew, those of all tenants."""
        self.pen(tenant).close()
        with _reached(), contextlib.closing(_connect(self._url)) as connection, connection.transaction():
            for name, create in _INDEXES.items():
                connection.execute(f"DROP INDEX IF EXISTS {name}")
                connection.execute(create)

    def token_put(self, digest: bytes, token: Token) -> None:
        """Keep a token."""
        put: LiteralString = """INSERT INTO ledger_token VALUES(%s, %s, %s, %s) ON CONFLICT (digest) DO UPDATE
            SET role = excluded.role, tenant = excluded.tenant, expires_ms = excluded.expires_ms"""
        self._ask(lambda c: c.execute(put, (digest, *token)))

    def token_get(self, digest: bytes) -> Token | None:
        """What a token allows."""
        get: LiteralString = "SELECT role, tenant, expires_ms FROM ledger_token WHERE digest = %s"
        found = self._ask(lambda c: c.execute(get, (digest,)).fetchone())
        return Token(*found) if found else None

    def close(self) -> None:
        """Close the shared connection."""
        with self._mutex:
            self._shared.close()

    def _ask(self, question: Callable[[Connection], T]) -> T:
        """One statement, which may be repeated, over the shared connection; a lost one is made anew once."""
        import psycopg

        with self._mutex, _reached():
            try:
                return question(self._shared)
            except psycopg.OperationalError:
                if not self._shared.broken:
                    raise
                self._shared = _connect(self._url)
                return question(self._shared)

    def _known(self, tenant: str) -> None:
        known: LiteralString = "SELECT 1 FROM ledger_tenant WHERE name = %s"
        if not self._ask(lambda c: c.execute(known, (check_tenant(tenant),)).fetchone()):
            raise UnknownTenant(f"no tenant {tenant!r}")

    def _rows(self, tenant: str, start: int) -> Iterator[Row]:
        import psycopg

        with _reached(), contextlib.closing(_connect(self._url)) as connection:
            try:
                for row in _stream(connection, tenant, start):
                    # A gap may be the index's: the table has the last word.
                    if row.seq != start:
                        break
                    yield row
                    start += 1
                else:
                    return
            except (psycopg.InternalError, psycopg.OperationalError):
                if connection.broken:
                    raise
            connection.execute(_SCANS)
            yield from _stream(connection, tenant, start)


class PostgresPen:
    """The right to append to one tenant's log, over one connection."""

    def __init__(self, tenant: str, connection: Connection) -> None:
        self.tenant = tenant
        self._connection = connection
        self._head = _head(connection, tenant)

    @property
    def head(self) -> Head:
        """The last row that is durable."""
        return self._head

    def recall(self, keys: Collection[str]) -> dict[str, Reply]:
        """The replies kept under `keys`."""
        query: LiteralString = "SELECT key, digest, response FROM ledger_log WHERE tenant = %s AND key = ANY(%s)"
        found = self._connection.execute(query, (self.tenant, list(keys)), binary=True)
        return {key: Reply(digest, response) for key, digest, response in found}

    def append(self, rows: Sequence[Row], replies: Mapping[int, tuple[str, Reply]]) -> None:
        """One transaction."""
        none = (None, (None, None))
        with self._connection.transaction(), self._connection.cursor() as cursor:
            head = continues(_head(self._connection, self.tenant), rows)
            copy: LiteralString = "COPY ledger_log FROM STDIN (FORMAT binary)"
            with cursor.copy(copy) as sink:
                sink.set_types(["text", "int8", "bytea", "bytea", "bytea", "text", "bytea", "bytea"])
                for row in rows:
                    key, reply = replies.get(row.seq, none)
                    sink.write_row((self.tenant, *row, key, *reply))
        self._head = head

    def tidy(self) -> None:
        """Nothing: the server looks after itself."""

    def close(self, *, failed: bool = False) -> None:
        """Close the connection, and with it drop the lock."""
        self._connection.close()


def _connect(url: str) -> Connection:
    import psycopg

    with _reached():
        try:
            connection = psycopg.connect(url, autocommit=True)
        except psycopg.ProgrammingError:  # whose message cites the address
            raise StoreUnavailable("PostgreSQL: the address cannot be read") from None
        try:
            if connection.execute("SHOW fsync").fetchone() != ("on",):
                raise StoreUnavailable("the PostgreSQL server runs with fsync = off: nothing it stores is safe")
            connection.execute("SET synchronous_commit = on")
        except BaseException:
            connection.close()
            raise
        return connection


def _head(connection: Connection, tenant: str) -> Head:
    found = connection.execute(_HEAD, (tenant,), binary=True).fetchone()
    return Head(*found) if found else EMPTY


def _stream(connection: Connection, tenant: str, start: int) -> Iterator[Row]:
    with connection.transaction(), connection.cursor("rows", binary=True) as cursor:
        cursor.itersize = _FETCH
        yield from map(Row._make, cursor.execute(_ROWS, (tenant, start)))


@contextlib.contextmanager
def _reached() -> Iterator[None]:
    """Turns what the server and the driver say into an error of the store, without the address and its password."""
    import psycopg

    try:
        yield
    except psycopg.InternalError as error:
        raise LogDamaged(f"PostgreSQL: {_first_line(error)}") from error
    except psycopg.Error as error:
        raise StoreUnavailable(f"PostgreSQL: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return (f"{error}" or type(error).__name__).splitlines()[0]
