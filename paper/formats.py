"""How a value reads in the text.

| format | reads |
|---|---|
| `percent [N]` | 98 % |
| `points [N]` | +4 points |
| `percent interval [N]`, `points interval [N]` | 98 % (94 to 100) |
| `interval [N]` | 0.98 (0.94 to 1.00) |
| `integer` | 12,345 |
| `decimal N` | 3.14 |
| `ratio` | 3.2× |
| `short` | the first ten characters, for hashes |
| `text` | as it is |

``N`` is the number of decimals. A share that is not all or nothing is never rounded to 0 or 100 %: it
gets more decimals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from beliefmerge.errors import UsageError, unknown
from paper.selector import Value

_SPACE = "\u00a0"
_MINUS = "\u2212"
_NEARLY = 1e-9


def shown(value: Value, form: str) -> str:
    """The text of `value` in the format `form`. Raises UsageError for an unknown format or a value it cannot show."""
    match = re.fullmatch(r"(?P<name>[a-z]+(?: [a-z]+)*)(?: (?P<digits>\d))?", form)
    name = match["name"] if match else form
    if match is None or name not in _FORMATS:
        raise unknown("format", name, _FORMATS)
    if name in _NUMERIC and (isinstance(value.value, bool) or not isinstance(value.value, int | float)):
        raise UsageError(f"{value.value!r} is no number, which the format {name!r} needs")
    if name in _NUMERIC and not math.isfinite(value.value):
        raise UsageError(f"{value.value!r} is not finite")
    return _FORMATS[name](value, None if match["digits"] is None else int(match["digits"]))


def _percent(value: Value, digits: int | None) -> str:
    return f"{_share(value.value, digits or 0)}{_SPACE}%"


def _points(value: Value, digits: int | None) -> str:
    text = _signed(value.value, digits or 0)
    return f"{text}{_SPACE}{'point' if text in ('+1', f'{_MINUS}1') else 'points'}"


def _percent_interval(value: Value, digits: int | None) -> str:
    low, high = _limits(value)
    return f"{_percent(value, digits)} ({_share(low, digits or 0)} to {_share(high, digits or 0)})"


def _points_interval(value: Value, digits: int | None) -> str:
    low, high = _limits(value)
    return f"{_points(value, digits)} ({_signed(low, digits or 0)} to {_signed(high, digits or 0)})"


def _interval(value: Value, digits: int | None) -> str:
    places = 2 if digits is None else digits
    low, high = _limits(value)
    return f"{_decimal(value.value, places)} ({_decimal(low, places)} to {_decimal(high, places)})"


def _integer(value: Value, digits: int | None) -> str:
    if digits is not None or value.value != round(value.value):
        raise UsageError(f"{value.value!r} is no whole number; use 'decimal N'")
    return _decimal(value.value, 0)


def _decimals(value: Value, digits: int | None) -> str:
    if digits is None:
        raise UsageError("the format 'decimal N' needs the number of decimals")
    return _decimal(value.value, digits)


def _ratio(value: Value, digits: int | None) -> str:
    places = digits if digits is not None else 0 if value.value >= 10 else 1 if value.value >= 1 else 2
    return f"{_decimal(value.value, places)}×"


def _text(value: Value, digits: int | None) -> str:
    return str(value.value)


def _short(value: Value, digits: int | None) -> str:
    return str(value.value)[:10]


def _decimal(number: float, digits: int) -> str:
    text = f"{number:,.{digits}f}"
    return text.replace("-", _MINUS) if float(text.replace(",", "")) else text.removeprefix("-")


def _share(number: float, digits: int) -> str:
    rounded = _decimal(100 * number, digits)
    if digits < 6 and float(rounded.replace(_MINUS, "-").replace(",", "")) in (0, 100):
        exact = min(abs(number), abs(1 - number)) < _NEARLY
        return rounded if exact else _share(number, digits + 1)
    return rounded


def _signed(number: float, digits: int) -> str:
    text = _decimal(100 * number, digits)
    return text if text.startswith(_MINUS) or float(text.replace(",", "")) == 0 else f"+{text}"


def _limits(value: Value) -> tuple[float, float]:
    if value.low is None or value.high is None:
        raise UsageError("there is no interval: the row has no limits, or the value is calculated")
    return value.low, value.high


_FORMATS: Mapping[str, Callable[[Value, int | None], str]] = {
    "percent": _percent, "points": _points, "percent interval": _percent_interval,
    "points interval": _points_interval, "interval": _interval, "integer": _integer, "decimal": _decimals,
    "ratio": _ratio, "short": _short, "text": _text,
}  # fmt: skip
_NUMERIC = frozenset(_FORMATS) - {"text", "short"}


def names() -> list[str]:
    """The known formats."""
    return sorted(_FORMATS)
