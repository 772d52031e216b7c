"""Configurations as dataclasses whose fields carry their range and help, to be checked, listed and explained from.

Hydra (through OmegaConf) checks types; this module checks ranges and names, which OmegaConf cannot.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from beliefmerge.errors import UsageError, unknown

Names = Callable[[], Iterable[str]]


def option(
    default: Any,
    help: str,
    *,
    least: float | None = None,
    most: float | None = None,
    names: Names | None = None,
    kind: str | None = None,
) -> Any:
    """A field with a default, one line of help and, where given, a closed range or the names it may take.

    `names` is called when the field is checked or explained, so that a registry is read late. `kind` is what a name is
    called in errors (default: the field's own name).
    """
    return dataclasses.field(default=default, metadata=_metadata(help, least, most, names, kind))


def required(help: str, *, names: Names | None = None, kind: str | None = None) -> Any:
    """A field that has no default of its own, such as the name of a group's member."""
    return dataclasses.field(metadata=_metadata(help, None, None, names, kind))


def _metadata(
    help: str, least: float | None, most: float | None, names: Names | None, kind: str | None
) -> dict[str, Any]:
    return {"help": help, "least": least, "most": most, "names": names, "kind": kind}


def check(config: Any, prefix: str = "") -> None:
    """Raise UsageError for the first value of a configuration object that is out of its range or an unknown name."""
    for field in dataclasses.fields(config):
        value, path = getattr(config, field.name), f"{prefix}{field.name}"
        if dataclasses.is_dataclass(value):
            check(value, f"{path}.")
            continue
        names, least, most = (field.metadata.get(key) for key in ("names", "least", "most"))
        if names is not None and value is not None and value not in list(names()):
            raise unknown(field.metadata["kind"] or path, str(value), names())
        if isinstance(value, int | float) and not isinstance(value, bool):
            _check_range(path, value, least, most)


def _check_range(path: str, value: float, least: float | None, most: float | None) -> None:
    if math.isnan(value):
        raise UsageError(f"{path}={value} is no number")
    if least is not None and value < least:
        raise UsageError(f"{path}={value} is out of range: it must be at least {least:g}")
    if most is not None and value > most:
        raise UsageError(f"{path}={value} is out of range: it must be at most {most:g}")


def keys(schema: type, prefix: str = "") -> Iterator[tuple[str, dataclasses.Field[Any]]]:
    """Every key a configuration has, dotted, with its field; a group's own name comes before its members."""
    for field in dataclasses.fields(schema):
        path = f"{prefix}{field.name}"
        yield path, field
        inner = _dataclass_of(field)
        if inner is not None:
            yield from keys(inner, f"{path}.")


def _dataclass_of(field: dataclasses.Field[Any]) -> type | None:
    factory = field.default_factory
    if factory is dataclasses.MISSING:
        return None
    value = factory()
    return type(value) if dataclasses.is_dataclass(value) else None


def open_keys(schema: type, prefix: str = "") -> list[str]:
    """Keys whose members are free (dictionaries), dotted."""
    found = []
    for path, field in keys(schema, prefix):
        if field.default_factory is not dataclasses.MISSING and isinstance(field.default_factory(), dict):
            found.append(path)
    return found


def explain(schema: type, groups: Iterable[str]) -> str:
    """One line a key: name, default, range or names, help."""
    lines = []
    for path, field in keys(schema):
        if path.endswith(".name") or (_dataclass_of(field) is not None and path not in groups):
            continue
        lines.append((path, _shown_default(field), _allowed(field), field.metadata.get("help", "")))
    widths = [max(len(line[i]) for line in lines) for i in range(2)]
    return "\n".join(
        f"  {path:<{widths[0]}}  {default:<{widths[1]}}  {help}{f' ({allowed})' if allowed else ''}"
        for path, default, allowed, help in lines
    )


def _shown_default(field: dataclasses.Field[Any]) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return str(getattr(field.default_factory(), "name", "-"))
    default = field.default
    if default in (dataclasses.MISSING, None, ""):
        return "-"
    return str(default).lower() if isinstance(default, bool) else str(default)


def _allowed(field: dataclasses.Field[Any]) -> str:
    metadata = field.metadata
    inner = field.default_factory() if field.default_factory is not dataclasses.MISSING else None
    if inner is not None and dataclasses.is_dataclass(inner):
        metadata = next((f.metadata for f in dataclasses.fields(inner) if f.name == "name"), metadata)
    if metadata.get("names") is not None:
        return ", ".join(metadata["names"]())
    least, most = metadata.get("least"), metadata.get("most")
    if least is not None and most is not None:
        return f"{least:g} to {most:g}"
    return f"at least {least:g}" if least is not None else f"at most {most:g}" if most is not None else ""
