"""Values as they are compared: "sixty seconds", "60 s" and "1 min" are one; 30 ms and 30 s are two.

A value has an identity, the text two spellings of it share, and a kind, which says what it can be compared with: the
office being in Tokyo and the office being closed do not oppose each other, since a place and a state differ in kind.
"""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from beliefmerge.claims.values import calendar, numerals, units


class Value(NamedTuple):
    """What a spelling means: `identity` for comparison, `kind` for comparability."""

    identity: str
    kind: str


UNTYPED = ("name", "word", "phrase", "identifier")
"""Kinds of values that are words and no more."""
NOMINAL = (*UNTYPED, "path", "address")
"""Kinds of values that name something."""
YES, NO = Value("yes", "boolean"), Value("no", "boolean")
_TRUE = "yes true on enabled enable activated 是 开 开启 启用 已启用 已开启 打开 真 y".split()
_FALSE = "no false off disabled disable deactivated 否 关 关闭 禁用 已禁用 已关闭 停用 假 n".split()
_BOOLEANS = dict.fromkeys(_TRUE, YES) | dict.fromkeys(_FALSE, NO)
_BOOLEANS |= dict.fromkeys(("switched on", "turned on"), YES) | dict.fromkeys(("switched off", "turned off"), NO)
WILDCARDS = frozenset(
    "none null nil unlimited infinite infinity auto automatic default unset undefined n/a 无 无限 不限 默认".split()
)
"""Values that fit a slot of any kind."""

_WRAPPING = "\"'`*“”‘’«»「」『』《》<>"
_TRAILING = " \t.,;:!?。，；：！？、…"
_APPROXIMATE = re.compile(
    r"^(?:about|around|roughly|approximately|approx\.?|circa|ca\.|exactly|precisely|just|only|currently|now|simply|"
    r"a total of|大约|大概|约|左右|正好|~|≈|±)\s*"
)
_BOUNDS = {
    "<=": (
        r"at most|no more than|not more than|up to|a maximum of|maximum of|max\.?|maximum|at the most|"
        r"no later than|最多|不超过|至多|<=|≤"
    ),
    ">=": (
        r"at least|no less than|not less than|no fewer than|a minimum of|minimum of|min\.?|minimum|最少|至少|"
        "不少于|不低于|>=|≥"
    ),
    ">": r"more than|over|above|greater than|超过|大于|>",
    "<": r"less than|under|below|fewer than|小于|低于|少于|<",
}
_BOUND = re.compile("^(?:" + "|".join(f"(?P<b{i}>{p})" for i, p in enumerate(_BOUNDS.values())) + r")\s*(?=[\d\w$€£¥])")
_ARTICLE = re.compile(r"^(?:the|a|an|our|der|die|das|ein|eine|le|la|les|un|une|el|los|las|una|il|lo)\s+")
_VERSION = re.compile(r"v?\d+(?:\.\d+){2,}(?:[-+.]?[a-z0-9.]+)?|v\d+(?:\.\d+)*")
_ADDRESS = re.compile(
    r"(?:https?|ftp|ssh|file|s3|git)://\S+|[\w.+-]+@[\w-]+\.[\w.]+|\d{1,3}(?:\.\d{1,3}){3}(?::\d+|/\d+)?"
)
_PATH = re.compile(
    r"(?:~|\.{1,2})?/[\w.@~+-]+(?:/[\w.@~+-]*)*|[a-z]:\\\S+|[\w-]+(?:/[\w.-]+)+\.\w+|[\w-]+\.(?:py|js|ts|json|ya?ml|"
    r"toml|md|txt|csv|sh|go|rs|java|c|h|cpp|html|css|sql|ini|cfg|lock|parquet)"
)
_WORDS = re.compile(r"\d+(?:st|nd|rd|th)\b|\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[^\W_]+(?:'[^\W\d_]+)?|[^\w\s]+|_")
_NUMERIC = re.compile(
    r"(?P<sign>-|−|minus )?(?P<pre>us\$|[cak]\$|[$€£¥￥₹₩₽])? ?(?P<num>\d{1,3}(?: \d{3})+(?!\d)|"
    r"\d[\d,]*(?:\.\d+)?)(?P<rest>.*)",
    re.S,
)
_RANGE = re.compile(r"(\d[\d,]*(?:\.\d+)?) ?(?:-|–|—|to|~|至|到) ?(\d.*)", re.S)
_GODURATION = re.compile(r"(?:\d{1,30}(?:\.\d{1,30})?(?:h|m|s|ms|d))+")
_GOPART = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s|d)")
_ZEROS_MATTER = re.compile(r".*\..*0|0\d+")
"""Perhaps a version, 3.10 is not 3.1, or a postal or telephone code."""
_SCIENTIFIC = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?e[+-]?\d{1,2}")
_CJK_NUMBER = re.compile(rf"(\d+(?:\.\d+)?[万萬亿億]|[{numerals.CJK_NUMERAL}]+|半)(个)?(.*)", re.S)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NOT_COUNTED = frozenset(
    "in on at by from to with for of per and or is are was but than as if when out up down more less other".split()
)
_TIMES = {"once": "1", "twice": "2", "thrice": "3"}
_IRREGULAR = {
    "people": "person",
    "persons": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "indices": "index",
}


