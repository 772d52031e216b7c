"""HTTP/1.1 that waits so long and no longer for the head of a request: bodies have their own limits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol


def patient(seconds: float) -> type[H11Protocol]:
    """A protocol for uvicorn that closes a connection when no whole head has come for `seconds`.

    Its own waits for ever, and whoever opens as many connections as the process may have files, without a token
    and without a word, keeps everybody else out.
    """
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Patient(H11Protocol):
        """One connection."""

        _late: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._rest()

        def _watch(self) -> None:
            """The time runs while a head is waited for, also where some of it has come, and while nothing else is."""
            if self.transport.is_closing() or not (self.cycle is None or self.cycle.response_complete):
                self._rest()
            elif self._late is None:
                self._late = self.loop.call_later(seconds, self.transport.close)

        def _rest(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

    return Patient
