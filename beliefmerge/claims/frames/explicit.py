"""Keys and values written as such: ``key: value``, ``key = value``, log pairs, two-column table rows."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re
from typing import NamedTuple

from beliefmerge.claims.values.normalise import plain, read
from beliefmerge.claims.words.keys import split_unit
from beliefmerge.claims.words.lexicon import BE, MODALS, PRONOUNS

_PAIR = re.compile(r"(?P<key>[^\s:=|][^:=|\n]{0,60}?)\s*(?P<op>:=|=>|->|→|=|:|：|＝)(?P<gap>\s*)(?P<value>\S.*)", re.S)
_LOG_PAIR = re.compile(r"(?<!\S)([A-Za-z_][\w.\-/]{0,40})=(\"[^\"]{0,80}\"|[^\s\"]\S{0,80})(?=\s|$)")
_LISTED = re.compile(r"\s*(?P<key>[A-Za-z_][\w \-]{1,40}?)\s*[:=]\s*(?P<value>[^,;:=]{1,60})\s*(?:[,;]|$)")
_CODE = re.compile(r"[(){}\[\];]|=>|==|::|&&|\|\|")
_COMMENT = re.compile(r"\s+(?:#|//|--)\s.*$")
_RULE = re.compile(r"^[\s|:+-]+$")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NO_KEYS = frozenset(
    "note notes todo fixme warning error errors example examples step steps question answer summary result results "
    "output "
    "input usage hint tip important http https ftp file mailto exception traceback at info debug warn trace fatal see "
    "reminder fyi re ps nb update decision observation action thought plan next options option response reply quote hi "
    "following follows context background i we it you they which below above here key setting parameter name field "
    "注 注意 备注 例如 比如 问 答 问题 回答 说明 提示 警告 错误 步骤 结果 总结 更新 注释 示例 如下 以下 即 想法 "
    "建议".split()
)
"""Labels that introduce something; they name no slot."""


class Pair(NamedTuple):
    """A key and the value written beside it."""

    key: str
    value: str


def pairs(text: str, kind: str = "prose") -> list[Pair]:
    """The key-value pairs that `text`, one line or sentence, consists of; empty when it is prose."""
    if "=" in text:
        found = [Pair(m[1], m[2].strip('"')) for m in _LOG_PAIR.finditer(text)]
        if len(found) > 1 and sum(len(p.key) + len(p.value) for p in found) > len(text) / 2:
            return [pair for pair in found[:24] if _is_key(pair.key)]
    listed = _listed(text)
    if listed:
        return listed
    pair = _single(text, kind)
    return [pair] if pair else []


def _listed(text: str) -> list[Pair]:
    """“host: a, port: 80, user: x”."""
    if text.count(":") + text.count("=") < 2 or ("," not in text and ";" not in text):
        return []
    found, at = [], 0
    body = text.rstrip(" .;,")
    while at < len(body):
        match = _LISTED.match(body, at)
        if match is None:
            return []
        found.append(Pair(match["key"], match["value"].strip()))
        at = match.end()
    return found if len(found) > 1 and all(_is_key(p.key) for p in found) else []


def _single(text: str, kind: str) -> Pair | None:
    match = _PAIR.match(text)
    if match is None:
        return None
    key, op, value = match["key"].strip(), match["op"], match["value"].strip()
    for keyword in ("export ", "set ", "const ", "let ", "var ", "val "):
        if op in ("=", ":=") and key.startswith(keyword):
            key = key[len(keyword) :]
    if op == ":" and not match["gap"] and not (kind == "code" or _CJK.search(key) or value[0] in "\"'"):
        return None
    if op in ("=", ":="):
        if value.startswith(("=", ">", "~")) or key.endswith(
            ("!", "<", ">", "+", "-", "*", "/", "|", "&", "~", "^", "%")
        ):
            return None
        value = _COMMENT.sub("", value).rstrip(";,")
        if (_CODE.search(value) and not value.startswith("[REDACTED:")) or (
            " " in key and not re.fullmatch(r"[\w.\- '’]+", key)
        ):
            return None
    elif kind == "code":
        value = _COMMENT.sub("", value).rstrip(";,")
        if _CODE.search(value) and not value.startswith("[REDACTED:"):
            return None
    return Pair(key, value) if _is_key(split_unit(key)[0]) and value else None


def _is_key(key: str) -> bool:
    """Whether `key` can name a slot: a short noun phrase or identifier, no label, pronoun or clause."""
    folded = plain(key).casefold()
    words = folded.split()
    if (
        not words
        or len(words) > 6
        or len(folded) > 60
        or folded in _NO_KEYS
        or (words[0] in _NO_KEYS and len(words) == 1)
    ):
        return False
    if len(folded) < 2 or not any(c.isalpha() for c in folded) or any(word in BE or word in MODALS for word in words):
        return False
    return words[0] not in PRONOUNS and not any(c in folded for c in '?!()<>{};$\\"') and "," not in folded


def with_unit(pair: Pair) -> Pair:
    """A bare number under a key that names its unit (``timeout_ms``) takes the unit along."""
    if read(pair.value).kind != "number":
        return pair
    key, unit = split_unit(pair.key)
    return Pair(key, f"{pair.value.strip()} {unit}") if unit else pair


def row(text: str) -> list[str]:
    """The cells of a Markdown table row; empty for its ruling line."""
    return [] if _RULE.match(text) else [cell.strip() for cell in text.strip().strip("|").split("|")]
