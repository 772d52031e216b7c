"""Running the service until it is told to stop; what was acknowledged before is durable."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from beliefmerge.errors import UsageError
from beliefmerge.ledger.service.limits import Limits
from beliefmerge.ledger.service.patience import patient

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

_BACKLOG = 2048


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; `port` 0 takes a free one. Raises UsageError where the address cannot be had."""
    if not 0 <= port < 1 << 16:
        raise UsageError(f"port {port} is not between 0 and 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(_BACKLOG)
        except BaseException:
            listening.close()
            raise
    except (OSError, UnicodeError) as error:
        cause = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot listen on {host}:{port}: {cause}") from None
    return listening


def address(listening: socket.socket) -> str:
    """The ``http://`` address of a listening socket."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def server(app: Starlette, limits: Limits) -> uvicorn.Server:
    """The server that answers for `app`."""
    import uvicorn

    config = uvicorn.Config(
        app,
        http=patient(limits.head_seconds),
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        ws="none",
        backlog=_BACKLOG,
        timeout_graceful_shutdown=max(1, round(limits.drain_seconds)),
    )
    return uvicorn.Server(config)


def serve(app: Starlette, listening: socket.socket, limits: Limits, started: Callable[[], None]) -> None:
    """Answer requests until SIGTERM or SIGINT, then finish those that run, within ``limits.drain_seconds``, and return.

    `started` is called when requests are answered.
    """
    running = server(app, limits)

    def stop(*_: object) -> None:
        running.should_exit = True

    # For a signal that comes before uvicorn listens to them, and for the one that it raises again when it has stopped:
    # for this process that is no way to die.
    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        started()
        running.run(sockets=[listening])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
