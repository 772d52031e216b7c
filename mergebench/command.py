"""The benchmark as a command."""

from __future__ import annotations

from experiment.groups import TRACKING
from experiment.run import Experiment
from mergebench.bench import run
from mergebench.config import MergeBenchConfig, arm_names, model_names
from mergebench.registries import SCENARIOS
from mergebench.report import columns

EXPERIMENT = Experiment(
    name="mergebench",
    schema=MergeBenchConfig,
    run=run,
    columns=columns,
    packages=("beliefmerge", "experiment", "mergebench"),
    groups={"arm": arm_names, "scenario": SCENARIOS.names, "llm": model_names, "tracking": lambda: TRACKING},
    label=lambda config: f"{config.arm.name}-{config.scenario.name}".replace("_", "-"),
    summary="MergeBench: does merging let a reader answer what no single branch could, and does it earn its tokens?",
    examples=(
        "arm=concat budget=400",
        "arm=panel budget=1200 scenario=supersede",
        "arm=live llm=local",
        "arm=summary llm=local llm.cache=replay",
        "arm=heuristic scenario.paraphrase=1 scenario.seeds=20",
        "-m arm=single,concat,heuristic,oracle budget=200,400,800,1200 score=egalitarian,elitist",
    ),
)
