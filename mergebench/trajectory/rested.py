"""``python -m mergebench.trajectory.rested ATTRIBUTION_RUN...``: how much the answers rested on the planted premise.

Reads the ``edges.parquet`` of attribution runs over the steps that a trajectory run has stored, and puts the arms side
by side: the share of the context's effect on the answer that is the premise's, that is the conclusions' from it, and
that is the corrections'.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from beliefmerge.errors import BeliefMergeError, UsageError
from experiment import tables
from experiment.run import say
from experiment.tables import Row
from mergebench.trajectory.edges import edges_of
from mergebench.trajectory.trajectory import Part, part_of

GROUPS = {"premise": (Part.PREMISE,), "conclusions": (Part.DERIVED,), "corrections": (Part.CORRECTION,)}
_PPM = 1_000_000


def rows_of(edges: Iterable[Row]) -> list[dict[str, Any]]:
    """A row an answer: the measured shares of its groups of entries, 0 where none of a group was shown.

    Shares are of f(all) - f(none) and clipped to 0..1 entry by entry, as edges are. Claims that are no answers, and
    twins, are left out.
    """
    answers: dict[str, list[Row]] = {}
    for edge in edges:
        _, _, arm = str(edge["claim_id"]).partition(":")
        if "-" not in arm and "~" not in arm:
            answers.setdefault(str(edge["claim_id"]), []).append(edge)
    return [_row(claim, own) for claim, own in answers.items()]


def _row(claim: str, own: Sequence[Row]) -> dict[str, Any]:
    row: dict[str, Any] = {"arm": claim.partition(":")[2], "claim": claim, "verdict": own[0]["verdict"]}
    for group, parts in GROUPS.items():
        mine = [edge["measured_ppm"] for edge in own if part_of(str(edge["entry_id"])) in parts]
        row[group] = sum(mine) / _PPM
        row[f"{group}_shown"] = len(mine)
    return row


def by_arm(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """A row an arm: means over its answers, the range of the premise's share, and how many passed the gate."""
    found = []
    for arm in dict.fromkeys(row["arm"] for row in rows):
        mine = [row for row in rows if row["arm"] == arm]
        shares = [row["premise"] for row in mine]
        found.append(
            {
                "arm": arm,
                "n": len(mine),
                "measured": sum(row["verdict"] == "measured" for row in mine),
                "shown": sum(row["premise_shown"] > 0 for row in mine),
                **{group: sum(row[group] for row in mine) / len(mine) for group in GROUPS},
                "premise_least": min(shares),
                "premise_most": max(shares),
            }
        )
    return found


def table(rows: Sequence[Row]) -> str:
    """The arms side by side."""
    columns = [
        tables.named("arm"),
        tables.number("n", "answers"),
        tables.number("measured", "past the gate"),
        tables.number("shown", "premise shown"),
        tables.percent("premise", "premise %"),
        tables.Column("range", lambda row: f"{100 * row['premise_least']:.0f}–{100 * row['premise_most']:.0f}"),
        tables.percent("conclusions", "conclusions %"),
        tables.percent("corrections", "corrections %"),
    ]
    note = "shares of f(all) - f(none), f the answer's log-odds per token; 0 where no such entry was shown"
    return f"{tables.screen(rows, columns)}\n{note}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m mergebench.trajectory.rested", description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path, help="directories of attribution runs, or edges.parquet files")
    parser.add_argument("--into", type=Path, metavar="FILE", help="also write the rows, an answer each, as parquet")
    given = parser.parse_args(arguments)
    try:
        rows = rows_of(edge for run in given.runs for edge in edges_of(str(run)).rows)
        if not rows:
            raise UsageError(f"{given.runs[0]}: no answers of trajectories in it")
        say(table(by_arm(rows)))
        if given.into is not None:
            tables.write_parquet(given.into, rows)
    except (BeliefMergeError, OSError) as error:
        sys.stderr.write(f"mergebench.trajectory.rested: error: {' '.join(str(error).split())}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
