"""A Hydra callback that remembers a sweep's directory, so that its table can be made when Hydra is done."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from hydra.experimental.callback import Callback


class Swept(NamedTuple):
    """What is needed when a sweep is over."""

    directory: Path
    results: Path
    tracked: bool


class SweepWatch(Callback):  # type: ignore[misc]
    """Remembers the sweep of this process, if there is one. Hydra makes the instance, so the class keeps it."""

    _swept: ClassVar[Swept | None] = None

    @classmethod
    def forget(cls) -> None:
        """Start anew."""
        cls._swept = None

    @classmethod
    def seen(cls) -> Swept | None:
        """The sweep that ran since."""
        return cls._swept

    def on_multirun_start(self, config: Any, **_: Any) -> None:
        """Note the sweep down. Hydra turns an exception here into a warning."""
        directory, results = (
            Path(str(path)).expanduser().absolute() for path in (config.hydra.sweep.dir, config.results_dir)
        )
        type(self)._swept = Swept(directory, results, config.tracking.name == "mlflow")
