"""Values are one when they mean one thing, however they are written."""

from __future__ import annotations

import pytest

from beliefmerge.claims.values.normalise import normalise, read

SAME = [
    ["sixty seconds", "60 s", "1 min", "60s", "one minute", "60 sec", "六十秒", "60秒", "１ min"],
    ["30 s", "0.5 min", "thirty seconds", "half a minute", "三十秒", "about 30 s", "30-second"],
    ["three hundred seconds", "300 s", "5 minutes", "5m", "5 min.", "**5 min**"],
    ["90 min", "1h30m", "an hour and a half", "one and a half hours", "1 h 30 min", "5,400 s"],
    ["2 years", "24 months", "two years"],
    ["1 MB/s", "8 Mb/s", "8 Mbps"],
    ["050 ms", "50 ms"],
    ["5 MB", "5,000 KB", "5000000 bytes", "5 megabytes"],
    ["5 GiB", "5,120 MiB"],
    ["$20k", "20,000 dollars", "US$20,000", "20000 USD", "20 thousand dollars"],
    ["100 EUR", "€100", "one hundred euros", "100 euros"],
    ["1.5万元", "15000 yuan", "一万五千元"],
    ["3.5 %", "3.5 percent", "3.5%"],
    ["百分之五十", "50 %", "fifty percent"],
    ["220 °C", "220 degrees Celsius", "428 °F"],
    ["1.5 km", "1500 m", "1,500 metres"],
    ["500 mg", "0.5 g"],
    ["42", "forty-two", "forty two", "四十二"],
    ["1,050", "one thousand and fifty", "一千零五十"],
    ["12 eggs", "a dozen eggs", "twelve eggs", "12 egg"],
    ["at most ten users", "no more than 10 users", "up to ten users"],
    ["Monday", "mondays", "Mon", "on Monday".removeprefix("on "), "星期一", "周一", "Montag"],
    ["2024-03-05", "5 March 2024", "March 5th, 2024", "2024年3月5日", "2024/03/05", "the 5th of March 2024"],
    ["May 3", "3 May", "3rd of May", "五月三日"],
    ["15:00", "3 pm", "3:00 PM", "下午三点", "下午3点"],
    ["Tuesday at 10 am", "Tuesday 10:00"],
    ["yes", "true", "enabled", "on", "启用", "not disabled"],
    ["no", "false", "disabled", "off", "not enabled", "关闭"],
    ["PostgreSQL", "postgresql", "“PostgreSQL”.", "`PostgreSQL`"],
    ["eu-west", "EU West", "eu_west"],
    ["third floor", "3rd floor", "the third floor"],
    ["daily", "every day"],
    ["2-4 players", "2 to 4 players"],
    ["v1.2.3", "1.2.3"],
]
DIFFERENT = [
    ("30 s", "30 ms"),
    ("5 m", "5 min"),
    ("60", "60 s"),
    ("5 MB", "5 MiB"),
    ("5 MB", "5 Mb"),
    ("3.10", "3.1"),
    ("5 MB/s", "5 Mb/s"),
    ("1 GB/s", "1 Gb/s"),
    ("01067", "1067"),
    ("0301234", "301234"),
    ("1.2.3", "1.2.30"),
    ("$100", "€100"),
    ("May 3", "3 June"),
    ("03:00", "3 pm"),
    ("eu-west-1", "eu-west-2"),
    ("2024-03-05", "2024-05-03"),
    ("10.0.0.1", "10.0.0.11"),
    ("one", "one hundred"),
    ("yes", "no"),
    ("at least 5", "at most 5"),
]


@pytest.mark.parametrize("spellings", SAME, ids=lambda s: s[0])
def test_spellings_of_one_value_have_one_identity(spellings):
    assert {s: normalise(s) for s in spellings} == dict.fromkeys(spellings, normalise(spellings[0]))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_values_that_differ_stay_apart(one, other):
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("~/.config/app.toml", "path"),
        ("src/app.py", "path"),
        ("https://example.org/a?b=1", "address"),
        ("10.0.0.1", "address"),
        ("1.2.3", "version"),
        ("us-east-1", "identifier"),
        ("PostgreSQL", "name"),
        ("kafka", "word"),
        ("8080", "number"),
        ("三个副本", "count:副本"),
        ("unlimited", "none"),
        ("may", "word"),
        ("May", "month"),
    ],
)
def test_kinds_say_what_a_value_can_be_compared_with(text, kind):
    assert read(text).kind == kind


def test_identity_is_never_empty_for_text():
    for text in ("-", "…", "''", "**", "?", "的", " x "):
        assert normalise(text)


DIGITS = "9" * 5000


@pytest.mark.parametrize(
    "text",
    [
        DIGITS,
        f"-{DIGITS} s",
        f"0.{DIGITS}",
        f"{DIGITS}th",
        f"the {DIGITS}th day",
        f"{DIGITS}h30m",
        f"{DIGITS}个",
        f"x {DIGITS}",
        f"{'9' * 99} " + "million " * 30,
        "nine " + "million " * 2000,
        "about " * 2000 + "x",
        "at most " * 2000 + "5",
        "1 h " * 1500,
    ],
    ids=lambda text: text[:12],
)
def test_a_text_too_long_for_a_number_is_only_itself(text):
    assert normalise(text)
    assert normalise(text) == normalise(f" {text} ")
    assert normalise(text) != normalise(f"{text}x")
