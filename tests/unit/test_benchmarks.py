"""The benchmarks' table, record and verdicts; never what a time is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.errors import BeliefMergeError
from benchmarks.cases import ledger_cascade, ledger_fold, ledger_origins
from benchmarks.published import attribution_peer, benchmarks
from benchmarks.suite import publish
from benchmarks.suite.benchmark import CASES, Benchmark, chosen
from benchmarks.suite.command import main
from benchmarks.suite.measure import agree, in_turn
from benchmarks.suite.row import MEBIBYTES, Row, amount, columns, ratio_of, unfinished
from experiment import tables
from experiment.compare import same

FAST = Row("sorting", (1.0, 2.0, 4.0), (8.0, 8.0, 8.0), "the plain way", "< 3 s", True, "a note")
SLOW = Row("sorting", (9.0,), (8.0,), "the plain way", "< 3 s", False)
QUALITY = Row("recall", (0.9,), (0.8,), "another estimator", unit="")
SECONDS = st.floats(1e-6, 1e6)
ROUNDS = st.lists(SECONDS, min_size=1, max_size=7).map(tuple)


@pytest.fixture
def registered():
    """Adds a benchmark that gives these rows, and takes it away again."""
    added = []

    def add(name, *rows, error=None, lacks=""):
        def run():
            yield from rows
            if error is not None:
                raise error

        CASES.register(name, Benchmark(f"about {name}", run, lambda: lacks))
        added.append(name)
        return name

    yield add
    for name in added:
        CASES.unregister(name)


def recorded(results):
    (run,) = results.iterdir()
    return run, json.loads((run / "record.json").read_text())


# the arithmetic


def test_the_ratio_is_the_reference_over_ours():
    assert ratio_of((2.0,), (6.0,)) == (3.0, 3.0, 3.0)
    assert FAST.ratio == (4.0, 2.0, 8.0)


def test_rounds_taken_in_turn_are_compared_round_by_round():
    assert ratio_of((1.0, 10.0), (2.0, 20.0)) == (2.0, 2.0, 2.0)


def test_different_numbers_of_rounds_are_compared_at_their_extremes():
    assert ratio_of((1.0, 2.0, 4.0), (8.0,)) == (4.0, 2.0, 8.0)


@given(ROUNDS, ROUNDS)
def test_the_ratio_of_the_medians_lies_between_its_limits(ours, reference):
    value, low, high = ratio_of(ours, reference)
    assert low <= value * (1 + 1e-9)
    assert value <= high * (1 + 1e-9)


@given(ROUNDS, ROUNDS, st.floats(1.01, 100))
def test_a_slower_way_has_a_smaller_ratio(ours, reference, factor):
    slower = tuple(factor * value for value in ours)
    assert ratio_of(slower, reference).value < ratio_of(ours, reference).value


def test_memory_has_a_ratio_and_quality_has_none():
    assert Row("peak", (100.0,), (300.0,), "a list", unit=MEBIBYTES).ratio == (3.0, 3.0, 3.0)
    assert QUALITY.ratio is None


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Row("a time", (1.0,), (), "the bar alone"),
        lambda: Row("a value", (1.0,), (2.0,), ""),
        lambda: Row("no value", (), (2.0,), "the plain way"),
        lambda: Row("a bar", (1.0,), (2.0,), "the plain way", bar="< 1 s"),
        lambda: Row("a verdict", (1.0,), (2.0,), "the plain way", holds=True),
    ],
)
def test_a_row_without_what_it_takes_is_refused(wrong):
    with pytest.raises(ValueError):
        wrong()


def test_ways_are_timed_one_after_the_other_in_each_round():
    now, done = [0.0], []

    def takes(name, seconds):
        def work():
            done.append(name)
            now[0] += seconds

        return work

    ours, reference = in_turn(takes("ours", 1.0), takes("reference", 5.0), rounds=3, clock=lambda: now[0])
    assert done == ["ours", "reference"] * 3
    assert (ours, reference) == ((1.0,) * 3, (5.0,) * 3)


def test_a_result_that_is_not_the_references_ends_the_benchmark():
    agree([1], [1], "sorting")
    with pytest.raises(BeliefMergeError, match="sorting: ours and the reference disagree"):
        agree([1], [2], "sorting")


# the table


def test_a_row_shows_medians_limits_ratio_and_verdict():
    shown = tables.markdown([FAST.plain("sort"), SLOW.plain("sort"), QUALITY.plain("find")], columns()).splitlines()
    assert (
        shown[2] == "| sort | sorting | 2.00 s | 8.00 s | 4.00x [2.00, 8.00] | < 3 s | holds | the plain way | a note |"
    )
    assert "| 0.889x | < 3 s | FAILS |" in shown[3]
    assert "| 0.900 | 0.800 | – | – | – | another estimator |" in shown[4]


def test_what_ours_takes_for_the_whole_stands_beside_a_part_that_is_compared():
    part = Row("sorting", (1.0,), (3.0,), "a tenth: the plain way", whole=(12.0, 14.0))
    assert part.ratio == (3.0, 3.0, 3.0)
    assert "| 3.00x | 13.0 s | a tenth: the plain way |" in tables.markdown([part.plain("sort")], columns())


def test_the_row_of_a_benchmark_that_raised_has_the_same_columns():
    assert unfinished("sort", "boom").keys() == FAST.plain("sort").keys()


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (0.000333, "s", "0.333 ms"),
        (0.0123, "s", "12.3 ms"),
        (1.5, "s", "1.50 s"),
        (123456.0, "s", "123,456 s"),
        (0.0, "failures", "0 failures"),
        (0.95, "", "0.950"),
        (1.0, "failures", "1 failures"),
        (0.00042, "nats", "0.00042 nats"),
        (99.96, "nats", "100 nats"),
        (None, "s", "–"),
    ],
)
def test_amounts_have_three_significant_digits_and_counts_are_whole(value, unit, shown):
    assert amount(value, unit) == shown


# the command


def test_a_run_prints_the_table_and_records_it(registered, tmp_path, capsys):
    assert main([registered("sort", FAST), registered("find", QUALITY), "--into", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("| benchmark | what |")
    assert "sort: 1 row, " in err
    run, record = recorded(tmp_path)
    rows = tables.read_parquet(run / "runs.parquet")
    assert [(row["benchmark"], row["ratio"], row["holds"]) for row in rows] == [
        ("sort", 4.0, True),
        ("find", None, None),
    ]
    assert rows[0].items() >= FAST.plain("sort").items()
    assert {"load_start", "load_end"} <= rows[0].keys()
    assert (run / "table.md").read_text() == out
    assert {"table.csv", "table.tex"} <= {path.name for path in run.iterdir()}
    assert record["load"].keys() == {"start", "end"}
    assert record["machine"].keys() >= {"python", "cpus"}
    assert record["status"] == "complete"


def test_a_benchmark_that_raises_hides_no_other_and_fails_the_run(registered, tmp_path, capsys):
    broken = registered("broken", FAST, error=ZeroDivisionError("nothing to\ndivide by"))
    assert main([broken, registered("sort", FAST), "--into", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert [line.split(" | ")[1] for line in out.splitlines()[2:]] == ["sorting", "did not finish", "sorting"]
    assert "broken: ZeroDivisionError: nothing to divide by; 2 rows, 1 below the bar" in err
    assert recorded(tmp_path)[1]["failed"] == {"broken": "ZeroDivisionError: nothing to divide by"}


def test_a_bar_that_does_not_hold_fails_the_run(registered, tmp_path):
    assert main([registered("sort", SLOW), "--into", str(tmp_path)]) == 1
    assert recorded(tmp_path)[1]["broken"] == ["sort: sorting"]


def test_a_benchmark_that_lacks_something_is_left_out_in_one_line(registered, tmp_path, capsys):
    assert main([registered("sort", FAST, lacks="no weights"), "--into", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[0]) == ("", "sort: left out: no weights")
    assert recorded(tmp_path)[1]["left_out"] == {"sort": "no weights"}


def test_an_unknown_name_gets_the_nearest_and_nothing_is_run(tmp_path, capsys):
    assert main(["confluense", "--into", str(tmp_path / "new")]) == 2
    assert "unknown benchmark 'confluense'; did you mean 'confluence'?" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_results_that_cannot_be_written_are_refused_before_anything_is_measured(registered, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main([registered("sort", FAST), "--into", str(tmp_path / "file" / "in")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_wrong_option_gets_one_line(capsys):
    assert main(["--rounds", "3"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_name_is_its_own_benchmark_or_all_that_begin_with_it():
    assert chosen(["attribution"]) == ["attribution"]
    assert set(chosen(["ledger"])) > {"ledger_fold", "ledger_store"}
    assert chosen(["ledger", "ledger_fold"]).count("ledger_fold") == 1
    assert chosen([]) == CASES.names()


def test_every_benchmark_declares_itself_in_a_line():
    for name in CASES:
        assert CASES[name].summary
        assert "\n" not in CASES[name].summary


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES.names())
def test_a_benchmark_can_be_imported_alone(name):
    subprocess.run([sys.executable, "-c", f"import benchmarks.cases.{name}"], check=True)


# published


def test_every_benchmark_is_published_and_the_package_apart():
    (part,), (apart,) = benchmarks.PUBLISHED.parts, attribution_peer.PUBLISHED.parts
    assert set(part.runs) | set(apart.runs) == set(CASES.names())
    assert not set(part.runs) & set(apart.runs)
    assert not any(map(part.sampled, part.runs))


def test_the_package_is_left_out_where_its_environment_is_missing(monkeypatch):
    monkeypatch.delenv("BELIEFMERGE_CONTEXT_CITE", raising=False)
    assert "BELIEFMERGE_CONTEXT_CITE names no interpreter" in attribution_peer.PUBLISHED.lacks()
    monkeypatch.setenv("BELIEFMERGE_CONTEXT_CITE", "/nowhere/python")
    assert "no program '/nowhere/python'" in attribution_peer.PUBLISHED.lacks()


def test_a_published_run_is_measured_anew_each_time(registered, tmp_path):
    name = registered("sort", FAST)
    for _ in range(2):
        run = publish.Suite().make([name], tmp_path)
        assert [row["what"] for row in run.tables["runs"]] == ["sorting"]
    assert len(list(tmp_path.iterdir())) == 2


def test_what_did_not_finish_is_not_published(registered, tmp_path):
    with pytest.raises(BeliefMergeError, match="benchmark sort: ValueError: no"):
        publish.Suite().make([registered("sort", FAST, error=ValueError("no"))], tmp_path)


def test_another_time_is_the_same_result_and_another_bar_is_not():
    old = FAST.plain("sort")
    for name, changed, agrees in (("ours", 99.0, True), ("holds", False, False), ("bar", "< 9 s", False)):
        assert same(benchmarks.PUBLISHED, name, old, old | {name: changed}) is agrees


# references


def test_a_sweep_in_fractions_tells_a_wrong_cascade(monkeypatch):
    monkeypatch.setattr(ledger_cascade, "NODES", 80)
    edges = ledger_cascade.layered(True)
    graph = ledger_cascade.graph_of(edges, True)
    graph.fall(ledger_cascade.SEAL)
    exact = ledger_cascade.sweep(edges)
    assert len(exact) == 81
    assert ledger_cascade.bounded(graph, exact)
    graph.weigh(80, max(edges[80]), 1)
    graph.weigh(80, min(edges[80]), 1)
    assert not ledger_cascade.bounded(graph, exact)


def test_comparing_with_each_origin_counts_what_the_index_counts(monkeypatch):
    monkeypatch.setattr(ledger_origins, "ORIGINS", 10)
    given = ledger_origins.origins(15)
    copy = [*given[:10], given[3]]
    for way in (ledger_origins.Indexed, ledger_origins.Pairwise):
        assert ledger_origins.counted(way(), given)[1] == [11, 12, 13, 14, 15]
        assert ledger_origins.counted(way(), copy)[1] == [10]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="resident memory is read from /proc")
def test_what_this_process_holds_is_not_counted_as_a_fresh_ones():
    held = b"x" * (256 << 20)
    grown, most = ledger_fold.memory("keep_parsed", 5_000)
    assert 1 < grown < most < len(held) >> 20
