"""Text, ids and times as they come out of foreign JSON: whatever their type, safe to hash, search and print."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

_MAX_NESTING = 8


def clean(text: str) -> str:
    """`text` with NUL replaced by U+FFFD, one for one, so that offsets do not move.

    Lone surrogates are gone before: `beliefmerge.session.jsontext.parse` gives none.
    """
    return text.replace("\x00", "\ufffd") if "\x00" in text else text


def as_text(value: Any, depth: int = 0) -> str:
    """The text of whatever stands where a text is expected; never raises.

    Strings as they are, numbers and booleans as JSON writes them, lists joined by newlines, a dictionary by its `text`
    (or the one field that holds a string list of parts), one with numeric keys by its values in the order of the keys,
    anything else as nothing.
    """
    if isinstance(value, str):
        return clean(value)
    if value is None or depth > _MAX_NESTING:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Mapping):
        return _text_of_mapping(value, depth)
    if isinstance(value, list | tuple):
        return "\n".join(filter(None, (as_text(item, depth + 1) for item in value)))
    return ""


def _text_of_mapping(value: Mapping[Any, Any], depth: int) -> str:
    if "text" in value:
        return as_text(value["text"], depth + 1)
    keys = [key for key in value if isinstance(key, str) and key.isdecimal()]
    if keys and len(keys) == len(value):
        return "".join(as_text(value[key], depth + 1) for key in sorted(keys, key=int))
    return ""


def as_id(value: Any) -> str | None:
    """A non-empty string or a whole number as an id, else None."""
    if isinstance(value, str):
        return clean(value) or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def as_dict(value: Any) -> dict[str, Any]:
    """`value` where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """`value` where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def seconds(value: Any, *, unit: float = 1.0) -> float | None:
    """Seconds since the epoch of an ISO 8601 string, or of a number counted in `unit` seconds; else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        try:
            time = float(value) * unit
        except OverflowError:
            return None
        return time if math.isfinite(time) else None
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def one_line(text: str, limit: int = 200) -> str:
    """`text` on one line for an error or a terminal: unprintable characters escaped, cut at `limit` characters."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)


def split_at_tags(text: str, opening: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    """Cut `text` into (piece, whether it is a tagged passage); the pieces joined are `text`.

    `opening` matches an opening tag whose name is its first group; a passage runs to the end of its closing tag.
    """
    last = at = 0
    unclosed: set[str] = set()
    while match := opening.search(text, at):
        name = match.group(1)
        end = -1 if name in unclosed else text.find(f"</{name}>", match.end())
        if end < 0:
            unclosed.add(name)
            at = match.end()
            continue
        if last < match.start():
            yield text[last : match.start()], False
        at = end + len(name) + 3
        yield text[match.start() : at], True
        last = at
    if last < len(text):
        yield text[last:], False


def shortest_names(ids: Iterable[str], length: int = 8) -> dict[str, str]:
    """A short name for each id: its first `length` characters where no other id begins so, else the whole id."""
    everything = list(ids)
    taken: dict[str, int] = {}
    for each in everything:
        taken[each[:length]] = taken.get(each[:length], 0) + 1
    return {each: each[:length] if taken[each[:length]] == 1 else each for each in everything}
