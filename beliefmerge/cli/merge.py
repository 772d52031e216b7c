"""``python -m beliefmerge merge``: sessions in, one budgeted block out."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from beliefmerge.cli.output import emit, remark
from beliefmerge.errors import UnreadableSession, UsageError
from beliefmerge.files import write_atomically
from beliefmerge.session.directory import is_generation
from beliefmerge.session.lineage import is_earlier_state
from beliefmerge.session.model import Session

_SOURCE = "a session file or directory; FILE#BRANCH names one branch or conversation of a file that holds several"
_ENOUGH = 2
"""A merge of several sources goes on without the unreadable ones while this many are left."""


def add(commands: Any) -> None:
    """Add the command to the command line."""
    from beliefmerge.cli.model_options import add_model_options
    from beliefmerge.scores import SCORES
    from beliefmerge.tokens import COUNTERS

    command = commands.add_parser(
        "merge",
        help="merge sessions into one budgeted, labelled block",
        description="Merge recorded sessions (Claude Code, DSH, OpenAI messages, plain JSON and more, told apart by "
        "content) into one Markdown block that fits a token budget. The block goes to stdout or -o, a one-line report "
        "to stderr.",
        epilog="exit codes: 0 merged (also when nothing survives the budget), 2 bad input, 3 the trust check refused",
        allow_abbrev=False,
    )
    command.add_argument("sources", nargs="+", metavar="SESSION", help=_SOURCE)
    command.add_argument("--budget", type=_positive, default=1200, help="hard token budget (default: %(default)s)")
    command.add_argument("--tokens", choices=sorted(COUNTERS), default="chars4", help="token counter (default: chars4)")
    command.add_argument("--score", default="egalitarian", help=f"one of {', '.join(SCORES)} (default: %(default)s)")
    command.add_argument(
        "--extract",
        choices=["heuristic", "joint"],
        default="heuristic",
        help="how claims are found: heuristic (offline), or joint: one call to the model of --llm over all sessions, "
        "every quote checked; falls back to heuristic when that fails (default: %(default)s)",
    )
    command.add_argument(
        "--current",
        metavar="ID",
        help="your own session, by path (safest) or id: its user is trusted, all else is quoted",
    )
    command.add_argument("--query", help="what the merged context is for: relevant items are kept first")
    command.add_argument("--solver", default="auto", help="auto, exact, partial or density (default: %(default)s)")
    add_model_options(command)
    command.add_argument(
        "--adjudicate",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="offer ties to the model of --llm, in two calls; without a model, and with --no-adjudicate, ties stand",
    )
    command.add_argument("--json", action="store_true", help="print text, slots and report as JSON")
    command.add_argument("-o", "--output", metavar="FILE", help="write here instead of stdout, whole or not at all")
    command.set_defaults(run=run)


def _positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is not positive")
    return value


def run(args: argparse.Namespace) -> int:
    """Merge, print or write, report."""
    from beliefmerge.cli.model_options import model_settings
    from beliefmerge.pipeline import merge

    llm = model_settings(args)
    sessions, unreadable = read_sources(args.sources)
    if llm.configured and sys.stderr is not None and sys.stderr.isatty():
        remark(f"beliefmerge: asking {llm.resolved().model}, which can take a while …")
    merged = merge(
        sessions,
        budget=args.budget,
        query=args.query,
        score=args.score,
        extract=args.extract,
        current=_current(args.current, sessions),
        tokens=args.tokens,
        solver=args.solver,
        llm=llm,
        adjudicate=args.adjudicate,
        unreadable=unreadable,
    )
    text = json.dumps(merged.to_json(), ensure_ascii=False, indent=2) + "\n" if args.json else merged.text
    if args.output is not None:
        write_atomically(args.output, text)
    else:
        emit(text)
    remark(merged.report.line())
    return 0


def _current(named: str | None, sessions: list[Session]) -> str | None:
    """The id of the current session, which may be named by its path, file name, stem or session directory instead.

    A path is the caller's own word and an id the file's, so an exact path goes first, and of files with one id the
    named one must be the whole. Raises UsageError where several sessions go by the name.
    """
    if named is None:
        return None
    by_path = [session for session in sessions if session.path and Path(named) == Path(session.path)]
    called = by_path or [session for session in sessions if named == session.id or named in _file_names(session)]
    if len({session.id for session in called}) > 1:
        paths = sorted({str(session.path) for session in called})
        raise UsageError(f"--current {named!r} could be any of {', '.join(paths)}: name it by its path")
    if not called:
        return named
    mine = called[0]
    if named != mine.id or by_path:
        for other in sessions:
            if other.id == mine.id and not is_earlier_state(other, mine):
                raise UsageError(f"{other.path} calls itself session {mine.id!r} too and says more than {mine.path}")
    return mine.id


def _file_names(session: Session) -> tuple[str, ...]:
    path = Path(session.path or "")
    directory = (str(path.parent), path.parent.name) if is_generation(path) else ()
    return (path.name, path.stem, *directory)


def read_sources(paths: list[str]) -> tuple[list[Session], list[str]]:
    """Sessions, and one line for each source that could not be read.

    A source that cannot be read ends the merge when fewer than two others are left.
    """
    from beliefmerge.session.readers import read_session, split_branch

    sessions: list[Session] = []
    failures: list[UnreadableSession] = []
    for source in dict.fromkeys(paths):
        path, branch = split_branch(source)
        try:
            sessions.append(read_session(path, branch=branch))
        except UnreadableSession as error:
            failures.append(error)
    if failures and len(sessions) < _ENOUGH:
        raise failures[0] if len(failures) == 1 else UsageError("; ".join(map(str, failures)))
    for failure in failures:
        remark(f"beliefmerge: left out: {failure}")
    return sessions, [str(failure) for failure in failures]
