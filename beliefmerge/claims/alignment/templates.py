"""From aligned clauses to readings: which templates name a slot, what the whole value is, whether values can oppose.

A hole is no value when it is the subject ("Service A runs on port 80" and "Service B …" are two services), a function
word or a verb. It is widened over what belongs to its value: the unit after a number, the rest of a date or weekday.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from beliefmerge.claims.alignment.align import Hole, Token, groups, tokenise, width
from beliefmerge.claims.frames.complements import piles_up
from beliefmerge.claims.frames.verbs import find_verb
from beliefmerge.claims.reading import Clause, Frame, Reading
from beliefmerge.claims.values.normalise import NOMINAL, plain, read
from beliefmerge.claims.words.function import FUNCTION
from beliefmerge.claims.words.keys import canonical
from beliefmerge.claims.words.lexicon import BE, GENERIC_SUBJECTS, MODALS, PREPOSITIONS, PRONOUNS, VERB_TENSE
from beliefmerge.claims.words.other_languages import LANGUAGES

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


class Entry(NamedTuple):
    """All clauses with one sequence of tokens, the first of them for its text."""

    clauses: list[Clause]
    tokens: list[Token]

    @property
    def clause(self) -> Clause:
        """The one whose text is taken."""
        return self.clauses[0]

    def text(self, start: int, end: int) -> str:
        """The clause's text from token `start` to before token `end`."""
        return plain(self.clause.text[self.tokens[start].start : self.tokens[end - 1].end])

    def words(self, hole: Hole) -> list[str]:
        """The tokens in the hole."""
        return [token.text for token in self.tokens[hole.start : hole.end]]


class _Part(NamedTuple):
    """Entries that share a template and whose values, one for each, can be compared."""

    members: list[tuple[Entry, str]]
    key: str
    fold: str
    multi: bool
    widest: int

    @property
    def rank(self) -> tuple[int, int, str]:
        """The largest group first, then the tightest holes."""
        return (-len(self.members), self.widest, self.fold)


def aligned(clauses: Iterable[Clause], crowd: int) -> dict[Clause, Reading]:
    """A reading for every clause that shares a template with another one and differs from it in a value.

    Depends on the set of clauses only. A template that more than `crowd` clauses fill enumerates things rather
    than says what one thing is.
    """
    by_tokens: dict[tuple[str, ...], Entry] = {}
    for clause in sorted(set(clauses), key=lambda c: (c.text, c.language, c.negated)):
        tokens = tokenise(clause.text)
        if len(tokens) >= 2:
            by_tokens.setdefault(tuple(token.text for token in tokens), Entry([], tokens)).clauses.append(clause)
    distinct = sorted(by_tokens)
    met = (group for group in groups(distinct) if len(group) <= crowd)
    found = [part for group in met for part in _parts([(by_tokens[distinct[h.clause]], h) for h in group])]
    out: dict[Clause, Reading] = {}
    for part in sorted(found, key=lambda p: p.rank):
        free = [(entry, value) for entry, value in part.members if not any(c in out for c in entry.clauses)]
        if len(free) < 2:
            continue
        for entry, value in free:
            for clause in entry.clauses:
                out[clause] = Reading(part.key, part.fold, value, Frame.ALIGNED, clause.negated, part.multi)
    return out


def _parts(group: Sequence[tuple[Entry, Hole]]) -> Iterable[_Part]:
    """The group's slots: one for every class of values that two members have; none where the hole is no value."""
    entry, hole = group[0]
    left, right = _widening(group)
    before = [token.text for token in entry.tokens[: hole.start - left]]
    after = [token.text for token in entry.tokens[hole.end + right :]]
    widest = max(width(each.words(h)) for each, h in group)
    if not _shares_enough(before, after, widest):
        return
    usable = [(each, h) for each, h in group if _is_value(each, h, left + right)]
    classes: dict[str, list[tuple[Entry, str]]] = defaultdict(list)
    for each, h in usable:
        value = each.text(h.start - left, h.end + right)
        kind = read(value).kind
        classes["nominal" if kind in NOMINAL else kind].append((each, value))
    template = " ".join((*before, "…", *after) if after else before)
    for label, members in classes.items():
        if len(members) > 1 and template:
            multi = label == "nominal" and _piles_up(entry, hole)
            yield _Part(members, _shown(template, entry.clause.language), f"t {template} {label}", multi, widest)


def _shown(template: str, language: str) -> str:
    if language in ("zh", "ja"):
        template = re.sub(r"(?<=[\u3040-\u9fff…]) | (?=[\u3040-\u9fff…])", "", template)
    return canonical(template).replace("...", "…")


