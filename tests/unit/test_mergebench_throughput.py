"""Throughput: which numbers of workers, what is made of the seconds, and what is no measurement."""

from __future__ import annotations

import pytest

from experiment.sweep import DONE, SKIPPED
from mergebench import throughput
from mergebench.throughput import ThroughputConfig, counts, rows_of, run, swept

SMALL = ThroughputConfig(workers=2, jobs=2, seeds=1, repeats=1)


def test_every_number_up_to_four_then_doubling_with_the_cores_and_the_most():
    assert counts(1, 2) == [1]
    assert counts(4, 2) == [1, 2, 3, 4]
    assert counts(24, 12) == [1, 2, 3, 4, 8, 12, 16, 24]


def test_the_speedup_is_over_one_worker_of_the_same_repeat():
    rows = rows_of(10, 2, {1: [10.0, 20.0], 2: [5.0, 10.0]}, [1.0, 2.0])
    one, two, again = rows
    assert (one["speedup"], one["speedup_low"], one["speedup_high"]) == (1.0, 1.0, 1.0)
    assert (two["speedup"], two["speedup_low"]) == (2.0, 2.0), "paired, so that a slow repeat does not widen it"
    assert two["jobs_per_second"] == pytest.approx((10 / 5 + 10 / 10) / 2)
    assert two["jobs_per_second_low"] < two["jobs_per_second"] < two["jobs_per_second_high"]
    assert [row["ideal"] for row in rows] == [1, 2, None]
    assert (again["resumed"], again["speedup"], again["jobs_per_second"]) == (True, None, 7.5)
    assert set(one) == set(two) == set(again)


def test_one_repeat_has_no_interval():
    assert rows_of(10, 2, {1: [10.0]}, [1.0])[0]["speedup_low"] is None


def test_workers_are_measured_forwards_and_backwards_in_turn(monkeypatch):
    asked = []
    monkeypatch.setattr(throughput, "swept", lambda config, n, place, status: asked.append((n, status)) or 1.0)
    result = run(ThroughputConfig(workers=2, repeats=2))
    assert asked == [(1, DONE), (2, DONE), (2, SKIPPED), (2, DONE), (2, SKIPPED), (1, DONE)]
    assert [(row["workers"], row["resumed"]) for row in result.rows] == [(1, False), (2, False), (2, True)]


@pytest.mark.slow
def test_a_sweep_is_the_real_one_and_its_second_time_is_all_on_record(tmp_path):
    assert swept(SMALL, 2, tmp_path, DONE) > 0
    assert len(list(tmp_path.glob("*/record.json"))) == 2
    assert swept(SMALL, 2, tmp_path, SKIPPED) > 0
    with pytest.raises(RuntimeError, match="of 2 jobs 0 are done"):
        swept(SMALL, 2, tmp_path, DONE)


@pytest.mark.slow
def test_a_sweep_that_cannot_be_is_no_measurement(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RuntimeError, match="ended with code 2"):
        swept(SMALL, 1, tmp_path / "file", DONE)
