"""A Hydra callback that remembers a sweep's directory, so that its table can be made when Hydra is done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hydra.experimental.callback import Callback


class SweepWatch(Callback):
    """What is needed when a sweep is over; None and False outside of one."""

    directory: Path | None = None
    results: Path | None = None
    tracked = False

    def on_multirun_start(self, config: Any, **_: Any) -> None:
        """Note the sweep down. (Hydra turns an exception here into a warning.)"""
        SweepWatch.results = Path(str(config.results_dir)).expanduser().absolute()
        SweepWatch.directory = Path(str(config.hydra.sweep.dir)).expanduser().absolute()
        SweepWatch.tracked = config.tracking.name == "mlflow"
