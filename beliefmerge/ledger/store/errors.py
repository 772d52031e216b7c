"""What can go wrong with a store. Each message is one line that a user can act on."""

from __future__ import annotations

from beliefmerge.errors import BeliefMergeError


class StoreError(BeliefMergeError):
    """Base of the errors of a store."""


class StoreUnavailable(StoreError):
    """The store cannot be opened or reached."""


class UnknownTenant(StoreError):
    """There is no such tenant."""


class UnknownBlob(StoreError):
    """The tenant has no blob of this hash."""


class BadName(StoreError):
    """A tenant's name that no store takes."""


class TenantBusy(StoreError):
    """Another process, or another writer of this one, appends to the tenant's log."""


class OutOfSequence(StoreError):
    """Rows that do not continue the log: a gap, another predecessor, or a hash that is not theirs."""


class LogDamaged(StoreError):
    """The stored log is not a dense chain, or cannot be read."""


class BlobDamaged(StoreError):
    """A stored blob does not have the hash it is named by."""


class TooLarge(StoreError):
    """A blob is longer than the limit."""


class KeyReused(StoreError):
    """An idempotency key was used before, for another request."""


class QueueFull(StoreError):
    """More submissions wait than the writer takes; try again later."""


class WriterStopped(StoreError):
    """The writer takes no more: it was closed, or an append failed and what is on the disk is no longer certain."""
