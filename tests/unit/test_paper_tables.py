"""The paper's tables: each shows the numbers it declares, fits the text's width, and is plain LaTeX."""

from __future__ import annotations

import re

import pytest

from paper import cells, rows, stage
from paper.published import Published, default_directory
from paper.stage import Declared

TABLE_NAMES = [name for name in stage.names() if stage.named(name).kind == "table"]
SHOWN = {
    "ablations-values": ("mergebench-ablations/runs", {"scenario": "tie", "measure": "ties_kept"}, "alignment"),
    "attribution-claims": ("attribution-trajectory/edges", {"declared": True}, "measured_ppm"),
    "attribution-declared": ("attribution/edges", {"entry_id": "kiln-02"}, "measured_ppm"),
    "attribution-peer": ("attribution-peer/runs", {"unit": "s"}, "ours"),
    "attribution-planted-values": ("attribution-planted/runs", {"kind": "mixed"}, "lds"),
    "attribution-steps": ("attribution/steps", {"step_id": "ferry"}, "rho"),
    "attribution-trajectory": ("attribution-trajectory/edges", {"declared": True}, "measured_ppm"),
    "benchmarks-values": ("benchmarks/runs", {"unit": "s"}, "ours"),
    "budgets": ("mergebench-budgets/runs", {"arm": "lastwrite", "budget": 200}, "bridge"),
    "budgets-in-short": ("mergebench-budgets/runs", {"arm": "concat", "budget": 400}, "unambiguous"),
    "cascade": ("confluence-cascade/runs", {"graph": "diamond", "representation": "MAX"}, "deleted"),
    "confluence-huge": ("confluence-huge/runs", {"representation": "COUNT"}, "failures"),
    "confluence-seed": ("confluence-counts/runs", {"space": "seed", "representation": "MAX"}, "failures"),
    "confusions": ("confluence-boundary/runs", {"space": "seed"}, "max_together"),
    "families-values": ("mergebench-panel/runs", {"scenario": "bridge", "arm": "lastwrite"}, "bridge"),
    "idempotence": ("confluence-boundary/idempotence", {"representation": "COUNT"}, "state"),
    "laws-values": ("mergebench-panel/runs", {"scenario": "tie", "arm": "bm25"}, "law_permutation"),
    "live": ("mergebench-live/runs", {"arm": "summary", "budget": 400}, "local"),
    "live-budgets": ("mergebench-live/runs", {"arm": "summary", "budget": 1200}, "local"),
    "locomo-budgets": ("track-locomo/runs", {"arm": "turns", "part": "all", "budget": 400}, "touched"),
    "locomo-values": ("track-locomo/runs", {"arm": "retrieve", "setting": "pairs", "part": "rest"}, "recall"),
    "overlap": ("confluence-boundary/overlap", {"sources": "shared trunk"}, "SCORES"),
    "ramdocs": ("track-ramdocs/runs", {"arm": "entities"}, "exact"),
    "reworded-values": ("trajectory/reworded", {"paraphrase": 0.5}, "exposure"),
    "scaling-values": ("mergebench-scaling/runs", {"arm": "oracle", "branches": 64}, "peak_mb"),
    "smt": ("confluence-boundary/smt", {"representation": "max", "verdict": "found"}, "assertions"),
    "trajectory-arms": ("trajectory/runs", {"arm": "flat_measured"}, "survival"),
    "trajectory-criteria": ("trajectory/criteria", {"arm": "flat_measured"}, "figure"),
    "trajectory-panel": ("trajectory/runs", {"arm": "flat_measured"}, "exposure"),
    "trajectory-read": ("trajectory/read", {"arm": "flat"}, "persistence"),
}
"""A number that each table shows."""
WITH_PROSE = {"attribution-peer", "attribution-steps", "benchmarks-values", "smt", "trajectory-criteria"}
"""Tables with a column of phrases, which break into lines where they must."""
ON_PAGES = {"budgets-in-short", "trajectory-panel"}
"""Tables that the pages of the documentation show and the paper does not."""
TEXT_WIDTH = 160
"""Millimetres, as in `paper/document/style.typ`."""
PAGE = """#set page(width: auto, height: auto, margin: 0mm)
#set text(font: "Libertinus Serif", size: 8.5pt)
#set table(stroke: none, inset: (x: 5pt, y: 3pt))
#show table.cell.where(y: 0): set text(weight: "semibold")
"""


