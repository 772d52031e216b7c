"""What pages quote from the results: filled in, found when it is wrong, and everything else left as it is."""

from __future__ import annotations

import re
import shutil

import pytest

from experiment.tables import read_parquet, write_parquet
from paper import build, quotes, stage
from paper.published import Published, default_directory, root
from paper.quotes import Page

PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*paper/built/([\w-]+)\.svg\)")
SELECTOR = "trajectory/runs.persistence[arm=ledger_v2]"
PAGE = f"""# A page\r
\r
The ledger has <!-- num: {SELECTOR} as percent interval -->?<!-- end -->, "quoted" — of
all <!-- num: trajectory/runs.n[arm=flat,
  retention=0.5] as integer --><!-- end -->, with NumPy
at <!-- fact: trajectory packages.numpy -->?<!-- end --> and
at <!-- constant: experiment.intervals.CONFIDENCE as percent -->?<!-- end -->.

<!-- table: trajectory-panel -->
<!-- end -->

```
<!-- table: nothing -->
```

<!-- note: left alone -->  \t
No newline at the end"""


@pytest.fixture
def published():
    return Published(default_directory(), allow_changed=True)


@pytest.fixture
def place(tmp_path):
    """A directory with a page, and a copy of the results that it quotes."""
    shutil.copytree(default_directory() / "trajectory", tmp_path / "published" / "trajectory")
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_bytes(PAGE.encode())
    (tmp_path / "docs" / "a.md").write_text("Plain.\n")
    return tmp_path


def page(text):
    return Page(root() / "docs" / "a.md", "docs/a.md", text)


def run(place, *arguments):
    given = ["--published", place / "published", "--allow-changed", "--docs", place, *arguments]
    return build.main([str(argument) for argument in given])


def perturb(place):
    path = place / "published" / "trajectory" / "runs.parquet"
    rows = [row | ({"persistence": 0.04} if row["arm"] == "ledger_v2" else {}) for row in read_parquet(path)]
    write_parquet(path, rows)


def test_a_quote_is_filled_in_and_every_other_byte_stays(published):
    text, wrong = quotes.filled(page(PAGE), published)
    assert not wrong
    lines = text.split("\n")
    assert 'percent interval -->0\u00a0% (0 to 7)<!-- end -->, "quoted" — of' in lines[2]
    assert lines[4] == "  retention=0.5] as integer -->50<!-- end -->, with NumPy"
    assert "packages.numpy -->2." in lines[5]
    assert lines[6].endswith("as percent -->95\u00a0%<!-- end -->.")
    assert lines[8:10] == ["<!-- table: trajectory-panel -->", ""]
    assert lines[10].startswith("| arm | n | persistence |")
    assert any(line.startswith("| ledger_v2 | 50 | 0 [0, 7] | 100 [93, 100] |") for line in lines)
    assert emptied(text) == emptied(PAGE)


def emptied(text):
    found, wrong = quotes.scan(page(text))
    assert not wrong
    for quote in reversed(found):
        text = text[: quote.start] + text[quote.end :]
    return text


def test_filling_in_what_is_filled_in_changes_nothing(published):
    once, _ = quotes.filled(page(PAGE), published)
    assert quotes.filled(page(once), published) == (once, [])


def num(asked, shown="1"):
    return f"<!-- num: {asked} -->{shown}<!-- end -->"


