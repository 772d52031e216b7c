"""``python scripts/index_mlflow.py``: make the MLflow index anew from the runs' records.

The records are the truth. A new index is written beside the old one and put in its place when it is whole, so that
whatever happens on the way leaves the old one as it was. Run it when the index is missing or damaged, was written by
another version of MLflow, when results were copied here from elsewhere, or after a sweep on a cluster (tracking=none).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from beliefmerge.errors import BeliefMergeError, UsageError
from experiment.entries import published_in, runs_in
from experiment.results import checkout, default_results_dir, open_results_dir
from experiment.run import one_line, say
from experiment.tracking import LOCK_SECONDS, STORE, Rebuilt, alone, rebuild, store_uri

_PROGRAM = "index_mlflow"
_SOON = 2.0
_EPILOG = """\
Each recorded run becomes one MLflow run with its tables, figures and record as artifacts, and one child run for each
row where it has several. A run that cannot be read is named on standard error and left out.

Exit codes: 0 all runs are in; 1 a run's record or table cannot be read, or the index could not be written;
2 the command line is wrong. A run that was cut short or is running now is named and is no error.

Examples
  python scripts/index_mlflow.py
  python scripts/index_mlflow.py ~/results --published
  mlflow ui --backend-store-uri sqlite:////home/me/results/mlflow.db
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    given = _parser().parse_args(arguments)
    try:
        return _main(given)
    except BeliefMergeError as error:
        return _refuse(one_line(error), error.exit_code)
    except KeyboardInterrupt:
        return _refuse("interrupted; the index is as it was", 130)
    except Exception as error:
        return _refuse(f"the index is as it was: {type(error).__name__}: {one_line(error)}", 1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_PROGRAM,
        description=__doc__,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "results", nargs="?", metavar="RESULTS_DIR", help=f"where the runs are (default: {default_results_dir()})"
    )
    parser.add_argument(
        "--published", action="store_true", help="also index published/* of the results, else of the checkout"
    )
    return parser


def _main(given: argparse.Namespace) -> int:
    results = Path(given.results).expanduser().absolute() if given.results else default_results_dir()
    if not results.is_dir():
        raise UsageError(f"{results} is no directory")
    published = published_in(_published_dir(results)) if given.published else []
    open_results_dir(results)
    rebuilt = _rebuilt(results, published)
    say(f"{_counts(rebuilt)} in {results / STORE}")
    say(f"look at them: mlflow ui --backend-store-uri {store_uri(results / STORE)}")
    return 1 if rebuilt.unreadable else 0


def _rebuilt(results: Path, published: Sequence[Path]) -> Rebuilt:
    from filelock import Timeout

    for seconds in (_SOON, LOCK_SECONDS):
        try:
            with alone(results, seconds):
                return rebuild(results, runs_in(results), published)
        except Timeout:
            if seconds == _SOON:
                _warn("another process is writing the index; waiting for it")
    raise BusyIndex(f"another process has kept {results / STORE}.lock for {LOCK_SECONDS // 60} minutes")


class BusyIndex(BeliefMergeError):
    """Another writer does not let go of the index."""

    exit_code = 1


def _published_dir(results: Path) -> Path:
    root = checkout()
    for place in (results, *([root / "results"] if root else [])):
        if (place / "published").is_dir():
            return place / "published"
    raise UsageError(f"there is no published directory in {results}")


def _counts(rebuilt: Rebuilt) -> str:
    left = {
        "failed": rebuilt.failed,
        "cut short or running": rebuilt.cut_short,
        "unreadable": rebuilt.unreadable,
    }
    said = ", ".join(f"{count} {why}" for why, count in left.items() if count)
    return f"{rebuilt.runs} runs, {rebuilt.rows} rows{f' (left out: {said})' if said else ''}"


def _warn(text: str) -> None:
    sys.stderr.write(f"{_PROGRAM}: {text}\n")


def _refuse(text: str, code: int) -> int:
    sys.stderr.write(f"{_PROGRAM}: error: {text}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
