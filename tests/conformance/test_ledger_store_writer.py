"""The writer answers when what it wrote is durable, and each submission as if it had been alone: over every store."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from beliefmerge.ledger.core.chain import link
from beliefmerge.ledger.store import writer as writer_module
from beliefmerge.ledger.store.errors import BadName, KeyReused, LogDamaged, QueueFull, TenantBusy, WriterStopped
from beliefmerge.ledger.store.log import EMPTY, Head, Log, Pen, Row
from beliefmerge.ledger.store.writer import Draft, Writer
from beliefmerge.ledger.store.writers import Writers
from tests.ledger_stores import Place, chain, write

WAIT = 60


@dataclass
class Total:
    """A state that says what it took in: the records, and the sum of the numbers in them."""

    records: list[bytes] = field(default_factory=list)
    sum: int = 0

    def apply(self, row: Row) -> None:
        if row.record == b"poison":
            raise ValueError("poison")
        self.records.append(row.record)
        self.sum += int(row.record)


def add(*numbers: int) -> Callable[[Draft[Total]], bytes]:
    """A submission of these records that answers with the sum before it."""

    def work(draft: Draft[Total]) -> bytes:
        before = draft.state.sum
        for number in numbers:
            draft.add(b"%d" % number)
        return b"%d" % before

    return work


def refuse(draft: Draft[Total]) -> bytes:
    raise KeyError("refused")


def spoil(draft: Draft[Total]) -> bytes:
    draft.add(b"1000000")
    raise KeyError("refused late")


class Spy:
    """A pen that notes what it appends, and fails at the append (or the tidying) that it is told to fail at."""

    def __init__(self, pen: Pen, *, fail_append: int | None = None, fail_tidy: int | None = None) -> None:
        self.pen, self.tenant = pen, pen.tenant
        self.batches: list[list[Row]] = []
        self.fail_append, self.fail_tidy = fail_append, fail_tidy
        self.tidied = 0
        self.failed: bool | None = None

    @property
    def head(self) -> Head:
        return self.pen.head

    def recall(self, keys):
        return self.pen.recall(keys)

    def append(self, rows, replies) -> None:
        self.batches.append(list(rows))
        if len(self.batches) == self.fail_append:
            raise OSError(5, "Input/output error")
        self.pen.append(rows, replies)

    def tidy(self) -> None:
        self.tidied += 1
        if self.tidied == self.fail_tidy:
            raise OSError(5, "Input/output error")
        self.pen.tidy()

    def close(self, *, failed: bool = False) -> None:
        self.failed = failed
        self.pen.close(failed=failed)


@dataclass
class Spied:
    """A log whose pens are spies."""

    log: Log
    fail_append: int | None = None
    fail_tidy: int | None = None
    spy: Spy | None = None

    def pen(self, tenant: str) -> Spy:
        self.spy = Spy(self.log.pen(tenant), fail_append=self.fail_append, fail_tidy=self.fail_tidy)
        return self.spy

    def __getattr__(self, name: str):
        return getattr(self.log, name)


@pytest.fixture
def writer(log: Log) -> Iterator[Writer[Total]]:
    log.create("t")
    writer = Writer(log, "t", Total)
    yield writer
    writer.close()


class Gate:
    """Holds a writer's thread inside a submission, so that others gather behind it."""

    def __init__(self, writer: Writer[Total]) -> None:
        self.entered, self.open = threading.Event(), threading.Event()
        self.answer = writer.submit(self._wait)
        assert self.entered.wait(WAIT)

    def _wait(self, draft: Draft[Total]) -> bytes:
        self.entered.set()
        assert self.open.wait(WAIT)
        return b"waited"


def test_an_answer_means_that_the_rows_are_in_the_store(log: Log, writer: Writer[Total]):
    assert writer.submit(add(1, 2)).result(WAIT) == b"0"
    assert list(log.read("t")) == chain([b"1", b"2"])
    assert writer.submit(add(3)).result(WAIT) == b"3"
    assert list(log.read("t")) == chain([b"1", b"2", b"3"])
    assert writer.ask(lambda state, head: (state.sum, head.seq)).result(WAIT) == (6, 2)


