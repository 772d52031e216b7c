"""Whether a text shows a value."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergebench.match import SCRIPTS, UNSPACED, fold, shown, shows, without


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The hall seats 120 people.", "120"),
        ("seats: 120", "120"),
        ("(120)", "120"),
        ("up to 120, and then", "120"),
        ("It seats 120.", "120"),
        ("key=alder_house", "Alder House"),
        ("ALDER HOUSE", "Alder House"),
        ("Alder\n  House", "Alder House"),
        ("opens at １８：２０ sharp", "18:20"),
        ("filter KX-417!", "KX-417"),
        ("ask Ilse Brandl's team", "Ilse Brandl"),
        ("on 4 March,", "4 March"),
        ("办公室在东京市", "东京"),
        ("Größe: STRASSE", "straße"),
        ("papa to pa to pa", "pa to pa"),
    ],
)
def test_a_value_is_found_whatever_its_case_width_and_underscores(text, value):
    assert shows(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The hall seats 1200 people.", "120"),
        ("0120", "120"),
        ("120.5 people", "120"),
        ("12,120 people", "120"),
        ("-120 degrees", "120"),
        ("-፩", "፩"),
        ("2024-12-01", "12"),
        ("3:12", "12"),
        ("12:30", "12"),
        ("room12", "12"),
        ("14 March", "4 March"),
        ("tealish", "teal"),
        ("Alderhouse", "Alder House"),
        ("anything", ""),
        ("anything", "  "),
    ],
)
def test_a_value_is_not_found_inside_another(text, value):
    assert not shows(text, value)


def test_shown_keeps_the_order_of_the_values():
    assert shown("teal and 120", ["120", "ochre", "teal"]) == ["120", "teal"]


def test_without_takes_passages_out_wherever_they_stand():
    assert not shows(without("Now: X is 5, not 4. More.", ["X is 5, not 4."]), "4")
    assert shows(without("X is 5, not 4. And 4 again.", ["X is 5, not 4."]), "4")


def test_folding_twice_changes_nothing():
    for text in ("Ａlder_House  ", "ﬁne STRASSE", "东京\t12"):
        assert fold(fold(text)) == fold(text)


def test_a_neighbour_in_a_script_without_spaces_says_nothing():
    assert shows("灌溉泵是Ashdown造的", "Ashdown")
    assert shows("小礼堂坐得下417人", "417")
    assert not shows("小礼堂坐得下1417人", "417")
    assert not shows("灌溉泵是Ashdowns造的", "Ashdown")


def pattern(value: str) -> re.Pattern[str]:
    """One regular expression a value, which takes longer to compile than to search."""
    before = after = ""
    if not UNSPACED.match(value[:1]):
        before = rf"(?<![^\W{SCRIPTS}])" + (r"(?<!-)(?<!\d[.,:/])" if value[:1].isdigit() else "")
    if not UNSPACED.match(value[-1:]):
        after = rf"(?![^\W{SCRIPTS}])" + (r"(?![.,:/-]?\d)" if value[-1:].isdigit() else "")
    return re.compile(before + re.escape(value) + after)


EDGES = st.text(alphabet="a1٣፩²東가-.,:/_ Ⅷß'", max_size=3)


@settings(max_examples=500)
@given(EDGES, EDGES.filter(lambda value: fold(value)), EDGES, EDGES)
def test_a_value_is_shown_where_its_pattern_is_found(before, value, between, after):
    text = before + value + between + value + after
    assert shows(text, value) == bool(pattern(fold(value)).search(fold(text)))
