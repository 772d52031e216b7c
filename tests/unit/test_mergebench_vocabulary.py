"""The generator and the extractor share no template and no word list: what one is tested on, the other does not know.

Both are about English, so single words meet: the extractor knows common verbs and function words, as any reader does.
What must not meet is what would give an answer away: wordings of facts, subjects, values.
"""

from __future__ import annotations

import ast
import functools
import math
import re
from pathlib import Path

import beliefmerge.claims
from beliefmerge.render.block import BANNER, HEADING
from mergebench.match import shows
from mergebench.scenarios import (
    _chatter,
    _chinese,
    _names,
    _quantities,
    _things,
    _wording,
    compatible,
    derive,
    inject,
    opposed,
    refuted,
    supersede,
)
from mergebench.transcript import WHO

CALENDAR = set(_things._DAYS) | set(_things._MONTHS) | set(_quantities._TENS) | set(_quantities._ONES)
"""Closed classes of the language, which every reader of it knows: weekdays, months, number words."""
FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a about after again all also an and any are as at back be because been before but by can could did do does
        down for from further get gets had has have he her here him his how i if in into is it its just keep keeps kept
        let may me might more most must my no nor not now of off on once one only or other our out over own same shall
        she should so some such take takes than that the their them then there these they this those through to too
        under until up us very was way we were what when where which while who whom why will with would yet you your""",
    )
)
SHARED_LIST = 0.3
"""The cosine between a list of the generator's (closed classes and function words aside) and any list of the
extractor's is at most this; a list that one side took from the other gives 1."""
LIST = 6
"""Fewer words than this are no list."""
SHARED_VALUES = 0.02
"""At most this share of one-word values, closed classes aside, may be words the extractor names."""


