"""Standard input line by line, for an event loop that can let go of it: a reader that is blocked holds nobody back."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def lines() -> Iterator[MemoryObjectReceiveStream[str]]:
    """The lines of standard input, which end with it or when SIGINT or SIGTERM comes; a second signal has its usual
    effect. In a coroutine, once a process: whoever else reads standard input finds it at its end.
    """
    loop = asyncio.get_running_loop()
    inward, outward = anyio.create_memory_object_stream[str](0)

    def stop() -> None:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL)
        inward.close()

    def pump(wire: IO[bytes]) -> None:
        with contextlib.suppress(RuntimeError, anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            for line in wire:
                if loop.is_closed():
                    return
                asyncio.run_coroutine_threadsafe(inward.send(line.decode("utf-8", "replace")), loop).result()
        with contextlib.suppress(RuntimeError, concurrent.futures.CancelledError):
            loop.call_soon_threadsafe(inward.close)

    for number in _SIGNALS:
        loop.add_signal_handler(number, stop)
    # A thread of no pool: nobody waits for it in the end, though it may be blocked for ever.
    threading.Thread(target=pump, args=(_taken(),), name="standard input", daemon=True).start()
    with outward:
        yield outward


def _taken() -> IO[bytes]:
    """Standard input on a descriptor of its own; the null device is in its place."""
    wire = os.fdopen(os.dup(0), "rb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return wire
