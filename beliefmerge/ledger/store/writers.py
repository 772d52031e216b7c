"""The writers of a process: one a tenant, started when it is first asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic

from beliefmerge.ledger.store.errors import WriterStopped
from beliefmerge.ledger.store.log import Log
from beliefmerge.ledger.store.writer import S, Writer


class Writers(Generic[S]):
    """The writers over `log`. `fresh` makes the empty state of the tenant that it is given."""

    def __init__(self, log: Log, fresh: Callable[[str], S]) -> None:
        self._log = log
        self._fresh = fresh
        self._writers: dict[str, Writer[S]] = {}
        self._mutex = threading.Lock()
        self._closed = False

    def of(self, tenant: str) -> Writer[S]:
        """The tenant's writer. Raises UnknownTenant, TenantBusy, and WriterStopped after `close`."""
        if writer := self._writers.get(tenant):
            return writer
        with self._mutex:
            if self._closed:
                raise WriterStopped("the writers are closed")
            if tenant not in self._writers:
                self._writers[tenant] = Writer(self._log, tenant, lambda: self._fresh(tenant))
            return self._writers[tenant]

    def running(self) -> list[Writer[S]]:
        """The writers started so far."""
        with self._mutex:
            return list(self._writers.values())

    def close(self) -> None:
        """Close all of them: what waits is written and answered first."""
        with self._mutex:
            self._closed = True
            writers = list(self._writers.values())
        if writers:
            with ThreadPoolExecutor(min(16, len(writers))) as pool:
                list(pool.map(Writer.close, writers))
