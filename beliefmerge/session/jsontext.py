"""JSON from files nobody vouches for: fast on what is sound, tolerant where it can be, never a crash."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from typing import Any

_LONE = re.compile("[\ud800-\udfff]")
_START = re.compile(r'\{\s*"')
_SPACE = re.compile(r"\s*")
_QUOTE = re.compile(r'\\.|"', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)
_MAX_SPLICED = 1 << 22


class Damaged(ValueError):
    """Bytes that are not one JSON value; ``str`` says why, in few words."""


@functools.cache
def _fast() -> tuple[Callable[[bytes], Any], type[Exception]]:
    import msgspec

    return msgspec.json.decode, msgspec.DecodeError


@functools.cache
def _encoder() -> Callable[[Any], bytes]:
    import msgspec

    return msgspec.json.Encoder().encode


def parse(raw: bytes) -> Any:
    """The JSON value in `raw`, without lone surrogates: U+FFFD stands for each.

    The fast decoder refuses lone surrogates, raw control characters and NaN; those go to the standard library's.

    Raises:
        Damaged: not UTF-8, not JSON, or nested too deeply.
    """
    decode, refused = _fast()
    try:
        return decode(raw)
    except (refused, RecursionError):
        return parse_slowly(raw)


def parse_slowly(raw: bytes) -> Any:
    """The same value as `parse`, by the standard library alone."""
    try:
        return _whole(json.loads(raw.decode("utf-8"), strict=False))
    except UnicodeDecodeError:
        raise Damaged("not UTF-8") from None
    except json.JSONDecodeError as error:
        raise Damaged(f"not JSON: {error.msg} at line {error.lineno} column {error.colno}") from None
    except RecursionError:
        raise Damaged("nested too deeply") from None
    except ValueError:
        raise Damaged("a number with too many digits") from None


def _whole(value: Any) -> Any:
    """`value` with lone surrogates replaced in every string."""
    if isinstance(value, str):
        return _LONE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(each) for key, each in value.items()}
    return value


def resynchronise(raw: bytes, accept: Callable[[Any], bool]) -> list[Any]:
    """The records that can be saved from a line in which one was cut by another, or two share the line.

    A record is an object that `accept` recognises, that is followed by the end of the line or by another object, and
    that stands where no value of the record before it is due: what is left of a cut record is not one.

    The work is bounded: a line over 4 MiB is not searched, and all attempts together read it some eight times.
    """
    if len(raw) > _MAX_SPLICED or b"{" not in raw:
        return []
    text = raw.decode("utf-8", "surrogateescape")
    found: list[Any] = []
    at, budget, strings = 0, 8 * len(text), _Strings(text)
    while budget > 0 and (match := _START.search(text, at)):
        start = match.start()
        try:
            value, end = _DECODER.raw_decode(text, start)
            value = _whole(value)
        except json.JSONDecodeError as error:
            # The error itself counts the lines before it, at some 32 characters for one that is parsed.
            budget -= max(1, error.pos - start) + error.pos // 32
            at = start + 1
            continue
        except (ValueError, RecursionError):
            break
        budget -= end - start
        if (
            _LONE.search(text, start, end) is None
            and _followed(text, end)
            and accept(value)
            and not _value_due(text, start, strings)
        ):
            found.append(value)
        at = end
    return found


def _followed(text: str, end: int) -> bool:
    """Whether the line, or another object, comes after what ends at `end`."""
    match = _SPACE.match(text, end)
    after = match.end() if match else end
    return after == len(text) or text[after] == "{"


def _value_due(text: str, start: int, strings: _Strings) -> bool:
    """Whether a value inside a record is due at `start`; within a string that was cut short none is."""
    before = start
    while before and text[before - 1].isspace():
        before -= 1
    return not strings.open_at(start) and text[before - 1 : before] in (":", ",", "[")


class _Strings:
    """Where in a text strings are open, asked for from left to right, so that each character is looked at once."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._open = text, 0, False

    def open_at(self, place: int) -> bool:
        """Whether a string that began before `place` has not ended there; `place` grows from call to call."""
        for match in _QUOTE.finditer(self._text, self._at, place):
            self._open ^= match[0] == '"'
            self._at = match.end()
        return self._open


def compact(value: Any) -> str:
    """`value` as JSON on one line; empty where it is nested too deeply to write."""
    try:
        return _encoder()(value).decode()
    except (RecursionError, ValueError, TypeError):
        return _compact_slowly(value)


def _compact_slowly(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (RecursionError, ValueError, TypeError):
        return ""
