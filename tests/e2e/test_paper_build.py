"""The paper as a command: the same bytes each time, and a changed number changes it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest

from experiment.tables import read_parquet, write_parquet
from paper import build, stage
from paper.published import default_directory, root

TEXT = """= A section <sec-a>

The ledger keeps #num("trajectory/runs.persistence[arm=ledger_v2]", "percent interval") of them, see
@fig-trajectory-retention and @tab-trajectory-arms, by #constant("experiment.intervals.CONFIDENCE", "percent")
intervals. It was built with NumPy #fact("trajectory", "packages.numpy").

#theorem("A name")[Let $a = b$.] <thm-a>
#proof[As @thm-a says.]

#fig("trajectory-retention", caption: [A figure.])
#tab("trajectory-arms", caption: [A table.])
"""
QUOTED = "In <!-- num: trajectory/runs.persistence[arm=ledger_v2] as percent -->?<!-- end --> of cases.\n"
SAMPLES = ["trajectory-arms", "trajectory-retention"]
NUMBER = "num | trajectory/runs.persistence[arm=ledger_v2] | percent interval"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A document of one section, and a copy of the results that it reads."""
    monkeypatch.setattr(stage, "names", lambda: SAMPLES)
    shutil.copytree(default_directory() / "trajectory", tmp_path / "published" / "trajectory")
    (tmp_path / "document" / "sections").mkdir(parents=True)
    for name in ("main.typ", "style.typ", "references.bib"):
        shutil.copy(root() / "paper" / "document" / name, tmp_path / "document")
    (tmp_path / "document" / "abstract.typ").write_text("In short.\n")
    (tmp_path / "document" / "sections" / "01-a.typ").write_text(TEXT)
    return tmp_path


def run(place, *arguments, into="built"):
    given = ["--published", place / "published", "--document", place / "document", "--into", place / into]
    return build.main([str(argument) for argument in (*given, *arguments)])


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def section(place, text):
    (place / "document" / "sections" / "01-a.typ").write_text(text)


def perturb(place):
    """Change what the ledger keeps, in both tables."""
    for table in ("runs", "curve"):
        path = place / "published" / "trajectory" / f"{table}.parquet"
        rows = [row | ({"persistence": 0.04} if row["arm"] == "ledger_v2" else {}) for row in read_parquet(path)]
        write_parquet(path, rows)


def test_two_builds_from_two_places_are_the_same_bytes(place, monkeypatch):
    assert run(place, into="one") == 0
    elsewhere = place / "elsewhere"
    elsewhere.mkdir()
    shutil.move(place / "document", elsewhere / "document")
    shutil.move(place / "published", elsewhere / "published")
    monkeypatch.chdir(elsewhere)
    assert run(elsewhere, into="two") == 0
    one, two = contents(place / "one"), contents(elsewhere / "two")
    assert one == two
    assert sorted(one) == [
        "numbers.json", "paper.pdf", "stages.json", "trajectory-arms.tex", "trajectory-arms.typ",
        "trajectory-retention.pdf", "trajectory-retention.svg",
    ]  # fmt: skip


def test_a_number_leads_to_the_command_of_its_run(place):
    assert run(place) == 0
    numbers = json.loads((place / "built" / "numbers.json").read_text())
    (source,) = numbers["entries"][NUMBER]["sources"]
    run_id = f"{source['experiment']}/{source['runs'][0]}"
    rows = read_parquet(place / "published" / "trajectory" / "runs.parquet")
    assert [rows[row]["arm"] for row in source["rows"]] == ["ledger_v2"]
    assert numbers["runs"][run_id]["command"].startswith("python -m mergebench scenario=trajectory")
    # In the PDF, the number, its entry, the figure's label and the run are places that links lead to.
    pdf = (place / "built" / "paper.pdf").read_bytes()
    assert len(re.findall(rb"/Subtype\s*/Link", pdf)) >= 8


def test_a_changed_number_is_refused_or_changes_the_paper(place, capsys):
    assert run(place) == 0
    before = contents(place / "built")
    perturb(place)
    assert run(place) == 2
    assert "trajectory/runs.parquet is not what its manifest says" in capsys.readouterr().err
    assert contents(place / "built") == before
    assert run(place, "--allow-changed") == 0
    assert "warning: results/published/trajectory/runs.parquet" in capsys.readouterr().err
    after = contents(place / "built")
    assert json.loads(before["numbers.json"])["entries"][NUMBER]["text"] == "0\u00a0% (0 to 7)"
    assert json.loads(after["numbers.json"])["entries"][NUMBER]["text"] == "4\u00a0% (0 to 7)"
    assert {name for name in before if before[name] == after[name]} == set()