_LONGEST = 300
"""Characters beyond which a text is no number, date, path or address: to tell takes their square, or recursion."""
_LETTERS = re.compile(r"[a-zß-öø-ÿ]+(?:[ -][a-zß-öø-ÿ]+)*")
_ARTICLES = frozenset("the der die das ein eine le la les un une el los las una il lo our".split())
_MAGIC = (
    frozenset(
        "a an about around roughly approximately approx circa ca exactly precisely just only currently now simply "
        "at at no not up max maximum min minimum least most more less greater "
        "over above under below fewer every each once twice thrice half quarter noon midday midnight minus day month "
        "night year first second third fourth fifth sixth seventh eighth ninth tenth "
        "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split()
    )
    | numerals.NUMBER_WORDS
    | frozenset(calendar.WEEKDAY)
    | frozenset(f"{day}s" for day in calendar.WEEKDAY)
    | frozenset(calendar.MONTH)
    | frozenset(word for phrase in calendar.FREQUENCIES for word in phrase.split())
)
"""Words that may make a phrase of letters something other than a name."""


def plain(text: str) -> str:
    """`text` half width, on one line, without the quotes, markup and punctuation around it; case kept."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    text = " ".join(text.split())
    while True:
        shorter = text.strip(_WRAPPING).rstrip(_TRAILING).lstrip(" ,;:")
        if len(shorter) == len(text):
            return text
        text = shorter


def normalise(text: str) -> str:
    """The identity of `text` as a value: equal for two spellings of one value. Empty only for blank text."""
    return read(text).identity


@lru_cache(maxsize=1 << 16)
def read(text: str) -> Value:
    """Identity and kind of `text` as a value.

    Kinds: `boolean`, `none`, `weekday`, `date`, `month`, `time`, `frequency`, `version`, `address`, `path`, `number`,
    a dimension (`duration`, `data`, `length`…), `money`, `count:<noun>`, `identifier`, `name` (with a capital),
    `word`, `phrase` (five words or more).
    """
    cased = plain(text)
    folded = cased.casefold()
    if not folded:
        return Value(text.strip().casefold(), "word")
    if folded in _BOOLEANS:
        return _BOOLEANS[folded]
    if folded.startswith("not ") and folded[4:] in _BOOLEANS:
        return NO if _BOOLEANS[folded[4:]] is YES else YES
    if folded in WILDCARDS:
        return Value(folded, "none")
    if _LETTERS.fullmatch(folded) and _MAGIC.isdisjoint(words := folded.replace("-", " ").split()):
        kept = words[1:] if words[0] in _ARTICLES and len(words) > 1 else words
        return Value(" ".join(kept), _shape(cased, " ".join(kept)))
    if len(folded) > _LONGEST:
        return _untyped(cased, folded)
    if stripped := _APPROXIMATE.match(folded):
        return read(cased[stripped.end() :]) if stripped.end() < len(cased) else Value(folded, "word")
    if folded.startswith(("every ", "each ")) and len(folded.split()) <= 5:
        inner = read(cased.split(" ", 1)[1])
        if inner.kind not in (*UNTYPED, "none", "weekday"):
            return Value(f"every {inner.identity}", f"every {inner.kind}")
    if bound := _BOUND.match(folded):
        inner = read(cased[bound.end() :])
        if inner.kind not in (*UNTYPED, "none"):
            sign = list(_BOUNDS)[int((bound.lastgroup or "b0")[1:])]
            return Value(f"{sign} {inner.identity}", inner.kind)
    return _typed(cased, folded) or _untyped(cased, folded)


def _typed(cased: str, folded: str) -> Value | None:
    span = _RANGE.fullmatch(folded)
    if span and (found := _ranged(span[1], cased[span.start(2) :], span[2])):
        return found
    when = calendar.read(folded, capital=cased[0].isupper())
    if when:
        return Value(*when)
    if (
        folded[0].isdigit()
        or folded[0] in "v/~.$€£¥￥₹₩₽-−"
        or "/" in folded
        or "@" in folded
        or "." in folded
        or folded.startswith("minus ")
    ):
        if _ADDRESS.fullmatch(folded):
            return Value(cased if "/" in cased else folded, "address")
        if _PATH.fullmatch(folded):
            return Value(cased, "path")
        if _VERSION.fullmatch(folded):
            return Value(folded.removeprefix("v"), "version")
    if _CJK.search(folded):
        found = _cjk_quantity(folded)
        if found:
            return found
    return _quantity(cased, folded)


def _ranged(low: str, cased: str, folded: str) -> Value | None:
    """“2-4 players”: both ends, of the kind of the upper one; None for dates, scores and codes."""
    upper = _quantity(cased, folded)
    rest = re.sub(r"^\d[\d,]*(?:\.\d+)?", "", cased)
    lower = _quantity(low + rest, (low + rest).casefold())
    if lower is None or upper is None or lower.kind != upper.kind or re.match(r"\d+[-–]", folded):
        return None
    first, last = lower.identity.split(" ")[0], upper.identity.split(" ")[0]
    if upper.kind == "number" and not (last.isdigit() and first.isdigit() and int(first) < int(last)):
        return None
    return Value(f"{first}-{upper.identity}", "range" if upper.kind == "number" else upper.kind)


def _quantity(cased: str, folded: str) -> Value | None:
    """`folded` as a number with or without a unit: in digits, else in words."""
    if _SCIENTIFIC.fullmatch(folded):
        return Value(numerals.show(Fraction(folded)), "number")
    if _GODURATION.fullmatch(folded) and not folded.isdigit() and not cased.endswith("M"):
        return _compound(folded)
    match = _NUMERIC.fullmatch(folded)
    if match is None or (match["rest"][:1] and (match["rest"][0].isdigit() or match["rest"][0] == ".")):
        return _spelled(cased, folded)
    number = numerals.digits(match["num"])
    if number is None:
        return None
    rest = cased[match.start("rest") :]
    if match["sign"]:
        number = -number
    attached = not rest.startswith(" ")
    if not rest and not match["pre"] and _ZEROS_MATTER.fullmatch(match["num"]):
        return Value(folded, "number")
    if match["pre"]:
        scaled = _scaled(number, rest.strip(), attached)
        code = units.currency(match["pre"])
        return Value(f"{numerals.show(scaled)} {code}", "money") if scaled is not None and code else None
    return _measured(number, rest, attached)


def _spelled(cased: str, folded: str) -> Value | None:
    """Number words with a unit: "three hundred seconds", "half an hour", "an hour and a half", "twice a day"."""
    tokens = folded.replace("-", " ").split()
    if not tokens:
        return None
    if tokens[0] in _TIMES:
        return Value(" ".join([_TIMES[tokens[0]], "time", *_singulars(tokens[1:])]), "frequency")
    if tokens[0] in ("a", "an", "one") and len(tokens) > 1 and units.unit(tokens[1]):
        tail = tokens[2:]
        if not tail:
            return _measured(Fraction(1), " " + tokens[1], False)
        if tail in (["and", "a", "half"], ["and", "half"]):
            return _measured(Fraction(3, 2), " " + tokens[1], False)
    number = numerals.words(tokens)
    if number is None or number[1] > len(tokens):
        return None
    value, end = number
    rest = tokens[end:]
    if rest[:1] and rest[0] in ("a", "an", "of") and tokens[0] in ("half", "quarter", "a"):
        rest = rest[1:]
    if not rest:
        return Value(numerals.show(value), "number")
    if len(rest) > 5 or any(not re.fullmatch(r"[\w'%°$€/]+", word) for word in rest):
        return None
    return _measured(value, " " + " ".join(rest), False)


def _measured(number: Fraction, rest: str, attached: bool) -> Value | None:
    """A number followed by `rest`: nothing, a scale, a unit, a currency, a counted noun, or more quantities."""
    spelling = rest.strip()
    if not spelling:
        return Value(numerals.show(number), "number")
    scaled = _scaled(number, spelling, attached)
    if scaled is not None:
        return Value(numerals.show(scaled), "number")
    if attached and spelling[0] in "-_–" and spelling[1:]:
        if not re.fullmatch(r"[-–][^\W\d_]+(?: [^\W\d_]+)*", spelling):
            return None
        spelling, attached = spelling[1:], False
    unit = units.unit(spelling, attached=attached)
    if unit:
        return Value(f"{numerals.show(number * unit.factor + unit.offset)} {unit.base}", unit.dimension)
    head, _, tail = spelling.partition(" ")
    scale = numerals.scale_suffix(head) if attached or head == "M" else None
    if head.casefold() in ("thousand", "million", "billion", "hundred"):
        scale = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}[head.casefold()]
    if scale is not None and tail:
        return _measured(number * scale, " " + tail, False)
    code = units.currency(spelling)
    if code:
        return Value(f"{numerals.show(number)} {code}", "money")
    return _counted(number, spelling, attached)


def _scaled(number: Fraction, suffix: str, attached: bool) -> Fraction | None:
    """`number` times what `suffix` scales by: nothing, k, M, thousand, million…; None when it is no scale."""
    if not suffix:
        return number
    factor = numerals.scale_suffix(suffix) if attached and suffix != "B" else None
    if factor is None:
        factor = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "bn": 10**9, "mn": 10**6}.get(
            suffix.casefold()
        )
    return number * factor if factor else None


def _counted(number: Fraction, spelling: str, attached: bool) -> Value | None:
    """A counted noun ("3 replicas"), a unit of something ("200 g of butter"), or two quantities ("1 h 30 min")."""
    words = spelling.casefold().split()
    for size in (2, 1):
        unit = units.unit(" ".join(words[:size]), attached=attached) if len(words) > size else None
        if unit is None:
            continue
        rest = words[size:]
        amount = number * unit.factor + unit.offset
        second = read(" ".join(rest[1:] if rest[0] == "and" else rest))
        if second.kind == unit.dimension and second.identity.endswith(f" {unit.base}"):
            return Value(f"{numerals.show(amount + Fraction(second.identity.split()[0]))} {unit.base}", unit.dimension)
        if rest[0] in ("long", "wide", "high", "tall", "deep", "old", "away", "each", "late", "early", "thick"):
            return Value(" ".join([numerals.show(amount), unit.base, *rest]), f"{unit.dimension} {rest[0]}")
        if len(rest) <= 4 and rest[0] in ("of", "per", "a", "an", "before", "after", "from"):
            return Value(
                " ".join([numerals.show(amount), unit.base, *_singulars(rest)]),
                " ".join([unit.dimension, *_singulars(rest)]),
            )
        return None
    if (
        attached
        or len(words) > 4
        or words[0] in _NOT_COUNTED
        or not all(re.fullmatch(r"[^\W\d_][\w'-]*", w) for w in words)
    ):
        return None
    nouns = " ".join(_singulars(words))
    often = len(words) > 2 and words[0] in ("times", "time") and words[1] in ("a", "an", "per")
    return Value(f"{numerals.show(number)} {nouns}", "frequency" if often else f"count:{nouns}")


def _compound(text: str) -> Value:
    """A duration as programs write it: "1h30m", "90s"."""
    factors = {"h": Fraction(3600), "m": Fraction(60), "s": Fraction(1), "ms": Fraction(1, 1000), "d": Fraction(86400)}
    total = sum((Fraction(number) * factors[unit] for number, unit in _GOPART.findall(text)), Fraction(0))
    return Value(f"{numerals.show(total)} s", "duration")


def _cjk_quantity(folded: str) -> Value | None:
    """三十秒, 两个小时, 半小时, 1.5万元, 百分之五十, 三个副本."""
    compact = folded.replace(" ", "")
    if compact.startswith("百分之"):
        percent = numerals.cjk(compact[3:])
        return Value(f"{numerals.show(percent)} %", "percent") if percent is not None else None
    match = _CJK_NUMBER.fullmatch(compact)
    if match:
        number = Fraction(1, 2) if match[1] == "半" else numerals.cjk(match[1])
    else:
        match = re.fullmatch(r"(\d+(?:\.\d+)?)(个)?(.*)", compact, re.S)
        number = numerals.digits(match[1]) if match else None
    if match is None or number is None or (len(match[1]) == 1 and match[1] in "一万千百" and not units.unit(match[3])):
        return None
    rest = match[3]
    if not rest:
        return Value(numerals.show(number), "number")
    if rest.startswith("半") and units.unit(rest[1:]):
        number, rest = number + Fraction(1, 2), rest[1:]
    unit = units.unit(rest)
    if unit:
        return Value(f"{numerals.show(number * unit.factor + unit.offset)} {unit.base}", unit.dimension)
    code = units.currency(rest)
    if code:
        return Value(f"{numerals.show(number)} {code}", "money")
    if len(rest) > 6 or re.search(r"[\d\W]", rest):
        return None
    return Value(f"{numerals.show(number)} {rest}", f"count:{rest}")


def _untyped(cased: str, folded: str) -> Value:
    """Anything else: number words become digits, articles and separators go."""
    bare = folded
    while article := _ARTICLE.match(bare):
        bare = bare[article.end() :]
    if bare != folded and bare and len(bare) <= _LONGEST:
        inner = _quantity(cased[len(cased) - len(bare) :], bare)
        if inner and inner.kind.startswith("count:"):
            return inner
    words = _WORDS.findall(bare.replace("_", " "))
    out: list[str] = []
    i = 0
    while i < len(words):
        number = numerals.words(words, i) if words[i] in numerals.NUMBER_WORDS or words[i][0].isdigit() else None
        if number is not None and not (words[i][0].isdigit() and "." in words[i]):
            out.append(numerals.show(number[0]))
            i = number[1]
            continue
        place = numerals.ordinal(words[i])
        out.append(f"{place}th" if place is not None and (len(words) > 1 or words[i][0].isdigit()) else words[i])
        i += 1
    identity = _joined(out, bare)
    return Value(identity or folded, _shape(cased, identity))


def _joined(words: list[str], original: str) -> str:
    if _CJK.search(original):
        return re.sub(r"(?<=[\u3040-\u9fff\uac00-\ud7af]) (?=[\u3040-\u9fff\uac00-\ud7af])", "", original)
    kept = [word for word in words if word not in ("-", "–", "—", "/", "_")]
    return " ".join(kept) if kept else original


def _shape(cased: str, identity: str) -> str:
    if identity.count(" ") >= 5 or len(identity) > 60:
        return "phrase"
    if " " not in cased and re.search(r"[\d_\-./:#@]", cased):
        return "identifier"
    return "word" if cased == cased.lower() else "name"


def _singulars(words: list[str]) -> list[str]:
    return [singular(word) for word in words]


def may_be_typed(words: Iterable[str]) -> bool:
    """Whether any of `words` (lower case) could belong to a typed value: a digit, a number word, a day."""
    return any(word in _MAGIC or not word.isalpha() for word in words)


def singular(word: str) -> str:
    """A light stem that folds English plurals and third persons: "replicas" and "replica", "deploys" and "deploy"."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 3 or word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]
