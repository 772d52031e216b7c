"""``python -m mergebench.scaling``: how an arm's time and memory grow with topics and branches. ``--help`` explains."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean
from typing import Any

from experiment import tables
from experiment.entry import main
from experiment.figures import drawn
from experiment.groups import TRACKING, TrackingConfig
from experiment.progress import Bar
from experiment.run import Experiment, Result
from experiment.schema import option
from experiment.tables import Column, Row
from mergebench.arm import Request
from mergebench.costs import peak, seconds
from mergebench.registries import ARMS, SCENARIOS
from mergebench.scenario import Size

ARMS_MEASURED = ("concat", "heuristic", "oracle")
BRANCHES = (2, 4, 8, 16, 32, 64)


@dataclass
class ScalingConfig:
    """One run of the scaling measurement."""

    topics: int = option(10_000, "topics of the largest scenario; smaller ones have a half, a quarter, …", least=80)
    steps: int = option(6, "scenarios, each with twice the topics of the one before", least=2, most=10)
    chatter: int = option(18, "messages per branch that carry no fact", least=0, most=100_000)
    budget: int = option(1200, "tokens an arm may print, overhead included", least=1, most=1e9)
    seed: int = option(0, "seed of every scenario", least=0, most=1e12)
    results_dir: str = option("", "where runs are recorded")
    tracking: TrackingConfig = field(
        default_factory=lambda: TrackingConfig("mlflow"), metadata={"help": "index of runs, written after the table"}
    )
    resume: bool = option(True, "in a sweep, use the stored rows of jobs that are on record")


def sizes(config: ScalingConfig) -> list[tuple[int, int]]:
    """(topics, branches), smallest first: both double, up to the topics asked for and 64 branches."""
    count = config.steps
    return [(config.topics >> (count - 1 - i), BRANCHES[max(0, len(BRANCHES) - count + i)]) for i in range(count)]


def run(config: ScalingConfig) -> Result:
    """Every arm on every size: processor time of one run, memory of a second one."""
    rows: list[Row] = []
    with Bar(config.steps * len(ARMS_MEASURED), "run") as bar:
        for topics, branches in sizes(config):
            size = Size(topics=topics, branches=branches, chatter=config.chatter)
            scenario = SCENARIOS["scale"].generate(size, config.seed)
            messages = sum(len(session.messages) for session in scenario.sessions)
            for name in ARMS_MEASURED:
                request = Request(config.budget, options=ARMS[name].options)
                work = partial(ARMS[name].work, scenario, request)
                about = {"arm": name, "topics": topics, "branches": branches, "messages": messages}
                rows.append({**about, "seconds": seconds(work), "peak_mb": peak(work) / 2**20})
                bar.step()
    rows.sort(key=lambda row: (row["arm"], row["messages"]))
    return Result(rows, columns(), _notes(rows), files=drawn("scaling", lambda: figure(rows), salt="mergebench"))


def exponent(rows: Sequence[Row], name: str) -> float:
    """The slope of log cost over log messages, by least squares: 1 is linear."""
    points = [(math.log(row["messages"]), math.log(row[name])) for row in rows]
    x_mean, y_mean = fmean(x for x, _ in points), fmean(y for _, y in points)
    spread = math.fsum((x - x_mean) ** 2 for x, _ in points)
    return math.fsum((x - x_mean) * (y - y_mean) for x, y in points) / spread


def _notes(rows: Sequence[Row]) -> list[str]:
    said = [
        "processor seconds of one run, those of processes it starts included; most memory that Python objects of its "
        "own process hold at once, in MB of 2^20"
    ]
    for name in ARMS_MEASURED:
        largest = [row for row in rows if row["arm"] == name][-4:]
        grown = ", ".join(f"{title} ~ messages^{exponent(largest, key):.2f}" for key, title in _COSTS)
        said.append(f"{name}, over the largest {len(largest)} sizes: {grown}")
    return said


_COSTS = (("seconds", "time"), ("peak_mb", "memory"))


def figure(rows: Sequence[Row]) -> Any:
    """Both costs over the number of messages, on logarithmic axes, with a line of slope one."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(6.4, 2.8), layout="constrained")
    for axes, (key, title) in zip(drawing.subplots(1, 2), _COSTS, strict=True):
        for name in ARMS_MEASURED:
            own = [row for row in rows if row["arm"] == name]
            axes.loglog([row["messages"] for row in own], [row[key] for row in own], marker="o", ms=3, label=name)
        top = max(rows, key=lambda row: (row["messages"], row[key]))
        first = min(row["messages"] for row in rows)
        ends = [first, top["messages"]]
        axes.loglog(ends, [top[key] * x / top["messages"] for x in ends], ls=":", color="grey", label="linear")
        axes.set_xlabel("messages")
        axes.set_ylabel("processor seconds" if key == "seconds" else "peak MB")
        axes.set_title(title)
    drawing.axes[1].legend(frameon=False, fontsize="small")
    return drawing


def columns() -> list[Column]:
    """The table."""
    counts = (tables.number(name) for name in ("topics", "branches", "messages"))
    return [tables.named("arm"), *counts, tables.number("seconds", digits=2), tables.number("peak_mb", "MB", digits=1)]


EXPERIMENT = Experiment(
    name="mergebench_scaling",
    schema=ScalingConfig,
    run=run,
    columns=columns,
    packages=("beliefmerge", "experiment", "mergebench"),
    groups={"tracking": lambda: TRACKING},
    label=lambda config: f"{config.topics}x{config.steps}",
    summary="Scaling: time and memory of pasting and of the merge, up to 64 branches and 10,000 topics.",
    examples=("", "topics=1000 steps=4"),
    module="mergebench.scaling",
    title="MergeBench scaling",
    headline=lambda config: {"topics": "topics", "steps": "sizes"},
)

if __name__ == "__main__":
    sys.exit(main(EXPERIMENT))
