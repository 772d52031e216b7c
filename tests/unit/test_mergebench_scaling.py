"""Scaling: sizes double up to what was asked for, costs are those of the work, and the exponent is the slope."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mergebench.costs import peak, seconds
from mergebench.scaling import ARMS_MEASURED, ScalingConfig, exponent, figure, run, sizes


def test_topics_and_branches_double_up_to_the_largest():
    assert sizes(ScalingConfig())[-1] == (10_000, 64)
    assert sizes(ScalingConfig(topics=1000, steps=3)) == [(250, 16), (500, 32), (1000, 64)]
    assert sizes(ScalingConfig(steps=10))[0] == (19, 2)


def test_the_exponent_is_that_of_the_power():
    rows = [{"messages": n, "seconds": 0.001 * n**1.5} for n in (10, 40, 90, 1000)]
    assert exponent(rows, "seconds") == pytest.approx(1.5)


def test_peak_memory_counts_what_is_held_at_once():
    assert 10_000_000 <= peak(lambda: bytearray(10_000_000)) < 10_100_000
    assert peak(lambda: [len(bytearray(1_000_000)) for _ in range(5)]) < 2_100_000
    assert seconds(lambda: sum(range(2_000_000))) > 0


def test_what_takes_less_than_a_tick_of_the_system_is_measured_too():
    assert 0 < seconds(lambda: sum(range(10_000))) < seconds(lambda: sum(range(1_000_000)))


def test_processor_time_counts_processes_that_the_work_starts():
    spin = [sys.executable, "-c", "sum(range(6_000_000))"]
    assert seconds(lambda: subprocess.run(spin, check=True)) >= 0.05


def test_every_arm_is_measured_on_every_size_and_drawn():
    result = run(ScalingConfig(topics=80, steps=2, chatter=1, results_dir="x"))
    assert [(row["arm"], row["topics"]) for row in result.rows] == [
        (a, t) for a in sorted(ARMS_MEASURED) for t in (40, 80)
    ]
    assert all(row["seconds"] >= 0 and row["peak_mb"] > 0 for row in result.rows)
    assert set(result.files) == {"scaling.svg", "scaling.pdf"}
    assert len(figure(result.rows).axes) == 2
