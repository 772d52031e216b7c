"""Stage 6: slots as a labelled Markdown block, and back. Canonical: the same slots give the same bytes."""

from __future__ import annotations

from beliefmerge.render.block import BANNER, HEADING, assemble, count, frame, needs_banner, render
from beliefmerge.render.escape import MalformedBlock
from beliefmerge.render.item import renditions
from beliefmerge.render.parse import parse
from beliefmerge.render.parsed import Counts, ParsedBlock, ParsedItem, ParsedSide, PrintedStatus, Quote

__all__ = [
    "BANNER",
    "HEADING",
    "Counts",
    "MalformedBlock",
    "ParsedBlock",
    "ParsedItem",
    "ParsedSide",
    "PrintedStatus",
    "Quote",
    "assemble",
    "count",
    "frame",
    "needs_banner",
    "parse",
    "render",
    "renditions",
]
