"""Recompute what is in ``results/published``.

  python scripts/run_published.py                                # everything that can be made here
  python scripts/run_published.py --only mergebench-panel confluence-counts
  python scripts/run_published.py --list
  python scripts/run_published.py --only mergebench-live --calls auto   # ask the model for what is not on record

Runs are recorded in the results directory like any other, so that one that was cut short goes on where it was, and one
that is on record with the same configuration and code is not made again. Model calls are replayed from the published
record and none is made, unless ``--calls`` says so.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from beliefmerge.errors import BeliefMergeError, unknown
from experiment.published import Published, find
from experiment.publishing import Work, make, place_of, sources, write
from experiment.results import default_results_dir, open_results_dir
from experiment.run import say

DATA = "BELIEFMERGE_DATA"


def parser(doc: str | None, name: str) -> argparse.ArgumentParser:
    """The options that making and checking share."""
    made = argparse.ArgumentParser(
        prog=f"python scripts/{name}.py",
        description=doc,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("--only", nargs="+", metavar="NAME", help="these experiments (--list shows all)")
    made.add_argument("--list", action="store_true", help="what there is, and how many runs each is")
    made.add_argument(
        "--data",
        metavar="DIR",
        default=os.environ.get(DATA),
        help=f"where the data sets are that are not ours to publish (default: ${DATA}); without, they are left out",
    )
    return made


def chosen(only: Sequence[str] | None) -> list[Published]:
    """The experiments asked for, all by default. Raises for an unknown one, with the nearest match."""
    known = find(sources())
    for name in only or ():
        if name not in known:
            raise unknown("published experiment", name, list(known))
    found = [known[name] for name in dict.fromkeys(only or known)]
    return sorted(found, key=lambda published: bool(published.after))


def listing(published: Sequence[Published]) -> str:
    """One line an experiment."""
    width = max(len(each.name) for each in published)
    return "\n".join(
        f"{each.name:{width}}  {each.kind.value:8}  {len(each.planned()):3} runs  {each.summary}" for each in published
    )


def data_of(given: str | None) -> Path | None:
    """The directory of the data sets, if one is named."""
    return Path(given).expanduser().absolute() if given else None


def refused(name: str, error: Exception) -> int:
    """Say what is wrong in one line; exit code 2."""
    sys.stderr.write(f"{name}: error: {' '.join(str(error).split())}\n")
    return 2


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    options = parser(__doc__, "run_published")
    options.add_argument(
        "--calls",
        choices=("replay", "auto", "fresh"),
        default="replay",
        help="model calls: only recorded ones (replay, the default), also what is missing (auto), all anew (fresh)",
    )
    options.add_argument("--into", metavar="DIR", help="write below DIR and not into results/published")
    given = options.parse_args(arguments)
    if given.into == "":
        options.error("--into names no directory")
    try:
        published = chosen(given.only)
        if given.list:
            say(listing(published))
            return 0
        for each in published:
            _publish(each, given)
    except (BeliefMergeError, OSError) as error:
        return refused("run_published", error)
    except KeyboardInterrupt:
        sys.stderr.write("run_published: interrupted; the runs that ended are on record\n")
        return 130
    return 0


def _publish(published: Published, given: argparse.Namespace) -> None:
    place, results = place_of(published.name), open_results_dir(default_results_dir())
    work = Work(results, place, "replay" if given.calls == "replay" else "auto", data_of(given.data))
    if published.calls and given.calls != "replay":
        # What is on record stays until the new is whole; what was called before an interruption is not called again.
        calls = place if given.calls == "auto" else results / f"calls-{published.name}"
        work = replace(work, calls=calls, again=True)
    if lacking := work.lacks(published):
        say(f"{published.name}: left out: {lacking}")
        return
    begun = time.perf_counter()
    made = make(published, published.planned(), work)
    write(published, made, place if given.into is None else Path(given.into) / published.name, work)
    if work.calls != place:
        shutil.rmtree(work.calls)
    say(f"{published.name}: {len(made.runs)} runs in {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
