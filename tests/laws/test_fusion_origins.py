"""A fused session adds nothing to its sources and settles nothing between them, however it was ordered."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefmerge import merge
from beliefmerge.fusion import FusionConfig
from beliefmerge.fusion.order import STRATEGIES
from beliefmerge.session.model import Block, Channel, Message, Session
from beliefmerge.session.readers import read_session
from tests.fusing import CWD, fused

EXAMPLES = settings(max_examples=60)
SENTENCES = [
    "The release day is Thursday.",
    "The release day is Tuesday.",
    "The release day is not Tuesday.",
    "The port is 8080.",
    "The port is 9090.",
    "We moved from MySQL to PostgreSQL.",
    "The database is MySQL.",
    "The canary is on because the port is 8080.",
]
sentences = st.sampled_from(SENTENCES)
texts = st.one_of(sentences, st.tuples(sentences, sentences).map(" ".join))


@st.composite
def sources(draw: st.DrawFn, *, testimony_only: bool) -> list[Session]:
    """Two or three sessions, with ids, without, or both; some are forks, and of some messages a fusion takes a part."""
    logs: list[list[Message]] = []
    for b in range(draw(st.integers(2, 3))):
        trunk: list[Message] = []
        if logs and draw(st.booleans()):
            parent = draw(st.sampled_from(logs))
            trunk = parent[: draw(st.integers(0, len(parent)))]
            trunk = [replace(m, session=f"s{b}", origin=m.origin or f"{m.session}#{m.seq}") for m in trunk]
        own = [_message(draw, b, len(trunk) + i, testimony_only) for i in range(draw(st.integers(1, 3)))]
        logs.append([*trunk, *own])
    return [Session(f"s{b}", "dsh", tuple(log), cwd=CWD) for b, log in enumerate(logs)]


def _message(draw: st.DrawFn, b: int, seq: int, testimony_only: bool) -> Message:
    channel = draw(st.sampled_from([Channel.USER, Channel.MODEL]))
    blocks = [Block(channel, draw(texts))]
    if not testimony_only:
        others = st.sampled_from([Channel.REASONING, Channel.TOOL, Channel.INJECTED, channel])
        blocks[draw(st.integers(0, 1)) :] = [Block(draw(others), draw(texts)), *blocks]
    time = draw(st.none() | st.integers(0, 9).map(float))
    return Message(tuple(blocks), seq, f"s{b}", draw(st.sampled_from([None, f"m{b}.{seq}"])), time)


ways = st.fixed_dictionaries({"strategy": st.sampled_from(STRATEGIES), "deduplicate": st.booleans()})
limits = st.sampled_from([FusionConfig(), FusionConfig(max_message_bytes=64), FusionConfig(max_messages=3)])


def made(sessions: Sequence[Session], way: dict[str, Any], name: str = "fused") -> Session:
    with tempfile.TemporaryDirectory() as folder:
        return read_session(fused(Path(folder), sessions, target=name, **way).path)


def verdicts(sessions: Sequence[Session]) -> dict[str, Any]:
    """What a merge makes of each slot: outcome, values, what was given up, witnesses."""
    return {
        slot["key"]: (
            *(slot["outcome"], set(slot["values"]), set(slot["superseded"]), slot["witnesses"]),
            *(slot["evidence"], slot["trust"], slot["status"]),
        )
        for slot in merge(sessions).to_json()["slots"]
    }


@EXAMPLES
@given(sources(testimony_only=False), ways, limits, st.randoms(use_true_random=False))
def test_beside_its_sources_it_changes_no_byte(sessions, way, config, order):
    named = list(sessions)
    order.shuffle(named)
    both, alone = merge([*sessions, made(named, way | {"config": config})]), merge(sessions)
    assert both.to_json()["slots"] == alone.to_json()["slots"]
    assert both.text == alone.text


@EXAMPLES
@given(sources(testimony_only=True), ways, st.randoms(use_true_random=False), st.data())
def test_in_place_of_sources_it_says_what_they_say(sessions, way, order, data):
    named = list(sessions)
    order.shuffle(named)
    there = data.draw(st.lists(st.sampled_from(sessions), unique_by=lambda s: s.id, max_size=len(sessions)))
    assert verdicts([*there, made(named, way)]) == verdicts(sessions)


@EXAMPLES
@given(sources(testimony_only=True), ways, ways, sentences)
def test_fused_again_it_still_says_what_they_say(sessions, way, again, sentence):
    other = Session("other", "dsh", (Message((Block(Channel.USER, sentence),), 0, "other", "o"),), cwd=CWD)
    twice = made([made(sessions, way, "once"), other], again, "twice")
    assert verdicts([twice]) == verdicts([*sessions, other])


@EXAMPLES
@given(sources(testimony_only=True), ways, sentences)
def test_what_is_said_in_it_later_is_said_in_view_of_all(sessions, way, sentence):
    """As by a fork of every source whose next message it is."""
    session = made(sessions, way)
    last = Message((Block(Channel.USER, sentence),), session.messages[-1].seq + 9, session.id, "later")
    continued = replace(session, messages=(*session.messages, last))
    forks = [
        replace(s, id=f"f{s.id}", messages=(*(_forked(m) for m in s.messages), replace(last, seq=99))) for s in sessions
    ]
    assert verdicts([continued]) == verdicts(forks)
    assert verdicts([*sessions, continued]) == verdicts(forks)


def _forked(message: Message) -> Message:
    return replace(message, origin=message.origin or f"{message.session}#{message.seq}")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("turned", [False, True])
def test_a_copy_of_two_originals_brings_neither_the_others_later_words(strategy, turned):
    thought, day = Block(Channel.REASONING, "Hm."), Block(Channel.MODEL, "The release day is Thursday.")
    later = Message((Block(Channel.MODEL, "The release day is Tuesday."),), 1, "b", "n")
    one = Session("a", "dsh", (Message((thought, day), 0, "a", "m"),), cwd=CWD)
    other = Session("b", "dsh", (Message((day,), 0, "b", "m"), later), cwd=CWD)
    sessions = [other, one] if turned else [one, other]
    assert verdicts([one, other])["release day"][0] == "disputed"
    assert verdicts([one, other, made(sessions, {"strategy": strategy})]) == verdicts([one, other])
