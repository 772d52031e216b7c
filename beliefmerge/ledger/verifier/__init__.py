"""Finding contradictions: stage A screens cheaply, stage B judges, the ledger's quorum decides."""

from __future__ import annotations

from beliefmerge.ledger.verifier.check import Contradiction, Examination, Verifier
from beliefmerge.ledger.verifier.embedders import EMBEDDERS, Embedder, embedder
from beliefmerge.ledger.verifier.model import Model
from beliefmerge.ledger.verifier.opinion import Adjudicator, Opinion, Relation, both_ways
from beliefmerge.ledger.verifier.rules import Rules
from beliefmerge.ledger.verifier.screen import Candidate, Statement, Thresholds, screen

__all__ = [
    "EMBEDDERS",
    "Adjudicator",
    "Candidate",
    "Contradiction",
    "Embedder",
    "Examination",
    "Model",
    "Opinion",
    "Relation",
    "Rules",
    "Statement",
    "Thresholds",
    "Verifier",
    "both_ways",
    "embedder",
    "screen",
]
