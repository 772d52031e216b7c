"""The scalars of a JSON text with their dotted paths and places, read without parsing the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_JSON = re.compile(r'"(?:[^"\\\n]|\\.)*"|[{}\[\],:]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null')


class Leaf(NamedTuple):
    """One scalar of a JSON text: dotted path, value as written, and its place in the text."""

    path: str
    value: str
    start: int
    end: int


def json_leaves(text: str, limit: int = 200, depth: int = 6) -> Iterator[Leaf]:
    """The first `limit` scalars of the JSON object `text` with dotted paths; stops at anything that is not JSON.

    Lists of scalars repeat their path; objects in lists are left out, since their index names nothing.
    """
    stack: list[tuple[str, bool]] = []
    key, key_start, expect_key, listed, count = "", 0, False, 0, 0
    at = len(text) - len(text.lstrip())
    for match in _JSON.finditer(text, at):
        if text[at : match.start()].strip():
            return
        at, token = match.end(), match.group()
        if token in "{[":
            in_list = bool(stack) and stack[-1][1]
            listed += in_list and token == "{"
            stack.append((key if not in_list else "", token == "["))
            expect_key = token == "{"
            if len(stack) > depth:
                return
        elif token in "}]":
            if not stack:
                return
            _, was_list = stack.pop()
            if not was_list and stack and stack[-1][1]:
                listed -= 1
            if not stack:
                return
            key = stack[-1][0] if stack[-1][1] else key
        elif token == ",":
            expect_key = bool(stack) and not stack[-1][1]
        elif token == ":":
            expect_key = False
        elif not stack:
            return
        elif expect_key:
            key, key_start = token.strip('"'), match.start()
        elif not listed and token != "null" and len(token) <= 120:
            path = ".".join(part for part, _ in stack if part)
            name = f"{path}.{key}" if path and not stack[-1][1] else path if stack[-1][1] else key
            value = token[1:-1] if token[0] == '"' else token
            if name and value.strip():
                start = match.start() if stack[-1][1] else key_start
                yield Leaf(name, value.replace("\\n", " ").replace('\\"', '"'), start, match.end())
                count += 1
                if count >= limit:
                    return