def _shares_enough(before: Sequence[str], after: Sequence[str], hole: int) -> bool:
    """Whether the shared part dominates the hole and has content: a word or two characters."""
    shared = [*before, *after]
    content = sum(width([token]) for token in shared if token not in FUNCTION and token not in GENERIC_SUBJECTS)
    return width(shared) >= hole and content >= 2 and len(shared) >= 2


def _is_value(entry: Entry, hole: Hole, wider: int) -> bool:
    """Whether the span can be a value rather than the subject, a verb, a function word or an entity's designator.

    `wider`: tokens beside it that belong to its value; a number with a unit designates nothing.
    """
    words, clause, tokens = entry.words(hole), entry.clause, entry.tokens
    if all(word in FUNCTION for word in words) or are_two(words):
        return False
    if clause.language == "en" and (VERB_TENSE.get(words[0]) in ("s", "ed") or words[0] in MODALS):
        return False
    designator = len(words) == 1 and (len(words[0]) == 1 or words[0].isdigit()) and hole.end < len(tokens) and not wider
    predicate = _predicate(clause.text, clause.language)
    if predicate is not None:
        return tokens[hole.start].start >= predicate and not (designator and _names_entity(entry, hole))
    told = [token.text for token in tokens[: hole.start]]
    if designator and not _HAN.search(clause.text) and not any(token in _PLACES for token in told[1:]):
        return False
    content = [token for token in told if token not in FUNCTION]
    return bool(content) and (hole.end == len(tokens) or width(content) >= 4)


def are_two(words: Sequence[str]) -> bool:
    """“by the lake at 40”: two complements, of which the first tells which thing the second is said of."""
    return words[0] in PREPOSITIONS and any(word in PREPOSITIONS for word in words[1:])


def _names_entity(entry: Entry, hole: Hole) -> bool:
    """“port 80” is a value, “issue 41 for details” an entity: a designator after a noun that more follows."""
    tokens = entry.tokens
    after_noun = hole.start > 0 and tokens[hole.start - 1].text not in FUNCTION
    return entry.clause.language == "en" and after_noun and hole.end < len(tokens) - 1


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


def _piles_up(entry: Entry, hole: Hole) -> bool:
    """Whether different names are compatible: what is liked, supported, visited adds up; where and when do not."""
    clause, tokens = entry.clause, entry.tokens
    if clause.language == "zh":
        return bool(_HAN_MULTI.search(clause.text[: tokens[hole.start].start]))
    if clause.language != "en":
        return bool(_OTHER_MULTI.search(clause.text))
    words = clause.text.split()
    told = [token.text for token in tokens[: hole.start]]
    at = find_verb(words)
    if at is not None:
        return piles_up(words[at].casefold(), told[-1] if told and told[-1] in PREPOSITIONS else "")
    if not told or any(token.endswith("ed") for token in told) or told[0] in PRONOUNS:
        return True
    return told[-1] not in PREPOSITIONS and told[-1] not in BE


def _widening(group: Sequence[tuple[Entry, Hole]]) -> tuple[int, int]:
    """How many shared tokens left and right belong to the value: none when the holes are typed, else the fewest that
    make them so; in Japanese the run of Han characters that the hole is part of.
    """
    entry, hole = group[0]
    most_left, most_right = min(2, hole.start), min(3, len(entry.tokens) - hole.end)
    values = [read(each.text(h.start, h.end)) for each, h in group]
    if all(value.kind not in NOMINAL and value.kind != "number" for value in values):
        return 0, 0
    for total in range(1, most_left + most_right + 1):
        for left in range(max(0, total - most_right), min(total, most_left) + 1):
            right = total - left
            kinds = {read(each.text(h.start - left, h.end + right)).kind for each, h in group}
            if len(kinds) == 1 and not kinds & set(NOMINAL) and not next(iter(kinds)).startswith("count"):
                return left, right
    return _script_run(entry, hole)


def _script_run(entry: Entry, hole: Hole) -> tuple[int, int]:
    """How far the run of Han characters goes on beside the hole in Japanese, where a word is such a run."""
    tokens = entry.tokens
    if not _KANA.search(entry.clause.text):
        return 0, 0
    left = right = 0
    while hole.start - left - 1 > 0 and left < 3 and _HAN.match(tokens[hole.start - left - 1].text):
        left += 1
    while hole.end + right < len(tokens) - 1 and right < 3 and _HAN.match(tokens[hole.end + right].text):
        right += 1
    return left, right
