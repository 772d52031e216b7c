"""Numbers: selectors, formats, facts, and errors that say what was meant."""

from __future__ import annotations

import pytest

from beliefmerge.errors import UsageError
from experiment.manifest import write_manifest
from experiment.tables import write_parquet
from paper import facts, formats, numbers
from paper.published import Published
from paper.selector import Value, parse, resolve
from paper.source import scan

H, B = {"run": "aaaaaaaa", "arm": "heuristic"}, {"run": "bbbbbbbb", "arm": "bm25"}
ROWS = [
    H | {"budget": 400, "rate": 0.98, "rate_low": 0.94, "rate_high": 1.0, "ok": True},
    H | {"budget": 800, "rate": 1.0, "rate_low": 0.9, "rate_high": 1.0, "ok": True},
    B | {"budget": 400, "rate": 0.5, "rate_low": 0.4, "rate_high": 0.6, "ok": False},
    {"run": "cccccccc", "arm": "a, b", "budget": 400, "rate": None, "rate_low": None, "rate_high": None, "ok": None},
]
RUNS = {
    run: {
        "command": f"python -m bench arm={arm}", "experiment": "bench", "seed": 7, "config_hash": f"hash-{arm}",
        "config": {"arm.name": arm} | extra,
    }
    for run, arm, extra in (("aaaaaaaa", "heuristic", {}), ("bbbbbbbb", "bm25", {}), ("cccccccc", "x", {"seeds": 3}))
}  # fmt: skip
MANIFEST = {
    "experiment": "panel", "summary": "A panel", "kind": "exact", "command": "python make.py", "runs": RUNS,
    "defaults": {"bench": {"arm.name": "none", "seeds": 20, "scenario.topics": 10}},
    "code": {"version": "0.1.0", "commit": "0123456789abcdef", "dirty": False, "fingerprint": "f"},
    "packages": {"numpy": "2.0"},
}  # fmt: skip


@pytest.fixture
def published(tmp_path):
    directory = tmp_path / "panel"
    directory.mkdir()
    write_parquet(directory / "runs.parquet", ROWS)
    write_parquet(directory / "bare.parquet", [{"x": 1}])
    write_manifest(directory, MANIFEST)
    return Published(tmp_path)


