"""Quantities that can be written in two ways: with a larger and a smaller unit, or in words and figures."""

from __future__ import annotations

import random

_UNITS = {
    "km": (2, 1000, "m"),
    "kg": (2, 1000, "g"),
    "hours": (2, 60, "minutes"),
    "weeks": (1, 7, "days"),
}
"""The larger unit: into how many parts its numbers are drawn, how many of the smaller one it is, the smaller one."""
UNITS = frozenset(_UNITS)
"""Words that quantities share and are not told apart by."""
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def draw(rng: random.Random, unit: str) -> str:
    """3 to 38 of a larger unit, halves where they make sense."""
    parts, _, _ = _UNITS[unit]
    return f"{rng.randrange(3 * parts, 38 * parts) / parts:g} {unit}"


def draw_word(rng: random.Random) -> str:
    """Twenty-one to ninety-nine but for round ones, in words."""
    return f"{rng.choice(_TENS)}-{rng.choice(_ONES)}"


def respelled(value: str) -> str:
    """The same quantity in the smaller unit, or in figures."""
    number, _, unit = value.partition(" ")
    if unit:
        _, factor, smaller = _UNITS[unit]
        return f"{float(number) * factor:g} {smaller}"
    ten, one = number.split("-")
    return str(10 * (_TENS.index(ten) + 2) + _ONES.index(one) + 1)
