"""No acknowledged entry is lost when the power goes, wherever it goes; and the test can see a loss."""

from __future__ import annotations

import random
from pathlib import Path

import apsw
import pytest

from beliefmerge.ledger.store import sqlite
from beliefmerge.ledger.store.errors import StoreError
from tests.survival.disk import Disk, power_cuts
from tests.survival.workload import TENANT, Plan, check, run

PLAN = Plan(rounds=45, clients=6, restart=15, seed=0)
POINTS = 480


def lost(scratch: Path, points: int, seed: int) -> list[str]:
    """Work, cut the power at so many moments, and say what was lost at which."""
    with Disk(f"power {seed}") as disk:
        run(scratch / "work", disk, Plan(PLAN.rounds, PLAN.clients, PLAN.restart, seed))
        events = list(disk.events)
    losses, lengths = [], set()
    for i, (acknowledged, files) in enumerate(power_cuts(events, points, random.Random(seed))):
        place = scratch / str(i)
        (place / "tenants").mkdir(parents=True)
        for name, content in files.items():
            (place / "tenants" / name).write_bytes(content)
        try:
            lengths.add(check(place, acknowledged))
        except (AssertionError, StoreError, apsw.Error) as error:
            losses.append(f"cut {i}: {error}")
    assert len(lengths) + len(losses) > points / 20, "the cuts fell on too few different moments"
    return losses


def test_no_acknowledged_entry_is_lost_in_a_power_cut(scratch: Path):
    assert lost(scratch, POINTS, seed=0) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 11))
def test_no_acknowledged_entry_is_lost_in_many_power_cuts(scratch: Path, seed: int):
    assert lost(scratch, POINTS, seed) == []


def test_the_test_sees_what_is_lost_without_a_sync_at_each_commit(scratch: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sqlite.WRITING, "synchronous", "NORMAL")
    losses = lost(scratch, POINTS // 4, seed=0)
    assert len(losses) > POINTS // 40, losses


def test_the_test_sees_what_is_lost_when_syncs_do_nothing(scratch: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tests.survival.disk._Content.sync", lambda self: None)
    assert len(lost(scratch, 100, seed=0)) > 50


def test_the_recorded_disk_is_the_real_one(scratch: Path):
    with Disk("twin") as disk:
        run(scratch / "work", disk, Plan(rounds=6, clients=3, restart=3, seed=1))
        events = [event for event in disk.events if event.kind != "ack"]
    (_, files), *_ = power_cuts(events, 1, _Last())
    assert files[f"{TENANT}.sqlite"] == (scratch / "work" / "tenants" / f"{TENANT}.sqlite").read_bytes()


class _Last(random.Random):
    """Cuts at the end, keeping everything."""

    def choices(self, population, **_):
        return [population[-1]]

    def choice(self, seq):
        return "everything"
