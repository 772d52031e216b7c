"""A process that is killed while it writes has lost nothing that it had acknowledged."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from beliefmerge.ledger.store.errors import TenantBusy
from beliefmerge.ledger.store.log import EMPTY, Head, Log, continues
from beliefmerge.ledger.store.places import open_blobs, open_log
from beliefmerge.ledger.store.writer import Writer
from tests.postgres import cluster, emptied
from tests.survival.workload import TENANT, Count

ROOT = Path(__file__).parents[2]


def kill_while_writing(store: str, blobs: Path, rng: random.Random) -> list[str]:
    """Start a writer, kill it at a random moment of its start or of its work. Gives the lines it acknowledged with."""
    command = [sys.executable, "-m", "tests.survival.victim", store, str(blobs)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as victim:
        assert victim.stdout is not None
        lines: list[str] = []
        if rng.random() < 0.1:
            time.sleep(rng.random() / 2)
        else:
            lines = [victim.stdout.readline() for _ in range(rng.randrange(1, 80))]
            until = time.perf_counter() + rng.random() / 200
            while time.perf_counter() < until:
                pass
        victim.send_signal(signal.SIGKILL)
        lines += victim.stdout.readlines()
    assert victim.returncode == -signal.SIGKILL, "the writer died by itself"
    return [line for line in lines if line.endswith("\n") and line != "started\n"]


def check(log: Log, blobs: Path, told: dict[int, str]) -> Head:
    """That the log is a chain, that it holds what was acknowledged, and that each entry's blob is there."""
    store, head = open_blobs(blobs), EMPTY
    for row in log.read(TENANT):
        head = continues(head, (row,))
        key, blob = row.record.decode().split()
        assert store.get(TENANT, blob)
        line = told.pop(row.seq, None)
        assert line in (None, f"{row.seq} {row.hash.hex()} {key} {blob}\n"), f"lost: row {row.seq} is another"
    assert not told, f"lost: rows {sorted(told)} after {head.seq}"
    return head


def survive(store: str, blobs: Path, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    acknowledged: dict[int, str] = {}
    log = open_log(store)
    log.create(TENANT)
    for _ in range(kills):
        lines = kill_while_writing(store, blobs, rng)
        acknowledged |= {int(line.split()[0]): line for line in lines}
        head = check(log, blobs, dict(acknowledged))
        assert head.seq + 1 >= len(acknowledged)
    assert len(acknowledged) > 10 * kills
    the_last_one_is_repeated_not_written(log, acknowledged)
    log.close()


def the_last_one_is_repeated_not_written(log: Log, acknowledged: dict[int, str]) -> None:
    """The client of a killed server asks again with its key."""
    writer = next(writer for _ in range(2000) if (writer := _try(log)) is not None)
    line = acknowledged[max(acknowledged)]
    again = writer.submit(lambda draft: draft.add(b"x x").hash, key=line.split()[2], digest=b"d").result(60)
    assert again.decode() == line
    writer.close()


def _try(log: Log) -> Writer[Count] | None:
    """A writer, when the tenant is free; a server needs a moment to notice that a client is gone."""
    try:
        return Writer(log, TENANT, Count)
    except TenantBusy:
        return None


def test_ten_kills_lose_nothing_that_was_acknowledged(scratch: Path):
    survive(str(scratch / "store"), scratch / "blobs", 10, seed=1)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_two_hundred_kills_lose_nothing_that_was_acknowledged(tmp_path: Path):
    survive(str(tmp_path / "store"), tmp_path / "blobs", 200, seed=2)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_kills_lose_nothing_in_postgresql(postgres: str, scratch: Path):
    survive(emptied(postgres), scratch / "blobs", 20, seed=3)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_crashes_of_the_postgresql_server_lose_nothing_that_was_acknowledged(scratch: Path):
    rng = random.Random(4)
    told: dict[int, str] = {}
    with cluster() as server:
        for _ in range(10):
            with server.serving():
                command = [sys.executable, "-m", "tests.survival.victim", server.address, str(scratch / "blobs")]
                victim = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                assert victim.stdout is not None
                lines = [victim.stdout.readline() for _ in range(rng.randrange(2, 80))]
            rest, complaint = victim.communicate(timeout=60)
            assert "WriterStopped" in complaint
            lines += rest.splitlines(keepends=True)
            told |= {int(line.split()[0]): line for line in lines if line.endswith("\n") and line != "started\n"}
            with server.serving():
                log = open_log(server.address)
                check(log, scratch / "blobs", dict(told))
                log.close()
    assert len(told) > 100


def test_the_test_sees_an_entry_that_is_not_there(scratch: Path):
    log = open_log(str(scratch / "store"))
    log.create(TENANT)
    lines = kill_while_writing(str(scratch / "store"), scratch / "blobs", random.Random(1))
    acknowledged = {int(line.split()[0]): line for line in lines}
    head = check(log, scratch / "blobs", dict(acknowledged))
    with pytest.raises(AssertionError, match="lost"):
        check(log, scratch / "blobs", acknowledged | {head.seq + 1: "told too early"})
    log.close()
