"""BM25 over the candidates, in any script."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.pack.relevance import bm25, relevance, terms

WORDS = st.lists(st.sampled_from("abcdef"), max_size=8)


def plain_bm25(query, documents, k1=1.5, b=0.75):
    """The formula, term by term and document by document."""
    scores = []
    for document in documents:
        mean = sum(len(d) for d in documents) / len(documents)
        score = 0.0
        for term in sorted(set(query)):
            n = sum(1 for d in documents if term in d)
            idf = math.log(1 + (len(documents) - n + 0.5) / (n + 0.5))
            frequency = Counter(document)[term]
            if frequency:
                score += idf * frequency * (k1 + 1) / (frequency + k1 * (1 - b + b * len(document) / mean))
        scores.append(score)
    return scores


@given(WORDS, st.lists(WORDS, min_size=1, max_size=6))
def test_bm25_is_the_formula(query, documents):
    assert bm25(query, documents) == pytest.approx(plain_bm25(query, documents))


@given(st.text(max_size=20), st.lists(st.text(max_size=20), max_size=5))
def test_relevance_is_a_share_of_the_best(query, texts):
    scores = relevance(query, texts)
    assert len(scores) == len(texts)
    assert all(0 <= score <= 1 for score in scores)
    assert max(scores, default=0) in (0, 1)


def test_a_rare_word_counts_more_than_a_common_one():
    texts = ["the port is open", "the cache is warm", "the build is green"]
    assert relevance("the port", texts)[0] == 1
    assert relevance("the port", texts)[1] < 0.5


def test_a_word_inside_another_is_no_match():
    assert relevance("port", ["export the report", "a port"]) == [0, 1]


def test_dotted_and_underscored_keys_are_words():
    assert terms("infra.add_eu-West_2") == ["infra", "add", "eu", "west", "2"]


def test_scripts_without_spaces_are_matched_by_pairs_of_characters():
    assert terms("数据库用MySQL吗") == ["数据", "据库", "库用", "mysql", "吗"]
    assert relevance("数据库是什么", ["缓存时间是六十秒", "数据库用 PostgreSQL"])[1] == 1
    assert relevance("東京タワー", ["大阪城", "東京タワーの高さ"]) == [0, 1]


def test_case_width_and_combining_marks_do_not_matter():
    assert terms("ＰＯＲＴ Straße") == ["port", "strasse"]
    assert terms("Ünï") == terms("U\u0308ni\u0308") == ["ünï"]
    assert terms("हिन्दी भाषा") == ["हिन्दी", "भाषा"]


def test_no_query_and_no_match_are_no_relevance():
    assert relevance(None, ["a"]) == relevance("", ["a"]) == relevance("b", ["a"]) == relevance("?!", ["a"]) == [0]
    assert relevance("a", []) == []
