"""Rows and table of the enumerator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from beliefmerge.errors import BeliefMergeError
from beliefmerge.scores import SCORES
from confluence.counterexample import order_of, replay, shown
from confluence.reference import Profile
from confluence.work import Task, profile_from
from experiment import tables
from experiment.tables import Column, Row

_MOST = 2**63


class WrongCount(BeliefMergeError):
    """A count that cannot be: a bug, never the user's."""

    exit_code = 1


def summed(tasks: Sequence[Task], parts: Iterable[Row], name: str, engine: str, *, whole: bool) -> list[dict[str, Any]]:
    """A row a task from the parts done of it; tasks without any are left out.

    With `whole`, raises WrongCount when the profiles counted are not exactly those of the space.
    """
    found: dict[int, list[Row]] = {}
    for part in parts:
        found.setdefault(part["task"], []).append(part)
    rows = []
    for number, mine in sorted(found.items()):
        task = tasks[number]
        failures, total = (sum(int(part[key]) for part in mine) for key in ("failures", "total"))
        if whole and total != task.space.total:
            raise WrongCount(f"{task}: counted {total} of {task.space.total} profiles")
        rows.append(_row(task, name, engine, failures, total, sum(part["seconds"] for part in mine)))
    return _storable(rows)


def _row(task: Task, name: str, engine: str, failures: int, total: int, seconds: float) -> dict[str, Any]:
    space = task.space
    return {
        "space": name,
        "shape": str(space.shape),
        "score": task.score,
        "representation": task.representation,
        "form": str(space.form),
        "values": space.values,
        "levels": space.levels,
        "branches": space.branches,
        "failures": failures,
        "total": total,
        "rate": float(Fraction(failures, total)),
        "engine": engine,
        "seconds": seconds,
    }


def _storable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Counts as decimal strings, in all rows, where one exceeds 64 bits."""
    for key in ("failures", "total"):
        if any(row[key] >= _MOST for row in rows):
            rows = [{**row, key: str(row[key])} for row in rows]
    return rows


def columns() -> list[Column]:
    """The table on screen. The rate is the reduced fraction, which loses nothing, beside its value in per cent."""
    return [
        *(tables.named(name) for name in ("space", "shape", "score", "representation", "form")),
        *(tables.number(name, title) for name, title in (("values", "k"), ("levels", "E"), ("branches", "n"))),
        *(_count(name) for name in ("failures", "total")),
        Column("rate", _fraction),
        Column("%", lambda row: tables.MISSING if row.get("rate") is None else f"{100 * row['rate']:.3f}"),
    ]


def _count(name: str) -> Column:
    return Column(name, lambda row: tables.MISSING if row.get(name) is None else f"{int(row[name]):,}")


def _fraction(row: Row) -> str:
    if row.get("failures") is None:
        return tables.MISSING
    return str(Fraction(int(row["failures"]), int(row["total"])))


def counterexamples(tasks: Sequence[Task], parts: Iterable[Row]) -> list[dict[str, Any]]:
    """The minimal counterexample of each failing task, replayed through `confluence.reference`."""
    least: dict[int, Profile] = {}
    for part in parts:
        profile = profile_from(part["counterexample"])
        if profile is not None and (part["task"] not in least or order_of(profile) < order_of(least[part["task"]])):
            least[part["task"]] = profile
    rows = []
    for number, profile in sorted(least.items()):
        task = tasks[number]
        said = replay(profile, task.space, SCORES[task.score], task.representation)
        rows.append(
            {
                "shape": str(task.space.shape),
                "score": task.score,
                "representation": task.representation,
                "form": str(task.space.form),
                "values": task.space.values,
                "levels": task.space.levels,
                "branches": task.space.branches,
                "assertions": order_of(profile)[0],
                "silent": sum(not branch for branch in profile),
                "said": " ".join(shown(branch) for branch in profile if branch),
                "counterexample": said,
            }
        )
    return rows


def notes(found: Sequence[Row], *, share: str) -> list[str]:
    """What share of the space this is, and the minimal counterexamples.

    Those that differ by silent branches only, or come from several spaces, are said once, for the smallest n; the
    table `counterexamples` has them all.
    """
    cases: dict[tuple[str, ...], list[Row]] = {}
    for row in found:
        key = (row["representation"], row["score"], row["shape"], row["form"], row["said"])
        cases.setdefault(key, []).append(row)
    lines = [share] if share else []
    if cases:
        lines.append("minimal counterexamples (fewest assertions, then lexicographic), replayed by brute force:")
    for (representation, score, shape, form, _), rows in cases.items():
        least = min(rows, key=lambda row: (row["branches"], row["values"], row["levels"]))
        sizes = f"k={least['values']} E={least['levels']} n={least['branches']}"
        more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
        lines.append(f"  {representation} {score} {form} {shape} ({sizes}{more}): {least['counterexample']}")
    return lines
