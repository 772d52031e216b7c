"""From aligned clauses to readings: which templates name a slot, what the whole value is, whether values can oppose.

A hole is no value when it is the subject ("Service A runs on port 80" and "Service B …" are two services), a function
word or a verb. It is widened over what belongs to its value: the unit after a number, the rest of a date or weekday.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from beliefmerge.claims.align import Hole, Token, groups, tokenise, width
from beliefmerge.claims.complements import piles_up
from beliefmerge.claims.keys import canonical
from beliefmerge.claims.languages import LANGUAGES
from beliefmerge.claims.lexicon import (
    BE,
    DETERMINERS,
    FILLERS,
    GENERIC_SUBJECTS,
    MODALS,
    PREPOSITIONS,
    PRONOUNS,
    VERB_BASE,
    VERB_TENSE,
)
from beliefmerge.claims.normalise import Value, plain, read
from beliefmerge.claims.reading import Clause, Frame, Reading
from beliefmerge.claims.verbs import find_verb

_NOMINAL = ("name", "word", "identifier", "phrase", "path", "address")
_FUNCTION = (
    DETERMINERS
    | PREPOSITIONS
    | BE
    | MODALS
    | FILLERS
    | PRONOUNS
    | frozenset("and or not no we i you of that which who as than so but if then very more most less".split())
    | frozenset(
        word
        for language in LANGUAGES
        for part in (language.articles, language.copulas, language.places, language.negations, language.indefinite)
        for word in part.split("|")
    )
    | frozenset("的了是在为有和与或也都就不没对把被将从到于用")
    | frozenset("はがをにでともやのですだ")
)
_PLACES = PREPOSITIONS | frozenset(word for language in LANGUAGES for word in language.places.split("|"))
_HAN_VERB = re.compile(
    r"是|(?<![因认成作行以])为|(?<![现存实])在|(?<![费作信])用|采用|选择|需要|必须|可以|负责|支持|喜欢|运行|部署|位于|叫|等于|有|花|去|住|说|会|要|吃|买|开始|结束|出发|到达"
)
_HAN_MULTI = re.compile(
    r"喜欢|支持|需要|有|会说|使用|(?<![费作信采])用|负责|吃|买|去过?|参观|修复|添加|加|写|读|包括|包含|认识|知道"
)
_TOPIC = re.compile(r"[はがをに]|(?<=[\uac00-\ud7af])(?:은|는|이|가|을|를)(?= )")
_OTHER_MULTI = re.compile(
    r"\b(?:mag|liebt|lieben|unterstützt|spricht|sprechen|hat|haben|braucht|brauchen|verwendet|verwenden|nutzt|nutzen|"
    r"kennt|besitzt|enthält|isst|kauft|besucht|"
    r"ont|aime|aiment|parle|supporte|utilise|utilisons|possède|contient|achète|visite|tiene|tienen|habla|gusta|"
    r"soporta|usa|usamos|contiene|compra|visita|"
    r"любит|поддерживает|говорит|знает|имеет|использует|используем|содержит|купил|посетил|ha|hanno|parla|supporta|"
    r"piace|tem|fala|gosta)\b",
    re.IGNORECASE,
)
_HAN, _KANA, _HANGUL = re.compile(r"[\u3400-\u9fff]"), re.compile(r"[\u3040-\u30ff]"), re.compile(r"[\uac00-\ud7af]")


def aligned(clauses: Iterable[Clause], crowd: int) -> dict[Clause, Reading]:
    """A reading for every clause that shares a template with another one and differs from it in a value.

    Depends on the set of clauses only. A template that more than `crowd` clauses fill enumerates things rather than says
    what one thing is.
    """
    by_tokens: dict[tuple[str, ...], list[Clause]] = defaultdict(list)
    spans: dict[tuple[str, ...], list[Token]] = {}
    for clause in sorted(set(clauses), key=lambda c: (c.text, c.language, c.negated)):
        tokens = tokenise(clause.text)
        if len(tokens) >= 2:
            texts = tuple(token.text for token in tokens)
            by_tokens[texts].append(clause)
            spans.setdefault(texts, tokens)
    distinct = sorted(by_tokens)
    found = [
        part for group in groups(distinct) if len(group) <= crowd for part in _parts(group, distinct, by_tokens, spans)
    ]
    out: dict[Clause, Reading] = {}
    for part in sorted(found, key=lambda p: p.rank):
        open_members = [m for m in part.members if not any(c in out for c in by_tokens[m.texts])]
        if len(open_members) < 2:
            continue
        for member in open_members:
            for clause in by_tokens[member.texts]:
                out[clause] = Reading(part.key, part.fold, member.value, Frame.ALIGNED, clause.negated, part.multi)
    return out


class _Member:
    """One clause of a group: its tokens and the value in its hole."""

    __slots__ = ("texts", "value")

    def __init__(self, texts: tuple[str, ...], value: str) -> None:
        self.texts, self.value = texts, value


class _Part:
    """Members of a group whose values can be compared."""

    __slots__ = ("fold", "key", "members", "multi", "rank")

    def __init__(self, members: list[_Member], key: str, fold: str, multi: bool, widest: int) -> None:
        self.members, self.key, self.fold, self.multi = members, key, fold, multi
        self.rank = (-len(members), widest, fold)


def _parts(
    group: Sequence[Hole],
    distinct: Sequence[tuple[str, ...]],
    by_tokens: dict[tuple[str, ...], list[Clause]],
    spans: dict[tuple[str, ...], list[Token]],
) -> Iterable[_Part]:
    """The group's slots: one for every class of values that two members have; none where the hole is no value."""
    sample = distinct[group[0].clause]
    before, after = sample[: group[0].start], sample[group[0].end :]
    clause = by_tokens[sample][0]
    if not _shares_enough(before, after, max(width(distinct[h.clause][h.start : h.end]) for h in group)):
        return
    left, right = _widening([(by_tokens[distinct[h.clause]][0].text, spans[distinct[h.clause]], h) for h in group])
    usable = [
        h
        for h in group
        if _is_value(
            distinct[h.clause][h.start : h.end],
            by_tokens[distinct[h.clause]][0],
            spans[distinct[h.clause]],
            h,
            left + right,
        )
    ]
    if len(usable) < 2:
        return
    classes: dict[str, list[_Member]] = defaultdict(list)
    for hole in usable:
        texts = distinct[hole.clause]
        value = _text(by_tokens[texts][0].text, spans[texts], hole.start - left, hole.end + right)
        kind = read(value).kind
        classes["nominal" if kind in _NOMINAL else kind].append(_Member(texts, value))
    head, tail = before[: len(before) - left], after[right:]
    template = " ".join((*head, "…", *tail)) if tail else " ".join(head)
    widest = max(width(distinct[h.clause][h.start : h.end]) for h in usable)
    for label, members in classes.items():
        if len(members) > 1 and template:
            multi = _piles_up(clause, spans[sample], group[0], label)
            yield _Part(members, _shown(template, clause.language), f"t {template} {label}", multi, widest)


