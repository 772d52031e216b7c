"""An opened ledger: its logs, blobs and key, and what the service does with them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from beliefmerge.ledger.core.canonical import Malformed, NotHashable
from beliefmerge.ledger.core.embedding import Embed
from beliefmerge.ledger.core.state import Invalid, Unknown
from beliefmerge.ledger.service.books import Books
from beliefmerge.ledger.service.judging import NONE
from beliefmerge.ledger.service.pinned import Reach
from beliefmerge.ledger.service.refusal import Kind, Refusal, not_found
from beliefmerge.ledger.service.signing import Signer
from beliefmerge.ledger.store import errors
from beliefmerge.ledger.store.blobs import Blobs
from beliefmerge.ledger.store.log import Head, Log
from beliefmerge.ledger.store.writer import Draft, Writer
from beliefmerge.ledger.store.writers import Writers

T = TypeVar("T")

BLOB_THREADS = 32
REPLAY_THREADS = 4
"""Replays at once: what they ask is outside, and may be slow."""


class Ledger:
    """The ledger over `log` and `blobs`, whose heads `signer` signs. ``close`` it: what waits is written first.

    Near-copies are told by `embed` too, where it is given; `embedder` is its name.

    All methods that are coroutines raise Refusal.
    """

    def __init__(
        self,
        log: Log,
        blobs: Blobs,
        signer: Signer,
        reach: Reach | None = None,
        embedder: str = NONE,
        embed: Embed | None = None,
    ) -> None:
        self.log, self.blobs, self.signer, self.embedder = log, blobs, signer, embedder
        self.reach = reach or Reach()
        self._writers: Writers[Books] = Writers(log, lambda tenant: Books(tenant, embed))
        self._started: dict[str, Writer[Books]] = {}
        self._pool = ThreadPoolExecutor(BLOB_THREADS, "ledger")
        self._replays = ThreadPoolExecutor(REPLAY_THREADS, "ledger replay")

    async def write(self, tenant: str, work: Callable[[Draft[Books]], bytes], key: str | None, digest: bytes) -> bytes:
        """Run `work` in the tenant's writer; its answer, once what it added is durable."""
        with refusing():
            writer = await self._writer(tenant)
            return await writer.asubmit(work, key=key, digest=digest)

    async def ask(self, tenant: str, question: Callable[[Books, Head], T]) -> T:
        """What `question` says of the tenant's state."""
        with refusing():
            writer = await self._writer(tenant)
            return await writer.aask(question)

    async def put_blob(self, tenant: str, content: bytes) -> str:
        """Keep `content` durably; its hash."""
        return await self.run(lambda: self.blobs.put(tenant, content))

    async def blob(self, tenant: str, digest: str) -> bytes:
        """The tenant's blob of that hash."""
        return await self.run(lambda: self.blobs.get(tenant, digest))

    async def run(self, work: Callable[[], T], *, outside: bool = False) -> T:
        """Run blocking `work` in a thread; `outside` where it asks other hosts."""
        with refusing():
            pool = self._replays if outside else self._pool
            return await asyncio.get_running_loop().run_in_executor(pool, work)

    @property
    def stopped(self) -> bool:
        """Whether a tenant's writer has failed."""
        return any(writer.stopped for writer in self._writers.running())

    async def close(self) -> None:
        """Write and answer what waits, then let go of everything."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._writers.close()
        for pool in (self._pool, self._replays):
            pool.shutdown(cancel_futures=True)
        self.log.close()

    async def _writer(self, tenant: str) -> Writer[Books]:
        """The tenant's writer. Only the first call for it waits for a thread, which slow blobs may all have taken."""
        if tenant not in self._started:
            loop = asyncio.get_running_loop()
            self._started[tenant] = await loop.run_in_executor(self._pool, self._writers.of, tenant)
        return self._started[tenant]


@contextlib.contextmanager
def refusing() -> Iterator[None]:
    """Turns what stores and the calculus raise into the refusals of the service."""
    try:
        yield
    except (Unknown, errors.UnknownTenant, errors.UnknownBlob) as error:
        raise not_found() from error
    except errors.BlobDamaged as error:
        raise Refusal(Kind.INTERNAL, str(error)) from error
    except errors.KeyReused as error:
        raise Refusal(Kind.CONFLICT, str(error)) from error
    except errors.TooLarge as error:
        raise Refusal(Kind.TOO_LARGE, str(error)) from error
    except (errors.WriterStopped, errors.LogDamaged) as error:
        raise Refusal(Kind.STOPPED, str(error)) from error
    except (errors.QueueFull, errors.TenantBusy, errors.StoreUnavailable) as error:
        raise Refusal(Kind.UNAVAILABLE, str(error), {"Retry-After": "1"}) from error
    except Malformed as error:
        raise Refusal(Kind.MALFORMED, str(error)) from error
    except (Invalid, NotHashable) as error:
        raise Refusal(Kind.INVALID, str(error)) from error
