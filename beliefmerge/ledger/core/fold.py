"""The fold: a whole log to its state."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from contextlib import contextmanager
from typing import Any

from beliefmerge.ledger.core.chain import GENESIS, link
from beliefmerge.ledger.core.embedding import Embed
from beliefmerge.ledger.core.entries import decode
from beliefmerge.ledger.core.state import State


@contextmanager
def _without_collection() -> Any:
    """Nothing a fold makes is a cycle, and looking for cycles among a million entries takes longer than the fold."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def fold(records: Iterable[bytes], embed: Embed | None = None) -> State:
    """The state after a whole log, given as its stored records in order."""
    state, digest = State(embed), GENESIS
    with _without_collection():
        for record in records:
            digest = link(digest, record)
            state.apply(decode(record), digest)
    return state