@pytest.mark.parametrize(
    ("selector", "form", "text"),
    [
        ("panel/runs.rate[arm=heuristic, budget=400]", "percent", "98\u00a0%"),
        ("panel/runs.rate[arm=heuristic,budget=400]", "percent interval", "98\u00a0% (94 to 100)"),
        ("panel/runs.rate[arm=bm25]", "interval", "0.50 (0.40 to 0.60)"),
        ("panel/runs.rate[arm=bm25]", "interval 1", "0.5 (0.4 to 0.6)"),
        ("panel/runs.budget[arm=bm25]", "integer", "400"),
        ("panel/runs.arm[ok=false]", "text", "bm25"),
        ("panel/runs.budget[arm='a, b']", "text", "400"),
        ("panel/runs.arm[rate=none]", "text", "a, b"),
        ("max panel/runs.rate", "percent", "100\u00a0%"),
        ("min panel/runs.rate[budget=400]", "percent", "50\u00a0%"),
        ("sum panel/runs.budget", "integer", "2,000"),
        ("mean panel/runs.rate[budget=400]", "percent", "74\u00a0%"),
        ("count panel/runs.rate[rate>=0.98]", "integer", "2"),
        ("count panel/runs.run[rate>1]", "integer", "0"),
        ("distinct panel/runs.arm", "integer", "3"),
        (
            "panel/runs.rate[arm=bm25] - panel/runs.rate[arm=heuristic, budget=400]",
            "points",
            "\u221248\u00a0points",
        ),
        ("max panel/runs.rate / panel/runs.rate[arm=bm25]", "ratio", "2.0×"),
    ],
)
def test_a_selector_and_a_format_make_a_text(published, selector, form, text):
    assert formats.shown(resolve(parse(selector), published), form) == text


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("pannel/runs.rate", "unknown experiment 'pannel'; did you mean 'panel'?"),
        ("panel/run.rate", "unknown table of panel 'run'; did you mean 'runs'?"),
        ("panel/runs.rat", "unknown column 'rat' of panel/runs; did you mean 'rate'?"),
        ("panel/runs.rate[armm=bm25]", "unknown column 'armm' of panel/runs; did you mean 'arm'?"),
        ("panel/runs.rate[arm=bm2]", "no row of panel/runs has arm=bm2; did you mean 'bm25'?"),
        ("panel/runs.rate[arm=bm25, budget=800]", "no row of panel/runs matches all conditions"),
        ("panel/runs.rate[arm=heuristic]", "2 rows of panel/runs match, one is needed, which differ in budget, rate"),
        ("panel/runs.rate[arm='a, b']", "rate is empty in the row of panel/runs that matches"),
        ("panel/runs.rate[budget=many]", "budget is a number, 'many' is none"),
        ("panel/runs.rate[ok=yes]", "ok is true or false, not 'yes'"),
        ("panel/runs.rate[arm]", "'arm' is no condition: expected key=value"),
        ("maximum panel/runs.rate", "unknown aggregate 'maximum'"),
        ("panel.rate", "'panel.rate' is no selector"),
        ("mean panel/runs.arm", "mean of panel/runs.arm: unsupported operand"),
        ("max panel/runs.rate / count panel/runs.run[rate>1]", "division by zero"),
        ("panel/runs.arm[ok=false] - panel/runs.rate[arm=bm25]", "'bm25' is no number to calculate with"),
        ("max panel/runs.rate - max panel/runs.rate - max panel/runs.rate", "more than one operation"),
        ("panel/bare.x", "panel/bare does not say which run a row is of"),
    ],
)
def test_a_selector_that_means_nothing_says_what_may_have_been_meant(published, selector, said):
    with pytest.raises(UsageError) as error:
        resolve(parse(selector), published)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (0.996, "percent", "99.6\u00a0%"),
        (0.99996, "percent", "99.996\u00a0%"),
        (0.004, "percent", "0.4\u00a0%"),
        (1.0, "percent", "100\u00a0%"),
        (0.0, "percent", "0\u00a0%"),
        (1 - 1e-15, "percent", "100\u00a0%"),
        (0.123, "percent 1", "12.3\u00a0%"),
        (0.01, "points", "+1\u00a0point"),
        (0.0, "points", "0\u00a0points"),
        (1234567, "integer", "1,234,567"),
        (-3, "integer", "\u22123"),
        (2.345, "decimal 1", "2.3"),
        (-0.0, "decimal 1", "0.0"),
        (31.4, "ratio", "31×"),
        (3.14, "ratio", "3.1×"),
        (0.314, "ratio", "0.31×"),
        ("0123456789abcdef", "short", "0123456789"),
    ],
)
def test_formats(value, form, text):
    assert formats.shown(Value(value, ()), form) == text


@pytest.mark.parametrize(
    ("value", "form", "said"),
    [
        (0.5, "percents", "unknown format 'percents'; did you mean 'percent'?"),
        ("x", "percent", "'x' is no number"),
        (True, "integer", "True is no number"),
        (0.5, "integer", "0.5 is no whole number; use 'decimal N'"),
        (0.5, "decimal", "needs the number of decimals"),
        (0.5, "percent interval", "there is no interval"),
        (float("nan"), "percent", "not finite"),
    ],
)
def test_a_format_that_cannot_show_a_value_says_so(value, form, said):
    with pytest.raises(UsageError) as error:
        formats.shown(Value(value, ()), form)
    assert said in str(error.value)


def test_facts_come_from_the_manifest_and_from_the_runs_it_lists(published):
    assert facts.fact("panel", "packages.numpy", published).value == "2.0"
    assert facts.fact("panel", "files.runs.parquet", published).value == published.table("panel/runs").sha256
    assert facts.fact("panel", "config.scenario.topics", published).value == 10
    assert facts.fact("panel", "seed", published).sources[0].runs == tuple(RUNS)
    assert facts.fact("panel[arm.name=x]", "config.seeds", published).value == 3
    assert facts.fact("panel[arm.name!=x]", "config.seeds", published).sources[0].runs == ("aaaaaaaa", "bbbbbbbb")


