"""Packing: choose what is shown within a budget, lay it out for prefix caching, and certify how good the choice is."""

from __future__ import annotations

from beliefmerge.pack.item import Choice, Item, Rendition
from beliefmerge.pack.layout import preserved_prefix, stable_first
from beliefmerge.pack.objective import utility
from beliefmerge.pack.packing import Measure, Packing, pack
from beliefmerge.pack.solvers import SOLVERS
from beliefmerge.pack.units import Unit, unit
from beliefmerge.pack.weights import Weights

__all__ = [
    "SOLVERS",
    "Choice",
    "Item",
    "Measure",
    "Packing",
    "Rendition",
    "Unit",
    "Weights",
    "pack",
    "preserved_prefix",
    "stable_first",
    "unit",
    "utility",
]
