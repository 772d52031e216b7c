"""An error of the disk, wherever it comes, gives no false acknowledgement; what was acknowledged stays readable."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

from beliefmerge.ledger.store import sqlite, writer
from beliefmerge.ledger.store.errors import WriterStopped
from beliefmerge.ledger.store.sqlite import SqliteLog
from beliefmerge.ledger.store.writer import Writer
from tests.survival.disk import Disk, power_cuts
from tests.survival.workload import TENANT, WAIT, Count, Plan, check, run

PLAN = Plan(rounds=12, clients=4, restart=6, seed=3)


@dataclass
class FailAt:
    """Raises `error` at operation `number` (from 0) of a kind, and at all that follow when `lasting`."""

    kind: str
    number: int
    error: type[apsw.Error]
    code: int | None = None
    lasting: bool = False
    seen: int = 0
    hits: int = 0

    def __call__(self, kind: str, file: str) -> None:
        if kind != self.kind:
            return
        self.seen += 1
        if self.seen - 1 == self.number or (self.lasting and self.seen - 1 > self.number):
            self.hits += 1
            error = self.error(f"injected at {kind} {self.number} of {file}")
            if self.code is not None:
                error.extendedresult = self.code
            raise error


def operations(scratch: Path) -> Counter[str]:
    """How many writes and syncs the plan takes when nothing fails."""
    seen: Counter[str] = Counter()
    with Disk("count", lambda kind, file: seen.update([kind])) as disk:
        assert run(scratch / "whole", disk, PLAN) == 0
    return seen


def suffer(scratch: Path, fault: FailAt) -> tuple[int, int]:
    """Work with the fault, then cut the power. Gives how many submissions failed, and how many were acknowledged."""
    place = scratch / f"{fault.kind}-{fault.number}"
    with Disk("faulty", fault) as disk:
        failed = run(place / "work", disk, PLAN)
        events = list(disk.events)
    acknowledged = [event.data for event in events if event.kind == "ack"]
    check(place / "work", acknowledged)
    for i, (told, files) in enumerate(power_cuts(events, 8, random.Random(fault.number))):
        (place / str(i) / "tenants").mkdir(parents=True)
        for name, content in files.items():
            (place / str(i) / "tenants" / name).write_bytes(content)
        check(place / str(i), told)
    return failed, len(acknowledged)


def every(scratch: Path, kind: str, error: type[apsw.Error], code: int | None, *, step: int = 1, lasting: bool = False):
    """The plan with a fault at every `step`-th operation of a kind: how many submissions failed in each."""
    count = operations(scratch)[kind]
    assert count > 10
    failures = []
    for number in range(0, count, step):
        fault = FailAt(kind, number, error, code, lasting)
        failed, acknowledged = suffer(scratch, fault)
        assert fault.hits, "the fault was never met"
        assert failed + acknowledged == PLAN.rounds * PLAN.clients
        failures.append(failed)
    return failures


def test_an_error_at_any_sync_gives_no_false_acknowledgement(scratch: Path):
    failures = every(scratch, "sync", apsw.IOError, apsw.SQLITE_IOERR_FSYNC)
    assert sum(1 for failed in failures if failed) > len(failures) / 2


def test_an_error_at_any_write_gives_no_false_acknowledgement(scratch: Path):
    assert any(every(scratch, "write", apsw.IOError, apsw.SQLITE_IOERR_WRITE, step=7))


def test_a_full_disk_gives_no_false_acknowledgement(scratch: Path):
    assert any(every(scratch, "write", apsw.FullError, None, step=17, lasting=True))


def test_a_writer_that_answers_before_the_append_is_caught(scratch: Path, monkeypatch: pytest.MonkeyPatch):
    commit = Writer._commit

    def early(self: Writer, submissions) -> None:
        append = self._pen.append
        jobs = list(submissions)

        def append_late(rows, replies) -> None:
            writer._deliver([job for job in jobs if job.answer is not None])
            append(rows, replies)

        with monkeypatch.context() as patched:
            patched.setattr(self._pen, "append", append_late)
            commit(self, submissions)

    monkeypatch.setattr(Writer, "_commit", early)
    with pytest.raises(AssertionError, match="lost"):
        every(scratch, "sync", apsw.IOError, apsw.SQLITE_IOERR_FSYNC)


def test_a_restart_that_builds_on_what_a_failed_sync_left_is_caught(scratch: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sqlite, "_rewrite", lambda path, vfs: None)
    with pytest.raises(AssertionError, match="lost"):
        every(scratch, "sync", apsw.IOError, apsw.SQLITE_IOERR_FSYNC)


def test_after_an_error_of_the_disk_readers_go_on_and_nothing_more_is_written(scratch: Path):
    armed: list[str] = []

    def fault(kind: str, file: str) -> None:
        if armed and kind == "sync":
            raise apsw.IOError("injected")

    with Disk("reading", fault) as disk:
        log = SqliteLog(scratch, vfs=disk.vfs_name)
        log.create(TENANT)
        working = Writer(log, TENANT, Count)
        working.submit(lambda draft: draft.add(b"1").hash).result(WAIT)
        armed.append("now")
        with pytest.raises(WriterStopped, match="before a restart"):
            working.submit(lambda draft: draft.add(b"2").hash).result(WAIT)
        armed.clear()
        writes = sum(event.kind == "write" for event in disk.events)
        with pytest.raises(WriterStopped):
            working.submit(lambda draft: draft.add(b"3").hash).result(WAIT)
        assert working.ask(lambda state, head: (state.rows, head.seq)).result(WAIT) == (1, 0)
        assert [row.record for row in log.read(TENANT)] == [b"1"]
        assert sum(event.kind == "write" for event in disk.events) == writes
        working.close()
        log.close()
