"""Strict JSON in, canonical JSON out (RFC 8785), without floats.

What is hashed must be readable back as it was by any reader: a duplicate key has two meanings, a float of 2^53 or more
is written as an integer that cannot be read back. Such input is refused, never repaired.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, TypeAlias

import rfc8785

from beliefmerge.errors import BeliefMergeError

JSON: TypeAlias = Any
"""None, bool, int, str, list or dict with str keys, nested. ``parse`` reads floats, ``canonical`` refuses them."""

MAX_DEPTH = 64
MAX_INT = 2**53 - 1

_STRUCTURE = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|([\[{])|([\]}])', re.DOTALL)
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Malformed(BeliefMergeError):
    """The bytes are not JSON with one meaning (HTTP 400)."""


class NotHashable(BeliefMergeError):
    """The value cannot stand in a hashed record (HTTP 422)."""


def parse(data: bytes, *, max_depth: int = MAX_DEPTH) -> JSON:
    """Read one JSON value. Raises Malformed.

    Refused: what is not UTF-8 or not JSON, a duplicate key, NaN and Infinity, a lone surrogate, arrays and objects
    nested deeper than `max_depth`.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"not UTF-8 at byte {error.start}") from error
    _check_depth(data, max_depth)
    try:
        value = json.loads(text, object_pairs_hook=_distinct, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise Malformed(f"not JSON: {error.msg} at character {error.pos}") from error
    except ValueError as error:  # an integer of more digits than Python converts
        raise Malformed(f"not JSON: {str(error).partition(';')[0]}") from error
    if _SURROGATE.search(data):
        _refuse_surrogates(value)
    return value


def canonical(value: JSON) -> bytes:
    """The RFC 8785 form of `value`.

    Raises NotHashable for a float, an integer beyond ±(2^53 − 1), a lone surrogate, or what is not JSON.
    """
    plain_keys = _check(value, 0)
    try:
        if plain_keys:
            # Without floats and with ASCII keys this is RFC 8785 to the byte, several times faster than `rfc8785`;
            # other keys are ordered by UTF-16 units there and by code points here.
            return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
        return rfc8785.dumps(value)
    except (UnicodeEncodeError, rfc8785.CanonicalizationError) as error:
        raise NotHashable("a string holds a lone surrogate") from error


def _check_depth(data: bytes, limit: int) -> None:
    depth = 0
    for found in _STRUCTURE.finditer(data):
        if found[1]:
            depth += 1
            if depth > limit:
                raise Malformed(f"nested deeper than {limit}")
        elif found[2]:
            depth -= 1


def _distinct(pairs: Sequence[tuple[str, JSON]]) -> dict[str, JSON]:
    out = dict(pairs)
    if len(out) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise Malformed(f"duplicate key {key[:80]!a}")
            seen.add(key)
    return out


def _no_constant(name: str) -> JSON:
    raise Malformed(f"{name} is not JSON")


def _refuse_surrogates(value: JSON) -> None:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise Malformed("a string holds a lone surrogate") from error
    elif isinstance(value, list):
        for item in value:
            _refuse_surrogates(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_surrogates(key)
            _refuse_surrogates(item)


def _check(value: JSON, depth: int) -> bool:
    """Refuse what cannot be hashed; whether all keys are ASCII."""
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return True
    if kind is int:
        if not -MAX_INT <= value <= MAX_INT:
            raise NotHashable("an integer lies beyond ±(2^53 − 1)")
        return True
    if depth >= MAX_DEPTH:
        raise NotHashable(f"nested deeper than {MAX_DEPTH}")
    plain = True
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise NotHashable(f"a key is no string but {type(key).__name__}")
            plain &= key.isascii()
            plain &= _check(item, depth + 1)
        return plain
    if kind is list or kind is tuple:
        for item in value:
            plain &= _check(item, depth + 1)
        return plain
    raise NotHashable("a float" if kind is float else f"{kind.__name__} is not JSON")
