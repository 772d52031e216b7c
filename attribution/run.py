"""``python -m attribution.run``: from recorded steps to measured edges. ``--help`` explains."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attribution.attribute import Attribution, attribute
from attribution.config import PLANTED, SHIPPED, AttributionConfig, scorer_settings
from attribution.edges import rows
from attribution.figures import weights
from attribution.planted import planted_steps
from attribution.report import columns, notes, shared_rows, stability_report, step_rows
from attribution.scorer import SCORERS
from attribution.step import Step, read_steps
from attribution.upsert import token_of, upsert
from beliefmerge.errors import UsageError
from experiment.entry import main
from experiment.groups import TRACKING
from experiment.progress import Bar
from experiment.run import Experiment, Result
from experiment.tables import Column, Row, named, number

SHIPPED_STEPS = Path(__file__).parent / "data" / "steps.jsonl"


def run(config: AttributionConfig) -> Result:
    """Measure every step, and send the edges where a ledger is named."""
    if config.ledger:
        token_of(config.token_env)
    steps = steps_of(config)
    settings = config.settings()
    found: list[Attribution] = []
    contexts = sum(settings.contexts(len(step.entries)) for step in steps)
    with SCORERS[config.scorer.name](scorer_settings(config.scorer)) as scorer, Bar(contexts, "context") as bar:
        for step in steps:
            found.append(attribute(step, scorer, settings, tick=bar.step))
    edges = [row for one in found for row in rows(one)]
    report = stability_report(found, f"{config.gate} >= {config.threshold}, LDS >= {config.lds_floor}")
    sent = _sent(config, edges, report)
    return Result(
        rows=[{**edge, **told_apart(config)} for edge in edges],
        columns=columns(),
        notes=[*notes(found), *sent],
        tables=_tables(edges, found),
        files={"stability.md": lambda: report.encode(), **weights(found)},
    )


def told_apart(config: AttributionConfig) -> dict[str, Any]:
    """Settings that are not in an edge, for the table of a sweep."""
    return {
        "gate": config.gate,
        "threshold": config.threshold,
        "noise": config.planted.noise if config.steps == PLANTED else None,
        "seed": config.seed,
    }


def sweep_columns() -> list[Column]:
    """Of the table of a sweep: settings that tell its rows apart, then those of a run."""
    told = [named("scorer"), named("design"), named("gate"), number("threshold", "≥", digits=2)]
    return [*told, number("n_ablations", "N"), number("noise", digits=2), number("seed"), *columns()]


def _tables(edges: Sequence[Row], found: Sequence[Attribution]) -> dict[str, Sequence[Row]]:
    shared = shared_rows(found)
    return {"edges": edges, "steps": step_rows(found), **({"shared": shared} if shared else {})}


def _sent(config: AttributionConfig, edges: Sequence[Row], report: str) -> list[str]:
    if not config.ledger:
        return []
    return upsert(edges, report.encode(), url=config.ledger, token_env=config.token_env).lines()


def steps_of(config: AttributionConfig) -> list[Step]:
    """The steps that are asked for. Raises UsageError where the scorer cannot score them."""
    if config.steps == PLANTED:
        if config.scorer.name != PLANTED:
            raise UsageError(f"scorer={config.scorer.name} needs texts: give steps={SHIPPED} or a file of steps")
        drawn = config.planted
        return [
            step
            for number in range(drawn.count)
            for step in planted_steps(drawn.kinds(), drawn.sizes(), config.seed + number, drawn.noise)
        ]
    if config.scorer.name == PLANTED:
        raise UsageError("scorer=planted scores planted steps only: give scorer=local or scorer=server with these")
    return read_steps(SHIPPED_STEPS if config.steps == SHIPPED else Path(config.steps).expanduser())


EXPERIMENT = Experiment(
    name="attribution",
    module="attribution.run",
    title="Attribution",
    headline=lambda config: {"scorer": "", "steps": "steps", "design": ""},
    schema=AttributionConfig,
    run=run,
    columns=sweep_columns,
    packages=("beliefmerge", "experiment", "attribution"),
    groups={"scorer": lambda: SCORERS.names(), "tracking": lambda: TRACKING},
    label=lambda config: f"{config.scorer.name}-{config.gate}",
    summary="Attribution: which entries of its context did a claim really rest on, by how much, and how sure is that?",
    examples=(
        "",
        "planted.kind=redundant planted.entries=[12,32,128]",
        "scorer=local steps=shipped",
        "scorer=server scorer.base_url=http://127.0.0.1:8000/v1 scorer.model=NAME steps=steps.jsonl",
        "steps=steps.jsonl scorer=local ledger=http://127.0.0.1:8765",
        "-m planted.noise=0.1,1,4 gate=spearman,concordance tracking=none",
    ),
)

if __name__ == "__main__":
    # The module run as a script is not the one that a launcher's workers import.
    from attribution import run as command

    sys.exit(main(command.EXPERIMENT))