def _shown(template: str, language: str) -> str:
    if language in ("zh", "ja"):
        template = re.sub(r"(?<=[\u3040-\u9fff…]) | (?=[\u3040-\u9fff…])", "", template)
    return canonical(template).replace("...", "…")


def _shares_enough(before: Sequence[str], after: Sequence[str], hole: int) -> bool:
    """Whether the shared part dominates the hole and has two content tokens (one and a function word, in short clauses)."""
    shared = [*before, *after]
    content = sum(width([token]) for token in shared if token not in _FUNCTION and token not in GENERIC_SUBJECTS)
    return width(shared) >= hole and content >= 2 and len(shared) >= 2


def _is_value(tokens: Sequence[str], clause: Clause, spans: Sequence[Token], hole: Hole, wider: int) -> bool:
    """Whether the span can be a value rather than the subject, a verb, a function word or an entity's designator.

    `wider`: tokens beside it that belong to its value; a number with a unit designates nothing.
    """
    if all(token in _FUNCTION for token in tokens):
        return False
    if clause.language == "en" and (
        tokens[0] in VERB_BASE and VERB_TENSE[tokens[0]] in ("s", "ed") or tokens[0] in MODALS
    ):
        return False
    designator = (
        len(tokens) == 1 and (len(tokens[0]) == 1 or tokens[0].isdigit()) and hole.end < len(spans) and not wider
    )
    start = spans[hole.start].start
    predicate = _predicate(clause.text, clause.language)
    if predicate is not None:
        if start < predicate:
            return False
        return not (designator and _names_entity(clause, spans, hole))
    before = [token.text for token in spans[: hole.start] if token.text not in _FUNCTION]
    told = [token.text for token in spans[1 : hole.start]]
    if designator and not _HAN.search(clause.text) and not any(token in _PLACES for token in told):
        return False
    return bool(before) and (hole.end == len(spans) or width(before) >= 4)


