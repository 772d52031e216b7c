"""What a key may be made of: words that were said at least as strongly, and with as much trust, as what it is a key of.

A key stands on the line of its values, under their labels. If a model could name it freely, a text in a tool's output
could become the key of something that the user said. So every word of a key must have been said, somewhere in the lines
that the model was shown, on a channel of no less evidence and no less trust than the opinion; or be one of the plain
nouns in `TOPICS`, which say nothing.
"""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.claims.words.keys import stem
from beliefmerge.claims.words.lexicon import ARTICLES, KEY_FILLERS

TOPICS = frozenset(
    "database db engine backend frontend server service client host port address location region provider version "
    "release name title owner team role person contact status state date time day deadline schedule duration timeout "
    "interval ttl limit maximum minimum count number size length amount budget price cost rate unit currency language "
    "framework library tool format protocol method type kind mode level path file directory url branch environment "
    "platform model source target default setting option policy key value id".split()
)
TOPICS_CJK = (
    *("数据库", "服务器", "服务", "主机", "端口", "地址", "位置", "地区", "版本", "名称", "标题", "负责人", "团队"),
    *("角色", "状态", "日期", "时间", "期限", "截止", "时长", "超时", "间隔", "上限", "下限", "数量", "大小", "长度"),
    *("金额", "预算", "价格", "费用", "单位", "语言", "框架", "工具", "格式", "协议", "方式", "类型", "模式", "级别"),
    *("路径", "文件", "目录", "分支", "环境", "平台", "模型", "来源", "目标", "默认", "设置", "选项", "的"),
)
_JOINTS = ARTICLES | KEY_FILLERS | frozenset("of for in on at to per by and or is".split())
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CJK_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_WORD = re.compile(r"[^\W_]+")
_SHARED = 5
"""Letters that two forms of one word have in common at the start ("deploy", "deployment")."""


class Vocabulary:
    """The words of the lines that were shown, by evidence and trust."""

    def __init__(self, said: Iterable[tuple[str, Evidence, Trust]]) -> None:
        texts: dict[tuple[Evidence, Trust], list[str]] = defaultdict(list)
        for text, evidence, trust in said:
            texts[evidence, trust].append(text.casefold() if not _CAMEL.search(text) else _split(text))
        self._levels = {level: "\n".join(found) for level, found in texts.items()}
        self._known: dict[tuple[Evidence, Trust], tuple[frozenset[str], str]] = {}
        self._covered: dict[tuple[str, Evidence, Trust], bool] = {}

    def covers(self, key: str, evidence: Evidence, trust: Trust) -> bool:
        """Whether `key` is made of what was said with at least `evidence` and `trust`."""
        asked = (key, evidence, trust)
        if asked not in self._covered:
            self._covered[asked] = self._covers(*asked)
        return self._covered[asked]

    def _covers(self, key: str, evidence: Evidence, trust: Trust) -> bool:
        words, cjk = self._at(evidence, trust)
        runs = _CJK_RUN.findall(key)
        parts = [part for part in _WORD.findall(_CJK_RUN.sub(" ", key.casefold())) if part not in _JOINTS]
        return all(_is_said(part, words) for part in parts) and all(_is_made_of(run, cjk) for run in runs)

    def _at(self, evidence: Evidence, trust: Trust) -> tuple[frozenset[str], str]:
        level = (evidence, trust)
        if level not in self._known:
            text = "\n".join(found for (e, t), found in sorted(self._levels.items()) if e >= evidence and t >= trust)
            words = frozenset(stem(word) for word in _WORD.findall(_CJK_RUN.sub(" ", text)))
            self._known[level] = words, "\n".join(_CJK_RUN.findall(text))
        return self._known[level]


def touches(key: str, text: str) -> bool:
    """Whether `text` has a word of `key`, or two adjacent characters of it in a script without spaces."""
    said = frozenset(stem(word) for word in _WORD.findall(_split(_CJK_RUN.sub(" ", text))))
    parts = [part for part in _WORD.findall(_CJK_RUN.sub(" ", key.casefold())) if part not in _JOINTS]
    pairs = (run[i : i + 2] for run in _CJK_RUN.findall(key) for i in range(max(1, len(run) - 1)))
    return any(stem(part) in said for part in parts) or any(pair in text for pair in pairs)


def _split(text: str) -> str:
    """`text` with its camel-case words both whole and apart."""
    return f"{text}\n{_CAMEL.sub(' ', text)}".casefold()


def _is_said(word: str, said: frozenset[str]) -> bool:
    base = stem(word)
    if base in said or base in TOPICS or word in TOPICS:
        return True
    head = base[:_SHARED]
    return len(head) == _SHARED and head.isalpha() and any(other.startswith(head) for other in said)


def _is_made_of(run: str, said: str) -> bool:
    """Whether `run`, without spaces, is a chain of pieces of two characters or more that were said, or of topics."""
    reached = {0}
    for end in range(1, len(run) + 1):
        for start in sorted(reached):
            piece = run[start:end]
            if piece in TOPICS_CJK or (piece in said and (len(piece) > 1 or len(run) == 1)):
                reached.add(end)
                break
    return len(run) in reached
