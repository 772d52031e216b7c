"""Typst sources: what is prose, what is code, and that no number is typed in the text."""

from __future__ import annotations

import pytest

from paper import digits
from paper.document import Document
from paper.published import root
from paper.source import scan


def typed(text: str) -> list[str]:
    return [line.split(":")[1].strip() for line in digits.typed([scan(text, "x.typ")])]


@pytest.mark.parametrize(
    "text",
    [
        "Three of them, BM25 and ledger_v2, are in @fig-2 and @knuth1977.",
        "See `results 400` and ```sh\nrun 12\n``` and https://example.org/2024.",
        "For $k = 2$ and $n >= 10$, $x$ is $0$; $ sum_(i=1)^n 2^i $",
        "// 98 of them\n/* 98 /* nested 1 */ 2 */ none",
        '#num("a/b.c[d=400]", "percent 1") and #fact("a", "config.x2")',
        "#h(1em) #set text(size: 11pt) #v(-2mm)",
        '#table(columns: (1fr, 2), numbering: "1.1", [a], [b])',
        "== A title <sec-2>",
        "#let shown(x) = [about #x]",
    ],
)
def test_what_is_no_result_may_have_digits(text):
    assert typed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "It holds in 98 % of them.",
        "It holds in *98* of them.",
        "It holds in _98_ of them.",
        "= Table 1",
        "1. first",
        "SHA-256",
        "half is \u00bd",
        "#theorem[In [2] cases.]",
        '#fig("x", caption: [All 50 runs.])',
        '#strong("98 %")',
        '#text(fill: red, "98 %")',
        "#let x = 98",
        "#let d = (a: 12)",
        "#98",
        "#(98)",
        "#{ let y = 3; y }",
        "$98 %$",
        "$approx 98 %$",
        "$= 98$",
        "$(98)$",
        "\\u{39} percent",
        "\\9 percent",
        '#link("98 %")',
        "$0.5$",
        "$12$",
        '$ x "in 9 of them" $',
        "/* a */ 98",
        "`raw` 98",
        "\\$98",
        "@fig-x[Figure 7]",
        '#num("a/b.c", "percent") of 20',
    ],
)
def test_a_typed_number_is_found(text):
    assert typed(f"first line\n{text}\nlast line") == ["2"]


def test_a_finding_names_file_line_and_what_was_found():
    (line,) = digits.typed([scan("a\n\nb 98.2 % c", "sections/x.typ")])
    assert line.startswith("sections/x.typ:3: '98.2' is typed")


def test_calls_are_found_wherever_they_are():
    text = """#num("a/b.c",
      "percent") $ x = #num("d/e.f", "text") $ #fig("n", caption: [of #fact("g", "h")])
    // #num("not", "this")
    `#num("nor", "this")` #if x [#num("i/j.k[l='m, n']", "integer")]"""
    found = [(call.function, call.strings) for call in scan(text, "x").calls]
    assert found == [
        ("num", ("a/b.c", "percent")),
        ("num", ("d/e.f", "text")),
        ("fact", ("g", "h")),
        ("fig", ("n",)),
        ("num", ("i/j.k[l='m, n']", "integer")),
    ]


def test_a_call_with_anything_but_strings_is_not_plain():
    calls = scan('#num("a", x) #num("a" + "b", "c") #num("a", form: "c") #num("a", "b",)', "x").calls
    assert [call.plain for call in calls] == [False, False, False, True]


def test_a_semicolon_that_typst_would_not_print_is_found():
    source = scan('#num("a", "b"); #num("a", "b")\\; #let x = none; `a`; end', "x")
    assert [piece.offset for piece in source.pieces if piece.kind == "semicolon"] == [14]


@pytest.mark.parametrize("text", ['#num("a', "#f(", "$ x", "`", "```", "/*", "#[", "#{", "\\", "#", "@", "<"])
def test_what_is_never_closed_ends_with_the_text(text):
    assert scan(text, "x").text == text


def test_the_paper_has_no_typed_number_and_shows_only_what_there_is():
    assert Document(root() / "paper" / "document").findings() == []
