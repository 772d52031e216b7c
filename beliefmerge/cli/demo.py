"""``python -m beliefmerge demo``: seven worked examples."""

from __future__ import annotations

import argparse
from typing import Any

from beliefmerge.cli.output import emit


def add(commands: Any) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "demo",
        help="seven worked examples, offline",
        description="Seven small merges with a narration computed from what happened: evidence, a tie, a change of "
        "mind, a fork, injection and trust, a tight budget, a retracted conclusion.",
        allow_abbrev=False,
    )
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the examples."""
    from beliefmerge.demo import narration

    for line in narration():
        emit(line + "\n")
    return 0
