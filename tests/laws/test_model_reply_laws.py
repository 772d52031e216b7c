"""No reply, of whatever shape, breaks a merge: it is believed in part, or falls to the rung below."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from beliefmerge import merge
from beliefmerge.demo import talk
from tests.doubles.models import Scripted
from tests.doubles.replies import answers, opinion, reply, slot

SESSIONS = [
    talk("a", ("user", "The staging database is MySQL."), ("model", "The cache TTL is 60 s.")),
    talk("b", ("user", "The staging database is PostgreSQL.")),
]
GOOD = reply(
    slot(
        "staging.database",
        opinion("b1", "MySQL", "The staging database is MySQL"),
        opinion("b2", "PostgreSQL", "The staging database is PostgreSQL", derived_from=[{"key": "cache.ttl"}]),
    ),
    slot("cache.ttl", opinion("b1", "60 s", "The cache TTL is 60 s", 2)),
)
SETTLED = answers(
    ("t1", "conditional", ["o1", "o2"]),
    guards=[{"option": "o1", "condition": "staging"}, {"option": "o2", "condition": "database"}],
    premises=["o1"],
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(["b1", "o1", "t1", "MySQL", "The staging database is MySQL", "staging.database", "choose", "yes"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def spoiled(draw: st.DrawFn, good: Any) -> Any:
    """`good` with something else, or nothing, in a few places."""
    if draw(st.integers(0, 9)) == 0:
        return draw(VALUES)
    if isinstance(good, dict):
        kept = [key for key in good if draw(st.integers(0, 14))]
        return {key: draw(spoiled(good[key])) for key in kept}
    if isinstance(good, list):
        return [draw(spoiled(each)) for each in good] * draw(st.sampled_from([1, 1, 1, 2]))
    return good


@settings(max_examples=60)
@given(spoiled(GOOD), spoiled(SETTLED), st.booleans())
def test_no_reply_of_any_shape_breaks_a_merge(found, settled, cut):
    def answer(prompt: str) -> str:
        text = json.dumps(settled if prompt.startswith("{") else found)
        return text[: len(text) // 2] if cut and prompt.startswith("{") else text

    merged = merge(SESSIONS, extract="joint", llm=Scripted(answer))
    assert merged.text.startswith("# Merged context\n")
    assert (merged.report.mode == "joint") != any("joint extraction failed" in rung for rung in merged.report.rungs)


@settings(max_examples=20)
@given(st.text(max_size=40))
def test_a_reply_that_is_no_json_is_the_merge_without_a_model(text):
    merged = merge(SESSIONS, extract="joint", llm=Scripted(lambda prompt: text), adjudicate=False)
    assert merged.text == merge(SESSIONS).text
    assert merged.report.mode == "heuristic"
