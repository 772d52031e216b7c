"""``python -m beliefmerge inspect``: what was read from a session file."""

from __future__ import annotations

import argparse
import itertools
from typing import Any

from beliefmerge.cli.output import emit
from beliefmerge.errors import UsageError

_BATCH = 1000
"""Lines, or rows, that are printed at once."""


def add(commands: Any) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "inspect",
        help="show what is read from a session: messages, channels, forks, what was skipped",
        description="Read one session file or directory and show its messages by channel, its branches, what the "
        "reader skipped or mended, and the kinds of secrets found (never their values). A file with several "
        "conversations is listed; FILE#ID shows one of them, FILE#BRANCH another branch.",
        allow_abbrev=False,
    )
    command.add_argument(
        "source",
        metavar="SESSION",
        help="a session file or session directory; FILE#BRANCH names one branch or conversation",
    )
    command.add_argument("--branch", help="which branch of a file that holds several (default: the active one)")
    command.add_argument("--json", action="store_true", help="print as JSON")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what was read."""
    from beliefmerge.session.inspect import inspect
    from beliefmerge.session.readers import split_branch

    path, branch = split_branch(args.source)
    if branch is not None and args.branch is not None:
        raise UsageError(f"the branch is named twice: {branch!r} and --branch {args.branch!r}")
    inspection = inspect(path, branch=args.branch if branch is None else branch)
    pieces = inspection.json() if args.json else (line + "\n" for line in inspection.text())
    while batch := "".join(itertools.islice(pieces, _BATCH)):
        emit(batch)
    return 0
