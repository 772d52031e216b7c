"""The paper's figures and tables: declared stages, made of what they declare and of nothing else."""

from __future__ import annotations

import importlib
import inspect
import json
import shutil

import pytest

from beliefmerge.errors import UsageError
from experiment.manifest import write_manifest
from experiment.tables import named, read_parquet, write_parquet
from paper import stage, stages, style
from paper.published import Published, default_directory
from paper.stage import Declared, Figure, TableStage

SAMPLE = "trajectory-arms"


@pytest.mark.parametrize("name", stage.names())
def test_a_stage_is_made_of_what_it_declares_the_same_each_time(name):
    member, published = stage.named(name), Published(default_directory())
    files = stage.made(name, published)
    kinds = ("pdf", "svg") if member.kind == "figure" else ("tex", "typ")
    assert sorted(files) == [f"{name}.{kind}" for kind in kinds]
    assert stage.made(name, published) == files
    assert member.reads


@pytest.mark.parametrize("name", stage.names())
def test_the_hashed_source_of_a_stage_is_all_of_the_paper_that_it_uses(name):
    module = importlib.import_module(f"paper.{stage.named(name).kind}s.{name.replace('-', '_')}")
    used = {
        value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", "")
        for value in vars(module).values()
    }
    ours = {name for name in used if name and name.startswith("paper.")}
    assert ours - {"paper.stage"} <= set(stage.sources(name))


def test_an_unknown_stage_is_an_error_with_the_nearest_match():
    with pytest.raises(UsageError, match=f"unknown stage 'trajectory-arm'; did you mean '{SAMPLE}'"):
        stage.named("trajectory-arm")


@pytest.fixture
def published(tmp_path):
    """One small experiment of two tables."""
    directory = tmp_path / "published" / "bench"
    directory.mkdir(parents=True)
    for table in ("runs", "cases"):
        write_parquet(directory / f"{table}.parquet", [{"run": "aaaaaaaa", "arm": "x", "rate": 0.5}])
    write_manifest(directory, {"experiment": "bench", "runs": {}})
    return Published(tmp_path / "published")


def handed(published):
    return Declared("mine", [published.table("bench/runs")])


def test_an_undeclared_table_cannot_be_read(published):
    assert list(handed(published)) == ["bench/runs"]
    with pytest.raises(UsageError, match="stage mine reads bench/cases, which it does not declare"):
        handed(published)["bench/cases"]


def test_a_stage_that_changes_its_rows_changes_nobody_elses(published):
    for row in handed(published)["bench/runs"]:
        row["rate"] = 0.9
    assert handed(published)["bench/runs"][0]["rate"] == 0.5


def test_a_table_is_written_for_latex_and_for_typst(published):
    member = TableStage(("bench/runs",), lambda tables: (tables["bench/runs"], [named("arm", "arm_&"), named("rate")]))
    files = member.files("mine", handed(published))
    assert files["mine.tex"].decode().splitlines()[:3] == [r"\begin{tabular}{ll}", r"\toprule", r"arm\_\& & rate \\"]
    assert 'table.header("arm_&", "rate"),' in files["mine.typ"].decode()


def test_a_figure_shows_what_is_in_its_table(published):
    def draw(tables):
        figure, axes = style.canvas(style.COLUMN, 2)
        axes.plot([row["rate"] for row in tables["bench/runs"]], marker="o")
        axes.text(0, 0.5, str(tables["bench/runs"][0]["rate"]))
        return figure

    member = Figure(("bench/runs",), draw)
    before = member.files("mine", handed(published))
    assert before == member.files("mine", handed(published))
    rows = handed(published)
    rows["bench/runs"][0]["rate"] = 0.6
    after = member.files("mine", rows)
    assert all(before[file] != after[file] for file in ("mine.svg", "mine.pdf"))


def test_a_figure_that_does_not_fit_is_an_error(monkeypatch, published):
    def draw(tables):
        figure, axes = style.canvas(0.4, 0.3)
        axes.set_ylabel("a label that is longer than the figure")
        return figure

    monkeypatch.setattr(stage, "named", lambda name: Figure(("bench/runs",), draw))
    with pytest.raises(UsageError, match="stage mine: Matplotlib: constrained_layout not applied"):
        stage.made("mine", published)


def test_looks_are_told_apart_or_refused():
    looks = style.looks("abcdefgh")
    assert len({(look.colour, look.marker) for look in looks.values()}) == 8
    with pytest.raises(ValueError, match="9 things in one figure cannot be told apart"):
        style.looks("abcdefghi")


def test_missing_limits_draw_no_interval():
    rows = [{"x": 0.5, "x_low": 0.25, "x_high": 0.75}, {"x": 0.5, "x_low": None, "x_high": None}]
    (low, nothing), (high, _) = style.limits(rows, "x")
    assert (low, high) == (0.25, 0.25)
    assert nothing != nothing


@pytest.fixture
def copied(tmp_path):
    """The published results that the sample reads, to be changed."""
    shutil.copytree(default_directory() / "trajectory", tmp_path / "published" / "trajectory")
    (tmp_path / "built").mkdir()
    return tmp_path


def build(copied, **options):
    return stages.build([SAMPLE], Published(copied / "published", **options), copied / "built")


def changed(copied):
    path = copied / "published" / "trajectory" / "runs.parquet"
    rows = read_parquet(path)
    write_parquet(path, [{**rows[0], "persistence": 0.123456}, *rows[1:]])


def test_a_stage_is_made_once_and_again_when_its_table_changes(copied):
    assert build(copied) == [SAMPLE]
    before = json.loads((copied / "built" / stages.LOCK).read_text())[SAMPLE]
    table = (copied / "built" / f"{SAMPLE}.tex").read_bytes()
    assert build(copied) == []
    changed(copied)
    with pytest.raises(UsageError, match="is not what its manifest says"):
        build(copied)
    assert build(copied, allow_changed=True) == [SAMPLE]
    after = json.loads((copied / "built" / stages.LOCK).read_text())[SAMPLE]
    assert after["reads"]["trajectory/runs"]["sha256"] != before["reads"]["trajectory/runs"]["sha256"]
    assert after["writes"] != before["writes"]
    assert after["source"] == before["source"]
    assert (copied / "built" / f"{SAMPLE}.tex").read_bytes() != table


def test_what_was_edited_by_hand_is_made_again(copied):
    build(copied)
    file = copied / "built" / f"{SAMPLE}.tex"
    made = file.read_bytes()
    file.write_bytes(made.replace(b"toprule", b"hline"))
    assert build(copied) == [SAMPLE]
    assert file.read_bytes() == made
    file.unlink()
    assert build(copied) == [SAMPLE]


def test_the_source_is_all_that_draws_a_stage(copied, monkeypatch):
    own = {"paper.tables.trajectory_arms", "paper.style", "experiment.tables"}
    assert own <= set(stage.sources(SAMPLE))
    assert not {"paper.stage", "paper.build"} & set(stage.sources(SAMPLE))
    build(copied)
    monkeypatch.setattr(stage, "source_sha256", lambda name: "another")
    assert build(copied) == [SAMPLE]


def test_the_files_of_a_stage_that_is_gone_are_removed(copied, monkeypatch):
    build(copied)
    monkeypatch.setattr(stage, "names", list)
    assert stages.build([], Published(copied / "published"), copied / "built") == []
    assert sorted(path.name for path in (copied / "built").iterdir()) == [stages.LOCK]
