"""Make published results again and compare: exactly where deterministic, by intervals where models spoke.

  python scripts/check_results.py --sample              # a few runs of each experiment: what CI does
  python scripts/check_results.py                       # every run
  python scripts/check_results.py --only confluence-counts --identical
  python scripts/check_results.py --files               # only that the files are those of the manifests

Exit code 1 when anything differs, with one line a difference.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from run_published import chosen, data_of, listing, parser, refused

from beliefmerge.errors import BeliefMergeError
from experiment.compare import differences, standing
from experiment.manifest import digests
from experiment.published import Kind, Published
from experiment.publishing import Work, make, place_of, write
from experiment.run import say


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    options = parser(__doc__, "check_results")
    options.add_argument("--sample", action="store_true", help="a few runs of each, for a quick check")
    options.add_argument("--files", action="store_true", help="no run: only the files against the manifests")
    options.add_argument("--identical", action="store_true", help="ask for the same bytes too (not of measured ones)")
    given = options.parse_args(arguments)
    try:
        published = chosen(given.only)
        if given.list:
            say(listing(published))
            return 0
        with tempfile.TemporaryDirectory() as scratch:
            lacking = [each.name for each in published if work_of(each, given, Path(scratch)).lacks(each)]
            found = [line for each in published for line in _checked(each, given, Path(scratch))]
    except (BeliefMergeError, OSError) as error:
        return refused("check_results", error)
    for line in found:
        say(line)
    unseen = f", but of {', '.join(lacking)} only the files were looked at" if lacking and not given.files else ""
    say(f"{len(found)} differences" if found else f"all as published{unseen}")
    return 1 if found else 0


def work_of(published: Published, given: argparse.Namespace, scratch: Path) -> Work:
    """Runs made in `scratch`, model calls replayed from what is published."""
    return Work(scratch, place_of(published.name), data=data_of(given.data))


def _checked(published: Published, given: argparse.Namespace, scratch: Path) -> list[str]:
    place = place_of(published.name)
    planned = [] if given.files else published.planned(sample=given.sample)
    work = work_of(published, given, scratch)
    if lacking := work.lacks(published):
        planned = []
        say(f"{published.name}: not made again: {lacking}")
    if not planned:
        return [f"{published.name}: {line}" for line in standing(published, place)]
    made = make(published, planned, work)
    found = differences(published, made, place)
    if given.identical and not given.sample and published.kind is not Kind.MEASURED:
        write(published, made, scratch / "again" / published.name, work)
        old, new = digests(place), digests(scratch / "again" / published.name)
        found += [f"{published.name}: {name}: other bytes" for name in sorted(old) if new.get(name) != old[name]]
    say(f"{published.name}: {len(made.runs)} of {len(published.planned())} runs made again")
    return found


if __name__ == "__main__":
    sys.exit(main())