def _names_entity(clause: Clause, spans: Sequence[Token], hole: Hole) -> bool:
    """ "port 80" is a value, "issue 41 for details" an entity: a designator after a noun that more follows."""
    return (
        clause.language == "en"
        and hole.start > 0
        and spans[hole.start - 1].text not in _FUNCTION
        and hole.end < len(spans) - 1
    )


@lru_cache(maxsize=1 << 12)
def _predicate(text: str, language: str) -> int | None:
    """Where the predicate begins, in characters: after the verb, or the topic particle. None when no verb is known."""
    if language == "en":
        words = text.split()
        first = next((i for i, word in enumerate(words) if i and word.casefold() in BE | MODALS), None)
        main = find_verb(words)
        at = min((i for i in (first, main) if i is not None), default=None)
        if at is None:
            return None
        return sum(len(word) + 1 for word in words[: at + 1])
    pattern = _HAN_VERB if language == "zh" else _TOPIC if language in ("ja", "ko") else None
    match = pattern.search(text, 1) if pattern else None
    if match is None and language in ("de", "fr", "es", "it", "pt", "nl", "sv", "pl", "ru"):
        copulas = next(lang.copulas for lang in LANGUAGES if lang.name == language)
        match = re.search(rf"\s(?:{copulas})(?=\s)", text, re.IGNORECASE)
    return match.end() if match else None


def _piles_up(clause: Clause, spans: Sequence[Token], hole: Hole, label: str) -> bool:
    """Whether different values are compatible: what is liked, supported, visited adds up; where and when do not."""
    if label not in ("nominal",):
        return False
    if clause.language == "zh":
        return bool(_HAN_MULTI.search(clause.text[: spans[hole.start].start]))
    if clause.language != "en":
        return bool(_OTHER_MULTI.search(clause.text))
    words = clause.text.split()
    at = find_verb(words)
    if at is None:
        told = [token.text for token in spans[: hole.start]]
        if not told or any(token.endswith("ed") for token in told) or told[0] in PRONOUNS:
            return True
        return told[-1] not in PREPOSITIONS and told[-1] not in BE
    before = spans[hole.start - 1].text
    return piles_up(words[at].casefold(), before if before in PREPOSITIONS else "")


def _widening(members: Sequence[tuple[str, Sequence[Token], Hole]]) -> tuple[int, int]:
    """How many shared tokens left and right belong to the value: none when the holes are typed, else the fewest that make
    them so; in scripts that mix (Japanese, Korean) the run of one script that the hole is part of."""
    text, spans, hole = members[0]
    most_left, most_right = min(2, hole.start), min(3, len(spans) - hole.end)
    if all(_typed(read(_text(t, s, h.start, h.end))) for t, s, h in members) and not any(
        _bare_number(t, s, h) for t, s, h in members
    ):
        return 0, 0
    for total in range(1, most_left + most_right + 1):
        for left in range(max(0, total - most_right), min(total, most_left) + 1):
            right = total - left
            values = [read(_text(t, s, h.start - left, h.end + right)) for t, s, h in members]
            if all(_typed(value) for value in values) and len({value.kind for value in values}) == 1:
                if not all(value.kind.startswith("count") for value in values):
                    return left, right
    return _script_run(text, spans, hole)


def _typed(value: Value) -> bool:
    return value.kind not in _NOMINAL


def _bare_number(text: str, spans: Sequence[Token], hole: Hole) -> bool:
    return read(_text(text, spans, hole.start, hole.end)).kind == "number"


def _script_run(text: str, spans: Sequence[Token], hole: Hole) -> tuple[int, int]:
    """How far the run of Han characters goes on beside the hole in Japanese, where a word is such a run."""
    if not _KANA.search(text):
        return 0, 0
    left = right = 0
    while hole.start - left - 1 > 0 and left < 3 and _HAN.match(spans[hole.start - left - 1].text):
        left += 1
    while hole.end + right < len(spans) - 1 and right < 3 and _HAN.match(spans[hole.end + right].text):
        right += 1
    return left, right


def _text(text: str, spans: Sequence[Token], start: int, end: int) -> str:
    """The clause's text from token `start` to before token `end`."""
    return plain(text[spans[start].start : spans[end - 1].end])
