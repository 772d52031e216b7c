"""Several sessions become one new session that can be continued; the sources stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from beliefmerge.fusion.config import FusionConfig
    from beliefmerge.fusion.creation import KeptAfterFailure
    from beliefmerge.fusion.fusing import fuse
    from beliefmerge.fusion.options import Caller, FusionOptions
    from beliefmerge.fusion.plan import PlanError
    from beliefmerge.fusion.result import FusionResult

__all__ = ["Caller", "FusionConfig", "FusionOptions", "FusionResult", "KeptAfterFailure", "PlanError", "fuse"]

_HOME = {
    "Caller": "options",
    "FusionConfig": "config",
    "FusionOptions": "options",
    "FusionResult": "result",
    "KeptAfterFailure": "creation",
    "PlanError": "plan",
    "fuse": "fusing",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'beliefmerge.fusion' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"beliefmerge.fusion.{_HOME[name]}"), name)
