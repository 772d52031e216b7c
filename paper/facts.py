"""Facts that are no table's cell: what a manifest says of an experiment, and constants in the code."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from typing import Any

from beliefmerge.errors import UsageError, unknown
from experiment.manifest import MANIFEST
from paper.published import Published
from paper.selector import Source, Value, conditions, matches

_ABOUT = re.compile(r"(?P<experiment>[\w-]+)(?:\[(?P<conditions>.*)\])?")
_RUN_FACTS = ("config", "seed", "config_hash")
_LIBRARIES = ("beliefmerge", "experiment")


def fact(about: str, path: str, published: Published) -> Value:
    """The fact at the dotted `path` of an experiment's manifest, such as ``code.commit`` or ``packages.numpy``.

    `about` is ``experiment`` or ``experiment[key=value, …]``; the keys are dotted paths of a run's configuration. A
    path that begins with ``config``, or is ``seed`` or ``config_hash``, is asked of every run that matches, and must
    be the same in all of them. Raises UsageError otherwise, and for a path that is unknown.
    """
    match = _ABOUT.fullmatch(about.strip())
    if match is None:
        raise UsageError(f"{about!r} is no experiment: expected experiment or experiment[key=value, …]")
    manifest = published.manifest(match["experiment"])
    file = f"results/published/{match['experiment']}/{MANIFEST}"
    if path.partition(".")[0] not in _RUN_FACTS:
        return Value(_at(manifest, path, file), (Source(match["experiment"], file, (), ()),))
    runs = _matching(manifest, match["conditions"] or "", file)
    values = {run: _at(facts, path, f"run {run} of {match['experiment']}") for run, facts in runs.items()}
    distinct = list(dict.fromkeys(map(repr, values.values())))
    if len(distinct) != 1:
        raise UsageError(f"{path} differs between the {len(runs)} runs of {about}: {', '.join(distinct[:6])}")
    return Value(next(iter(values.values())), (Source(match["experiment"], file, (), tuple(runs)),))


def constant(path: str) -> Value:
    """A constant of the library or of `experiment`, such as ``experiment.intervals.FEW``.

    Raises UsageError when there is no such module or name, or it is no number or text.
    """
    module, _, name = path.rpartition(".")
    if module.partition(".")[0] not in _LIBRARIES:
        raise UsageError(f"{path!r} is no constant: expected module.NAME of {' or '.join(_LIBRARIES)}")
    try:
        found = vars(importlib.import_module(module))
    except ImportError as error:
        raise UsageError(f"{path!r} is no constant: {error}") from error
    constants = {key: value for key, value in found.items() if isinstance(value, int | float | str) and key.isupper()}
    if name not in constants:
        raise unknown(f"constant of {module}", name, constants)
    return Value(constants[name], (Source("", f"{module.replace('.', '/')}.py", (), ()),))


def configuration(manifest: Mapping[str, Any], run: str) -> Mapping[str, Any]:
    """The whole configuration of a run, by dotted path: its experiment's defaults, and what differs from them."""
    facts = manifest["runs"][run]
    return {**manifest.get("defaults", {}).get(facts.get("experiment"), {}), **facts.get("config", {})}


def _matching(manifest: Mapping[str, Any], text: str, file: str) -> dict[str, Mapping[str, Any]]:
    wanted = conditions(text) if text else ()
    runs: dict[str, Mapping[str, Any]] = {
        run: {**facts, "config": configuration(manifest, run)} for run, facts in manifest.get("runs", {}).items()
    }
    for condition in wanted:
        known = sorted({key for facts in runs.values() for key in facts["config"]})
        if condition.column not in known:
            raise unknown("configuration key", condition.column, known)
        runs = {run: facts for run, facts in runs.items() if matches(condition, facts["config"].get(condition.column))}
    if not runs:
        raise UsageError(f"{file}: no run matches" if wanted else f"{file}: it lists no runs")
    return runs


def _at(facts: Any, path: str, where: str) -> Any:
    """What is at the dotted `path`. A key may hold dots itself, as a file's name does: the longest that fits counts."""
    rest = path
    while rest:
        known = sorted(facts) if isinstance(facts, Mapping) else []
        fitting = [key for key in known if f"{rest}.".startswith(f"{key}.")]
        if not fitting:
            raise unknown(f"fact of {where}", path, [path.removesuffix(rest) + key for key in known])
        key = max(fitting, key=len)
        facts, rest = facts[key], rest[len(key) + 1 :]
    return facts
