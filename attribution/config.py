"""Settings of an attribution run: types, ranges, names and help in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from attribution.attribute import Settings
from attribution.design import DESIGNS
from attribution.gate import Gate
from attribution.planted import KINDS
from attribution.scorer import SCORERS
from attribution.stability import AGREEMENTS
from beliefmerge.errors import UsageError
from experiment.groups import TrackingConfig
from experiment.results import recordings
from experiment.schema import option, required

PLANTED, SHIPPED = "planted", "shipped"
ALL = "all"
RECORDINGS = "attribution"


def kind_names() -> Sequence[str]:
    """Every kind of planted problem, and all of them."""
    return [ALL, *KINDS]


@dataclass
class ScorerConfig:
    """What gives likelihoods."""

    name: str = required("scorer", names=lambda: SCORERS.names(), kind="scorer")
    base_url: str = option("", "server: its address, ending in /v1")
    model: str = option("", "local: a GGUF file in place of the fetched one; server: the model's name")
    processes: int = option(2, "local: processes that score, each with the weights in memory", least=1, most=64)
    key_env: str = option("", "server: the environment variable that holds its key")
    cache: str = option("auto", "record of log-probabilities", names=lambda: ("off", "record", "replay", "auto"))
    cache_dir: str = option("", "where that record is; default: the user's cache, for replay the published one")


@dataclass
class PlantedConfig:
    """Which planted problems, where no steps are given."""

    kind: str = option(ALL, "structure of the problem", names=kind_names, kind="planted problem")
    entries: list[int] = field(
        default_factory=lambda: [12], metadata={"help": "entries of a step, such as [12,32,128]; by default [12]"}
    )
    count: int = option(1, "problems of each kind and size", least=1, most=1000)
    noise: float = option(0.1, "standard deviation of the noise, log-odds per token", least=0)

    def kinds(self) -> tuple[str, ...]:
        """The kinds asked for."""
        return KINDS if self.kind == ALL else (self.kind,)

    def sizes(self) -> list[int]:
        """The sizes asked for. Raises UsageError for one out of range."""
        if not self.entries or not all(4 <= size <= 512 for size in self.entries):
            raise UsageError(f"planted.entries={self.entries} is out of range: each must be 4 to 512")
        return list(dict.fromkeys(self.entries))


@dataclass
class AttributionConfig:
    """One run of attribution."""

    steps: str = option(PLANTED, "planted, shipped, or a JSON Lines or parquet file of recorded steps")
    scorer: ScorerConfig = field(
        default_factory=lambda: ScorerConfig("planted"), metadata={"help": "what gives the likelihood of a response"}
    )
    planted: PlantedConfig = field(default_factory=PlantedConfig)
    design: str = option("foldover", "which contexts are tried", names=lambda: DESIGNS.names())
    ablations: int = option(0, "contexts of one repeat; 0: the least fold-over with room for intervals", least=0)
    repeats: int = option(3, "repeats that must agree, each over a design of its own", least=3, most=100)
    held_out: int = option(32, "contexts that only check predictions", least=4, most=10_000)
    gate: str = option("spearman", "agreement of the repeats that decides", names=lambda: list(AGREEMENTS))
    threshold: float = option(0.6, "the gate's least agreement", least=-1, most=1)
    lds_floor: float = option(0.5, "the gate's least correlation with held-out contexts", least=-1, most=1)
    even_share: float = option(0.15, "an even share above this flags a step as not additive", least=0, most=1)
    whole_floor: float = option(0.05, "least effect of the whole context, log-odds per token", least=0)
    ledger: str = option("", "address of a running ledger to send the edges to")
    token_env: str = option("BELIEFMERGE_LEDGER_TOKEN", "the environment variable that holds its attributor token")
    seed: int = option(0, "shifts every random stream", least=0)
    results_dir: str = option("", "where runs are recorded")
    tracking: TrackingConfig = field(
        default_factory=lambda: TrackingConfig("mlflow"), metadata={"help": "index of runs, written after the table"}
    )
    resume: bool = option(True, "in a sweep, use the stored rows of jobs that are on record")

    def settings(self) -> Settings:
        """How each step is measured."""
        return Settings(
            design=self.design,
            ablations=self.ablations,
            repeats=self.repeats,
            held_out=self.held_out,
            gate=Gate(self.gate, self.threshold, self.lds_floor, self.even_share, self.whole_floor),
            seed=self.seed,
        )


def scorer_settings(config: ScorerConfig) -> dict[str, Any]:
    """What a scorer is opened with."""
    return {
        "base_url": config.base_url,
        "model": config.model,
        "processes": config.processes,
        "key_env": config.key_env,
        "cache": config.cache,
        "cache_dir": config.cache_dir or (recordings(RECORDINGS) if config.cache == "replay" else ""),
    }
