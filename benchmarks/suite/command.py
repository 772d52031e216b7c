"""The command line of the benchmarks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from beliefmerge.errors import BeliefMergeError, UsageError
from benchmarks.suite.benchmark import CASES, chosen
from benchmarks.suite.record import carry_out
from benchmarks.suite.row import columns
from benchmarks.suite.run import Outcome
from experiment.results import default_results_dir, open_results_dir
from experiment.run import one_line, say
from experiment.tables import markdown

HELP = """Run the performance benchmarks: each value beside its peer or a plain reference, measured in the same run.

  python -m benchmarks                    # all of them, about seven minutes on two quiet cores
  python -m benchmarks ledger redact      # some; "ledger" is all that begin so
  python -m benchmarks --list             # what there is
  python -m benchmarks pack --into /tmp/x # record the run there

Printed is a Markdown table; the run is recorded in the results directory: table.md, table.csv, table.tex, runs.parquet
and record.json (machine, load, code). Exit code 1 when a bar does not hold or a benchmark did not finish."""
NAMED = 3
"""As many names at most are in the run's own."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        raise UsageError(message)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    try:
        return _main(_parser().parse_args(arguments))
    except (BeliefMergeError, OSError) as error:
        sys.stderr.write(f"benchmarks: error: {one_line(error)}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("benchmarks: interrupted; nothing is on record\n")
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m benchmarks",
        description=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="these benchmarks (default: all)")
    parser.add_argument(
        "--into", metavar="DIR", help="the results directory (default: results, or $BELIEFMERGE_RESULTS)"
    )
    parser.add_argument("--list", action="store_true", help="the benchmarks, a line each")
    return parser


def _main(given: argparse.Namespace) -> int:
    names = chosen(given.names)
    if given.list:
        say(listing(names))
        return 0
    results = open_results_dir(given.into or default_results_dir())
    run, outcome = carry_out(names, results, label=_label(given.names), show=_show)
    sys.stderr.write(f"recorded in {run.path}\n")
    return 1 if outcome.broken else 0


def _label(asked: Sequence[str]) -> str:
    return "-".join(asked) if 0 < len(asked) <= NAMED else f"{len(asked)}-of-them" if asked else "all"


def listing(names: Sequence[str]) -> str:
    """One line a benchmark."""
    width = max(map(len, names))
    return "\n".join(f"{name:{width}}  {CASES[name].summary}" for name in names)


def _show(outcome: Outcome) -> None:
    if outcome.rows:
        say(markdown(outcome.rows, columns()).rstrip())
