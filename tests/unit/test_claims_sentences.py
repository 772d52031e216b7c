"""Sentences are found where they end, and nowhere else."""

from __future__ import annotations

import pytest

from beliefmerge.claims.said.sentences import split


def texts(text: str) -> list[str]:
    return [text[piece.start : piece.end] for piece in split(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The TTL is 60 s. The port is 80! Done?", ["The TTL is 60 s.", "The port is 80!", "Done?"]),
        ("the port is 80. the host is x.", ["the port is 80.", "the host is x."]),
        ("It costs 3.5 EUR, e.g. for tea. Dr. Weiss pays.", ["It costs 3.5 EUR, e.g. for tea.", "Dr. Weiss pays."]),
        ("See https://a.b/c.d?e=f. Next.", ["See https://a.b/c.d?e=f.", "Next."]),
        ("Run `a. b` first. Then go.", ["Run `a. b` first.", "Then go."]),
        ("办公室在东京。端口是80！好", ["办公室在东京。", "端口是80！", "好"]),
        ("- one: 1\n- two: 2\n3. three", ["one: 1", "two: 2", "three"]),
        ("a\n\nb", ["a", "b"]),
        ("He said “stop.” Then he left.", ["He said “stop.”", "Then he left."]),
        ("Plan B. The end.", ["Plan B.", "The end."]),
        ("", []),
        (" \n\t\n", []),
    ],
)
def test_text_is_split_into_its_sentences(text, expected):
    assert texts(text) == expected


def test_hard_wrapped_prose_is_one_sentence():
    wrapped = "The service that we deploy every week listens on port\nnine thousand. Done."
    assert texts(wrapped)[0].endswith("nine thousand.")


def test_lines_that_set_values_are_never_joined():
    assert len(texts("a_rather_long_setting_name_for_this = 1\nanother_rather_long_setting = 2\n")) == 2


def test_fenced_code_is_left_out_but_for_its_settings():
    text = "Before.\n```python\nprint(x)\nport = 8080\nfoo(port)\n```\nAfter."
    assert [(text[p.start : p.end], p.kind) for p in split(text)] == [
        ("Before.", "prose"),
        ("port = 8080", "code"),
        ("After.", "prose"),
    ]


def test_headings_rows_and_items_are_told_apart():
    assert [p.kind for p in split("# Title\n| a | b |\n* item\nprose")] == ["heading", "row", "item", "prose"]


@pytest.mark.parametrize(
    ("printed", "rows"),
    [
        ("Filesystem      Size  Used Avail\n/dev/sda1        75G   61G   11G\n", 2),
        ("NAME    READY   STATUS\nweb-1   1/1     Running\napi-2   0/1     Pending\n", 3),
        ("a\tb\tc\n1\t2\t3\n", 2),
        ("  extname  | version \n-----------+---------\n timescale | 2.13.1\n(1 row)\n", 3),
        ("| service | port |\n|---|---|\n| checkout | 8443 |\n", 2),
    ],
)
def test_a_printed_table_is_rows_and_its_heads_above_a_rule_are_left_out(printed, rows):
    found = split(printed)
    assert [piece.kind for piece in found] == ["row"] * rows
    assert not any("extname" in printed[p.start : p.end] or "service" in printed[p.start : p.end] for p in found)


def test_what_a_change_takes_out_is_not_said():
    assert texts("@@ -1 +1 @@\n-    timeout: 30\n-    retries: 2\n+    timeout: 60\n")[-1] == "timeout: 60"
    assert not any("30" in piece or "retries" in piece for piece in texts("- timeout: 30\n- retries: 2\n+ timeout: 60"))
    assert texts("- buy milk\n- buy bread") == ["buy milk", "buy bread"]


@pytest.mark.parametrize(
    "text",
    [
        "The port is 80.  It is open.  It stays so.\nThe host is stage-3.  It is old.  It stays.",
        "replicas:   5\nimage:      web\nport:       8443",
        "The port  is  80.\nThe host  is  stage-3.",
        "One wide   gap here\nand another   one there",
    ],
)
def test_prose_and_settings_with_wide_spaces_are_no_table(text):
    assert not any(piece.kind == "row" for piece in split(text))


def test_offsets_give_back_the_text_without_outer_space():
    text = "  One.  Two. \n   - Three  "
    assert all(text[p.start : p.end] == text[p.start : p.end].strip() != "" for p in split(text))