@pytest.mark.parametrize(
    ("about", "path", "said"),
    [
        ("panel", "config.seeds", "config.seeds differs between the 3 runs of panel: 20, 3"),
        (
            "panel",
            "packages.nump",
            "unknown fact of results/published/panel/manifest.json 'packages.nump'; did you mean",
        ),
        ("panel", "config.scenario.topic", "did you mean 'config.scenario.topics'?"),
        ("panel[arm=x]", "seed", "unknown configuration key 'arm'"),
        ("panel[arm.name=y]", "seed", "no run matches"),
        ("pane", "seed", "unknown experiment 'pane'; did you mean 'panel'?"),
        ("panel[", "seed", "is no experiment"),
    ],
)
def test_a_fact_that_is_none_says_why(published, about, path, said):
    with pytest.raises(UsageError) as error:
        facts.fact(about, path, published)
    assert said in str(error.value)


def test_constants_come_from_the_code():
    assert facts.constant("experiment.intervals.CONFIDENCE").value == 0.95
    for path, said in (
        ("experiment.intervals.CONFIDENC", "did you mean 'CONFIDENCE'?"),
        ("experiment.nowhere.X", "No module named"),
        ("os.sep", "expected module.NAME of beliefmerge or experiment"),
    ):
        with pytest.raises(UsageError) as error:
            facts.constant(path)
        assert said in str(error.value)


def test_a_number_leads_to_its_runs_and_a_run_to_its_command(published):
    text = '#num("panel/runs.rate[arm=bm25]", "percent") #num("panel/runs.rate[arm=bm25]", "percent")'
    found, wrong = numbers.gather([scan(text, "x.typ")], published, {})
    assert wrong == []
    assert found.data()["entries"] == {
        "num | panel/runs.rate[arm=bm25] | percent": {
            "number": 1,
            "text": "50\u00a0%",
            "selector": "panel/runs.rate[arm=bm25]",
            "sources": [
                {
                    "experiment": "panel",
                    "file": "results/published/panel/runs.parquet",
                    "rows": [2],
                    "runs": ["bbbbbbbb"],
                }
            ],
        }
    }
    assert found.runs == {
        "panel/bbbbbbbb": {
            "experiment": "panel", "run": "bbbbbbbb", "command": "python -m bench arm=bm25", "seed": 7,
            "config_hash": "hash-bm25",
        }
    }  # fmt: skip
    assert found.experiments["panel"]["code"]["commit"] == "0123456789abcdef"


def test_every_number_that_cannot_be_found_is_one_line_with_its_place(published):
    text = 'a\n#num("panel/runs.rat", "percent")\n#num("panel/runs.rate[arm=bm25]", "x")\n#num("panel/runs.rate")'
    _, wrong = numbers.gather([scan(text, "sections/x.typ")], published, {})
    assert [line.split(": ")[0] for line in wrong] == [f"sections/x.typ:{line}" for line in (2, 3, 4)]
    assert wrong[2].endswith("#num takes 2 plain strings")


def test_a_run_that_the_manifest_does_not_know_is_an_error(tmp_path):
    directory = tmp_path / "panel"
    directory.mkdir()
    write_parquet(directory / "runs.parquet", [{"run": "dddddddd", "x": 1}])
    write_manifest(directory, MANIFEST)
    _, wrong = numbers.gather([scan('#num("panel/runs.x", "text")', "x")], Published(tmp_path), {})
    assert wrong == ["x:1: results/published/panel/manifest.json: it does not say what run dddddddd was"]


def test_a_table_that_is_not_what_its_manifest_says_is_refused(published):
    write_parquet(published.directory / "panel" / "runs.parquet", ROWS[:2])
    with pytest.raises(UsageError, match=r"results/published/panel/runs\.parquet is not what its manifest says"):
        published.table("panel/runs")
    allowed = Published(published.directory, allow_changed=True)
    assert len(allowed.table("panel/runs").rows) == 2
    assert allowed.changed == ["results/published/panel/runs.parquet"]
