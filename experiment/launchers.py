"""Launchers: Hydra's own, those of its plugins, and the presets in ``conf/hydra/launcher``; see docs/scale.md."""

from __future__ import annotations

from pathlib import Path

from beliefmerge.errors import UsageError, unknown

LAUNCHER = "hydra/launcher"
_EXTRAS = {"joblib": "joblib", "submitit_local": "submitit", "submitit_slurm": "submitit"}
"""Launchers of optional packages, and the extra of ours that brings each."""


def check_launcher(name: str, conf: Path) -> None:
    """Raise UsageError for a launcher that does not exist or whose package is missing."""
    presets = {path.stem: _built_on(path) for path in (conf / "hydra" / "launcher").glob("*.yaml")}
    installed = _installed()
    needed = presets.get(name, name)
    if needed in installed:
        return
    if needed in _EXTRAS:
        extra = _EXTRAS[needed]
        raise UsageError(
            f"{LAUNCHER}={name} needs the extra {extra!r}, which is not installed: pip install 'beliefmerge[{extra}]'"
        )
    raise unknown("launcher", name, {*presets, *installed, *_EXTRAS})


def _built_on(preset: Path) -> str:
    """The launcher that a preset starts from: the first of its defaults."""
    from omegaconf import OmegaConf

    return str(OmegaConf.load(preset)["defaults"][0]).partition("@")[0]


def _installed() -> set[str]:
    from hydra.core.config_store import ConfigStore
    from hydra.core.plugins import Plugins

    Plugins.instance()
    return {name.removesuffix(".yaml") for name in ConfigStore.instance().list(LAUNCHER)}
