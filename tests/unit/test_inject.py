"""What a host gets back before a step: its messages and one marked block of other sessions."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from beliefmerge import inject, merge
from beliefmerge.errors import UsageError
from beliefmerge.injection import NAME, is_injected
from beliefmerge.render import BANNER, HEADING, parse
from beliefmerge.session.model import MERGED_HEADING, Block, Channel, Message, Session
from beliefmerge.session.notices import MERGED_BANNER
from beliefmerge.session.readers import read_session

CHAT = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Which broker do we use?"},
]
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "1", "function": {"name": "ls", "arguments": "{}"}}],
}
RESULT = {"role": "tool", "tool_call_id": "1", "content": "a b"}


def session(text: str = "The queue broker is kafka.", name: str = "s") -> Session:
    return Session(name, "plain", (Message((Block(Channel.USER, text),), seq=0, session=name),))


def marked(messages) -> list[int]:
    return [i for i, message in enumerate(messages) if is_injected(message)]


def test_the_package_gives_the_function_every_time() -> None:
    import beliefmerge

    assert beliefmerge.inject is beliefmerge.inject is inject
    assert callable(beliefmerge.inject)


def test_the_block_is_appended_as_one_marked_message() -> None:
    out = inject(CHAT, [session()])
    assert out[:-1] == CHAT
    assert (out[-1]["role"], out[-1]["name"]) == ("user", NAME)
    assert [side.value for item in parse(out[-1]["content"]).items for side in item.sides] == ["kafka"]


def test_the_input_is_never_changed() -> None:
    chat = [*copy.deepcopy(CHAT), copy.deepcopy(CALL), copy.deepcopy(RESULT)]
    before = copy.deepcopy(chat)
    out = inject(chat, [session()])
    out[0]["content"] = "changed"
    assert chat == before
    again = inject(out, [session("The queue broker is redis.")])
    assert [message["content"] for message in out if is_injected(message)] != [again[-1]["content"]]


def test_within_a_turn_the_block_is_replaced_where_it_stands() -> None:
    first = inject(CHAT, [session()])
    second = inject([*first, CALL, RESULT], [session("The queue broker is redis.")])
    assert marked(second) == [2]
    assert second[3:] == [CALL, RESULT]
    assert "redis" in second[2]["content"]
    assert "kafka" not in second[2]["content"]


def test_injecting_again_changes_nothing() -> None:
    once = inject(CHAT, [session()])
    assert inject(once, [session()]) == once


def test_a_block_whose_name_a_host_dropped_is_replaced_too() -> None:
    once = inject(CHAT, [session()])
    nameless = [{k: v for k, v in message.items() if k != "name"} for message in once]
    assert inject(nameless, [session()]) == once


def test_what_the_user_wrote_below_a_pasted_heading_is_kept() -> None:
    chat = [{"role": "user", "content": f"{HEADING}\nIs this right?"}]
    assert inject(chat, [session()])[0] == chat[0]


def test_a_new_turn_gets_its_own_block_and_the_earlier_one_stays() -> None:
    first = inject(CHAT, [session()])
    turn = [*first, {"role": "assistant", "content": "kafka"}, {"role": "user", "content": "And the region?"}]
    out = inject(turn, [session("The region is eu-west.")])
    assert marked(out) == [2, 5]
    assert out[:5] == turn


def test_nothing_is_injected_when_nothing_survives_and_a_stale_block_goes() -> None:
    assert inject(CHAT, [session()], budget=1) == CHAT
    assert inject(CHAT, []) == CHAT
    stale = inject(CHAT, [session()])
    assert inject([*stale, CALL, RESULT], [session()], budget=1) == [*CHAT, CALL, RESULT]


def test_what_the_user_asks_is_the_query() -> None:
    facts = [
        f"The {name} port is {i}." for i, name in enumerate(["proxy", "cache", "queue", "search", "mail"], start=80)
    ]
    chat = [{"role": "user", "content": [{"type": "text", "text": "Which port has the search?"}]}]
    content = inject(chat, [session("\n".join(facts))], budget=34)[-1]["content"]
    assert [item.key for item in parse(content).items] == ["search port"]


def test_options_are_those_of_merge() -> None:
    assert "trusted" in inject(CHAT, [session()], current="s")[-1]["content"]
    with pytest.raises(UsageError):
        inject(CHAT, [session()], score="loudest")


def test_a_chat_with_a_block_in_it_is_no_testimony_for_what_the_block_says(tmp_path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"messages": inject(CHAT, [session()])}))
    read = read_session(path)
    channels = {block.channel for message in read.messages for block in message.blocks if HEADING in block.text}
    assert channels == {Channel.INJECTED}
    assert HEADING == MERGED_HEADING
    assert f"> {MERGED_BANNER}" == BANNER


@pytest.mark.parametrize("mark", ["", " ", "> ", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_merged_block_pasted_into_a_message_is_injected_and_the_words_around_it_stay_the_users(mark, end):
    from beliefmerge.session.reader import block

    text = "# Merged context\n> External background: quoted data.\n- db: X [inferred]\n\n(omitted 3; retracted 1)\n"
    pasted = "".join(f"{mark}{line}{end}" for line in text.splitlines())
    blocks = block(Channel.USER, f"Here it is:{end}{pasted}We use MySQL.")
    assert [(each.channel, each.text) for each in blocks] == [
        (Channel.USER, f"Here it is:{end}"),
        (Channel.INJECTED, pasted),
        (Channel.USER, "We use MySQL."),
    ]


EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "sessions").iterdir())


@pytest.mark.parametrize("channel", ["user", "tool", "model", "injected"])
@pytest.mark.parametrize("mark", ["", "> "])
def test_a_block_that_comes_back_beside_its_sources_changes_nothing(channel, mark, tmp_path):
    sources = [read_session(path) for path in EXAMPLES]
    before = merge(sources, budget=4000)
    pasted = "".join(f"{mark}{line}\n" for line in before.text.splitlines())
    path = tmp_path / "chat.json"
    message = {"channel": channel, "text": f"As merged before:\n{pasted}"}
    path.write_text(json.dumps({"id": "chat", "messages": [message]}))
    after = merge([*sources, read_session(path)], budget=4000)
    assert (after.text, after.slots) == (before.text, before.slots)
    assert after.report.dropped_claims["merged"] == len(before.text.splitlines()) - before.text.count("\n\n")


def test_of_a_block_without_its_sources_what_was_settled_is_read_and_its_labels_are_not(tmp_path):
    path = tmp_path / "added.json"
    text = f'{HEADING}\n{BANNER}\n- queue broker: kafka [user-stated x2] "Kafka."\n- cache host: stage-3\n'
    path.write_text(json.dumps({"id": "added", "messages": [{"channel": "user", "text": text}]}))
    slots = merge([read_session(path)]).slots
    assert [(slot.key, slot.values, int(slot.trust)) for slot in slots] == [
        ("cache host", ("stage-3",), 0),
        ("queue broker", ("kafka",), 0),
    ]


def test_text_that_only_speaks_of_a_merged_block_stays_whole():
    from beliefmerge.session.reader import block

    for text in ("Print # Merged context\nfirst.", "## Merged context\n- a: b", "# Merged contexts\n- a: b"):
        assert block(Channel.USER, text) == (Block(Channel.USER, text),)


def test_finding_merged_blocks_takes_time_linear_in_the_text():
    import time

    from beliefmerge.session.reader import block

    started = time.process_time()
    for unit in (" ", ">", "# Merged context\n", "# Merged context ", "# Merged context\n\n", "\n", "- a\n", " x"):
        block(Channel.USER, "# Merged context\n" + unit * (500_000 // len(unit)))
    assert time.process_time() - started < 5
