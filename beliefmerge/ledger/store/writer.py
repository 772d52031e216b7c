"""The one writer of a tenant's log: a thread that folds, decides and appends, many submissions to a commit.

A submission is a function of the state so far. It runs on the writer's thread, so what it decided on is what it is
appended to; it is answered when its batch is durable. While a batch is made durable the next one gathers: that is group
commit.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from beliefmerge.ledger.core.chain import link
from beliefmerge.ledger.store.errors import BadName, KeyReused, LogDamaged, QueueFull, WriterStopped
from beliefmerge.ledger.store.log import EMPTY, Head, Log, Reply, Row, continues

MAX_WAITING = 4096
"""Submissions and questions that may wait at once."""
MAX_BATCH = 512
"""Submissions to a commit."""
MAX_BATCH_BYTES = 8 << 20
"""Bytes of records after which a batch is closed."""


MAX_KEY = 255
"""Characters of an idempotency key."""


class Fold(Protocol):
    """A state that rows are folded into, one after the other."""

    def apply(self, row: Row) -> None:
        """Take in the next row."""
        ...


S = TypeVar("S", bound=Fold)
T = TypeVar("T")


class Draft(Generic[S]):
    """What a submission writes with: the state before it, and the rows it adds. Only the writer's thread sees it."""

    def __init__(self, state: S, head: Head) -> None:
        self.state = state
        self.head = head
        self.rows: list[Row] = []
        self.refused: BaseException | None = None

    @property
    def seq(self) -> int:
        """The number of the row that `add` makes next."""
        return self.head.seq + 1

    def add(self, record: bytes) -> Row:
        """Chain a record to what is there and fold it into `state`. A submission that raises takes its rows with it."""
        if self.refused:
            raise self.refused
        row = Row(self.seq, self.head.hash, link(self.head.hash, record), record)
        self.rows.append(row)
        try:
            self.state.apply(row)
        except BaseException as error:
            self.refused = error
            raise
        self.head = Head(row.seq, row.hash)
        return row


Work = Callable[[Draft[S]], bytes]
Question = Callable[[S, Head], Any]


@dataclass(slots=True)
class _Job:
    """A submission or a question, and where its answer goes."""

    work: Callable[..., Any]
    key: str | None
    digest: bytes
    asks: bool
    future: Future[Any] | asyncio.Future[Any]
    answer: Any = None
    error: BaseException | None = None

    def wanted(self) -> bool:
        """Whether somebody still waits. From here on a thread's future cannot be cancelled."""
        if isinstance(self.future, Future):
            return self.future.set_running_or_notify_cancel()
        return not self.future.cancelled()

    def settle(self) -> None:
        """Give the answer, or the error, to who waits."""
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.answer)
        elif isinstance(self.error, StopIteration):  # which an asyncio future refuses
            self.future.set_exception(RuntimeError("a submission raised StopIteration"))
        else:
            self.future.set_exception(self.error)


