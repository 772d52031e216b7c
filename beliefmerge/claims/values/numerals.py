"""Numbers as people write them: digits with separators, English and Chinese number words, halves and dozens."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SMALL = {word: i for i, word in enumerate(_ONES)} | {word: 20 + 10 * i for i, word in enumerate(_TENS)}
_FRACTIONS = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "third": Fraction(1, 3)}
_SUFFIXES = {"k": 10**3, "K": 10**3, "M": 10**6, "mio": 10**6, "bn": 10**9, "B": 10**9}

NUMBER_WORDS = frozenset(_SMALL) | frozenset(_SCALES) | {"dozen"}
"""Words that begin or continue a spelled-out number."""

_ORDINALS = {
    word: i + 1
    for i, word in enumerate(
        (
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
            "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
        ).split()
    )
}

_LONGEST = 100
"""Characters, and decimal places, beyond which digits are a string and no number: reading them takes their square."""
_HUGE = 10**_LONGEST

_DIGITS = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+")
_ORDINAL = re.compile(r"(\d{1,9})(?:st|nd|rd|th)")

_CJK_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_CJK_SCALES = {"十": 10, "百": 100, "千": 1000}
_CJK_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
CJK_NUMERAL = "零〇一二两兩三四五六七八九十百千万萬亿億"
"""Characters a Chinese numeral is made of."""


def digits(text: str) -> Fraction | None:
    """The number `text` spells in digits, thousands separated by commas or thin spaces; None when it is none."""
    if _SPACED.fullmatch(text):
        text = text.replace(" ", "")
    if len(text) > _LONGEST or not _DIGITS.fullmatch(text):
        return None
    return Fraction(text.replace(",", ""))


def ordinal(word: str) -> int | None:
    """3 for "3rd" and "third"; None for anything else."""
    match = _ORDINAL.fullmatch(word)
    return int(match[1]) if match else _ORDINALS.get(word)


def scale_suffix(suffix: str) -> int | None:
    """1000 for "k" as in 20k; case matters (M is a million, m is not)."""
    return _SUFFIXES.get(suffix)


def cjk(text: str) -> Fraction | None:
    """The number a Chinese numeral (also mixed, "1.5万") stands for; None when it is none."""
    if len(text) > _LONGEST:
        return None
    mixed = re.fullmatch(rf"(\d+(?:\.\d+)?)([{''.join(_CJK_MYRIADS)}]?)", text)
    if mixed:
        return Fraction(mixed[1]) * _CJK_MYRIADS.get(mixed[2], 1)
    if not text or any(c not in CJK_NUMERAL for c in text):
        return None
    if all(c in _CJK_DIGITS for c in text):
        return Fraction("".join(str(_CJK_DIGITS[c]) for c in text))
    total, section, digit, scale = 0, 0, 0, 1
    for c in text:
        if c in _CJK_DIGITS:
            digit = _CJK_DIGITS[c]
        elif c in _CJK_SCALES:
            scale = _CJK_SCALES[c]
            section += (digit or 1) * scale
            digit = 0
        else:
            scale = _CJK_MYRIADS[c]
            total += ((section + digit) or 1) * scale
            section = digit = 0
    # 一百五 is 150: a digit right after a scale counts tenths of it.
    tail = digit * (scale // 10) if digit and scale >= 100 and text[-2] not in "零〇" else digit
    return Fraction(total + section + tail)


def words(tokens: Sequence[str], start: int = 0) -> tuple[Fraction, int] | None:
    """The number that `tokens` (lower case, hyphens split) spell from `start`, and where it ends; None when none does.

    Knows "three hundred and five", "2.5 million", "a dozen", "two dozen", "half a million", "one and a half",
    "a quarter". A leading "a" counts only before a scale or a fraction.
    """
    first = tokens[start] if start < len(tokens) else ""
    if first in ("a", "an"):
        following = tokens[start + 1] if start + 1 < len(tokens) else ""
        if following not in _SCALES and following != "dozen" and following not in ("half", "quarter"):
            return None
        start += 1
        first = following
    if first in ("half", "quarter"):
        return _fraction(tokens, start)
    number = _cardinal(tokens, start)
    if number is None:
        return None
    value, end = number
    if list(tokens[end : end + 3]) in (["and", "a", "half"], ["and", "a", "quarter"]):
        return value + _FRACTIONS[tokens[end + 2]], end + 3
    return value, end


def _fraction(tokens: Sequence[str], start: int) -> tuple[Fraction, int]:
    value, end = _FRACTIONS[tokens[start]], start + 1
    if end < len(tokens) and tokens[end] in ("of",):
        end += 1
    if end < len(tokens) and tokens[end] in ("a", "an"):
        end += 1
    if end < len(tokens) and tokens[end] in _SCALES:
        return value * _SCALES[tokens[end]], end + 1
    if end < len(tokens) and tokens[end] == "dozen":
        return value * 12, end + 1
    return value, end


def _cardinal(tokens: Sequence[str], start: int) -> tuple[Fraction, int] | None:
    total, group, i, seen = Fraction(0), Fraction(0), start, False
    while i < len(tokens):
        word = tokens[i]
        number = digits(word) if word[:1].isdigit() and not seen else None
        if number is not None:
            group = number
        elif word in _SMALL and (not seen or _fits(group, _SMALL[word])):
            group += _SMALL[word]
        elif word in _SCALES and group < _HUGE:
            group = (group or Fraction(1)) * _SCALES[word]
            if _SCALES[word] > 100:
                total, group = total + group, Fraction(0)
        elif word == "dozen" and group < _HUGE:
            group = (group or Fraction(1)) * 12
        elif word == "and" and seen and tokens[i - 1] in _SCALES and i + 1 < len(tokens) and tokens[i + 1] in _SMALL:
            i += 1
            continue
        else:
            break
        seen, i = True, i + 1
    return (total + group, i) if seen else None


def _fits(group: Fraction, small: int) -> bool:
    """Whether `small` can follow `group` in one number: forty-two, hundred five; not "two three"."""
    if group == 0 or group % 100 == 0:
        return True
    return small < 10 and group % 10 == 0 and group % 100 >= 20


def show(number: Fraction) -> str:
    """`number` in canonical digits: an integer, a finite decimal, or a fraction."""
    if number.denominator == 1:
        return str(number.numerator)
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"{number.numerator}/{number.denominator}"
    places = 1
    while (number * 10**places).denominator != 1:
        places += 1
    scaled = abs(int(number * 10**places))
    whole, part = divmod(scaled, 10**places)
    return f"{'-' if number < 0 else ''}{whole}.{part:0{places}d}"
