"""The benchmark's settings: types, ranges, names and help in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from beliefmerge.scores import SCORES
from beliefmerge.tokens import COUNTERS
from experiment.groups import TrackingConfig
from experiment.schema import option, required
from mergebench.registries import ARMS, SCENARIOS

PANEL = "panel"


def arm_names() -> Sequence[str]:
    """Every arm, and the panel of all of them."""
    return [*ARMS.names(), PANEL]


def score_names() -> Sequence[str]:
    """Every score the library decides by."""
    return list(SCORES)


@dataclass
class ArmConfig:
    """Which arm, and the options it has (see its file in conf/arm)."""

    name: str = required("arm", names=arm_names, kind="arm")
    options: dict[str, Any] = field(default_factory=dict, metadata={"help": "options of the arm, where it has any"})


@dataclass
class ScenarioConfig:
    """Which family of scenarios, and how large."""

    name: str = required("scenario", names=lambda: SCENARIOS.names(), kind="scenario")
    seeds: int = option(5, "scenarios generated, seeds 0 to seeds-1", least=1, most=10_000)
    topics: int = option(10, "topics per scenario, dealt out over the branches", least=2, most=200)
    conflicts: int = option(2, "of these, topics asserted with two values", least=0)
    chatter: int = option(18, "messages per branch that carry no fact", least=0, most=100_000)
    branches: int = option(2, "sessions to merge", least=2, most=64)
    paraphrase: float = option(0.0, "how often two branches word one fact differently", least=0, most=1)


@dataclass
class MergeBenchConfig:
    """One run of the benchmark."""

    arm: ArmConfig = field(
        default_factory=lambda: ArmConfig(PANEL), metadata={"help": "what is measured; panel is all of them"}
    )
    scenario: ScenarioConfig = field(
        default_factory=lambda: ScenarioConfig("bridge"), metadata={"help": "family of scenarios"}
    )
    budget: int = option(400, "tokens an arm may print, overhead included", least=1)
    score: str = option("egalitarian", "how the merge weighs evidence", names=score_names)
    tokens: str = option("chars4", "what counts tokens", names=lambda: list(COUNTERS), kind="token counter")
    reruns: bool = option(False, "also run each arm on reordered, repeated and split branches, to measure laws")
    seed: int = option(0, "shifts every random stream", least=0)
    results_dir: str = option("", "where runs are recorded")
    tracking: TrackingConfig = field(
        default_factory=lambda: TrackingConfig("mlflow"), metadata={"help": "index of runs, written after the table"}
    )
    resume: bool = option(True, "in a sweep, use the stored rows of jobs that are on record")
