"""Laws of rendering: parsing inverts it, session text forges nothing, the order of what comes in does not matter."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from beliefmerge.algebra.annotation import Premise
from beliefmerge.algebra.decision import Outcome
from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.reconcile import reconcile
from beliefmerge.render import (
    HEADING,
    Counts,
    ParsedBlock,
    ParsedItem,
    ParsedSide,
    PrintedStatus,
    Quote,
    assemble,
    count,
    frame,
    needs_banner,
    parse,
    render,
    renditions,
)
from beliefmerge.render.escape import escape, field, unescape
from beliefmerge.render.item import line, printed
from beliefmerge.scores import SCORES
from tests.strategies import World, nasty_text, worlds

MARK = re.compile(r"(?<!\\)(?<![\w\])])\[(?!REDACTED:)")
INVISIBLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u200b\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")

several = st.sampled_from([Outcome.DISPUTED, Outcome.COMPATIBLE, Outcome.CONDITIONAL, Outcome.REFUTED])
quotes = st.builds(Quote, nasty_text, st.booleans(), st.booleans())


@st.composite
def items(draw: st.DrawFn) -> ParsedItem:
    outcome = draw(st.one_of(st.just(Outcome.RESOLVED), several))
    sides = [
        ParsedSide(
            value=draw(nasty_text),
            denied=outcome is Outcome.REFUTED or draw(st.booleans()),
            evidence=draw(st.sampled_from(Evidence)),
            witnesses=draw(st.integers(1, 300)),
            trust=draw(st.sampled_from(Trust)),
            retracted=draw(st.booleans()),
            guard=draw(nasty_text) if outcome is Outcome.CONDITIONAL else None,
            quote=draw(st.none() | quotes),
        )
        for _ in range(1 if outcome is Outcome.RESOLVED else draw(st.integers(1, 3)))
    ]
    status = draw(st.sampled_from(PrintedStatus))
    premise = st.builds(Premise, nasty_text, st.none() | nasty_text)
    least = 1 if status is PrintedStatus.DERIVED else 0
    premises = () if status is PrintedStatus.STANDS else tuple(draw(st.lists(premise, min_size=least, max_size=3)))
    return ParsedItem(draw(nasty_text), outcome, tuple(sides), status, draw(st.booleans()), premises)


counts = st.builds(Counts, *[st.integers(0, 20)] * 4)


@given(st.lists(items(), min_size=1, max_size=3), st.booleans(), counts)
def test_parse_inverts_rendering_for_any_text(shown, banner, footer) -> None:
    text = assemble([line(item) for item in shown], banner=banner, counts=footer)
    assert parse(text) == ParsedBlock(banner, tuple(shown), footer)


@given(items(), st.booleans())
def test_session_text_opens_no_line_heading_label_or_tag_and_hides_nothing(item, banner) -> None:
    text = assemble([line(item)], banner=banner, counts=Counts(omitted=1))
    lines = text.splitlines()
    assert [one for one in lines if one.lstrip().startswith(("#", "＃"))] == [HEADING]
    assert len(lines) == text.count("\n") == 4 + banner
    assert sum(one.startswith("- ") for one in lines) == 1
    assert len(MARK.findall(text)) == len(item.sides)
    assert not re.search(r"(?<!\\)[<＜][A-Za-z/!?]|(?<!\\)\]\(|(?<!\\)```|(?<!\\)~~~", text)
    assert not INVISIBLE.search(text.replace("👩\u200d💻", ""))
    text.encode()


@settings(max_examples=300)
@given(
    st.lists(st.lists(st.sampled_from(["`", "``", "```", "｀", "a", " ", "\\"])).map("".join), min_size=3, max_size=3)
)
def test_no_code_span_of_a_session_reaches_over_our_labels(texts) -> None:
    sides = tuple(ParsedSide(text, False, Evidence.USER_STATED, quote=Quote(text)) for text in texts[1:])
    text = assemble([line(ParsedItem(texts[0], Outcome.DISPUTED, sides))], banner=False)
    inline = [token for token in MarkdownIt("commonmark").parse(text) if token.type == "inline"]
    code = [child.content for token in inline for child in token.children or [] if child.type == "code_inline"]
    assert not any("user-stated" in span for span in code)


@given(nasty_text)
def test_a_field_has_as_many_unescaped_quotation_marks_as_we_print(text) -> None:
    shown = field(text)
    unescaped = re.findall(r'(?<!\\)(?:\\\\)*"', re.sub(r"\\\\", "", shown))
    assert len(unescaped) in (0, 2)
    assert (unescape(shown[1:-1]) if shown.startswith('"') else shown) == text


@given(nasty_text)
def test_unescaping_inverts_escaping(text) -> None:
    assert unescape(escape(text)) == text


@given(nasty_text, nasty_text)
def test_different_texts_are_printed_differently(one, other) -> None:
    assume(one != other)
    assert field(one) != field(other)


nasty_worlds = nasty_text.flatmap(lambda prefix: worlds(name=lambda text: f"{prefix}{text}"))


@pytest.mark.parametrize("score", list(SCORES))
@given(world=nasty_worlds, quoted=st.booleans())
def test_parsing_a_rendered_merge_gives_back_keys_outcomes_values_and_labels(score, world: World, quoted) -> None:
    slots = reconcile(world.claims, SCORES[score])
    block = parse(render(slots, quotes=quoted))
    said = sorted((slot for slot in slots if slot.sides), key=lambda slot: slot.key)
    assert block.items == tuple(printed(slot, quotes=quoted) for slot in said)
    assert [item.outcome for item in block.items] == [slot.outcome for slot in said]
    assert {(i.key, s.value, s.denied, s.trust, s.evidence, s.witnesses) for i in block.items for s in i.sides} == {
        (slot.key, s.spelling, s.stance.denied, s.trust, s.evidence, s.witnesses) for slot in said for s in slot.sides
    }
    if said:
        assert block.counts == count(said)
        assert block.banner == (min(slot.trust for slot in said) < Trust.TRUSTED)


@given(worlds(), st.randoms(use_true_random=False))
def test_the_same_claims_give_the_same_bytes_in_every_order(world: World, shuffle: random.Random) -> None:
    claims = list(world.claims)
    slots = reconcile(claims, SCORES["egalitarian"])
    shuffle.shuffle(claims)
    again = reconcile([*claims, *claims[:3]], SCORES["egalitarian"])
    shuffle.shuffle(again)
    assert render(slots) == render(again)


@given(worlds())
def test_a_block_is_its_frame_and_its_renditions(world: World) -> None:
    slots = [slot for slot in reconcile(world.claims, SCORES["egalitarian"]) if slot.sides]
    for quoted in (True, False):
        chosen = [renditions(slot)[0 if quoted else -1] for slot in slots]
        around = frame(count(slots), banner=needs_banner(slots))
        assert len(render(slots, quotes=quoted)) == (len(around) + sum(map(len, chosen)) if slots else 0)
