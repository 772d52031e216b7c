"""Several sessions become one new session that can be continued; the sources stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from beliefmerge.fusion.config import FusionConfig
    from beliefmerge.fusion.fusing import Caller, FusionOptions, KeptAfterFailure, fuse
    from beliefmerge.fusion.plan import PlanError
    from beliefmerge.fusion.result import FusionResult

__all__ = ["Caller", "FusionConfig", "FusionOptions", "FusionResult", "KeptAfterFailure", "PlanError", "fuse"]

_HOME = {
    "Caller": "fusing",
    "FusionConfig": "config",
    "FusionOptions": "fusing",
    "FusionResult": "result",
    "KeptAfterFailure": "fusing",
    "PlanError": "plan",
    "fuse": "fusing",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'beliefmerge.fusion' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"beliefmerge.fusion.{_HOME[name]}"), name)
