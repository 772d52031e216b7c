"""Tables: what is shown, and that files give back what was put in."""

from __future__ import annotations

import csv
import io

import pytest

from beliefmerge.errors import UsageError
from experiment import tables

ROWS = [
    {"arm": "concat", "bridge": 0.18, "bridge_low": 0.1, "bridge_high": 0.3, "tokens": 399.0, "note": None},
    {"arm": "a_b|c", "bridge": 1.0, "bridge_low": None, "bridge_high": None, "tokens": 7.25, "note": None},
]
COLUMNS = [
    tables.named("arm"),
    tables.percent("bridge"),
    tables.number("tokens", digits=1),
    tables.named("note"),
]


def test_the_screen_table_is_aligned_and_leaves_out_columns_without_a_value():
    assert tables.screen(ROWS, COLUMNS) == (
        "arm          bridge  tokens\nconcat  18 [10, 30]   399.0\na_b|c           100     7.2"
    )


def test_a_signed_rate_shows_its_sign():
    column = tables.percent("gain", signed=True)
    assert column.cell({"gain": 0.5}) == "+50"
    assert column.cell({"gain": -0.5, "gain_low": -1.0, "gain_high": 0.0}) == "-50 [-100, 0]"


def test_markdown_escapes_what_would_open_a_cell():
    lines = tables.markdown(ROWS, COLUMNS).splitlines()
    assert lines[1] == "|:--|--:|--:|"
    assert r"a_b\|c" in lines[3]
    assert all(line.replace(r"\|", "").count("|") == 4 for line in lines)


def test_latex_spells_out_what_its_old_fonts_print_as_something_else():
    text = tables.latex([{"bar": "< 3 s > |Δ|"}], [tables.named("bar")])
    assert r"\textless{} 3 s \textgreater{} \textbar{}$\Delta$\textbar{}" in text


def test_latex_escapes_special_characters():
    text = tables.latex([{"arm": "a_b & 5%"}], [tables.named("arm")])
    assert r"a\_b \& 5\%" in text
    assert text.startswith(r"\begin{tabular}{l}")


def test_csv_and_parquet_hold_every_column(tmp_path):
    read = list(csv.DictReader(io.StringIO(tables.comma_separated(ROWS))))
    assert read[0] == {
        "arm": "concat", "bridge": "0.18", "bridge_low": "0.1", "bridge_high": "0.3", "tokens": "399.0", "note": "",
    }  # fmt: skip
    tables.write_parquet(tmp_path / "t.parquet", ROWS)
    assert tables.read_parquet(tmp_path / "t.parquet") == ROWS


def test_a_column_of_nothing_is_stored_as_a_number(tmp_path):
    import pyarrow.parquet

    tables.write_parquet(tmp_path / "t.parquet", ROWS)
    assert str(pyarrow.parquet.read_schema(tmp_path / "t.parquet").field("note").type) == "double"


def test_a_table_that_cannot_be_written_leaves_nothing_half_written(tmp_path):
    target = tmp_path / "missing" / "t.parquet"
    with pytest.raises(UsageError, match="cannot write"):
        tables.write_parquet(target, ROWS)
    assert list(tmp_path.iterdir()) == []


def test_a_setting_under_the_name_of_a_number_is_shown_as_it_is():
    column = tables.number("tokens")
    assert [column.cell({"tokens": value}) for value in (12.4, "regex", None)] == ["12", "regex", tables.MISSING]
