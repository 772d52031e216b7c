"""Logs in SQLite: one database a tenant, and one for the tokens, in a directory.

``DIR/ledger.sqlite`` holds the tokens, ``DIR/tenants/<tenant>.sqlite`` a tenant's log, ``<tenant>.lock`` the right to
append. With a database a tenant, damage and waiting stay within it. A row's number is its key in the table itself, so
reading a log uses no index; the only index finds replies by idempotency key and can be made anew.

Write-ahead log with ``synchronous=FULL``: a commit returns after fsync. The library is the one that apsw ships.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beliefmerge.ledger.store.errors import LogDamaged, StoreUnavailable, TenantBusy, UnknownTenant
from beliefmerge.ledger.store.files import make_directory, sync_directory
from beliefmerge.ledger.store.log import EMPTY, Head, Reply, Row, Token, continues, dense, path_name, tenant_of

if TYPE_CHECKING:
    import apsw

WRITING: dict[str, Any] = {"journal_mode": "WAL", "synchronous": "FULL", "fullfsync": True}
# With `writable_schema` a damaged definition of the index keeps nobody from the table.
READING: dict[str, Any] = {"writable_schema": True, "query_only": True}
CHECKPOINT_PAGES = 1000
_BUSY_MS = 10_000
_PIECE = 1 << 16
_READ = 1 << 20
"""Bytes of records that are read at once."""
_LOG = """CREATE TABLE log(
  seq INTEGER PRIMARY KEY, prev BLOB NOT NULL, hash BLOB NOT NULL, record BLOB NOT NULL,
  key TEXT, digest BLOB, response BLOB
) STRICT"""
_INDEX = "CREATE UNIQUE INDEX log_key ON log(key) WHERE key IS NOT NULL"
_ROWS = "SELECT seq, prev, hash, record FROM log NOT INDEXED WHERE seq BETWEEN ? AND ? ORDER BY seq"
_TOKENS = """CREATE TABLE IF NOT EXISTS token(
  digest BLOB PRIMARY KEY, role TEXT NOT NULL, tenant TEXT NOT NULL, expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID"""


class SqliteLog:
    """The logs in `directory`, made when it is not there. `vfs` names an SQLite virtual file system to use for them."""

    def __init__(self, directory: str | os.PathLike[str], *, vfs: str | None = None) -> None:
        self.directory = Path(directory)
        self._vfs = vfs
        self._mutex = threading.Lock()
        with _reached(self.directory):
            make_directory(self.directory / "tenants", mode=0o700)
            self._tokens = _open(self.directory / "ledger.sqlite", None, WRITING, create=True)
            self._tokens.execute(_TOKENS)

    def tenants(self) -> list[str]:
        """The names of all tenants, sorted."""
        return sorted(tenant_of(path.stem) for path in (self.directory / "tenants").glob("*.sqlite"))

    def create(self, tenant: str) -> None:
        """Make the tenant if it is not there: under another name first, so that nobody ever meets half of it."""
        path = self._path(tenant)
        if path.exists():
            return
        with _reached(path), _locked(self.directory / "create.lock", wait=True):
            if path.exists():
                return
            new = path.with_suffix(".new")
            for left in new.parent.glob(new.name + "*"):
                left.unlink()
            connection = _open(new, None, WRITING, create=True)
            connection.execute(_LOG)
            connection.execute(_INDEX)
            connection.close()
            new.replace(path)
            sync_directory(path.parent)

    def head(self, tenant: str) -> Head:
        """The last row."""
        with self._connected(tenant, READING) as connection:
            return _head(connection)

    def read(self, tenant: str, start: int = 0) -> Iterator[Row]:
        """The rows from `start` on, by the table's own order."""
        self._known(tenant)
        return dense(tenant, self._rows(tenant, start), start)

    def pen(self, tenant: str) -> SqlitePen:
        """The right to append: a lock that the operating system drops with the process."""
        with contextlib.ExitStack() as held:
            path = held.enter_context(self._alone(tenant))
            with _reached(path):
                connection = _open(path, self._vfs, WRITING)
                held.callback(connection.close)
                pen = SqlitePen(tenant, path, connection)
            pen.held = held.pop_all()
            return pen

    def rebuild(self, tenant: str) -> None:
        """Make the index of the idempotency keys anew: forgotten first, since a damaged one cannot be dropped."""
        with self._alone(tenant), self._connected(tenant, {"writable_schema": True} | WRITING) as connection:
            with _transaction(connection):
                connection.execute("DELETE FROM sqlite_master WHERE name = 'log_key'")
            connection.pragma("writable_schema", "RESET")
            connection.execute("VACUUM")
            connection.execute(_INDEX)

    def token_put(self, digest: bytes, token: Token) -> None:
        """Keep a token."""
        with self._mutex, _reached(self.directory):
            self._tokens.execute("INSERT OR REPLACE INTO token VALUES(?, ?, ?, ?)", (digest, *token))

    def token_get(self, digest: bytes) -> Token | None:
        """What a token allows."""
        with self._mutex, _reached(self.directory):
            found = self._tokens.execute("SELECT role, tenant, expires_ms FROM token WHERE digest = ?", (digest,)).get
        return Token(*found) if found else None

    def close(self) -> None:
        """Close the tokens' connection."""
        with self._mutex:
            self._tokens.close()

    def _path(self, tenant: str) -> Path:
        return self.directory / "tenants" / f"{path_name(tenant)}.sqlite"

    def _known(self, tenant: str) -> Path:
        path = self._path(tenant)
        if not path.exists():
            raise UnknownTenant(f"no tenant {tenant!r}")
        return path

    @contextlib.contextmanager
    def _alone(self, tenant: str) -> Iterator[Path]:
        """The tenant's database while nobody else appends, all that it shows being durable."""
        path = self._known(tenant)
        with _reached(path), _locked(path.with_suffix(".lock"), wait=False) as held:
            if not held:
                raise TenantBusy(f"tenant {tenant}: another writer has it")
            _rewrite(path.with_name(path.name + "-wal"), self._vfs)
            yield path

    @contextlib.contextmanager
    def _connected(self, tenant: str, pragmas: Mapping[str, Any]) -> Iterator[apsw.Connection]:
        import apsw

        path = self._known(tenant)
        with _reached(path):
            connection = _open(path, self._vfs, pragmas)
            try:
                connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
                yield connection
            finally:
                connection.close()

    def _rows(self, tenant: str, start: int) -> Iterator[Row]:
        """Piece by piece up to the head of now: while a statement is open, the write-ahead log only grows, and whoever
        takes the rows may be slow, or never come back.
        """
        with self._connected(tenant, READING) as connection:
            last = _head(connection).seq
            while start <= last:
                rows = _some(connection, start, last)
                if not rows:
                    raise LogDamaged(f"tenant {tenant}: row {start} is missing or has no record")
                yield from rows
                start = rows[-1].seq + 1


class SqlitePen:
    """The right to append to one tenant's log, over one connection."""

    def __init__(self, tenant: str, path: Path, connection: apsw.Connection) -> None:
        self.tenant = tenant
        self._path = path
        self.held = contextlib.ExitStack()
        self._connection = connection
        self._pages = 0
        self._head = _head(connection)
        connection.set_wal_hook(self._count)

    @property
    def head(self) -> Head:
        """The last row that is durable."""
        return self._head

    def recall(self, keys: Collection[str]) -> dict[str, Reply]:
        """The replies kept under `keys`."""
        query = "SELECT digest, response FROM log WHERE key = ?"
        with _reached(self._path):
            found = ((key, self._connection.execute(query, (key,)).get) for key in keys)
            return {key: Reply(*reply) for key, reply in found if reply}

    def append(self, rows: Sequence[Row], replies: Mapping[int, tuple[str, Reply]]) -> None:
        """One transaction."""
        none = (None, (None, None))
        values = ((*row, key, *reply) for row in rows for key, reply in (replies.get(row.seq, none),))
        with _reached(self._path), _transaction(self._connection):
            head = continues(_head(self._connection), rows)
            self._connection.executemany("INSERT INTO log VALUES(?, ?, ?, ?, ?, ?, ?)", values)
        self._head = head

    def tidy(self) -> None:
        """Move a grown write-ahead log into the database: here and not on commit, where SQLite hides errors of it."""
        if self._pages >= CHECKPOINT_PAGES:
            self._pages = 0
            with _reached(self._path):
                self._connection.wal_checkpoint()

    def close(self, *, failed: bool = False) -> None:
        """Close the connection, then let the next writer in."""
        import apsw

        with self.held:
            if failed:
                self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)

    def _count(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self._pages = pages
        return 0


def _open(path: Path, vfs: str | None, pragmas: Mapping[str, Any], *, create: bool = False) -> apsw.Connection:
    import apsw

    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    connection = apsw.Connection(os.fspath(path.absolute()), flags=flags, vfs=vfs)
    try:
        connection.set_busy_timeout(_BUSY_MS)
        for name, value in pragmas.items():
            connection.pragma(name, value)
    except BaseException:
        connection.close(True)
        raise
    return connection


def _rewrite(path: Path, vfs: str | None) -> None:
    """Write a write-ahead log's bytes over themselves and sync.

    After a failed sync the system shows bytes that are not on the disk, and no later sync puts them there (Rebello et
    al. 2020, "Can applications recover from fsync failures?"). SQLite would recover them and build on them.
    """
    import apsw

    if not path.exists():
        return
    file = apsw.VFSFile(vfs or "", os.fspath(path.absolute()), [apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_WAL, 0])
    try:
        size = file.xFileSize()
        for start in range(0, size, _PIECE):
            file.xWrite(file.xRead(min(_PIECE, size - start), start), start)
        file.xSync(apsw.SQLITE_SYNC_FULL)
    finally:
        file.xClose()


@contextlib.contextmanager
def _transaction(connection: apsw.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _head(connection: apsw.Connection) -> Head:
    found: Any = connection.execute("SELECT seq, hash FROM log NOT INDEXED ORDER BY seq DESC LIMIT 1").get
    return Head(*found) if found else EMPTY


def _some(connection: apsw.Connection, start: int, last: int) -> list[Row]:
    """The rows from `start` on, at most to `last`, until they have ``_READ`` bytes. In a damaged file, those before the
    first without a record, which may be none.
    """
    rows: list[Row] = []
    size = 0
    with contextlib.closing(connection.cursor()) as cursor:
        for row in map(Row._make, cursor.execute(_ROWS, (start, last))):
            record: Any = row.record
            if not isinstance(record, bytes):
                break
            rows.append(row)
            size += len(record)
            if size >= _READ:
                break
    return rows


@contextlib.contextmanager
def _reached(path: Path) -> Iterator[None]:
    """Turns what the library and the system say about `path` into an error of the store."""
    import apsw

    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise LogDamaged(f"{path}: {error} (ledger rebuild mends its index; export reads it without)") from error
    except (apsw.CantOpenError, apsw.ReadOnlyError) as error:
        raise StoreUnavailable(f"{path}: {error} (a log is opened for writing, also to be read)") from error
    except (apsw.Error, OSError) as error:
        raise StoreUnavailable(f"{path}: {getattr(error, 'strerror', None) or error}") from error


@contextlib.contextmanager
def _locked(path: Path, *, wait: bool) -> Iterator[bool]:
    """Holds the lock file at `path`; gives False when somebody else does and `wait` is not asked for."""
    from filelock import FileLock, Timeout

    lock = FileLock(path, thread_local=False)
    try:
        lock.acquire(timeout=-1 if wait else 0)
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()
