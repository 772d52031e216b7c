"""`label = value`: credentials that only what stands before them gives away, in English and Chinese.

A label is looked for first and the rest matched from its end, so a text without labels costs one scan and a label
costs a bounded amount, whatever follows it. How much a value must look like a credential depends on the label (a
password may be weak, a token is made by a machine) and on what joins them (`=`, "is", or nothing but a space).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from beliefmerge.session.redaction.joints import AFTER, BARE_LIMIT, CJK, Joint, joint, quoted
from beliefmerge.session.redaction.secret import Secret
from beliefmerge.session.redaction.strength import ORDINARY, Strength, is_identifier, is_whole_only, rate

LABELS = (
    "pass(?:word|wd|phrase|code|[-_ ](?:word|phrase|code))|pwd|identified by|密码|密碼|口令"
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
_PASSWORD = re.compile("pass[a-z]|pass[-_ ][wpc]|pwd|identified|密码|密碼|口令")
_API_KEY = re.compile("api|密钥|秘钥|密鑰|秘鑰|密匙|金鑰")
_TOKEN = re.compile("token|令牌")
_VAGUE = re.compile("[-_]pass|_key|credential|凭证|凭据|憑證")
_PUBLIC = re.compile(r"public[-_ ]?(?:key[-_ ]?)?\Z")
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
_OPTION = re.compile(
    r"(?:(?<![\w-])--?[a-z0-9_-]{0,40}|\blogin\s\S{1,64}\s|\b(?:with|using|enter|type)\s(?:the\s)?"
    r"|\buser(?:name)?\s\S{1,64}\s(?:and\s)?)\Z",
    re.ASCII | re.IGNORECASE,
)
_PAIRED = re.compile(
    r"(?:user(?:[-_ ]?name)?|login|account|账号|帐号|账户|用户名?)s?\s{0,2}(?:/|:|&|,|and|和|与|、)?\s{0,2}\Z",
    re.IGNORECASE,
)
_PAIR = re.compile(rf"""[^\s/:,，"'`{CJK}]{{1,64}}\s?[/:,，|]\s?([^\s/:,;，"'`{CJK}][^\s,;"'`{CJK}]{{3,127}})""")
_LINK = re.compile(
    r"""\s(?:is|was|as)\s(?:the|my|our|your|its|a|an)\s(?:[\w-]{1,20}\s){0,2}\Z
      | \s?(?:是|作为|当作)[^\s"'`,;:，。；：]{0,8}\Z""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
_LAST_WORD = re.compile(rf"""[^\s"'`,;:<>(){{}}\[\]{CJK}]+""")
_LABEL_ENDS = re.compile(
    r"s?(?:\s(?:for|of|to|on|in|at|now|and|but|so)\b|\s{0,3}(?:[^\w\s=:-]|\Z))", re.ASCII | re.IGNORECASE
)
_PLAIN = re.compile(r"[^\s/=]{1,64}")
_REST = re.compile(rf"""[^\s"'`\\,;<>{CJK}]{{1,20000}}""")
_REACH = 200
"""Characters around a label that are looked at."""
_EXTENSION = re.compile(r"\.(?:jsonl?|md|txt|log|ya?ml|html?|zst|csv|tsv|env|ini|cfg|toml|zip|gz|tar|png|jpe?g|pdf)\Z")
_TRAILING = ".,;:!?)]}|*_~>。"


class Label(NamedTuple):
    """A label found in a text: its group and where it stands."""

    group: str
    start: int
    end: int

    @property
    def kind(self) -> str:
        """The kind of the secrets it labels."""
        return "secret" if self.group == "vague" else self.group


def find_labelled(text: str, lower: str) -> Iterator[Secret]:
    """Values in `text` that a label before them, or just behind them, makes credentials."""
    position = 0
    while match := _LABEL.search(lower, position):
        # Of `_password`, `_pass` is found first: where a label leads nowhere, one that overlaps it may.
        position = match.start() + 1
        label = Label(group_of(match[0]), match.start(), match.end())
        if _PUBLIC.search(lower, max(0, label.start - 12), label.start):
            continue
        if after := AFTER.match(text, label.end):
            for secret in (*_value(text, label, after), *_second_of_pair(text, label, after)):
                position = max(position, after.end(), after.start("bare") + len(secret.value))
                yield secret
        yield from _value_ahead(text, label)


def group_of(label: str) -> str:
    """The group of a label in lower case: `password`, `api-key`, `token`, `secret`, or `vague`."""
    if _VAGUE.match(label):
        return "vague"
    if _PASSWORD.match(label):
        return "password"
    return "api-key" if _API_KEY.match(label) else "token" if _TOKEN.match(label) else "secret"