@pytest.fixture(scope="module")
def published():
    return Published(default_directory())


def handed(name, published):
    return Declared(name, [published.table(reference) for reference in stage.named(name).reads])


def made(name, tables):
    return {file: content.decode() for file, content in stage.named(name).files(name, tables).items()}


def test_every_table_has_a_number_that_is_checked():
    assert set(TABLE_NAMES) <= set(SHOWN)


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_a_changed_number_changes_both_files(name, published):
    before, tables = made(name, handed(name, published)), handed(name, published)
    reference, wanted, column = SHOWN[name]
    found = rows.where(tables[reference], **wanted)
    assert found
    for row in found:
        row[column] = another(column, row[column])
    after = made(name, tables)
    assert all(before[file] != after[file] for file in before)


def another(column, old):
    """A value that `column` could have in place of `old`: a share of scenarios, a whole number, a share."""
    if column.startswith("law_"):
        return 0.75 if old != 0.75 else 0.25
    if isinstance(old, float) and abs(old) <= 1:
        return old * 0.8 if old else 1.0
    return type(old)(int(old) * 2 // 3) if int(old) else 1


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_a_table_is_plain_latex_with_a_cell_for_each_column(name, published):
    tex = made(name, handed(name, published))[f"{name}.tex"]
    assert tex.isascii()
    form, body = re.search(r"\\begin\{tabular\}\{([lr]+)\}\n\\toprule\n(.*)\\bottomrule", tex, re.S).groups()
    lines = [line for line in body.splitlines() if line != r"\midrule"]
    assert len(lines) > 1
    assert all(len(re.split(r"(?<!\\)&", line)) == len(form) for line in lines)


@pytest.mark.parametrize("name", [name for name in TABLE_NAMES if name not in WITH_PROSE | ON_PAGES])
def test_a_table_without_phrases_fits_the_width_of_the_text(name, published, tmp_path):
    typst = pytest.importorskip("typst")
    source = tmp_path / "table.typ"
    source.write_text(PAGE + made(name, handed(name, published))[f"{name}.typ"], encoding="utf-8")
    svg = typst.Compiler(root=str(tmp_path), ignore_system_fonts=True).compile(str(source), format="svg").decode()
    width = float(re.search(r'width="([\d.]+)pt"', svg)[1]) / 72 * 25.4
    assert width <= TEXT_WIDTH


def test_a_cell_says_a_rate_with_its_limits_and_none_where_all_units_agree():
    row = {"x": -0.031, "x_low": -0.06, "x_high": 0.002, "one": 1.0, "one_low": 1.0, "one_high": 1.0, "none": None}
    assert cells.rate("x", signed=True).cell(row) == "−3 [−6, 0]"
    assert cells.rate("one", signed=True).cell(row) == "+100"
    assert cells.rate("none").cell(row) == "–"
    assert cells.rate("x", digits=1, limits=False).cell(row) == "−3.1"
    assert cells.rate("x", signed=True).cell({"x": 0.0, "x_low": -0.2, "x_high": 0.2}) == "0 [−20, 20]"


def test_a_count_may_exceed_what_parquet_holds():
    row = {"failures": "123456789012345678901", "total": "223456789012345678901"}
    assert cells.count("failures").cell(row) == "123,456,789,012,345,678,901"
    assert cells.part("failures", "total", "x").cell(row) == "123,456,789,012,345,678,901 (55.2)"
    assert cells.part("failures", "total", "x").cell({"failures": 0, "total": 5}) == "0"


def test_what_the_row_before_says_too_is_said_once_from_the_left_on():
    found = [{"a": 1, "b": 2}, {"a": 1, "b": 2}, {"a": 2, "b": 2}]
    assert cells.once(found, "a", "b") == [{"a": 1, "b": 2}, {"a": "", "b": ""}, {"a": 2, "b": 2}]
