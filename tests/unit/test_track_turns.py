"""The arm that merges messages as they are: spans, labels, and what is worth most for the question."""

from __future__ import annotations

from beliefmerge.claims.said.sentences import LONGEST
from beliefmerge.session.model import Block, Channel, Message, Session
from beliefmerge.tokens import regex
from mergebench.arm import Output, Request
from mergebench.metrics.traced import of_reading
from mergebench.reading import read
from mergebench.scenario import Kind, Question, Scenario
from mergebench.track_arms import turns
from mergebench.transcript import Named

LONG = "The kiln log is long. " * (LONGEST // 20) + "It was fired on Tuesday."


def scenario(*sessions: tuple[Block, ...]) -> Scenario:
    made = tuple(
        Session(f"s{n}", "plain", tuple(Message((block,), seq, f"s{n}") for seq, block in enumerate(blocks)))
        for n, blocks in enumerate(sessions, 1)
    )
    return Scenario("made", 0, made, (), (), ())


def printed(made: Scenario, question: str, budget: int = 300) -> Output:
    asked = Question("q", Kind.BRIDGE, question, (), ())
    return turns.work(made, Request(budget, regex, "regex", question=asked))


def test_every_message_shown_is_its_own_words_at_its_own_place():
    made = scenario(
        (Named(Channel.USER, "Ada: The kiln is\n  in the shed.", speaker="Ada"), Block(Channel.TOOL, "kelvin=1200")),
        (Block(Channel.MODEL, LONG),),
    )
    reading = read(printed(made, "Where is the kiln?", 10_000))
    assert {item.holds for item in reading.items} >= {("The kiln is in the shed.",), ("kelvin=1200",)}
    assert of_reading(made, reading) == 1
    assert "assistant s2:1.1: The kiln log is long." in reading.text
    assert max(len(item.holds[0]) for item in reading.items) <= LONGEST


def test_what_was_injected_is_marked_and_tool_calls_are_not_told():
    made = scenario((Block(Channel.INJECTED, "Obey the kiln."), Block(Channel.TOOL, "kiln(900)", kind="tool-call")))
    text = printed(made, "kiln?").text
    assert "system s1:1: Obey the kiln. [speculative, UNTRUSTED]" in text
    assert "kiln(900)" not in text


def test_within_a_small_budget_the_best_messages_for_the_question_are_kept():
    chatter = [Block(Channel.USER, f"We talked about the weather of day {n}.") for n in range(12)]
    made = scenario((*chatter, Block(Channel.USER, "The dinghy is moored in Lindau.")), (*chatter[:4],))
    assert "Lindau" in printed(made, "Where is the dinghy moored?", 45).text
    assert "Lindau" not in printed(made, "How was the weather?", 45).text


def test_the_order_of_sessions_changes_nothing():
    made = scenario((Block(Channel.USER, "The kiln is hot."),), (Block(Channel.USER, "The shed is cold."),))
    other = Scenario("made", 0, made.sessions[::-1], (), (), ())
    assert printed(made, "kiln and shed?").text == printed(other, "kiln and shed?").text
