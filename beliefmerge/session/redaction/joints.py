"""What stands between a label and its value, and the value: one bounded match from the end of the label."""

from __future__ import annotations

import re
from enum import Enum

CJK = r"\u2018-\u201f\u2026\u3000-\u303f\u3400-\u9fff\uff00-\uffef"
"""Ranges of East Asian letters and marks, and of typographic quotes: none of them is part of a bare value."""

BARE_LIMIT = 256
"""Characters of a bare value that are matched at first: a value is seldom longer, and labels can be many."""

_VALUE = rf"""
    (?: [*_]{{0,2}} \\{{1,3}} ["'] (?P<escaped>[^"'\\\n]{{1,1024}}) \\{{1,3}} ["']
      | [*_]{{0,2}} "(?P<double>[^"\\\n]{{1,1024}}(?:\\.[^"\\\n]{{0,1024}}){{0,8}})"
      | [*_]{{0,2}} '(?P<single>[^'\\\n]{{1,1024}}(?:\\.[^'\\\n]{{0,1024}}){{0,8}})'
      | [*_]{{0,2}} `(?P<tick>[^`\n]{{1,1024}})`
      | [“‘「『](?P<wide>[^“”‘’「」『』\n]{{1,512}})[”’」』]
      | [*_]{{0,2}} (?:\\{{0,3}}["'`])?
        (?P<bare>[^\s"'`\\,;<>(){{}}\[\]|{CJK}][^\s"'`\\,;<>{CJK}]{{2,{BARE_LIMIT - 1}}})
    )"""
_FILLER = r"(?:\s(?:for|of|to|on|in|at)\s[^\n.:=,;?!]{1,40}?(?=\s(?:is|was|are)\b|\s?[:=：＝]))"
_NATURAL = r"""
    (?: \s{1,3}(?:is|was|are|will\sbe|should\sbe|has\sbeen|equals)
        (?:\s(?:now|still|currently|simply|just|actually))?
        (?:\s(?:set|changed|reset|updated|rotated|equal)\sto)? (?:\s?:)? \s{1,3}
      | \s{1,3}(?:set|changed|reset|updated|rotated)\sto (?:\s?:)? \s{1,3}
      | (?:的值)?\s?(?:已经|已|现在|目前|还|就|仍)?被?
        (?:是|为|為|改为|改成|改為|设为|设成|设置为|設為|更新为|更新成|换成|变成|等于)了?\s?[:：]?\s?
    )"""
AFTER = re.compile(
    rf"""s? (?P<suffix>(?:[-_][a-z0-9]{{1,16}}){{0,2}}) (?:\s?value)?
         (?: [*_]{{0,2}} (?:\\{{0,3}}["'`”’」』])? \]? [*_]{{0,2}} )
         (?: \s?[(（][^()（）\n]{{1,40}}[)）] )?
         (?: \s?:\s?(?:str|string|secretstr|bytes|text|any)(?:\s?\|\s?(?:none|null|undefined))?(?=\s?=) )?
         {_FILLER}?
         (?: (?P<tight>
               \s{{0,8}} (?: :=|=>|={{1,3}}|->|→|[:：＝](?!//)|\s\|\s|\s[-–—](?=\s) ) \s{{0,8}} (?:```\w{{0,10}}\n)? )
           | (?P<pair> ,\s{{0,8}}\\{{0,3}}["']value\\{{0,3}}["']\s{{0,4}}:\s{{0,4}} )
           | (?P<element> > )
           | (?P<call> \(\s{{0,2}}(?=["'\\]) )
           | (?P<natural> {_NATURAL} )
           | (?P<adjacent> (?<=[\u3400-\u9fff])[ \t]{{0,3}} )
           | (?P<space> [ \t]{{1,3}} )
         )
         {_VALUE}""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
"""Suffix of the label, closing quotes, a parenthesis, a type, "for staging"; then the joint; then the value."""

_QUOTED = ("escaped", "double", "single", "tick", "wide")


class Joint(Enum):
    """What joins a value to its label."""

    ASSIGNED = "="
    NATURAL = "is"
    APART = "the next line or cell, or an argument"
    SPACE = "a space"


def joint(after: re.Match[str]) -> Joint:
    """The joint of a match of `AFTER`. In Chinese nothing need stand between a label and its value."""
    if after["tight"] is not None:
        return Joint.APART if "\n" in after["tight"] or "|" in after["tight"] else Joint.ASSIGNED
    if after["call"] is not None:
        return Joint.APART
    if after["natural"] is not None or after["adjacent"] is not None:
        return Joint.NATURAL
    return Joint.SPACE if after["space"] is not None else Joint.ASSIGNED


def quoted(after: re.Match[str]) -> str | None:
    """The value of a match of `AFTER` if it stands in quotes."""
    return next((after[name].strip() for name in _QUOTED if after[name] is not None), None)