class Writer(Generic[S]):
    """The writer of `tenant`'s log in `log`. `fresh` makes an empty state; the log's rows are folded into it first.

    Taking the right to append raises TenantBusy and UnknownTenant here; a log that is no chain stops the writer, and
    the cause is what each submission then gets. Only submissions change the state, and only through `Draft.add`.
    """

    def __init__(self, log: Log, tenant: str, fresh: Callable[[], S]) -> None:
        self.tenant = tenant
        self._log = log
        self._fresh = fresh
        self._pen = log.pen(tenant)
        self._waiting: deque[_Job] = deque()
        self._ready = threading.Condition(threading.Lock())
        self._idle = False
        self._state = fresh()
        self._head = self._pen.head
        self._stopped: WriterStopped | None = None
        self._unreadable: Exception | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=f"ledger writer {tenant}", daemon=True)
        self._thread.start()

    @property
    def stopped(self) -> WriterStopped | None:
        """Why the writer takes no submission any more, or None. Questions are answered still, from what is durable."""
        return self._stopped

    def submit(self, work: Work[S], *, key: str | None = None, digest: bytes = b"") -> Future[bytes]:
        """Run `work` when its turn comes; the future gives what it returned, once its rows are durable.

        With a `key`, a submission that added rows is remembered: the same key and `digest` (of the request) gets the
        same answer and adds nothing, another digest gets KeyReused. What `work` raises goes to its future alone.
        Raises BadName for a key that is none, QueueFull and WriterStopped.
        """
        future: Future[bytes] = Future()
        self._put(work, key, digest, False, future)
        return future

    def ask(self, question: Callable[[S, Head], T]) -> Future[T]:
        """Run `question` on the state and its head, all of it durable, between two batches. It must change nothing."""
        future: Future[T] = Future()
        self._put(question, None, b"", True, future)
        return future

    async def asubmit(self, work: Work[S], *, key: str | None = None, digest: bytes = b"") -> bytes:
        """As `submit`, from an event loop."""
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._put(work, key, digest, False, future)
        return await future

    async def aask(self, question: Callable[[S, Head], T]) -> T:
        """As `ask`, from an event loop."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._put(question, None, b"", True, future)
        return await future

    def close(self) -> None:
        """Take no more, answer all that waits, give up the right to append. May be called again."""
        with self._ready:
            self._closing = True
            self._ready.notify()
        self._thread.join()

    def _put(
        self,
        work: Callable[..., Any],
        key: str | None,
        digest: bytes,
        asks: bool,
        future: Future[Any] | asyncio.Future[Any],
    ) -> None:
        if key is not None and not (key.isascii() and key.isprintable() and 0 < len(key) <= MAX_KEY):
            raise BadName(f"not an idempotency key: 1 to {MAX_KEY} printable ASCII characters")
        with self._ready:
            if self._closing:
                raise WriterStopped(f"tenant {self.tenant}: the writer is closed")
            if self._stopped and not asks:
                raise self._stopped
            if len(self._waiting) >= MAX_WAITING:
                raise QueueFull(f"tenant {self.tenant}: {MAX_WAITING} requests wait already")
            self._waiting.append(_Job(work, key, digest, asks, future))
            if self._idle:
                self._idle = False
                self._ready.notify()

    def _run(self) -> None:
        try:
            self._load([])
            while (jobs := self._take()) is not None:
                submissions = deque(job for job in jobs if not job.asks)
                while submissions:
                    self._commit(submissions)
                for job in jobs:
                    if job.asks:
                        self._answer(job)
        finally:
            self._leave()

    def _leave(self) -> None:
        try:
            self._pen.close(failed=self._stopped is not None)
        except Exception as error:  # all that was answered is durable, and nobody waits for this
            self._stopped = self._stopped or _stopped(self.tenant, error)

    def _take(self) -> list[_Job] | None:
        """All that waits and is still wanted; None when the writer is closed and nothing waits."""
        with self._ready:
            while not self._waiting:
                if self._closing:
                    return None
                self._idle = True
                self._ready.wait()
            self._idle = False
            jobs = list(self._waiting)
            self._waiting.clear()
        return [job for job in jobs if job.wanted()]

    def _commit(self, submissions: deque[_Job]) -> None:
        """Run as many as make a batch, append what they add, and only then answer them."""
        done: list[_Job] = []
        try:
            batch = self._batch(submissions, done)
            if batch.rows:
                self._pen.append(batch.rows, batch.replies)
            self._head = batch.head
        except Exception as error:
            self._stop(error)
            done += submissions
            submissions.clear()
            for job in done:
                job.answer, job.error = None, self._stopped
        _deliver(done)
        try:
            self._pen.tidy()
        except Exception as error:
            self._stop(error)

    def _batch(self, submissions: deque[_Job], done: list[_Job]) -> _Batch:
        if self._stopped:
            raise self._stopped
        first = list(itertools.islice(submissions, MAX_BATCH))
        keys = {job.key for job in first if job.key is not None}
        batch = _Batch(self._head, self._pen.recall(keys) if keys else {})
        for job in first:
            done.append(submissions.popleft())
            if not batch.run(job, self._state):
                self._load(batch.rows)
                if self._stopped:
                    raise self._stopped
            if batch.size >= MAX_BATCH_BYTES:
                break
        return batch

    def _answer(self, job: _Job) -> None:
        try:
            if self._unreadable:
                raise self._unreadable
            job.answer = job.work(self._state, self._head)
        except BaseException as error:
            job.error = error
        _deliver([job])

    def _stop(self, cause: Exception) -> None:
        """Take nothing more, and fall back to what is durable: the state holds what was not made so."""
        if not self._stopped:
            self._stopped = _stopped(self.tenant, cause)
            self._load([])

    def _load(self, pending: Sequence[Row]) -> None:
        """The state anew, from the log and from the rows that are about to be appended."""
        try:
            self._state, head = self._fresh(), EMPTY
            for row in self._log.read(self.tenant):
                head = continues(head, (row,))
                self._state.apply(row)
            self._head = head
            for row in pending:
                self._state.apply(row)
        except Exception as error:
            self._unreadable = LogDamaged(f"tenant {self.tenant}: the log cannot be folded: {error}")
            self._stopped = self._stopped or _stopped(self.tenant, error)


class _Batch:
    """Submissions that become durable together."""

    def __init__(self, head: Head, known: dict[str, Reply]) -> None:
        self.head = head
        self.rows: list[Row] = []
        self.replies: dict[int, tuple[str, Reply]] = {}
        self.size = 0
        self._known = known

    def run(self, job: _Job, state: Fold) -> bool:
        """Answer a job, or note what it raised. False when what it did to the state must be undone."""
        if job.key is not None and (reply := self._known.get(job.key)):
            if reply.digest == job.digest:
                job.answer = reply.response
            else:
                job.error = KeyReused("the idempotency key was used for another request")
            return True
        draft = Draft(state, self.head)
        try:
            job.answer = _response(job.work(draft))
            if draft.refused:
                raise draft.refused
        except BaseException as error:
            job.error = error
            return not draft.rows
        if draft.rows:
            self._keep(draft, job)
        return True

    def _keep(self, draft: Draft[Any], job: _Job) -> None:
        self.head = draft.head
        self.rows += draft.rows
        self.size += sum(len(row.record) for row in draft.rows)
        if job.key is not None:
            self._known[job.key] = reply = Reply(job.digest, job.answer)
            self.replies[draft.rows[0].seq] = (job.key, reply)


def _response(answer: Any) -> bytes:
    if not isinstance(answer, bytes):
        raise TypeError(f"a submission answers with bytes, not {type(answer).__name__}")
    return answer


def _stopped(tenant: str, cause: Exception) -> WriterStopped:
    what = f"{cause}" or type(cause).__name__
    return WriterStopped(f"tenant {tenant}: nothing more is written before a restart, the store failed: {what}")


def _deliver(jobs: Sequence[_Job]) -> None:
    """Answer those who wait: each event loop is woken once."""
    loops: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
    for job in jobs:
        if isinstance(job.future, Future):
            job.settle()
        else:
            loops.setdefault(job.future.get_loop(), []).append(job)
    for loop, group in loops.items():
        with contextlib.suppress(RuntimeError):  # a closed loop: nobody waits
            loop.call_soon_threadsafe(_settle, group)


def _settle(jobs: Sequence[_Job]) -> None:
    for job in jobs:
        job.settle()
