"""``python -m beliefmerge inspect``: what was read from a session file."""

from __future__ import annotations

import argparse
import json
from typing import Any

from beliefmerge.cli.output import emit


def add(commands: Any) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "inspect",
        help="show what is read from a session: messages, channels, forks, what was skipped",
        description="Read one session file or directory and show its messages by channel, its branches, what the "
        "reader skipped or mended, and the kinds of secrets found (never their values).",
        allow_abbrev=False,
    )
    command.add_argument("source", metavar="SESSION", help="a session file or session directory")
    command.add_argument("--branch", help="which branch of a file that holds several (default: the active one)")
    command.add_argument("--json", action="store_true", help="print as JSON")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what was read."""
    from beliefmerge.session.inspect import describe, describe_text

    report = describe(args.source, branch=args.branch)
    text = json.dumps(report, ensure_ascii=False, indent=2) if args.json else describe_text(report)
    emit(text.rstrip("\n") + "\n")
    return 0
