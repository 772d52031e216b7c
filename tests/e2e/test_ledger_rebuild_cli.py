"""``ledger rebuild``: what a damaged index asks for, from the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from beliefmerge.ledger.core.chain import GENESIS
from beliefmerge.ledger.service.signing import Signer
from beliefmerge.ledger.store.errors import WriterStopped
from beliefmerge.ledger.store.log import Reply
from beliefmerge.ledger.store.sqlite import SqliteLog
from beliefmerge.ledger.store.writer import Writer
from tests.ledger_stores import chain, sqlite_place, writing


class Nothing:
    def apply(self, row: object) -> None:
        """Any row will do."""


def ledger(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "beliefmerge", "ledger", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A ledger whose index over the idempotency keys is scribbled over."""
    Signer.open(tmp_path / "keys" / "ed25519")
    log = SqliteLog(tmp_path)
    log.create("t")
    with writing(log, "t") as pen:
        pen.append(chain([b"{}"] * 3), {0: ("k", Reply(GENESIS, b"first"))})
    log.close()
    sqlite_place(tmp_path).spoil("t")
    return tmp_path


def submit(place: Path) -> bytes:
    log = SqliteLog(place)
    writer = Writer(log, "t", Nothing)
    try:
        return writer.submit(lambda draft: draft.add(b"{}").hash, key="k", digest=GENESIS).result(60)
    finally:
        writer.close()
        log.close()


def test_a_damaged_index_stops_the_writer_the_error_names_the_cure_and_the_cure_works(damaged: Path):
    with pytest.raises(WriterStopped, match="ledger rebuild"):
        submit(damaged)
    before = ledger("export", damaged)
    assert before.returncode == 0, before.stderr
    assert before.stdout.count("\n") == 5
    done = ledger("rebuild", damaged)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "tenant t: 3 entries, indexes made anew\n"
    assert submit(damaged) == b"first"
    assert ledger("export", damaged).stdout.splitlines()[1:4] == before.stdout.splitlines()[1:4]


@pytest.mark.parametrize("words", [("nowhere",), (".", "--tenant", "u")])
def test_what_is_not_there_cannot_be_rebuilt(damaged: Path, words: tuple[str, ...]):
    place, *rest = words
    done = ledger("rebuild", damaged / place, *rest)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_a_log_that_is_being_written_is_not_rebuilt(tmp_path: Path):
    log = SqliteLog(tmp_path)
    log.create("t")
    with writing(log, "t"):
        done = ledger("rebuild", tmp_path)
    assert done.returncode == 2
    assert "another writer has it" in done.stderr
    log.close()
