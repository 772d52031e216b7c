r"""Escapes: session text inside our own lines, unable to be anything but text, and exactly recoverable.

A field is printed bare when it cannot be mistaken for anything of ours, else between double quotes. Between quotes a
backslash stands before what would open a quote, label, link, heading, fence or HTML tag, and ``\u{HEX}`` stands for
what cannot be seen: control characters, line separators, bidi controls, zero-width and other invisible characters, lone
surrogates, private use. Ordinary sentences, identifiers, paths and URLs have none of these and stay as they are.

Kept although invisible, because ordinary writing needs them: a zero-width joiner between two emoji, a variation
selector after one, and the joiners between Arabic letters and after an Indic virama (Unicode Standard Annex 31,
contexts A1, A2 and B). A combining mark without a letter before it is made visible, else it would change our
quotation mark.
"""

from __future__ import annotations

import re

from beliefmerge.errors import BeliefMergeError


class MalformedBlock(BeliefMergeError):
    """A text is not a block that `beliefmerge.render` could have written."""


_EMOJI = "\u00a9\u00ae\u2122\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_ARABIC = "\u0620-\u065f\u066e-\u06d3\u06fa-\u06ff\u0750-\u077f\u08a0-\u08c9"
_VIRAMA = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2"
_JOINING = (
    f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"
    f"|(?<=[{_EMOJI}])[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    f"|(?<=[{_ARABIC}])[\u200c\u200d](?=[{_ARABIC}])|(?<=[{_VIRAMA}])[\u200c\u200d](?=[\u0900-\u0dff\u1000-\u17ff])"
)
_INVISIBLE = (
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U00013455\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U0001fffe\U0001ffff\U000e0000-\U0010ffff]"
)
_COMBINING = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f]"
_LETTERS = (
    "0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"  # Latin
    "\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"  # Kana, Han, Hangul
)
"""Letters and digits that a bare field may have: scripts with letters that look like Latin ones go between quotes."""
_EVIDENCE = "user|tool|inferred|speculative"
_MARKS = "disputed|retracted|refuted|compatible|conditional|adjudicated|untrusted|trusted"

_ESCAPABLE = '"\\\\<\\[\\]#`~＂＜［］＃｀'
"""What a backslash may stand before, as the inside of a character class."""

_CANDIDATES = f"{_ESCAPABLE}{_INVISIBLE[1:-1]}{_COMBINING[1:-1]}"
_PLAIN = re.compile(f"[^{_CANDIDATES}]*")
"""Text in which nothing can need an escape: most of it, and the long pattern is slow."""
_SPECIAL = re.compile(
    rf"(?=[{_CANDIDATES}])(?:(?P<keep>{_JOINING})"
    rf"|(?P<hex>{_INVISIBLE}|(?:(?<=\s)|\A){_COMBINING})"
    r'|(?P<mark>["＂]|[<＜](?=[A-Za-z/!?Ａ-Ｚａ-ｚ／！？])'
    rf"|[\[［](?=\W{{0,8}}(?i:{_EVIDENCE}|{_MARKS}))|(?<![{_LETTERS}_)\]])[\[［](?!REDACTED:)|[\]］](?=[(（])"
    r"|(?:(?<=\s)|\A)[#＃](?=[#＃]*(?:\s|\Z)))"
    r"|(?P<run>~{3,})"
    rf"|(?P<slash>\\(?=[{_ESCAPABLE}]|u\{{|{_INVISIBLE}|\Z)))"
)
_TICKS = re.compile(r"`+|｀+")
_LONGEST_RUN = 2
"""Backticks that cannot open a fence."""
_UNESCAPE = re.compile(rf"\\(?:u\{{([0-9A-F]{{1,6}})\}}|([{_ESCAPABLE}]))")

_BARE = re.compile(rf"[{_LETTERS}_/.$@%€£¥(+\-](?:[{_LETTERS}_/.$@%€£¥()+\-#&!?*{{}}^~=:,'’°±×µ–—…，。、（） ])*")
_SUSPECT = re.compile(
    rf" (?: |=|#(?![0-9])|\Z)|:(?: |\Z)|\A[0-9]+[.)](?: |\Z)|\A[+\-](?!-?[0-9A-Za-z])|~~~|\Anot(?: |\Z)"
    rf"|\b(?:{_MARKS}|user.stated|tool.verified|inferred|speculative|derived from|unmet)\b",
    re.IGNORECASE,
)


def fold(text: str) -> str:
    """`text` with every run of white space as one space and none at the ends."""
    return " ".join(text.split())


def escape(text: str) -> str:
    """`text` as it stands between our double quotes, without them."""
    if _PLAIN.fullmatch(text):
        return text
    escaped = _SPECIAL.sub(_escaped, text)
    return escaped if _balanced(text) else _TICKS.sub(lambda m: _each(m[0]), escaped)


def unescape(text: str) -> str:
    """The inverse of ``escape``."""
    return _UNESCAPE.sub(_original, text)


def quoted(text: str) -> str:
    """`text` between double quotes."""
    return f'"{escape(text)}"'


def field(text: str) -> str:
    """`text` bare where that is unmistakable, else quoted."""
    if _BARE.fullmatch(text) and not _SUSPECT.search(text):
        return text
    return quoted(text)


def _escaped(match: re.Match[str]) -> str:
    found = match[0]
    if match.lastgroup == "keep":
        return found
    if match.lastgroup == "hex":
        return f"\\u{{{ord(found):X}}}"
    if match.lastgroup == "run":
        return _each(found)
    return "\\" + found


def _each(run: str) -> str:
    return "".join("\\" + character for character in run)


def _balanced(text: str) -> bool:
    """Whether code spans close: runs of backticks pair up, so that none reaches over what we print after the field.

    Those of another width pair by themselves. A run that could be a fence is escaped, and so pairs with none.
    """
    opened = dict.fromkeys("`｀", "")
    for run in _TICKS.findall(text):
        kind = run[0]
        if len(run) > _LONGEST_RUN:
            return False
        if not opened[kind]:
            opened[kind] = run
        elif run == opened[kind]:
            opened[kind] = ""
    return not any(opened.values())


def _original(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[2]
    point = int(match[1], 16)
    if point > 0x10FFFF:
        raise MalformedBlock(f"no such character: {match[0]}")
    return chr(point)
