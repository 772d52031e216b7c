"""Settings that a run does not read are refused: nobody is to believe that they changed its rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beliefmerge.errors import UsageError
from mergebench.config import MergeBenchConfig
from mergebench.track import NO_TRACK, TRACKS
from mergebench.trajectory.registry import TRAJECTORY

FAMILIES, TRAJECTORIES, ON_TRACKS = "families of scenarios", f"scenario={TRAJECTORY}", "tracks"

READ_BY: Mapping[tuple[str, ...], tuple[str, ...]] = {
    (FAMILIES, TRAJECTORIES): ("scenario.name", "scenario.seeds", "scenario.chatter", "scenario.paraphrase"),
    (ON_TRACKS,): ("data", "track.setting", "track.question", "track.sessions", "track.part"),
    (TRAJECTORIES,): ("reader", "strict", "scenario.retention", "scenario.criteria"),
    (FAMILIES,): ("answerer", "reruns", "scenario.topics", "scenario.conflicts", "scenario.branches"),
}
"""Kinds of runs, and the settings that they alone read."""


def check_read(config: MergeBenchConfig) -> None:
    """Raise UsageError for the first setting that differs from the default and that the run would not read."""
    kind, usual = _kind(config), MergeBenchConfig()
    for kinds, keys in READ_BY.items():
        for key in keys if kind not in kinds else ():
            if _value(config, key) != _value(usual, key):
                hint = f" (add track={'|'.join(TRACKS)})" if kinds == (ON_TRACKS,) else ""
                raise UsageError(f"{key.removesuffix('.name')} is a setting of {' and '.join(kinds)} alone{hint}")


def _kind(config: MergeBenchConfig) -> str:
    if config.track.name != NO_TRACK:
        return ON_TRACKS
    return TRAJECTORIES if config.scenario.name == TRAJECTORY else FAMILIES


def _value(config: Any, key: str) -> Any:
    for word in key.split("."):
        config = getattr(config, word)
    return config
