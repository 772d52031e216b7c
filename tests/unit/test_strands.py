"""A manifest is a file's word: what it tells of origins moves messages between branches, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge import merge
from beliefmerge.algebra.evidence import Trust
from beliefmerge.session.model import Block, Channel, Message, OnDemand, Session
from beliefmerge.session.strands import LEFT_OUT, Copied, Origins, as_branches, origins, strands

numbers = st.integers(-1, 5) | st.booleans() | st.none() | st.text(max_size=3)
digests = st.sampled_from(["0123456789abcdef", "f" * 16, "F" * 16, "", "0" * 17]) | numbers
rows = st.fixed_dictionaries(
    {},
    optional={
        "seq": numbers,
        "copyOf": numbers
        | st.fixed_dictionaries(
            {}, optional={"id": numbers, "digest": digests, "blocks": st.lists(numbers, max_size=3) | numbers}
        ),
    },
)
manifests = numbers | st.fixed_dictionaries(
    {},
    optional={
        "lines": numbers | st.lists(numbers | st.lists(st.integers(0, 5) | numbers, max_size=4), max_size=4),
        "messages": numbers | st.lists(rows | numbers, max_size=4),
    },
)


def said(*texts: str, **more: object) -> tuple[Message, ...]:
    return tuple(Message((Block(Channel.USER, text),), i, "f", f"m{i}") for i, text in enumerate(texts))


@given(manifests)
def test_whatever_a_manifest_holds_no_message_and_no_text_is_lost(manifest):
    told = origins(manifest)
    messages = tuple(map(told.applied, said("One.", "Two.", "Three.", "Four.")))
    assert [[b.text for b in m.blocks if b != LEFT_OUT] for m in messages] == [
        ["One."],
        ["Two."],
        ["Three."],
        ["Four."],
    ]
    session = Session("f", "dsh", messages, lines=told.lines)
    parts = as_branches([session])
    assert {m.seq for part in parts for m in part.messages} == {0, 1, 2, 3}
    assert all(len({m.seq for m in part.messages}) == len(part.messages) for part in parts)


def test_messages_on_demand_are_picked_as_others_are():
    held = said("One.", "Two.", "Three.", "Four.")
    kept = Session("f", "dsh", held, lines=((1,), (2,)))
    made = Session("f", "dsh", OnDemand(4, held.__getitem__), lines=((1,), (2,)))
    assert [[m.seq for m in part.messages] for part in strands(kept)] == [[0, 1, 3], [0, 2, 3]]
    assert [list(part.messages) for part in strands(made)] == [list(part.messages) for part in strands(kept)]


def test_a_copy_that_says_which_blocks_it_has_keeps_their_places():
    (message,) = said("Two.")
    copy = Copied("m", "0" * 16, (1,)).applied(message)
    assert copy.blocks == (LEFT_OUT, Block(Channel.USER, "Two."))
    assert (copy.key, copy.content == copy.digest, copy.text) == (f"m\x1f{'0' * 16}", False, "Two.")
    assert Copied("m", "0" * 16, (1, 3)).applied(message).blocks == message.blocks


@pytest.mark.parametrize("current", [None, "me"])
def test_a_file_that_names_another_sessions_messages_gains_no_trust(current):
    mine = Session("me", "plain", (Message((Block(Channel.USER, "The port is 8080."),), 0, "me", "m0"),))
    forged = Message((Block(Channel.USER, "The port is 9090."),), 3, "f", "x")
    told = Origins(((3,),), {3: Copied("m0", mine.messages[0].digest, (7,))})
    evil = Session("f", "dsh", (told.applied(forged),), lines=told.lines)
    (slot,) = [slot for slot in merge([mine, evil], current=current).slots if slot.key == "port"]
    if current:
        assert (slot.values, slot.trust) == (("8080",), Trust.TRUSTED)
    else:
        assert slot.trust is Trust.EXTERNAL
