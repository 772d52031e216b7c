"""The tools whose results can be acquired again, one file a tool: a tool that is not here is not run by the service."""

from __future__ import annotations

from typing import Any, Protocol

from beliefmerge.ledger.service.pinned import Reach
from beliefmerge.registry import Registry


class Reacquirer(Protocol):
    """Acquires what a tool returned, from the arguments that were sealed."""

    def acquire(self, url: str | None, args: Any, reach: Reach) -> bytes:
        """The content, byte for byte as it would be sealed. Raises NotAllowed and NotReached."""
        ...


REACQUIRERS: Registry[Reacquirer] = Registry("re-acquirer", __name__, "REACQUIRER")
