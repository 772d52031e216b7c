"""A ledger's service over a real socket, in a thread of the test's process."""

from __future__ import annotations

import contextlib
import itertools
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from beliefmerge.ledger.client import LedgerClient
from beliefmerge.ledger.service.app import application
from beliefmerge.ledger.service.ledger import Ledger
from beliefmerge.ledger.service.limits import Limits
from beliefmerge.ledger.service.opening import make_token, open_ledger
from beliefmerge.ledger.service.pinned import Reach
from beliefmerge.ledger.service.serve import address, listen, server
from tests.scratch import fast_directory

_names = itertools.count()


def fresh() -> str:
    """A tenant's name that no test has used."""
    return f"tenant-{next(_names)}"


class Service:
    """The service on a free port, over a new directory. ``close`` it."""

    def __init__(
        self, data: Path, *, limits: Limits | None = None, reach: Reach | None = None, embedder: str | None = None
    ) -> None:
        self.data = data
        self.ledger: Ledger = open_ledger(data, reach=reach, embedder=embedder)
        limits = limits or Limits()
        self._server = server(application(self.ledger, limits), limits)
        listening = listen("127.0.0.1", 0)
        self.url = address(listening)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        self._open: list[httpx.Client | LedgerClient] = []

    def token(self, role: str, tenant: str, *, days: float = 1) -> str:
        return make_token(self.ledger.log, role, tenant, days=days)

    def http(self, role: str | None, tenant: str = "") -> httpx.Client:
        """A bare client with the rights of a new token; `role` None: without one."""
        headers = {"Authorization": f"Bearer {self.token(role, tenant)}"} if role else {}
        client = httpx.Client(base_url=self.url, headers=headers, timeout=30, verify=False)
        self._open.append(client)
        return client

    def client(self, role: str, tenant: str) -> LedgerClient:
        client = LedgerClient(self.url, self.token(role, tenant))
        self._open.append(client)
        return client

    def head(self, tenant: str) -> dict[str, Any]:
        found: dict[str, Any] = self.http("auditor", tenant).get("/head").raise_for_status().json()
        return found

    def close(self) -> None:
        for client in self._open:
            client.close()
        self._server.should_exit = True
        self._thread.join(30)
        assert not self._thread.is_alive()


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A new directory, in memory where that is possible."""
    with tempfile.TemporaryDirectory(prefix="ledger-", dir=fast_directory()) as directory:
        yield Path(directory)


@contextlib.contextmanager
def serving(*, limits: Limits | None = None, reach: Reach | None = None) -> Iterator[Service]:
    """A service over a new directory."""
    with scratch() as data:
        service = Service(data, limits=limits, reach=reach)
        try:
            yield service
        finally:
            service.close()
