"""The benchmark's settings: types, ranges, names and help in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from beliefmerge.llm.settings import BACKENDS, CACHE_MODES
from beliefmerge.scores import SCORES
from beliefmerge.tokens import COUNTERS
from experiment.groups import TrackingConfig
from experiment.schema import option, required
from mergebench.registries import ARMS, SCENARIOS
from mergebench.track import NO_TRACK, TRACK_ARMS, TRACKS
from mergebench.trajectory.registry import TRAJECTORY, TRAJECTORY_ARMS

PANEL = "panel"
ANSWERERS = ("none", "llm")
READERS = ("strict", "model")


def arm_names() -> Sequence[str]:
    """Every arm, those of the trajectories and of tracks, and the panel of all that apply."""
    return [*ARMS.names(), *TRAJECTORY_ARMS.names(), *TRACK_ARMS.names(), PANEL]


def scenario_names() -> Sequence[str]:
    """Every family of scenarios, and the trajectories."""
    return [*SCENARIOS.names(), TRAJECTORY]


def cache_modes() -> Sequence[str]:
    """What can be done with recorded replies."""
    return CACHE_MODES


def score_names() -> Sequence[str]:
    """Every score the library decides by."""
    return list(SCORES)


@dataclass
class ArmConfig:
    """Which arm, and the options it has (see its file in conf/arm)."""

    name: str = required("arm", names=arm_names, kind="arm")
    options: dict[str, Any] = field(default_factory=dict, metadata={"help": "options of the arm, where it has any"})


@dataclass
class CriterionConfig:
    """What must be seen for a hypothesis to live (scenario=trajectory); see `mergebench.trajectory.criteria`."""

    hypothesis: str = ""
    arms: list[str] = field(default_factory=list)
    metric: str = "persistence"
    direction: str = "at_most"
    threshold: float = 0.0


@dataclass
class ScenarioConfig:
    """Which family of scenarios, and how large."""

    name: str = required("scenario", names=scenario_names, kind="scenario")
    seeds: int = option(5, "scenarios generated, one a seed from `seed` on", least=1, most=10_000)
    topics: int = option(10, "topics per scenario, dealt out over the branches", least=2, most=10_000)
    conflicts: int = option(2, "of these, topics asserted with two values", least=0)
    chatter: int = option(18, "messages per branch that carry no fact", least=0, most=100_000)
    branches: int = option(2, "sessions to merge", least=2, most=64)
    paraphrase: float = option(0.0, "how often two branches word one fact differently", least=0, most=1)
    retention: float = option(
        0.5, "trajectory: probability q that a flat compaction keeps the correction", least=0, most=1
    )
    criteria: list[CriterionConfig] = field(
        default_factory=list, metadata={"help": "trajectory: kill criteria, fixed in conf/scenario/trajectory.yaml"}
    )


def track_names() -> Sequence[str]:
    """Every track, and none."""
    return [*TRACKS.names(), NO_TRACK]


@dataclass
class TrackConfig:
    """Which track on real data, in place of a family of scenarios, and what of it."""

    name: str = required("track", names=track_names, kind="track")
    setting: str = option("", "which questions about which branches (see docs/tracks.md); default: the track's first")
    question: str = option("unseen", "whether the merges are told it", names=lambda: ("unseen", "seen"))
    sessions: int = option(5, "branches of a question, in setting k", least=2, most=64)
    part: str = option("all", "all, what was tuned on, or the rest", names=lambda: ("all", "tuning", "rest"))


def model_names() -> Sequence[str]:
    """Every kind of model back end, and none."""
    return list(BACKENDS)


@dataclass
class LlmConfig:
    """Which model is asked, and how; a key is only ever read from the environment."""

    name: str = required("model back end", names=model_names, kind="llm")
    model: str = option("", "the model, as the server calls it, or a GGUF file for local; default: the back end's own")
    base_url: str = option("", "where the server is, up to and with /v1; default: the back end's own")
    key_env: str = option("", "environment variable that holds the key; default: the back end's own")
    cache: str = option("auto", "keep replies (record), use only kept ones (replay), or both", names=cache_modes)
    cache_dir: str = option("", "where replies are kept; default: the user's cache, for replay the published ones")
    max_tokens: int = option(4096, "most tokens of a reply", least=1)
    timeout_s: float = option(600.0, "seconds a call may take", least=0.1)


@dataclass
class MergeBenchConfig:
    """One run of the benchmark."""

    arm: ArmConfig = field(
        default_factory=lambda: ArmConfig(PANEL), metadata={"help": "what is measured; panel is all of them"}
    )
    scenario: ScenarioConfig = field(
        default_factory=lambda: ScenarioConfig("bridge"), metadata={"help": "family of scenarios"}
    )
    track: TrackConfig = field(
        default_factory=lambda: TrackConfig(NO_TRACK), metadata={"help": "real data in place of scenarios"}
    )
    data: str = option("", "file or folder of the track")
    budget: int = option(400, "tokens an arm may print, overhead included", least=1, most=1e9)
    llm: LlmConfig = field(
        default_factory=lambda: LlmConfig("none"), metadata={"help": "model for the arms and the answerer that ask one"}
    )
    answerer: str = option("none", "who answers the questions from each context", names=lambda: ANSWERERS)
    reader: str = option("strict", "trajectory: who answers the question", names=lambda: READERS)
    strict: bool = option(False, "trajectory: end with code 4 where a kill criterion has failed")
    score: str = option("egalitarian", "how the merge weighs evidence", names=score_names)
    tokens: str = option("chars4", "what counts tokens", names=lambda: list(COUNTERS), kind="token counter")
    reruns: bool = option(False, "also run each arm on reordered, repeated and split branches, to measure laws")
    seed: int = option(0, "of the first scenario; those after it have the numbers that follow", least=0, most=1e12)
    results_dir: str = option("", "where runs are recorded")
    tracking: TrackingConfig = field(
        default_factory=lambda: TrackingConfig("mlflow"), metadata={"help": "index of runs, written after the table"}
    )
    resume: bool = option(True, "in a sweep, use the stored rows of jobs that are on record")
