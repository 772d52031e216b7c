"""Option groups every experiment has."""

from __future__ import annotations

from dataclasses import dataclass

from experiment.schema import required

TRACKING = ("mlflow", "none")


@dataclass
class TrackingConfig:
    """Where runs are indexed once they are recorded."""

    name: str = required("index", names=lambda: TRACKING, kind="tracking")
