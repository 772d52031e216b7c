"""The registry of evidence scores."""

from __future__ import annotations

from beliefmerge.algebra.score import Score
from beliefmerge.registry import Registry

SCORES: Registry[Score] = Registry("score", "beliefmerge.algebra.scores", "SCORE")
