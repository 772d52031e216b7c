"""Jobs a second against workers, on the machine that the manifest names."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

RUNS = "throughput/runs"


def draw(tables: Tables) -> Any:
    """The measured rate with its interval, and one worker's rate times the processors that can be at work."""
    found = sorted(rows.where(tables[RUNS], resumed=False), key=lambda row: row["workers"])
    figure, axes = style.canvas(style.PAGE * 0.8, 2.4)
    alone = rows.one(found, workers=1)["jobs_per_second"]
    workers, ideal = [row["workers"] for row in found], [alone * row["ideal"] for row in found]
    label = f"one worker's rate × workers,\nof which {rows.common(found, 'cpus')} have a processor"
    axes.plot(workers, ideal, color=style.GREY, linewidth=0.8, linestyle=":", marker=".", label=label)
    plots.line(axes, found, "workers", "jobs_per_second", style.OTHERS[0], label="measured")
    most = max(*ideal, *(row["jobs_per_second_high"] or row["jobs_per_second"] for row in found))
    axes.set(xlabel="workers", ylabel="jobs a second", ylim=(0, 1.08 * most))
    axes.set_xticks(workers)
    plots.key(figure, axes, columns=1, loc="outside right center")
    return figure


FIGURE = Figure(reads=(RUNS,), draw=draw)
