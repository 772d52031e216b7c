"""The exported data set is read back offline, whole, and nothing is written over."""

from __future__ import annotations

import pytest

from mergebench import export as module
from mergebench.export import export, load, main, row
from mergebench.registries import SCENARIOS
from mergebench.scenario import Size

SIZE = Size(topics=12, chatter=3)


@pytest.fixture
def offline(monkeypatch, tmp_path):
    import datasets

    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


def test_every_family_is_a_split_that_reads_back_as_it_was(tmp_path, offline, monkeypatch):
    monkeypatch.setattr(module, "SHARD", 2)
    families = SCENARIOS.names()
    shards = export(tmp_path / "out", families, range(3), SIZE)
    assert len(shards) == 2 * len(families)
    found = load(tmp_path / "out")
    assert set(found) == set(families)
    for family in families:
        expected = [row(SCENARIOS[family].generate(SIZE, seed), SIZE) for seed in range(3)]
        assert [dict(each) for each in found[family]] == expected


def test_the_schema_has_every_field():
    made = [row(SCENARIOS[family].generate(SIZE, 0), SIZE) for family in ("inject", "secret", "derive")]
    import pyarrow

    for each in made:
        assert pyarrow.Table.from_pylist([each], schema=module.schema()).to_pylist() == [each]


def test_it_is_a_command_with_errors_in_one_line(tmp_path, capsys):
    assert main([str(tmp_path / "x"), "--family", "tie", "--seeds", "1"]) == 0
    assert "1 splits of 1 scenarios" in capsys.readouterr().out
    assert (tmp_path / "x" / "README.md").read_text().startswith("---\n")
    for given, said in (
        ([str(tmp_path / "x")], "not an empty folder"),
        ([str(tmp_path / "y"), "--family", "tei"], "did you mean 'tie'"),
        ([str(tmp_path / "y"), "--seeds", "0"], "at least 1"),
        ([str(tmp_path / "y"), "--chatter", "-4"], "chatter=-4 is out of range"),
        ([str(tmp_path / "y"), "--seed", "-1"], "seed=-1 is out of range"),
        ([str(tmp_path / "y"), "--topics", "3"], "out of range"),
    ):
        assert main(given) == 2
        error = capsys.readouterr().err
        assert said in error
        assert error.count("\n") == 1
        assert not (tmp_path / "y").exists()
