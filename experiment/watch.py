"""A Hydra callback that remembers a sweep's directory, so that its table can be made when Hydra is done."""

from __future__ import annotations

import os
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

    @classmethod
    def has_jobs(cls) -> bool:
        """Whether a job of it has ended."""
        return cls._swept is not None and any(cls._swept.directory.glob("job-*.json"))

    def on_multirun_start(self, config: Any, **_: Any) -> None:
        """Note the sweep down, and give its workers their environment: they are born with that of this process.

        Hydra sets it in a job too, when numeric libraries have been loaded and no longer look. It turns an exception
        here into a warning.
        """
        os.environ.update({name: str(value) for name, value in config.hydra.job.env_set.items()})
        directory, results = (
            Path(str(path)).expanduser().absolute() for path in (config.hydra.sweep.dir, config.results_dir)
        )
        type(self)._swept = Swept(directory, results, config.tracking.name == "mlflow")
