"""A PostgreSQL server for the tests: a real one, in a temporary directory, on a Unix socket.

The programs are those on PATH or of Debian's package (``apt-get install postgresql``). Where there are none the tests
are skipped, or fail when BELIEFMERGE_POSTGRES=required.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from tests.scratch import fast_directory

_databases = itertools.count()


def programs() -> Path | None:
    """The directory of the newest server's programs, or None."""
    on_path = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    found = [*debian, *([Path(on_path).resolve()] if on_path else [])]
    return found[-1].parent if found else None


@dataclass(frozen=True)
class Cluster:
    """An initialised data directory in `home`, and whom its server runs as."""

    programs: Path
    home: Path
    user: str | None

    @property
    def address(self) -> str:
        return f"postgresql://ledger@/postgres?host={self.home}"

    @contextlib.contextmanager
    def serving(self) -> Iterator[subprocess.Popen[bytes]]:
        """The server, running; at the end it stops at once, as in a crash."""
        command = [self.programs / "postgres", "-D", self.home / "data", "-k", self.home, "-c", "listen_addresses="]
        with (self.home / "server.log").open("ab") as log:
            server = subprocess.Popen(command, stdout=log, stderr=log, user=self.user, cwd=self.home)
        try:
            _wait(server, self.address, self.home / "server.log")
            yield server
        finally:
            server.send_signal(signal.SIGQUIT)
            server.wait(60)


@contextlib.contextmanager
def cluster() -> Iterator[Cluster]:
    """A new cluster, removed at the end."""
    bin_ = programs()
    if bin_ is None:
        if os.environ.get("BELIEFMERGE_POSTGRES") == "required":
            pytest.fail("no PostgreSQL server's programs on PATH or in /usr/lib/postgresql")
        pytest.skip("no PostgreSQL server here (apt-get install postgresql)")
    home = Path(tempfile.mkdtemp(prefix="pg-", dir=fast_directory()))
    user = _user()
    try:
        if user:
            shutil.chown(home, user, pwd.getpwnam(user).pw_gid)
        initdb = [
            bin_ / "initdb",
            "-D",
            home / "data",
            "-U",
            "ledger",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-locale",
            "-N",
        ]
        subprocess.run(initdb, check=True, capture_output=True, user=user, cwd=home)
        yield Cluster(bin_, home, user)
    finally:
        shutil.rmtree(home)


@contextlib.contextmanager
def running() -> Iterator[str]:
    """A server that runs meanwhile; gives the address of an empty database."""
    with cluster() as made, made.serving():
        yield made.address


def _wait(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    for _ in range(600):
        try:
            psycopg.connect(url).close()
            return
        except psycopg.OperationalError:
            if server.poll() is not None:
                break
            time.sleep(0.05)
    raise AssertionError(f"the PostgreSQL server did not start:\n{log.read_text()}")


def _user() -> str | None:
    """Whom the server runs as: it refuses root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


def emptied(server: str) -> str:
    """The address of the server's database, with no table in it: cheaper than a new one."""
    with psycopg.connect(server, autocommit=True) as connection:
        tables = [name for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        for table in tables:
            connection.execute(f"DROP TABLE {table}")
    return server


def new_database(server: str, *, template: str | None = None) -> str:
    """The address of a new database of the server: empty, or a copy of the files of the one at `template`."""
    name = f"test_{os.getpid()}_{next(_databases)}"
    with psycopg.connect(server, autocommit=True) as connection:
        copied = f" TEMPLATE {database_of(template)} STRATEGY file_copy" if template else ""
        connection.execute(f"CREATE DATABASE {name}{copied}")
    return server.replace("/postgres?", f"/{name}?")


def database_of(address: str) -> str:
    """The database's name."""
    return address.rpartition("@/")[2].partition("?")[0]