def _value(text: str, label: Label, after: re.Match[str]) -> Iterator[Secret]:
    """The value after a label, if it is strong enough for what stands around it."""
    in_quotes = quoted(after)
    value = _trim(text, label, after) if in_quotes is None else in_quotes
    if not value or _names_something_else(text, label, after):
        return
    strength = rate(value) if len(value.split()) == 1 else _rate_phrase(value, label, after)
    if strength < _needed(text, label, after) and not (
        strength is Strength.WORD
        and value.lower() not in ORDINARY
        and _PLAIN.fullmatch(value)
        and _is_certain(text, label, after)
    ):
        return
    if joint(after) is Joint.SPACE and is_identifier(value) and not _is_option(text, label):
        return
    kind = "connection-string" if label.kind == "password" and _is_connection(text, label, after) else label.kind
    if after["bare"] and len(after["bare"]) == BARE_LIMIT and (rest := _REST.match(text, after.end())):
        value = (after["bare"] + rest[0]).rstrip(_TRAILING)
    yield Secret(value, kind, is_whole_only(value, strength))


def _rate_phrase(value: str, label: Label, after: re.Match[str]) -> Strength:
    """The strength of a quoted value with spaces: sentences stand there too, so short passwords only."""
    words = value.split()
    if label.group != "password" or joint(after) is not Joint.ASSIGNED or len(words) > 4 or len(value) > 64:
        return Strength.NONE
    return max(map(rate, words)) if rate(value) else Strength.NONE


def _names_something_else(text: str, label: Label, after: re.Match[str]) -> bool:
    """`token_count`, `secret_name`; a resource name such as ``arn:aws:...:secret:name``."""
    resource = after["tight"] == ":" and text[max(0, label.start - 1)] == ":"
    return resource or _NOT_SECRET_SUFFIX.search(after["suffix"]) is not None


def _needed(text: str, label: Label, after: re.Match[str]) -> Strength:
    """The least strength a value needs after this label and joint."""
    password = label.group == "password"
    if label.group == "vague" or after["suffix"] or joint(after) is Joint.APART:
        return Strength.RANDOM
    if joint(after) is Joint.SPACE and not _is_option(text, label) and not (password and quoted(after)):
        return Strength.RANDOM
    return Strength.WEAK if password else Strength.FAIR


def _is_option(text: str, label: Label) -> bool:
    """Whether a space joins the label to its value: `--password X`, `login NAME password X`, "with password X"."""
    return _OPTION.search(text, max(0, label.start - 80), label.start) is not None


def _is_certain(text: str, label: Label, after: re.Match[str]) -> bool:
    """Whether a password follows even if it is a plain word: connection strings, `--password=`, `DB_PASSWORD=`."""
    if label.group != "password" or after["suffix"] or after["tight"] != "=":
        return False
    variable = quoted(after) is None and text.startswith("PASS", label.start)
    return variable or _is_option(text, label) or _is_connection(text, label, after)


def _is_connection(text: str, label: Label, after: re.Match[str]) -> bool:
    """Whether the label is one field of a connection string: two like `host=` or `user id=` stand near on its line."""
    start = max(text.rfind("\n", 0, label.start) + 1, label.start - _REACH)
    end = text.find("\n", after.end(), after.end() + _REACH)
    line = text[start : end if end >= 0 else after.end() + _REACH]
    return len(_CONNECTION.findall(line)) >= 2


def _trim(text: str, label: Label, after: re.Match[str]) -> str:
    """The bare value without the punctuation of the sentence, call, query or table around it; empty for code."""
    value, end = after["bare"], after.end("bare")
    if text[max(0, label.start - 1)] in "?&":
        value = re.split(r"[&#]", value, maxsplit=1)[0]
    value = re.split(r"&(?=[\w.-]{1,64}=)", value, maxsplit=1)[0]
    if re.match(r"[A-Za-z_$][\w$.]{0,255}[(\[{]", value, re.ASCII) or text[end : end + 1] in ("(", "[", "{"):
        return ""
    return _EXTENSION.sub("", value.rstrip(_TRAILING).lstrip("*"))


def _second_of_pair(text: str, label: Label, after: re.Match[str]) -> Iterator[Secret]:
    """The password in `username/password: name/value` and in `credentials: name:value`."""
    paired = label.group == "password" and _PAIRED.search(text, max(0, label.start - 24), label.start)
    if not (paired or label.group == "vague") or joint(after) not in (Joint.ASSIGNED, Joint.NATURAL):
        return
    start = after.start("bare") if after["bare"] else after.end() - len(quoted(after) or "") - 1
    if pair := _PAIR.match(text, start):
        value = pair[1].rstrip(_TRAILING)
        if (strength := rate(value)) >= Strength.WEAK:
            yield Secret(value, "password", is_whole_only(value, strength))


def _value_ahead(text: str, label: Label) -> Iterator[Secret]:
    """The value in "use VALUE as the password", "VALUE is our token for staging"."""
    before = text[max(0, label.start - 1) : label.start]
    if not before.isspace() and before.isascii():
        return
    link = _LINK.search(text, max(0, label.start - 64), label.start)
    if link is None or label.group == "vague" or not _LABEL_ENDS.match(text, label.end):
        return
    words = _LAST_WORD.findall(text[max(0, link.start() - _REACH) : link.start()])
    value = words[-1] if words else ""
    strength = rate(value)
    if strength >= (Strength.WEAK if label.group == "password" else Strength.RANDOM):
        yield Secret(value, label.kind, is_whole_only(value, strength))
