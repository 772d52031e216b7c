"""Each promise of the store can be broken: a mutant of what keeps it makes its test fail."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from beliefmerge.errors import BeliefMergeError
from beliefmerge.ledger.core.canonical import Malformed
from beliefmerge.ledger.store import blobs, log, sqlite, writer
from beliefmerge.ledger.store.blobs import FileBlobs
from beliefmerge.ledger.store.log import Head
from beliefmerge.ledger.store.sqlite import SqliteLog, SqlitePen
from beliefmerge.ledger.store.writer import Writer
from tests.conformance import test_ledger_store as store
from tests.conformance import test_ledger_store_blobs as blob_tests
from tests.conformance import test_ledger_store_writer as writers
from tests.ledger_stores import sqlite_place

commit, load, deliver = Writer._commit, Writer._load, writer._deliver


def answer_first(self: Writer, submissions) -> None:
    """Answers go out before the append."""
    jobs = list(submissions)
    for job in jobs:
        job.answer = b"0"
    deliver(jobs)
    commit(self, submissions)


def keep_the_spoiled_state(self: Writer, pending) -> None:
    """What a failed submission did to the state stays."""
    if not hasattr(self, "_loaded"):
        self._loaded = True
        load(self, pending)


def never_stop(self: Writer, cause: Exception) -> None:
    """A failed append is forgotten."""


def stop_with_the_state_of_the_failed_batch(self: Writer, cause: Exception) -> None:
    self._stopped = writer._stopped(self.tenant, cause)


def trust_the_caller(head: Head, rows) -> Head:
    return Head(rows[-1].seq, rows[-1].hash) if rows else head


def always(path: Path, *, wait: bool):
    import contextlib

    return contextlib.nullcontext(True)


def by_writer(test: Callable[..., None]) -> Callable[[Path], None]:
    def run(directory: Path) -> None:
        store_log = SqliteLog(directory)
        store_log.create("t")
        started = Writer(store_log, "t", writers.Total)
        try:
            test(store_log, started)
        finally:
            started.close()

    return run


MUTANTS: dict[str, tuple[object, str, object, Callable[[Path], None]]] = {
    "answers before the append": (
        Writer,
        "_commit",
        answer_first,
        lambda d: writers.test_after_a_failed_append_nobody_is_told_that_it_was_written_and_nothing_more_is(
            SqliteLog(d)
        ),
    ),
    "a failed submission leaves its traces": (
        Writer,
        "_load",
        keep_the_spoiled_state,
        by_writer(lambda log, w: writers.test_a_submission_that_fails_takes_nobody_with_it(log, w, writers.spoil)),
    ),
    "a failed append is forgotten": (
        Writer,
        "_stop",
        never_stop,
        lambda d: writers.test_after_a_failed_append_nobody_is_told_that_it_was_written_and_nothing_more_is(
            SqliteLog(d)
        ),
    ),
    "questions see what was not made durable": (
        Writer,
        "_stop",
        stop_with_the_state_of_the_failed_batch,
        lambda d: writers.test_after_a_failed_append_nobody_is_told_that_it_was_written_and_nothing_more_is(
            SqliteLog(d)
        ),
    ),
    "keys are not looked up": (
        SqlitePen,
        "recall",
        lambda self, keys: {},
        lambda d: writers.test_a_key_is_answered_once_in_a_batch_later_and_after_a_restart(sqlite_place(d)),
    ),
    "rows are not checked": (
        sqlite,
        "continues",
        trust_the_caller,
        lambda d: store.test_rows_that_do_not_continue_the_log_are_refused_whole(SqliteLog(d), "hash"),
    ),
    "anybody may append": (
        sqlite,
        "_locked",
        always,
        lambda d: store.test_the_right_to_append_is_kept_from_other_processes_and_dies_with_its_own(
            sqlite_place(d), SqliteLog(d)
        ),
    ),
    "gaps are not noticed": (
        sqlite,
        "dense",
        lambda tenant, rows, start: rows,
        lambda d: store.test_a_log_with_a_row_missing_says_which(sqlite_place(d), SqliteLog(d)),
    ),
    "reading through the index": (
        sqlite,
        "_ROWS",
        "SELECT seq, prev, hash, record FROM log INDEXED BY log_key "
        "WHERE key IS NOT NULL AND seq BETWEEN ? AND ? ORDER BY key",
        lambda d: store.test_a_damaged_index_never_blocks_the_export(sqlite_place(d)),
    ),
    "tenants' names as they come": (
        log,
        "check_tenant",
        lambda name: name,
        lambda d: store.test_a_name_that_could_lead_elsewhere_is_refused(SqliteLog(d), "../t"),
    ),
    "hashes as they come": (
        blobs,
        "check_hash",
        lambda name: name,
        lambda d: blob_tests.test_what_is_no_hash_is_malformed_and_no_file_is_touched(FileBlobs(d), "../../x"),
    ),
    "a newline after the hash": (
        blobs,
        "check_hash",
        lambda name: _refused(name) if not blobs._HASH.match(name) else name,
        lambda d: blob_tests.test_what_is_no_hash_is_malformed_and_no_file_is_touched(
            FileBlobs(d), blob_tests.BAD_HASHES["newline"]
        ),
    ),
}


def _refused(name: str) -> str:
    raise Malformed(name)


@pytest.mark.parametrize(("target", "attribute", "mutant", "law"), MUTANTS.values(), ids=MUTANTS)
def test_a_mutant_is_caught(target, attribute, mutant, law, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(writers, "WAIT", 5)
    law(tmp_path / "whole")
    monkeypatch.setattr(target, attribute, mutant)
    with pytest.raises((AssertionError, pytest.fail.Exception, BeliefMergeError)):
        law(tmp_path / "broken")
