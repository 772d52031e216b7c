"""What the arms do, family by family, by the measures that a family is about."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS, ASKED = "mergebench-panel/runs", "mergebench-ablations/runs"
"""The second says which measures a family is read by."""
EVERYWHERE = ("bridge", "unambiguous")
ARMS = ("concat", "roundrobin", "fusion", "bm25", "lastwrite", "heuristic", "oracle")
MERGE = "heuristic"
"""The arm whose interval is shown."""


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a family and measure, a column an arm, in per cent."""
    found = tables[RUNS]
    made = []
    for family in rows.distinct(found, "scenario"):
        asked = [row["measure"] for row in rows.where(tables[ASKED], scenario=family)]
        for measure in dict.fromkeys([*EVERYWHERE, *asked]):
            own = {arm: rows.one(found, scenario=family, arm=arm) for arm in ARMS}
            row = {arm: own[arm][measure] for arm in ARMS}
            limits = {f"{MERGE}{end}": own[MERGE][f"{measure}{end}"] for end in ("_low", "_high")}
            less = " (less is better)" if measure in rows.LESS_IS_BETTER else ""
            made.append({"family": family, "measure": f"{rows.words(measure)}{less}", **row, **limits})
    shown = [cells.text("family"), cells.text("measure"), *(cells.rate(arm) for arm in ARMS)]
    return cells.once(made, "family"), shown


TABLE = TableStage(reads=(RUNS, ASKED), build=build)
