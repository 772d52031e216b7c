"""The benchmark as a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiment.figures import Files
from experiment.groups import TRACKING
from experiment.run import Experiment
from experiment.tables import Row
from mergebench.bench import run
from mergebench.config import MergeBenchConfig, arm_names, model_names, scenario_names, track_names
from mergebench.report import columns
from mergebench.track import NO_TRACK, digest


def figures(rows: Sequence[Row]) -> Files:
    """Of a sweep: for trajectories, persistence against retention."""
    from mergebench.trajectory.figures import retention_curves

    return retention_curves(rows)


def label(config: MergeBenchConfig) -> str:
    """What a run is called: its arm, and its track or family."""
    about = config.scenario.name if config.track.name == NO_TRACK else config.track.name
    return f"{config.arm.name}-{about}".replace("_", "-")


def reads(config: MergeBenchConfig) -> str:
    """The digest of a track's data."""
    return digest(Path(config.data).expanduser()) if config.data else ""


def headline(config: Mapping[str, Any]) -> Mapping[str, str]:
    """What the name of a run always shows: of real data the track and its setting, else the family and its size."""
    if config.get("track", NO_TRACK) != NO_TRACK:
        return {"arm": "", "track": "", "track.setting": "", "budget": "tokens"}
    return {"arm": "", "scenario": "", "budget": "tokens", "scenario.seeds": "seeds"}


EXPERIMENT = Experiment(
    name="mergebench",
    schema=MergeBenchConfig,
    title="MergeBench",
    headline=headline,
    reads=reads,
    run=run,
    columns=columns,
    packages=("beliefmerge", "experiment", "mergebench"),
    groups={
        "arm": arm_names,
        "scenario": scenario_names,
        "track": track_names,
        "llm": model_names,
        "tracking": lambda: TRACKING,
    },
    label=label,
    summary="MergeBench: does merging let a reader answer what no single branch could, and does it earn its tokens?",
    examples=(
        "arm=concat budget=400",
        "arm=panel budget=1200 scenario=supersede",
        "arm=live llm=local",
        "arm=summary llm=local llm.cache=replay",
        "scenario=trajectory arm=panel",
        "-m scenario=trajectory arm=flat_retention,ledger_v2 scenario.retention=0,0.25,0.5,0.75,1",
        "track=dir data=examples/track arm=panel",
        "-m track=locomo data=locomo10.json tokens=regex track.question=seen arm=bm25,retrieve,oracle budget=400,1200",
        "arm=heuristic scenario.paraphrase=1 scenario.seeds=20",
        "-m arm=single,concat,heuristic,oracle budget=200,400,800,1200 score=egalitarian,elitist",
    ),
    figures=figures,
)
