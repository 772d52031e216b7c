"""Logs in PostgreSQL: one table for the rows of all tenants, one for the tenants, one for the tokens.

A commit returns after the server's flush: the session asks for it, and a server that was told not to flush is refused.
The right to append is an advisory lock of a session, which the server drops with the connection. All pens of a process
share a few sessions, so that the number of tenants is not bounded by the server's connections.
"""

from __future__ import annotations

import contextlib
import pickle
import tempfile
import threading
from collections import deque
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
_HEAD: LiteralString = "SELECT seq, hash FROM ledger_log WHERE tenant = %s ORDER BY seq DESC LIMIT 1"
_ROWS: LiteralString = "SELECT seq, prev, hash, record FROM ledger_log WHERE tenant = %s AND seq >= %s ORDER BY seq"
_LOCK: LiteralString = "SELECT pg_try_advisory_lock(hashtextextended('beliefmerge ' || %s, 0))"
_UNLOCK: LiteralString = "SELECT pg_advisory_unlock(hashtextextended('beliefmerge ' || %s, 0))"
_FETCH = 2000
_IN_MEMORY = 8 << 20
MAX_SESSIONS = 8
"""Connections that the pens of a process share."""


class PostgresLog:
    """The logs in the database at `url` (``postgresql://…``). Its tables are made when they are not there."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._mutex, self._assigning = threading.Lock(), threading.Lock()
        self._sessions: deque[_Session] = deque(maxlen=MAX_SESSIONS)
        self._held: set[str] = set()
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
        try:
            return self._ask(lambda c: _head(c, tenant))
        except LogDamaged:
            with _reached(), _without_indexes(self._url) as connection:
                return _head(connection, tenant)

    def read(self, tenant: str, start: int = 0) -> Iterator[Row]:
        """The rows from `start` on. What a damaged index cannot give is read from the table and sorted."""
        self._known(tenant)
        return dense(tenant, self._rows(tenant, start), start)

    def pen(self, tenant: str) -> PostgresPen:
        """The right to append."""
        self._known(tenant)
        with self._assigning, _reached():
            session = self._session()
            if tenant in self._held or not session.lock(tenant):
                raise TenantBusy(f"tenant {tenant}: another writer has it")
            try:
                pen = PostgresPen(tenant, session, lambda: self._held.discard(tenant))
            except BaseException:
                session.unlock(tenant)
                raise
            self._held.add(tenant)
            return pen

    def rebuild(self, tenant: str) -> None:
        """Make the indexes anew, those of all tenants."""
        self._known(tenant)
        alone: LiteralString = "SELECT pg_try_advisory_xact_lock(hashtextextended('beliefmerge ' || %s, 0))"
        with _reached(), contextlib.closing(_connect(self._url)) as connection, connection.transaction():
            if connection.execute(alone, (tenant,)).fetchone() != (True,):
                raise TenantBusy(f"tenant {tenant}: another writer has it")
            _drop_indexes(connection)
            for create in _INDEXES.values():
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
        """Close all connections."""
        with self._mutex, self._assigning:
            for connection in (self._shared, *(session.connection for session in self._sessions)):
                connection.close()

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

    def _session(self) -> _Session:
        """The session whose turn it is: a new one while there are few, or when that one is lost."""
        if len(self._sessions) == MAX_SESSIONS and not self._sessions[0].connection.broken:
            self._sessions.rotate(-1)
        else:
            self._sessions.append(_Session(self._url))
        return self._sessions[-1]

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
        with _reached():
            yield from _spooled(self._url, tenant, start)


class _Session:
    """A connection that pens share, one statement or transaction at a time."""

    def __init__(self, url: str) -> None:
        self.connection = _connect(url)
        self.mutex = threading.Lock()

    def lock(self, tenant: str) -> bool:
        """Take the tenant's lock for this session, if no other session has it."""
        with self.mutex:
            return self.connection.execute(_LOCK, (tenant,)).fetchone() == (True,)

    def unlock(self, tenant: str) -> None:
        """Give the tenant's lock back; a lost connection has done so."""
        with self.mutex:
            if not self.connection.closed:
                self.connection.execute(_UNLOCK, (tenant,))


class PostgresPen:
    """The right to append to one tenant's log, over a shared session."""

    def __init__(self, tenant: str, session: _Session, closed: Callable[[], None]) -> None:
        self.tenant = tenant
        self._session = session
        self._closed = closed
        with session.mutex:
            self._head = _head(session.connection, tenant)

    @property
    def head(self) -> Head:
        """The last row that is durable."""
        return self._head

    def recall(self, keys: Collection[str]) -> dict[str, Reply]:
        """The replies kept under `keys`."""
        query: LiteralString = "SELECT key, digest, response FROM ledger_log WHERE tenant = %s AND key = ANY(%s)"
        with self._session.mutex:
            found = self._session.connection.execute(query, (self.tenant, list(keys)), binary=True)
            return {key: Reply(digest, response) for key, digest, response in found}

    def append(self, rows: Sequence[Row], replies: Mapping[int, tuple[str, Reply]]) -> None:
        """One transaction."""
        none = (None, (None, None))
        connection = self._session.connection
        with self._session.mutex, connection.transaction(), connection.cursor() as cursor:
            head = continues(_head(connection, self.tenant), rows)
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
        """Give the lock back."""
        with _reached():
            try:
                self._session.unlock(self.tenant)
            finally:
                self._closed()


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


def _spooled(url: str, tenant: str, start: int) -> Iterator[Row]:
    """As `_stream`, without the indexes: copied to a temporary file first, for as long as others must wait."""
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as spool:
        with _without_indexes(url) as connection:
            for row in _stream(connection, tenant, start):
                pickle.dump(tuple(row), spool)
        spool.seek(0)
        with contextlib.suppress(EOFError):
            while True:
                yield Row._make(pickle.load(spool))


@contextlib.contextmanager
def _without_indexes(url: str) -> Iterator[Connection]:
    """A transaction for which there are no indexes, undone at its end. The planner looks into each index that is there,
    also into one that it is told not to use, and fails when it is damaged. Everybody else waits meanwhile.
    """
    with contextlib.closing(_connect(url)) as connection, connection.transaction(force_rollback=True):
        _drop_indexes(connection)
        yield connection


def _drop_indexes(connection: Connection) -> None:
    for name in _INDEXES:
        connection.execute(f"DROP INDEX IF EXISTS {name}")


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
