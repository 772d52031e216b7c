"""`label = value`: credentials that only what stands before them gives away, in English and Chinese.

A label is looked for first and the rest matched from its end, so a text without labels costs one scan and a label
costs a bounded amount, whatever follows it. How much a value must look like a credential depends on the label (a
password may be weak, a token is made by a machine) and on what joins them (`=`, "is", or nothing but a space).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from beliefmerge.session.redaction.secret import Secret
from beliefmerge.session.redaction.strength import ORDINARY, Strength, is_identifier, is_whole_only, rate

LABELS = (
    "pass(?:word|wd|phrase|code|[-_ ](?:word|phrase|code))|pwd|密码|密碼|口令"
    "|api[-_ .]?key|密钥|秘钥|密鑰|秘鑰|密匙|金鑰"
    "|token|令牌"
    "|secret[-_ ]?access[-_ ]?key|secret[-_ ]?key|secret|私钥|私鑰|授权码|授權碼"
    "|access[-_ ]?key|account[-_ ]?key|auth[-_ ]?key|encryption[-_ ]?key|license[-_ ]?key|master[-_ ]?key"
    "|private[-_ ]?key|shared[-_ ]?key|signing[-_ ]?key|webhook[-_ ]?key"
    r"|accesssignature|x-amz-signature|x-goog-signature|[?]sig|&sig"
    "|-pass|_pass|_key|credentials?|凭证|凭据|憑證"
)
"""Every label, in lower case and in the syntax RE2 and `re` share: the prefilter looks for the same."""

# Each branch begins with a literal and no group is named: then `re` skips ahead by first characters.
_LABEL = re.compile(LABELS)
_PASSWORD = re.compile("pass[a-z]|pass[-_ ][wpc]|pwd|密码|密碼|口令")
_API_KEY = re.compile("api|密钥|秘钥|密鑰|秘鑰|密匙|金鑰")
_TOKEN = re.compile("token|令牌")
_VAGUE = re.compile("[-_]pass|_key|credential|凭证|凭据|憑證")
_PUBLIC = re.compile(r"public[-_ ]?(?:key[-_ ]?)?\Z")

_CJK = r"\u2018-\u201f\u2026\u3000-\u303f\u3400-\u9fff\uff00-\uffef"
_VALUE = rf"""
    (?: [*_]{{0,2}} (?P<esc>\\{{1,3}}) ["'] (?P<escaped>[^"'\\\n]{{1,1024}}) \\{{1,3}} ["']
      | [*_]{{0,2}} "(?P<double>[^"\\\n]{{1,1024}}(?:\\.[^"\\\n]{{0,1024}}){{0,8}})"
      | [*_]{{0,2}} '(?P<single>[^'\\\n]{{1,1024}}(?:\\.[^'\\\n]{{0,1024}}){{0,8}})'
      | [*_]{{0,2}} `(?P<tick>[^`\n]{{1,1024}})`
      | [“‘「『](?P<wide>[^“”‘’「」『』\n]{{1,512}})[”’」』]
      | [*_]{{0,2}} (?:\\{{0,3}}["'`])? (?P<bare>[^\s"'`\\,;<>(){{}}\[\]|{_CJK}][^\s"'`\\,;<>{_CJK}]{{2,4095}})
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
_AFTER = re.compile(
    rf"""(?P<suffix>(?:[-_][a-z0-9]{{1,16}}){{0,2}}) (?:\s?value)?
         (?: [*_]{{0,2}} (?:\\{{0,3}}["'`”’」』])? \]? [*_]{{0,2}} )
         (?: \s?[(（][^()（）\n]{{1,40}}[)）] )?
         (?: \s?:\s?(?:str|string|secretstr|bytes|text|any)(?:\s?\|\s?(?:none|null|undefined))?(?=\s?=) )?
         {_FILLER}?
         (?: (?P<tight> \s{{0,8}} (?: :=|=>|={{1,3}}|->|→|[:：＝](?!//)|\s\|\s ) \s{{0,8}} (?:```\w{{0,10}}\n)? )
           | (?P<pair> ,\s{{0,8}}\\{{0,3}}["']value\\{{0,3}}["']\s{{0,4}}:\s{{0,4}} )
           | (?P<element> > )
           | (?P<natural> {_NATURAL} )
           | (?P<space> [ \t]{{1,3}} )
         )
         {_VALUE}""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
_QUOTED = ("escaped", "double", "single", "tick", "wide")
_NOT_SECRET_SUFFIX = re.compile(
    r"[-_](?:id|ids|count|budget|limit|max|min|type|kind|name|names|url|uri|path|file|dir|hash|digest|length|len|size|"
    r"ttl|expir\w*|policy|field|format|version|ref|arn|index|offset|usage|cost|price|at|by)(?![a-z0-9])",
    re.ASCII | re.IGNORECASE,
)
_CONNECTION = re.compile(
    r"(?:server|data source|host|hostaddr|user id|uid|username|user|database|initial catalog|dbname|endpoint|"
    r"accountname)\s?=",
    re.ASCII | re.IGNORECASE,
)
_OPTION = re.compile(r"(?<![\w-])--?[a-z0-9_-]{0,40}\Z", re.ASCII | re.IGNORECASE)
_NEIGHBOURHOOD = 200


class Joint(Enum):
    """What stands between a label and its value, from the most to the least telling."""

    ASSIGNED = "="
    NATURAL = "is"
    APART = "on the next line, or in the next cell"
    SPACE = " "


class Label(NamedTuple):
    """A label found in a text: its group, and where it starts."""

    group: str
    start: int
    end: int


def find_labelled(text: str, lower: str) -> Iterator[Secret]:
    """Values in `text` that a label before them makes credentials."""
    position = 0
    while match := _LABEL.search(lower, position):
        position = match.end()
        if (after := _AFTER.match(text, position)) is None or _PUBLIC.search(
            lower, max(0, match.start() - 12), match.start()
        ):
            continue
        for secret in _accept(text, Label(_group(match[0]), match.start(), match.end()), after):
            position = max(position, after.end())
            yield secret


def _group(label: str) -> str:
    if _VAGUE.match(label):
        return "vague"
    if _PASSWORD.match(label):
        return "password"
    return "api-key" if _API_KEY.match(label) else "token" if _TOKEN.match(label) else "secret"


def _accept(text: str, label: Label, after: re.Match[str]) -> Iterator[Secret]:
    quoted = next((after[name] for name in _QUOTED if after[name] is not None), None)
    if after["tight"] == ":" and text[label.start - 1 : label.start] == ":":
        return  # a resource name: arn:aws:...:secret:name
    value = quoted.strip() if quoted is not None else _trim(text, label, after)
    if not value or (quoted is not None and len(value.split()) > 1) or _NOT_SECRET_SUFFIX.search(after["suffix"]):
        return
    strength, joint, option = rate(value), _joint(after), _is_option(text, label)
    if strength < _needed(label, after, joint, option):
        if strength is not Strength.WORD or value.lower() in ORDINARY:
            return
        if not _is_certain(text, label, after, option, quoted is not None):
            return
    if joint is Joint.SPACE and not option and is_identifier(value):
        return
    kind = "secret" if label.group == "vague" else label.group
    if kind == "password" and _is_connection(text, label, after):
        kind = "connection-string"
    yield Secret(value, kind, is_whole_only(value, strength))


def _joint(after: re.Match[str]) -> Joint:
    if after["tight"] is not None:
        return Joint.APART if "\n" in after["tight"] or "|" in after["tight"] else Joint.ASSIGNED
    if after["natural"] is not None:
        return Joint.NATURAL
    return Joint.SPACE if after["space"] is not None else Joint.ASSIGNED


def _needed(label: Label, after: re.Match[str], joint: Joint, option: bool) -> Strength:
    """The least strength a value needs after this label and joint."""
    if label.group == "vague" or after["suffix"] or joint is Joint.APART or (joint is Joint.SPACE and not option):
        return Strength.RANDOM
    return Strength.WEAK if label.group == "password" else Strength.FAIR


def _is_option(text: str, label: Label) -> bool:
    """Whether the label is the end of a command-line option, which a space joins to its value."""
    return _OPTION.search(text, max(0, label.start - 42), label.start) is not None


def _is_certain(text: str, label: Label, after: re.Match[str], option: bool, quoted: bool) -> bool:
    """Whether a password follows even if it is a plain word: connection strings, `--password=`, `DB_PASSWORD=`."""
    if label.group != "password" or after["suffix"] or (after["tight"] or "") != "=":
        return False
    return option or (not quoted and text[label.start : label.end].isupper()) or _is_connection(text, label, after)


def _is_connection(text: str, label: Label, after: re.Match[str]) -> bool:
    """Whether the label is one field of a connection string: a `host=` or `user id=` stands near it on its line."""
    start = max(text.rfind("\n", 0, label.start) + 1, label.start - _NEIGHBOURHOOD)
    end = text.find("\n", after.end(), after.end() + _NEIGHBOURHOOD)
    line = text[start : end if end >= 0 else after.end() + _NEIGHBOURHOOD]
    return len(_CONNECTION.findall(line)) >= 2


def _trim(text: str, label: Label, after: re.Match[str]) -> str:
    """The bare value without the punctuation of the sentence, call, query or table around it; empty for code."""
    value, end = after["bare"], after.end("bare")
    if label.start and text[max(0, label.start - 1)] in "?&":
        value = re.split(r"[&#]", value, maxsplit=1)[0]
    value = re.split(r"&(?=[\w.-]{1,64}=)", value, maxsplit=1)[0]
    if re.match(r"[A-Za-z_$][\w$.]{0,255}[(\[{]", value, re.ASCII) or text[end : end + 1] in ("(", "[", "{"):
        return ""
    return value.rstrip(".,;:!?)]}|*_~>。").lstrip("*")
