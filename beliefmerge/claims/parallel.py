"""Two processes where the platform can fork safely, one elsewhere."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from typing import TypeVar

T = TypeVar("T")

_ENDING = (signal.SIGINT, signal.SIGTERM)


def both(first: Callable[[], T], second: Callable[[], T]) -> tuple[T, T]:
    """The results of both calls, the second computed in a forked child meanwhile; in turn where forking is not safe.

    A child that fails or is killed costs time only: its call is made again here.
    """
    if not _can_fork():
        return first(), second()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    # A signal that came between the fork and the `try` would end this process and leave the child behind.
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    child = context.Process(target=_send, args=(second, sender, usual), daemon=True)
    try:
        child.start()
    except OSError:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
        return first(), second()
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
        sender.close()
        mine = first()
        try:
            theirs = receiver.recv()
        except (EOFError, OSError):
            theirs = second()
    finally:
        # What it had to say has been received, or nobody wants it any more.
        child.kill()
        receiver.close()
        child.join()
    return mine, theirs


def _send(call: Callable[[], T], sender: Connection, usual: Iterable[int]) -> None:
    signal.pthread_sigmask(signal.SIG_SETMASK, usual)
    sender.send(call())
    sender.close()


def _can_fork() -> bool:
    return (
        "fork" in multiprocessing.get_all_start_methods()
        and threading.active_count() == 1
        and not multiprocessing.current_process().daemon
        and (os.cpu_count() or 1) > 1
    )
