"""How the time and the memory of one merge grow with its input."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import linear_regression

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "mergebench-scaling/runs"
ARMS = ("heuristic", "oracle", "concat")
LARGEST = 4
"""Sizes over which the power is fitted."""


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a size: processor seconds and megabytes of each arm. Then the powers of messages that these grow with."""
    found = sorted(tables[RUNS], key=lambda row: row["messages"])
    made: list[Row] = []
    for topics, branches, messages in rows.distinct(found, "topics", "branches", "messages"):
        row = {"size": f"{topics:,} × {branches}", "messages": messages}
        for arm in ARMS:
            own = rows.one(found, arm=arm, topics=topics, branches=branches)
            row |= {f"{arm}: s": own["seconds"], f"{arm}: MB": own["peak_mb"]}
        made.append(row)
    made.append({"size": f"power, last {LARGEST}"} | {title: _power(made[-LARGEST:], title) for title in _titles()})
    shown = [cells.decimal(title, digits=1 if title.endswith("MB") else 2) for title in _titles()]
    return made, [cells.text("size", "topics × branches"), cells.count("messages"), *shown]


def _titles() -> list[str]:
    return [f"{arm}: {unit}" for arm in ARMS for unit in ("s", "MB")]


def _power(found: Sequence[Row], title: str) -> float | None:
    """The slope of log cost over log messages, by least squares; none where the clock of a process shows nothing."""
    if any(row[title] <= 0 for row in found):
        return None
    return linear_regression(*([math.log(row[name]) for row in found] for name in ("messages", title))).slope


TABLE = TableStage(reads=(RUNS,), build=build)