def test_a_row_is_chained_and_folded_as_it_is_added(writer: Writer[Total]):
    def work(draft: Draft[Total]) -> bytes:
        assert (draft.seq, draft.head) == (0, EMPTY)
        row = draft.add(b"7")
        assert row.hash == link(EMPTY.hash, b"7")
        assert (draft.seq, draft.state.sum, draft.head) == (1, 7, Head(0, row.hash))
        return row.hash

    assert writer.submit(work).result(WAIT) == link(EMPTY.hash, b"7")


def test_what_gathers_during_a_commit_is_committed_at_once(log: Log):
    log.create("t")
    spied = Spied(log)
    writer = Writer(spied, "t", Total)
    gate = Gate(writer)
    answers = [writer.submit(add(1)) for _ in range(100)]
    gate.open.set()
    assert [int(answer.result(WAIT)) for answer in answers] == list(range(100))
    assert [len(batch) for batch in spied.spy.batches] == [100]
    writer.close()


def test_a_batch_is_bounded_in_submissions_and_in_bytes(log: Log, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(writer_module, "MAX_BATCH", 10)
    monkeypatch.setattr(writer_module, "MAX_BATCH_BYTES", 12)
    log.create("t")
    spied = Spied(log)
    writer = Writer(spied, "t", Total)
    gate = Gate(writer)
    answers = [writer.submit(add(1)) for _ in range(30)] + [writer.submit(add(10**11)) for _ in range(2)]
    gate.open.set()
    assert [answer.result(WAIT) for answer in answers][:30] == [b"%d" % i for i in range(30)]
    assert [len(batch) for batch in spied.spy.batches] == [10, 10, 10, 1, 1]
    writer.close()


@pytest.mark.parametrize("bad", [refuse, spoil, lambda draft: "text", lambda draft: next(iter(()))])
def test_a_submission_that_fails_takes_nobody_with_it(log: Log, writer: Writer[Total], bad):
    gate = Gate(writer)
    before, failed, after = writer.submit(add(1)), writer.submit(bad), writer.submit(add(2))
    gate.open.set()
    assert (before.result(WAIT), after.result(WAIT)) == (b"0", b"1")
    with pytest.raises((KeyError, TypeError, RuntimeError)):
        failed.result(WAIT)
    assert [row.record for row in log.read("t")] == [b"1", b"2"]
    assert writer.ask(lambda state, head: state.records).result(WAIT) == [b"1", b"2"]


def test_a_record_that_the_state_refuses_is_not_stored(log: Log, writer: Writer[Total]):
    writer.submit(add(1)).result(WAIT)
    with pytest.raises(ValueError, match="poison"):
        writer.submit(lambda draft: draft.add(b"poison").hash).result(WAIT)
    assert writer.submit(add(2)).result(WAIT) == b"1"
    assert [row.record for row in log.read("t")] == [b"1", b"2"]


def test_a_submission_cannot_talk_its_way_past_a_refusal_of_the_state(log: Log, writer: Writer[Total]):
    def work(draft: Draft[Total]) -> bytes:
        for record in (b"2", b"poison", b"3"):
            with contextlib.suppress(ValueError):
                draft.add(record)
        return b"all is well"

    with pytest.raises(ValueError, match="poison"):
        writer.submit(work).result(WAIT)
    assert writer.submit(add(4)).result(WAIT) == b"0"
    assert [row.record for row in log.read("t")] == [b"4"]


def test_a_state_that_cannot_be_made_again_stops_the_writer_before_anything_is_written(log: Log):
    log.create("t")
    reads: list[int] = []

    class Once(Spied):
        def read(self, tenant: str, start: int = 0):
            reads.append(start)
            if len(reads) > 1:
                raise LogDamaged("cannot be read any more")
            return self.log.read(tenant, start)

    spied = Once(log)
    writer = Writer(spied, "t", Total)
    gate = Gate(writer)
    answers = [writer.submit(work) for work in (add(1), spoil, add(2))]
    gate.open.set()
    for answer in answers:
        with pytest.raises(WriterStopped, match="any more"):
            answer.result(WAIT)
    assert spied.spy.batches == []
    writer.close()
    assert list(log.read("t")) == []


def test_a_key_is_answered_once_in_a_batch_later_and_after_a_restart(place: Place):
    log = place.open()
    log.create("t")
    writer = Writer(log, "t", Total)
    gate = Gate(writer)
    twice = [writer.submit(add(5), key="k", digest=b"d") for _ in range(2)]
    other = writer.submit(add(5), key="k", digest=b"e")
    gate.open.set()
    assert [answer.result(WAIT) for answer in twice] == [b"0", b"0"]
    with pytest.raises(KeyReused):
        other.result(WAIT)
    assert writer.submit(add(5), key="k", digest=b"d").result(WAIT) == b"0"
    writer.close()
    log.close()
    log = place.open()
    writer = Writer(log, "t", Total)
    assert writer.submit(add(5), key="k", digest=b"d").result(WAIT) == b"0"
    with pytest.raises(KeyReused):
        writer.submit(add(5), key="k", digest=b"").result(WAIT)
    assert writer.submit(add(5), key="l", digest=b"d").result(WAIT) == b"5"
    assert [row.record for row in log.read("t")] == [b"5", b"5"]
    writer.close()
    log.close()


def test_a_failed_submission_leaves_its_key_free(writer: Writer[Total]):
    for bad in (refuse, spoil):
        with pytest.raises(KeyError):
            writer.submit(bad, key="k", digest=b"d").result(WAIT)
    assert writer.submit(add(1), key="k", digest=b"e").result(WAIT) == b"0"


@pytest.mark.parametrize("key", ["", "a\n", "\x00", "é", "\ud800", "k" * 256])
def test_a_key_that_no_store_would_keep_is_refused_at_once(writer: Writer[Total], key: str):
    with pytest.raises(BadName):
        writer.submit(add(1), key=key)
    assert writer.submit(add(1), key="k" * 255).result(WAIT) == b"0"


def test_a_question_sees_what_is_durable_and_all_that_its_asker_was_told(log: Log, writer: Writer[Total]):
    def question(state: Total, head: Head) -> tuple[list[bytes], list[bytes], int]:
        return list(state.records), [row.record for row in log.read("t")], head.seq

    gate = Gate(writer)
    answers: list[Future] = [writer.submit(add(i)) if i % 3 else writer.ask(question) for i in range(30)]
    gate.open.set()
    for i in range(0, 30, 3):
        folded, stored, head = answers[i].result(WAIT)
        assert folded == stored
        assert head == len(stored) - 1


def test_what_a_question_raises_is_its_own(writer: Writer[Total]):
    with pytest.raises(ZeroDivisionError):
        writer.ask(lambda state, head: 1 // 0).result(WAIT)
    assert writer.submit(add(1)).result(WAIT) == b"0"


def test_after_a_failed_append_nobody_is_told_that_it_was_written_and_nothing_more_is(log: Log):
    log.create("t")
    log.create("u")
    spied = Spied(log, fail_append=2)
    writer, other = Writer(spied, "t", Total), Writer(log, "u", Total)
    assert writer.submit(add(1)).result(WAIT) == b"0"
    gate = Gate(writer)
    lost = [writer.submit(add(2)), writer.submit(refuse), writer.submit(add(3), key="k")]
    gate.open.set()
    for answer in lost:
        with pytest.raises(WriterStopped, match="Input/output error"):
            answer.result(WAIT)
    with pytest.raises(WriterStopped, match="before a restart"):
        writer.submit(add(4)).result(WAIT)
    assert isinstance(writer.stopped, WriterStopped)
    assert writer.ask(lambda state, head: (state.sum, head.seq)).result(WAIT) == (1, 0)
    assert [row.record for row in log.read("t")] == [b"1"]
    assert other.submit(add(1)).result(WAIT) == b"0"
    with pytest.raises(TenantBusy):
        log.pen("t")
    writer.close()
    other.close()
    assert spied.spy.failed
    assert len(spied.spy.batches) == 2
    again = Writer(log, "t", Total)
    assert again.submit(add(5)).result(WAIT) == b"1"
    again.close()


def test_a_failed_checkpoint_stops_the_writer_after_the_answer(log: Log):
    log.create("t")
    writer = Writer(Spied(log, fail_tidy=1), "t", Total)
    assert writer.submit(add(1)).result(WAIT) == b"0"
    with pytest.raises(WriterStopped):
        writer.submit(add(1)).result(WAIT)
    assert writer.ask(lambda state, head: state.sum).result(WAIT) == 1
    writer.close()


def test_a_log_that_is_no_chain_stops_the_writer_and_can_still_be_read(log: Log):
    rows = write(log, "t", b"1", b"2")

    class Forged(Spied):
        def read(self, tenant: str, start: int = 0):
            return iter([rows[0], rows[1]._replace(record=b"9")])

    writer = Writer(Forged(log), "t", Total)
    with pytest.raises(LogDamaged):
        writer.ask(lambda state, head: state.sum).result(WAIT)
    with pytest.raises(WriterStopped, match="does not have the hash"):
        writer.submit(add(1)).result(WAIT)
    assert list(log.read("t")) == rows
    writer.close()


def test_too_many_that_wait_are_turned_away_and_those_that_wait_are_served(
    writer: Writer[Total], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(writer_module, "MAX_WAITING", 5)
    gate = Gate(writer)
    answers = [writer.submit(add(1)) for _ in range(5)]
    with pytest.raises(QueueFull):
        writer.submit(add(1))
    with pytest.raises(QueueFull):
        writer.ask(lambda state, head: 0)
    gate.open.set()
    assert [answer.result(WAIT) for answer in answers] == [b"%d" % i for i in range(5)]
    assert writer.submit(add(1)).result(WAIT) == b"5"


def test_closing_answers_all_that_waits_and_lets_the_next_writer_in(log: Log):
    log.create("t")
    writer = Writer(log, "t", Total)
    gate = Gate(writer)
    answers = [writer.submit(add(1)) for _ in range(20)]
    closing = threading.Thread(target=writer.close)
    closing.start()
    gate.open.set()
    closing.join(WAIT)
    assert [answer.result(0) for answer in answers] == [b"%d" % i for i in range(20)]
    for late in (lambda: writer.submit(add(1)), lambda: writer.ask(lambda state, head: 0)):
        with pytest.raises(WriterStopped):
            late()
    writer.close()
    assert sum(1 for _ in log.read("t")) == 20
    log.pen("t").close()


def test_a_submission_that_is_given_up_before_its_turn_writes_nothing(log: Log, writer: Writer[Total]):
    gate = Gate(writer)
    dropped, kept = writer.submit(add(1)), writer.submit(add(2))
    assert dropped.cancel()
    gate.open.set()
    assert kept.result(WAIT) == b"0"
    with pytest.raises(CancelledError):
        dropped.result(WAIT)
    assert [row.record for row in log.read("t")] == [b"2"]


def test_event_loops_are_answered_too(log: Log, writer: Writer[Total]):
    async def clients() -> list[int]:
        answers = await asyncio.gather(*(writer.asubmit(add(1), key=f"{i}", digest=b"") for i in range(100)))
        again = await writer.asubmit(add(1), key="7", digest=b"")
        assert again == answers[7]
        for bad, error in ((refuse, KeyError), (spoil, KeyError), (lambda draft: next(iter(())), RuntimeError)):
            with pytest.raises(error):
                await writer.asubmit(bad)
        assert await writer.aask(lambda state, head: head.seq) == 99
        return sorted(map(int, answers))

    assert asyncio.run(clients()) == list(range(100))
    assert sum(1 for _ in log.read("t")) == 100


def test_a_loop_that_is_gone_does_not_disturb_the_writer(log: Log, writer: Writer[Total]):
    gate = Gate(writer)

    async def leave() -> None:
        asyncio.get_running_loop().create_task(writer.asubmit(add(1)))
        await asyncio.sleep(0)

    loop = asyncio.new_event_loop()
    loop.run_until_complete(leave())
    for task in asyncio.all_tasks(loop):
        task._log_destroy_pending = False  # type: ignore[attr-defined]
    loop.close()
    gate.open.set()
    assert writer.submit(add(2)).result(WAIT) == b"1"


def test_two_hundred_writers_keep_two_hundred_states_apart(log: Log):
    writers: Writers[Total] = Writers(log, lambda tenant: Total())
    tenants = [f"tenant-{i}" for i in range(200)]
    answers = []
    for i, tenant in enumerate(tenants):
        log.create(tenant)
        answers += [writers.of(tenant).submit(add(n), key="the same", digest=b"") for n in (i, 7)]
    assert [answer.result(WAIT) for answer in answers] == [b"0"] * 400
    sums = [writers.of(tenant).ask(lambda state, head: (state.records, head.seq)) for tenant in tenants]
    assert [s.result(WAIT) for s in sums] == [([b"%d" % i], 0) for i in range(200)]
    writers.close()
    with pytest.raises(WriterStopped):
        writers.of("tenant-0").submit(add(1))


Submission = tuple[str, int, str | None]
SUBMISSIONS = st.lists(
    st.tuples(st.sampled_from(["add", "two", "refuse", "spoil"]), st.integers(0, 9), st.sampled_from([None, "a", "b"])),
    max_size=12,
)
WORK = {"add": lambda n: add(n), "two": lambda n: add(n, n), "refuse": lambda n: refuse, "spoil": lambda n: spoil}


def outcome(answer: Callable[[], bytes]) -> object:
    try:
        return answer()
    except Exception as error:
        return type(error)


def one_at_a_time(batches: list[list[Submission]]) -> tuple[list[object], list[bytes]]:
    """The obvious writer: one submission after the other on a list, nothing ever undone."""
    records: list[bytes] = []
    known: dict[str, tuple[tuple[str, int], bytes]] = {}
    outcomes: list[object] = []
    for kind, n, key in (submission for batch in batches for submission in batch):
        if key in known:
            outcomes.append(known[key][1] if known[key][0] == (kind, n) else KeyReused)
        elif kind in ("refuse", "spoil"):
            outcomes.append(KeyError)
        else:
            answer = b"%d" % sum(map(int, records))
            records += [b"%d" % n] * (1 if kind == "add" else 2)
            if key is not None:
                known[key] = ((kind, n), answer)
            outcomes.append(answer)
    return outcomes, records


def batched(log: Log, tenant: str, batches: list[list[Submission]]) -> tuple[list[object], list[bytes], list[bytes]]:
    """The same through a writer, each list in one batch: outcomes, records of the state, records of the store."""
    log.create(tenant)
    writer = Writer(log, tenant, Total)
    outcomes: list[object] = []
    try:
        for batch in batches:
            gate = Gate(writer)
            answers = [writer.submit(WORK[kind](n), key=key, digest=f"{kind}{n}".encode()) for kind, n, key in batch]
            gate.open.set()
            outcomes += [outcome(lambda answer=answer: answer.result(WAIT)) for answer in answers]
        folded = writer.ask(lambda state, head: list(state.records)).result(WAIT)
    finally:
        writer.close()
    return outcomes, folded, [row.record for row in log.read(tenant)]


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(SUBMISSIONS, max_size=4))
def test_a_batch_answers_each_submission_as_if_it_had_been_alone(log: Log, batches: list[list[Submission]]):
    tenant = f"t{len(log.tenants())}"
    outcomes, folded, stored = batched(log, tenant, batches)
    expected, records = one_at_a_time(batches)
    assert outcomes == expected
    assert folded == records
    assert stored == records