def test_check_finds_what_was_edited_is_missing_or_is_made_by_nothing(place, capsys):
    assert run(place) == 0
    assert run(place, "--check") == 0
    built = place / "built"
    (built / "trajectory-arms.tex").write_bytes((built / "trajectory-arms.tex").read_bytes() + b"%")
    (built / "numbers.json").unlink()
    (built / "old.svg").write_text("")
    capsys.readouterr()
    assert run(place, "--check") == 1
    assert capsys.readouterr().err.splitlines() == [
        f"{built / 'numbers.json'}: missing",
        f"{built / 'old.svg'}: nothing makes it",
        f"{built / 'trajectory-arms.tex'}: differs from what is built",
    ]


def test_check_finds_text_that_was_changed_after_the_build(place, capsys):
    assert run(place) == 0
    section(place, TEXT.replace("A section", "Another section"))
    assert run(place, "--check") == 1
    assert capsys.readouterr().err.splitlines() == [f"{place / 'built' / 'paper.pdf'}: differs from what is built"]


def test_check_finds_a_number_and_a_table_edited_in_a_page(place, capsys):
    (place / "docs").mkdir()
    for name, quoted in (("README.md", QUOTED), ("docs/a.md", "<!-- table: trajectory-arms -->\n<!-- end -->\n")):
        (place / name).write_text(quoted)
    pages = ("--docs", place)
    assert run(place, *pages) == 0
    assert run(place, *pages, "--check") == 0
    for name, old, new in (
        ("README.md", "0\u00a0%", "2\u00a0%"),
        ("docs/a.md", "| ledger_v2 | 50", "| ledger_v2 | 51"),
    ):
        text = (place / name).read_text()
        assert old in text
        (place / name).write_text(text.replace(old, new))
    capsys.readouterr()
    assert run(place, *pages, "--check") == 1
    assert capsys.readouterr().err.splitlines() == [
        "README.md:1: differs from what is built",
        "docs/a.md:10: differs from what is built",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("= A\n\nIn 98 % of cases.", "01-a.typ:3: '98' is typed"),
        (
            '= A\n\n#num("trajectory/runs.persistence[arm=ledger]", "percent")',
            "01-a.typ:3: no row of trajectory/runs has",
        ),
        ('= A\n#fig("trajectory-retentions")', "01-a.typ:2: unknown figure 'trajectory-retentions'; did you mean"),
        ("= A\n\n#unknown-function[x]", "01-a.typ:3: unknown variable: unknown-function"),
        ("= A\n\n\nSee @nowhere.", "01-a.typ:4: label `<nowhere>` does not exist in the document"),
    ],
)
def test_an_error_in_the_text_is_one_line_with_file_and_line(place, capsys, text, said):
    section(place, text)
    assert run(place) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"paper.build: error: paper/document/sections/{said}")
    assert not (place / "built" / "paper.pdf").exists()


def test_a_section_is_drafted_alone_and_what_it_lacks_is_listed(place, capsys):
    section(place, TEXT + 'See @sec-other and @fig-none.\n#fig("none", caption: [x])\n#num("none/runs.x", "text")\n')
    assert run(place, "--section", "01-a", into="draft") == 1
    lacks = [line.partition(": ")[2].partition(";")[0] for line in capsys.readouterr().err.splitlines()]
    assert [line.partition(" (known")[0] for line in lacks] == ["unknown figure 'none'", "unknown experiment 'none'"]
    assert (place / "draft" / "01-a.pdf").read_bytes().startswith(b"%PDF")
    assert (place / "draft" / "01-a-01.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "trajectory-retain"], "unknown stage 'trajectory-retain'; did you mean 'trajectory-retention'?"),
        (["--section", "01-b"], "unknown section '01-b'; did you mean '01-a'?"),
    ],
)
def test_an_unknown_name_is_one_line(place, capsys, arguments, said):
    assert run(place, *arguments) == 2
    assert said in capsys.readouterr().err


def test_only_makes_what_is_named(place):
    assert run(place, "--only", "trajectory-arms") == 0
    assert sorted(contents(place / "built")) == ["stages.json", "trajectory-arms.tex", "trajectory-arms.typ"]


def test_it_lists_and_explains_from_any_directory(tmp_path):
    def said(option):
        command = [sys.executable, "-m", "paper.build", option]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    assert ["trajectory-retention", "figure", "trajectory/curve"] in [
        line.split() for line in said("--list").splitlines()
    ]
    assert "--allow-changed" in said("--help")


@pytest.mark.slow
def test_what_is_committed_is_what_is_built_from_the_results(capsys):
    assert build.main(["--check"]) == 0, capsys.readouterr().err