def extractor_strings() -> list[str]:
    """Every string constant of the extractor but its documentation, and the lines of its data files."""
    found = []
    root = Path(beliefmerge.claims.__file__).parent
    for path in sorted(root.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {id(node.body[0].value) for node in ast.walk(tree) if hasattr(node, "body") and _documented(node)}
        found += [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
        ]
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix not in (".py", ".pyc", ".typed"):
            found += path.read_text(encoding="utf-8").splitlines()
    return found


def _documented(node: ast.AST) -> bool:
    body = getattr(node, "body", None)
    return bool(
        isinstance(body, list)
        and body
        and isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
        and isinstance(body[0].value.value, str)
    )


@functools.cache
def extractor_lists() -> list[frozenset[str]]:
    """Every collection of strings the extractor writes down, and every string of more than three words, as words."""
    found = [frozenset(words(text)) - FUNCTION_WORDS for text in EXTRACTOR if len(words(text)) > 3]
    for path in Path(beliefmerge.claims.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
            texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            found.append(frozenset(word for text in texts for word in words(text)) - FUNCTION_WORDS)
    return found


def words(text: str) -> list[str]:
    return re.findall(r"[a-zé]+", text.casefold())


def runs(text: str, length: int = 3) -> set[tuple[str, ...]]:
    """Runs of words in the fixed parts of a template or a regular expression, two of them at least content words."""
    found = set()
    for part in re.split(r"\{\w*\}|[|()\[\]?*+\\.,;:!{}]", text):
        spoken = words(part)
        for i in range(len(spoken) - length + 1):
            run = tuple(spoken[i : i + length])
            if sum(word not in FUNCTION_WORDS for word in run) >= 2:
                found.add(run)
    return found


EXTRACTOR = extractor_strings()
KNOWN = {word for text in EXTRACTOR for word in words(text)}
ATTRIBUTES = [*_things.ATTRIBUTES, *opposed.MEASURES, *opposed.COUNTS, *compatible.MANY, *_names.TRAITS]
WORDINGS = [
    *(wording for attribute in ATTRIBUTES for wording in attribute.wordings),
    *refuted._ENDINGS, *opposed._DENIALS, *supersede._CHANGES, *inject._ORDERS, *inject._CALLS, *refuted._WHO,
    *refuted._DID, *compatible._PLACES, *(name for names in compatible._CONDITIONS for name in names),
]  # fmt: skip
CHATTER = [pattern for patterns in _chatter._PATTERNS.values() for pattern in patterns]
SUBJECTS = [name for names in _things.SUBJECTS.values() for name in names]
VALUES = [
    *_things._TOWNS, *_things._FIRMS, *_things._COLOURS, *_things._TYPESETTERS, *_things._HOUSES, *_things._GIVEN,
    *_things._FAMILY, *_names._GIVEN,
]  # fmt: skip
CHINESE = [
    *(wording for wordings in _chinese.WORDINGS.values() for wording in wordings), *_chinese.NAMES.values(),
    *(pattern for patterns in _chinese._PATTERNS.values() for pattern in patterns),
]  # fmt: skip
GENERATOR = (_things, _chatter, _chinese, _names, _quantities, _wording, compatible, derive, inject, opposed, refuted)


def test_the_extractor_has_word_lists_to_compare_with():
    assert len(EXTRACTOR) > 100
    assert {"because", "monday"} <= KNOWN


def test_no_wording_of_a_fact_and_no_line_of_chatter_is_known_to_the_extractor():
    known = set().union(*map(runs, EXTRACTOR))
    assert {run for text in WORDINGS + CHATTER for run in runs(text)} & known == set()


def test_no_chinese_wording_name_or_chatter_is_known_to_the_extractor():
    """Four characters in a row are a phrase; the extractor's own lists hold words of two or three."""
    known = {run for text in EXTRACTOR for run in chinese_runs(text)}
    assert len(known) > 20
    assert {run for text in CHINESE for run in chinese_runs(text)} & known == set()
    listed = {text for text in EXTRACTOR for text in re.findall(r"[\u4e00-\u9fff]{2,}", text)}
    assert {name for name in _chinese.NAMES.values() if name in listed} == set()


def chinese_runs(text: str, length: int = 4) -> set[str]:
    """Runs of Chinese characters in the fixed parts of a template or a regular expression."""
    parts = re.findall(r"[\u4e00-\u9fff]+", text)
    return {part[i : i + length] for part in parts for i in range(len(part) - length + 1)}


def test_no_subject_and_no_value_of_several_words_is_known_to_the_extractor():
    texts = [" ".join(words(text)) for text in EXTRACTOR]
    several = [" ".join(words(name.removeprefix("the "))) for name in SUBJECTS + VALUES]
    assert [name for name in several if " " in name and any(name in text for text in texts)] == []


def test_hardly_any_value_of_one_word_is_known_to_the_extractor():
    values = {word for value in VALUES if value not in CALENDAR and len(words(value)) == 1 for word in words(value)}
    shared = values & KNOWN
    assert len(shared) <= SHARED_VALUES * len(values), sorted(shared)


def test_no_word_list_of_the_generator_stands_in_a_list_of_the_extractor():
    lists = {
        **{
            f"{module.__name__}.{name}": value
            for module in GENERATOR
            for name, value in vars(module).items()
            if _is_words(value)
        },
        "subjects": SUBJECTS,
        "wordings": [re.sub(r"\{\w\}", " ", text) for text in WORDINGS],
        "labels": [attribute.label for attribute in ATTRIBUTES],
    }
    assert len(lists) > 10
    for name, entries in lists.items():
        if set(entries) <= CALENDAR or not any(words(entry) for entry in entries):
            continue
        mine = {word for entry in entries for word in words(entry)} - FUNCTION_WORDS
        nearest = max(extractor_lists(), key=lambda theirs: cosine(mine, theirs))
        assert cosine(mine, nearest) <= SHARED_LIST, (name, sorted(mine & nearest))


def cosine(mine: set[str], theirs: frozenset[str]) -> float:
    return len(mine & theirs) / math.sqrt(len(mine) * len(theirs)) if min(len(mine), len(theirs)) >= LIST else 0.0


def _is_words(value: object) -> bool:
    return isinstance(value, tuple) and len(value) > 4 and all(isinstance(entry, str) for entry in value)


def test_no_value_is_a_word_of_the_frame_that_arms_print():
    labels = "user-stated tool-verified inferred speculative trusted UNTRUSTED derived from unmet omitted x2"
    words_of_outcomes = "DISPUTED RETRACTED REFUTED COMPATIBLE CONDITIONAL ADJUDICATED"
    frame = " ".join([HEADING, BANNER, *WHO.values(), "branch", labels, words_of_outcomes])
    assert [value for value in VALUES if shows(frame, value)] == []
