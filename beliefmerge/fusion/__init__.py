"""Several sessions become one new session that can be continued; the sources stay as they are."""

from beliefmerge.fusion.config import FusionConfig
from beliefmerge.fusion.fuse import Caller, FusionOptions, KeptAfterFailure, fuse
from beliefmerge.fusion.plan import PlanError
from beliefmerge.fusion.result import FusionResult

__all__ = ["Caller", "FusionConfig", "FusionOptions", "FusionResult", "KeptAfterFailure", "PlanError", "fuse"]
