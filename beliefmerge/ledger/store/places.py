"""Opening a store by its address."""

from __future__ import annotations

import os
from pathlib import Path

from beliefmerge.ledger.store.blobs import Blobs, FileBlobs, RemoteBlobs
from beliefmerge.ledger.store.log import Log


def open_log(place: str | os.PathLike[str]) -> Log:
    """The logs at ``postgresql://…``, or in a directory. Raises StoreUnavailable."""
    if str(place).startswith(("postgresql://", "postgres://")):
        from beliefmerge.ledger.store.postgres import PostgresLog

        return PostgresLog(str(place))
    from beliefmerge.ledger.store.sqlite import SqliteLog

    return SqliteLog(Path(place))


def open_blobs(place: str | os.PathLike[str]) -> Blobs:
    """The blobs under an fsspec URL (``s3://bucket/prefix``), or in a directory. Raises StoreUnavailable."""
    return RemoteBlobs(str(place)) if "://" in str(place) else FileBlobs(place)
