"""Names that a person can read: of experiments, of recorded runs, of the rows of a run.

A run is called by the settings its experiment always shows (`Experiment.headline`) and by whatever else differs from
the defaults: ``heuristic · bridge · 400 tokens · 20 seeds · paraphrase 1``. A row is called as its run is, with what
tells it from the run's other rows.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from experiment.run import NOT_HASHED, Experiment, plain
from experiment.tables import Row, names_of

SEPARATOR = " · "
_LONGEST = 250
"""Characters of a name: MLflow's column holds no more."""
_LONGEST_PART = 60
_PACKAGES = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting by which a run is called: `key` is its column in the rows, `shown` how it reads."""

    key: str
    shown: str


def experiment_of(command: str) -> Experiment | None:
    """The experiment that ``python -m <command>`` runs, where it is one of ours that can be imported, else None."""
    top, *inner = command.split(".")
    if not all(word.isidentifier() for word in (top, *inner)) or not (_PACKAGES / top / "__init__.py").is_file():
        return None
    module = command if inner else f"{command}.__main__"
    try:
        found = getattr(importlib.import_module(module), "EXPERIMENT", None)
    except ImportError:
        return None
    return found if isinstance(found, Experiment) else None


def title_of(name: str, experiment: Experiment | None) -> str:
    """What an experiment is called: its own title, else its name in words."""
    if experiment is not None and experiment.title:
        return experiment.title
    return name.replace("_", " ").replace(".", " ").capitalize()


def flat(config: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """A configuration with dotted keys; a group's own name is at the group's key."""
    found: dict[str, Any] = {}
    for key, value in config.items():
        path = f"{prefix}{key}"
        if isinstance(value, Mapping):
            found |= flat(value, f"{path}.")
        else:
            found[path.removesuffix(".name")] = value
    return found


def decisive(config: Mapping[str, Any]) -> dict[str, Any]:
    """The flat configuration without what does not change a run's rows and without what is not set."""
    return {
        key: value
        for key, value in flat(config).items()
        if key.split(".")[0] not in NOT_HASHED and value not in (None, "", [])
    }


def settings_of(config: Mapping[str, Any], experiment: Experiment | None) -> list[Setting]:
    """What a run of this configuration is called by. `config` may be nested or flat."""
    given = decisive(config)
    if experiment is None:
        return []
    usual = decisive(plain(experiment.schema()))
    headline = experiment.headline(given)
    first = [Setting(key, _with_unit(given[key], unit)) for key, unit in headline.items() if key in given]
    rest = [
        Setting(key, _as_words(key, value))
        for key, value in given.items()
        if key not in headline and _is_word(value) and usual.get(key) != value
    ]
    return [*first, *rest]


def _is_word(value: Any) -> bool:
    """Whether a value can be part of a name; paths and addresses only say where things are."""
    return isinstance(value, bool | int | float) or (isinstance(value, str) and "/" not in value)


def _with_unit(value: Any, unit: str) -> str:
    if not unit:
        return _plain(value)
    return f"{_plain(value)} {unit.removesuffix('s') if value == 1 else unit}"


def _as_words(key: str, value: Any) -> str:
    word = key.rsplit(".", 1)[-1].replace("_", " ")
    if isinstance(value, bool):
        return word if value else f"no {word}"
    return f"{word} {_plain(value)}"


def _plain(value: Any) -> str:
    text = f"{value:g}" if isinstance(value, float) else " ".join(str(value).split())
    return text if len(text) <= _LONGEST_PART else text[: _LONGEST_PART - 1] + "…"


def joined(parts: Sequence[str]) -> str:
    """Parts as one name, cut to what MLflow can hold."""
    text = SEPARATOR.join(part for part in parts if part)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def row_names(rows: Sequence[Row], called: Sequence[Setting]) -> list[str]:
    """A name for each row of a run that is `called` so: what tells rows apart, and what they share. All differ."""
    telling = _telling(rows)
    names = []
    for row in rows:
        own = {name: _row_part(name, row[name]) for name in telling if row.get(name) is not None}
        shared = [replace(setting, shown=own.pop(setting.key, setting.shown)) for setting in called]
        names.append(joined([*own.values(), *(setting.shown for setting in shared)]))
    times = Counter(names)
    return [joined([f"row {i}", name]) if times[name] > 1 else name for i, name in enumerate(names, 1)]


def _telling(rows: Sequence[Row]) -> list[str]:
    """Columns that tell rows apart: words first, then whole numbers, each only if it tells more of them apart."""
    chosen: list[str] = []
    parts = 1
    for name in _candidates(rows):
        distinct = len({tuple(row.get(each) for each in (*chosen, name)) for row in rows})
        if distinct > parts:
            chosen.append(name)
            parts = distinct
        if parts == len(rows):
            break
    return chosen


def _candidates(rows: Sequence[Row]) -> Iterator[str]:
    names = names_of(rows)
    for kind in (str, int):
        for name in names:
            values = [row.get(name) for row in rows]
            if all(value is None or (isinstance(value, kind) and not isinstance(value, bool)) for value in values):
                yield name


def _row_part(name: str, value: Any) -> str:
    return _plain(value) if isinstance(value, str) else _as_words(name, value)