LINES = "<!-- table: … --> and its <!-- end --> each take a line of their own"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\n<!-- table: budgetz -->\n<!-- end -->\n", "2: unknown table 'budgetz'; did you mean 'budgets'?"),
        ("a\n\n<!-- table: budgets -->\n\nb\n", "3: <!-- table: … --> is not closed by <!-- end -->"),
        (f"a <!-- num: x -->1 and\nb {num(f'{SELECTOR} as percent')}", "1: <!-- num: … --> is not closed"),
        ("a\nb <!-- end -->", "2: <!-- end --> closes nothing"),
        ("a <!-- table: budgets -->\n<!-- end -->", f"1: {LINES}"),
        ("<!-- table: budgets --><!-- end -->", f"1: {LINES}"),
        ("<!-- table: budgets -->\n<!-- end --> b", f"1: {LINES}"),
        (f"a\n- {num(f'{SELECTOR} as percent')}", "2: <!-- num: … --> begins a line"),
        (f"a {num(f'{SELECTOR} as{chr(10)}  + percent')}", "1: a comment cannot hold --, nor a line that begins"),
        (f"a {num(f'{SELECTOR} as percent', 'lost ' * 30)}", "1: <!-- num: … --> and its <!-- end --> have text"),
        ("<!-- table: budgets -->\n| a |\nLost.\n<!-- end -->", "1: <!-- table: … --> and its <!-- end --> have text"),
        (f"a {num(SELECTOR)}", f"1: '{SELECTOR}' has no format: expected SELECTOR as FORMAT"),
        (f"a {num(f'{SELECTOR} as percents')}", "1: unknown format 'percents'; did you mean 'percent'?"),
        (f"a {num('trajectory/runs.n[arm=ledger] as percent')}", "1: no row of trajectory/runs has arm=ledger"),
        ("a <!-- fact: trajectory -->1<!-- end -->", "1: 'trajectory' is no fact: expected EXPERIMENT PATH"),
        ("a\n<!-- tabel: budgets -->\n", "2: unknown quote 'tabel'; did you mean 'table'?"),
        ("a\n<!-- end", "2: a comment is not closed by -->"),
    ],
)
def test_what_is_wrong_is_one_line_with_file_and_line(published, text, said):
    _, wrong = quotes.filled(page(text), published)
    assert wrong
    assert wrong[0].startswith(f"docs/a.md:{said}")
    assert all("\n" not in line for line in wrong)


def test_a_page_is_written_whole_or_not_at_all_and_two_builds_are_the_same_bytes(place, capsys):
    assert run(place, "--docs-only") == 0
    assert capsys.readouterr().out.splitlines() == ["README.md"]
    once = (place / "README.md").read_bytes()
    assert once != PAGE.encode()
    assert run(place, "--docs-only") == 0
    assert (place / "README.md").read_bytes() == once
    (place / "README.md").write_bytes(once + b"\n<!-- end -->")
    assert run(place, "--docs-only") == 2
    assert (
        capsys.readouterr().err == f"paper.build: error: README.md:{once.count(10) + 2}: <!-- end --> closes nothing\n"
    )
    assert (place / "README.md").read_bytes() == once + b"\n<!-- end -->"


def test_a_changed_number_in_a_parquet_file_changes_the_page(place):
    assert run(place, "--docs-only") == 0
    before = (place / "README.md").read_text()
    perturb(place)
    assert run(place, "--docs-only") == 0
    after = (place / "README.md").read_text()
    assert "percent interval -->4\u00a0% (0 to 7)<!-- end -->" in after
    changed = [new for old, new in zip(before.splitlines(), after.splitlines(), strict=True) if old != new]
    assert len(changed) == 2
    assert changed[1].startswith("| ledger_v2 | 50 | 4 [0, 7] |")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [("0\u00a0% (0 to 7)", "1\u00a0% (0 to 7)", 3), ("| ledger_v2 | 50", "| ledger_v2 | 60", 18)],
)
def test_a_number_edited_by_hand_is_found(place, published, old, new, line):
    assert run(place, "--docs-only") == 0
    made = quotes.pages(place)
    assert list(quotes.differences(quotes.all_filled(made, published)[0])) == []
    text = (place / "README.md").read_bytes().decode()
    assert old in text
    (place / "README.md").write_bytes(text.replace(old, new).encode())
    edited = quotes.all_filled(quotes.pages(place), published)[0]
    assert list(quotes.differences(edited)) == [f"README.md:{line}: differs from what is built"]


def test_a_page_that_is_no_text_is_one_line(place):
    (place / "docs" / "a.md").write_bytes(b"a\n\xff")
    with pytest.raises(Exception, match=r"docs/a\.md: is not UTF-8: invalid start byte at byte 2"):
        quotes.pages(place)


def test_every_picture_of_a_page_is_a_figure_of_the_paper_and_says_what_is_seen():
    shown = [found for page in quotes.pages(root()) for found in PICTURE.findall(page.text)]
    assert len(shown) > 5
    for alternative, name in shown:
        assert stage.named(name).kind == "figure"
        assert len(alternative) > 40, name


def test_the_pages_of_this_checkout_are_as_they_are_built(published):
    made, wrong = quotes.all_filled(quotes.pages(root()), published)
    assert wrong == []
    assert list(quotes.differences(made)) == []
    assert sum(len(quotes.scan(page)[0]) for page, _ in made) > 20
