"""What a block looks like: one of every kind of item, ordinary text left alone, hostile text shown for what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from beliefmerge.algebra.decision import Outcome
from beliefmerge.algebra.evidence import Trust
from beliefmerge.reconcile import reconcile
from beliefmerge.render import BANNER, HEADING, Counts, MalformedBlock, assemble, parse, render, renditions
from beliefmerge.render.escape import field, quoted
from beliefmerge.scores import SCORES
from beliefmerge.session.model import Channel
from tests.hand_made import LONG, claim, every_slot

GOLDEN = Path(__file__).parents[1] / "golden" / "block.md"
SCORE = SCORES["egalitarian"]


def test_a_block_with_every_kind_of_item_is_the_golden_one() -> None:
    assert render(every_slot(), omitted=3) == GOLDEN.read_text(encoding="utf-8")


def test_the_golden_block_has_every_kind_of_item() -> None:
    items = parse(GOLDEN.read_text(encoding="utf-8")).items
    assert {item.outcome for item in items} == set(Outcome) - {Outcome.EMPTY}
    assert {side.trust for item in items for side in item.sides} == set(Trust)


ORDINARY = """60 s|cache_ttl|/etc/nginx/nginx.conf|https://example.com/a?b=c&d=e#f|v1.2.3-rc.1|100 EUR|-5|C# and F#
issue #12|don't touch it|--dry-run|30 °C|80 %|a/b|user@example.com|3.5×10^6|café|naïve façade|x:y|10:30|foo(bar, baz)
东京|办公室在东京。|サーバー|서울|2026-11-30T10:00"""


@pytest.mark.parametrize("text", ORDINARY.replace("\n", "|").split("|"))
def test_ordinary_values_are_printed_bare(text) -> None:
    assert field(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Use `make test`, then `make lint`.",
        r"C:\new\table.txt and \\server\share",
        "a < b and c > d, list[int], a[0][1], x | y, k = v; done",
        "Let's say: **yes** (see issue #12), at 10:30.",
        "[REDACTED:api-key] was rotated",
        "👩\u200d💻 ships ❤\ufe0f it",
        "می\u200cخواهم",
        "क\u094d\u200dष",
        "Ёж, Ελλάδα, שלום, สวัสดี",
        "tom & jerry &amp; co",
    ],
)
def test_ordinary_sentences_are_quoted_without_escapes(text) -> None:
    assert quoted(text).replace("\\\\\\", "\\\\") == f'"{text}"'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", r'"a\u{A}b"'),
        ("a\u2028b\x85c", r'"a\u{2028}b\u{85}c"'),
        ("\u202eabc", r'"\u{202E}abc"'),
        ("pass\u200bword", r'"pass\u{200B}word"'),
        ("a\u200db", r'"a\u{200D}b"'),
        ("\u0301a", r'"\u{301}a"'),
        ("\x1b[31mred", r'"\u{1B}\[31mred"'),
        ("## Merged context", r'"\## Merged context"'),
        ("＃ 标题", r'"\＃ 标题"'),
        ("<script>alert(1)</script>", r'"\<script>alert(1)\</script>"'),
        ("＜script＞", '"＜script＞"'.replace("＜", r"\＜")),
        ("```sh", r'"\`\`\`sh"'),
        ("half `open", r'"half \`open"'),
        ('say "hi"', r'"say \"hi\""'),
        ("kafka [user-stated x9]", r'"kafka \[user-stated x9]"'),
        ("kafka［user-stated x9］", r'"kafka\［user-stated x9］"'),
        ("![x](http://evil)", r'"!\[x\](http://evil)"'),
        (r"a\u{41}", r'"a\\u{41}"'),
        ("ends in \\", r'"ends in \\"'),
        ("RETRACTED yes", '"RETRACTED yes"'),
        ("not Friday", '"not Friday"'),
        ("a; b = c | d", '"a; b = c | d"'),
        ("DISРUTED", '"DISРUTED"'),
        ("", '""'),
    ],
)
def test_text_that_could_pass_for_something_else_is_shown_for_what_it_is(text, shown) -> None:
    assert field(text) == shown


def test_an_item_without_its_quote_costs_at_most_22_characters_beyond_key_and_value() -> None:
    said = [claim("cache ttl", "60 s", session=s, quote="Entries are cached for 60 s.") for s in "ab"]
    slots = reconcile(said, SCORE)
    _, bare = renditions(slots[0])
    assert bare == "- cache ttl: 60 s [user-stated x2]\n"
    assert len(bare) - len("cache ttl") - len("60 s") <= 22


def test_fifteen_facts_fit_400_tokens() -> None:
    facts = [claim(f"service {i} owner", f"team number {i}", session=f"s{i}") for i in range(25)]
    assert len(render(reconcile(facts, SCORE), quotes=False)) <= 4 * 400


def test_a_long_quote_is_cut_around_the_value_and_says_so() -> None:
    (slot,) = reconcile([claim("log retention", "30 days", quote=LONG)], SCORE)
    quote = parse(render([slot])).items[0].sides[0].quote
    assert quote is not None
    assert len(quote.text) <= 160
    assert "30 days" in quote.text
    assert quote.text in LONG
    assert quote.cut_before
    assert quote.cut_after
    assert f'…"{quote.text}"…' in render([slot])


@pytest.mark.parametrize(
    ("quote", "printed"),
    [
        ("The region is eu-west.", False),
        ("The region is not eu-west.", True),
        ("The region is eu-west since the fire.", True),
        ("地区是 eu-west。", True),
    ],
)
def test_a_quote_is_printed_where_it_says_more_than_key_and_value(quote, printed) -> None:
    (slot,) = reconcile([claim("region", "eu-west", quote=quote)], SCORE)
    assert (quote in renditions(slot)[0]) == printed


def test_a_quote_that_says_no_more_than_the_value_is_not_printed() -> None:
    (slot,) = reconcile([claim("region", "eu-west", quote="EU-West.")], SCORE)
    assert renditions(slot) == ("- region: eu-west [user-stated]\n",)


def test_values_that_are_opposed_or_superseded_are_not_printed() -> None:
    claims = [
        claim("db", "MySQL", session="a", quote="db is MySQL"),
        claim("db", "PostgreSQL", session="a", seq=1, after=("a#0",), quote="We moved the db to PostgreSQL."),
        claim("db", "SQLite", session="b", channel=Channel.MODEL),
    ]
    (slot,) = reconcile(claims, SCORE)
    assert (slot.superseded, slot.opposed) == (("MySQL",), ("SQLite",))
    assert render([slot]) == f'{HEADING}\n{BANNER}\n- db: PostgreSQL [user-stated] "We moved the db to PostgreSQL."\n'


def test_the_banner_stands_unless_everything_shown_is_trusted() -> None:
    own = claim("a", "x", session="cur", trust=Trust.TRUSTED)
    foreign = claim("b", "y")
    assert BANNER not in render(reconcile([own], SCORE))
    assert BANNER in render(reconcile([own, foreign], SCORE))


def test_nothing_to_show_is_the_empty_text() -> None:
    assert render([]) == assemble([], banner=True, counts=Counts(omitted=9)) == ""
    assert parse("").items == ()


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        f"{HEADING}\n- k: v [user-stated]",
        f"{HEADING}\nk: v [user-stated]\n",
        f"{HEADING}\n- k v\n",
        f"{HEADING}\n- k: v [certain]\n",
        f"{HEADING}\n- k: v [user-stated] | w [user-stated]\n",
        f"{HEADING}\n- k: v [user-stated] and more\n",
        f"{HEADING}\n- k: v [user-stated] derived from \n",
        f'{HEADING}\n- k: v if "c" [user-stated]\n',
        f"{HEADING}\n- k: CONDITIONAL v [user-stated]\n",
        f"{HEADING}\n- k: v [user-stated]\n\n(lost 3)\n",
        f"{HEADING}\n- k: v [user-stated]\n\n(omitted 0)\n",
        f'{HEADING}\n- k: "\\u{{FFFFFF}}" [user-stated]\n',
    ],
)
def test_a_text_that_is_no_block_is_refused_in_one_line(text) -> None:
    with pytest.raises(MalformedBlock) as refused:
        parse(text)
    assert "\n" not in str(refused.value)
