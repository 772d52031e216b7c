"""Small talk, progress, code and logs are no claims; facts are, even when they begin like small talk."""

from __future__ import annotations

import pytest

from beliefmerge.claims.said.chatter import cause, salience

CHATTER = """\
Thanks!|Thank you so much|OK, great.|Sounds good, thanks|Got it.|Understood.|Let me check the logs.
I'll look into it now|I've checked the logs.|Here's the plan|Running the tests now.|Checking the calendar.
Would you like me to go on|You're welcome!|I hope this helps!|Feel free to ask|Good morning team|Hello there
Okay|Perfect, thanks Anna!|Hmm|Nice work everyone|No problem|Happy to help|好的|谢谢你|没问题，我来看一下
收到|请稍等|Danke!|Merci|Gracias|Спасибо|はい、了解です"""
FACTS = """\
No snacks are provided.|Right turns are forbidden.|Good Friday is a holiday.
Running costs are 5,000 EUR a month.|Testing takes two days.|So the port is 80.|Great Britain uses pounds.
Next week the office is closed.|Sure Corp is our supplier.|Ready time is 5 minutes.|Agreed price: 40 EUR
不可以在周末部署。|好的质量是目标。|行李限重是20公斤。|Well water is not drinkable.
First class costs 90 EUR.|OK, the port is 8080."""


@pytest.mark.parametrize("text", CHATTER.replace("\n", "|").split("|"))
def test_small_talk_is_chatter(text):
    assert cause(text) == "chatter"


@pytest.mark.parametrize("text", FACTS.replace("\n", "|").split("|"))
def test_a_fact_is_no_chatter_however_it_begins(text):
    assert cause(text) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Is the port 80?", "question"),
        ("端口是多少？", "question"),
        ("def main(argv): return (", "code"),
        ("}", "chatter"),
        ("$ make test", "code"),
        ("2024-05-01 10:00:00 INFO started", "log"),
        ("ValueError: bad input", "log"),
        ("INFO: starting server", "log"),
        ("x" * 601, "long"),
        ("...", "chatter"),
    ],
)
def test_the_cause_is_named(text, why):
    assert cause(text) == why


def test_concrete_and_decided_outranks_vague():
    facts = ["The refund limit is 100 EUR.", "We decided to use Kafka.", "deploy_day=Monday", "截止日期是三月十五日。"]
    talk = ["It was quite nice, I guess.", "Things look really interesting.", "That seems good."]
    assert min(map(salience, facts)) > max(map(salience, talk))


def test_salience_is_a_share():
    assert all(0 <= salience(text) <= 1 for text in ["", "a", "must 1 " * 100, "maybe " * 50, "端口"])
