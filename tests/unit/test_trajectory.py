"""Trajectories: what is generated, who reads it, what is measured, and what the criteria make of that."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from attribution.attribute import Settings, attribute
from attribution.edges import rows as edge_rows
from attribution.scorer import Scores
from attribution.step import read_steps
from beliefmerge.errors import UsageError
from beliefmerge.ledger.core.likeness import alike, shingles
from beliefmerge.ledger.transcript import StepEntry
from beliefmerge.llm.protocol import ChatMessage
from experiment.files import write_json
from experiment.sweep import Job, exit_code_of
from experiment.tables import read_parquet, write_parquet
from mergebench.config import CriterionConfig
from mergebench.match import shown, shows
from mergebench.trajectory import criteria, fixture, flat
from mergebench.trajectory.arm import WorkingSet
from mergebench.trajectory.edges import FIXTURE, edges_of
from mergebench.trajectory.figures import by_arm, retention_curves
from mergebench.trajectory.measure import Case, asked, carriers
from mergebench.trajectory.reader import Strict
from mergebench.trajectory.rested import by_arm as rested_by_arm
from mergebench.trajectory.rested import main as rested
from mergebench.trajectory.rested import rows_of
from mergebench.trajectory.trajectory import SEALED, Part, generate, part_of

MANY = [generate(number) for number in range(60)]
FIRST = MANY[0]


def answer(trajectory, *lines: str, heading: str = flat.SUMMARY) -> str:
    prompt = "\n".join(["Read this.", "", heading, *lines, "", trajectory.question])
    return Strict(trajectory.values).complete([ChatMessage("user", prompt)]).text


# what is generated


def test_a_trajectory_is_a_function_of_its_number():
    assert generate(3) == generate(3)
    assert generate(3) != generate(4)
    assert len({trajectory.question for trajectory in MANY}) > 20


def test_the_correction_comes_after_all_that_was_concluded_and_from_two_domains_of_its_own():
    for trajectory in MANY:
        parts = [event.part for event in trajectory.events if event.part is not Part.CHATTER]
        assert parts.index(Part.PREMISE) < parts.index(Part.DERIVED)
        assert parts.index(Part.CORRECTION) > max(
            i for i, part in enumerate(parts) if part in (Part.DERIVED, Part.SURPLUS)
        )
        origins = [event.origin for event in trajectory.of(Part.PREMISE, Part.CORRECTION)]
        assert len(set(origins)) == 3
        one, two = trajectory.of(Part.CORRECTION)
        assert not alike(shingles(one.text), shingles(two.text))


def test_parents_come_before_their_children_and_the_surplus_claim_declares_a_premise_it_does_not_repeat():
    for trajectory in MANY:
        seen = set()
        for event in trajectory.events:
            assert set(event.parents) <= seen
            seen.add(event.name)
        (surplus,), (premise,) = trajectory.of(Part.SURPLUS), trajectory.of(Part.PREMISE)
        assert premise.name in surplus.parents
        assert not shows(surplus.text, trajectory.planted)
        assert all(shows(event.text, trajectory.planted) for event in trajectory.of(Part.DERIVED))


def test_nothing_but_premise_conclusions_and_corrections_names_a_value_of_the_question():
    for trajectory in MANY:
        for event in trajectory.of(Part.FACT, Part.CHATTER, Part.SURPLUS):
            assert not shown(event.text, trajectory.values)
        assert not shown(trajectory.question, trajectory.values)
        assert len(set(trajectory.values)) == 6


def test_the_place_of_the_premise_is_drawn_and_the_right_value_is_not_told_by_its_place():
    places = {[event.part for event in trajectory.events].index(Part.PREMISE) for trajectory in MANY}
    assert len(places) > 5
    ranks = [trajectory.values.index(trajectory.right) for trajectory in MANY]
    assert set(ranks) == set(range(6))


def test_paraphrase_words_the_corrections_unlike_the_premise_more_often():
    def same(trajectory):
        (premise,) = trajectory.of(Part.PREMISE)
        tail = premise.text.replace(trajectory.planted, "").rstrip(".")[-14:]
        return all(tail in event.text.replace(trajectory.right, "") for event in trajectory.of(Part.CORRECTION))

    assert all(same(trajectory) for trajectory in MANY)
    assert not all(same(generate(number, paraphrase=1.0)) for number in range(20))


def test_a_name_says_what_an_event_is():
    for event in FIRST.events:
        assert part_of(event.name) is event.part
    assert part_of("0000:summary-01") is None


# who reads it


def test_the_strict_reader_believes_the_last_of_a_flat_context():
    (premise,), corrections = FIRST.of(Part.PREMISE), FIRST.of(Part.CORRECTION)
    assert answer(FIRST, premise.text) == FIRST.planted
    assert answer(FIRST, premise.text, corrections[0].text) == FIRST.right
    assert answer(FIRST, corrections[0].text, premise.text) == FIRST.planted


def test_the_strict_reader_follows_labels_and_not_the_order_of_a_ledgers_context():
    wrong, right = f"x is {FIRST.planted}.", f"x is {FIRST.right}."
    heading = "# Ledger context"
    assert answer(FIRST, f"- [verified] {right}", f"- [derived] {wrong}", heading=heading) == FIRST.right
    assert answer(FIRST, f"- [derived] {wrong}", f"- [verified] {right}", heading=heading) == FIRST.right
    for label in ("uncorroborated", "conjecture", "RETRACTED sealed_unverified", "derived 0.016"):
        assert answer(FIRST, f"- [{label}] {wrong}", heading=heading) == "unknown"
    assert (
        answer(FIRST, f"- [sealed_unverified 0.675] {right}", f"- [derived 0.016] {wrong}", heading=heading)
        == FIRST.right
    )


def test_the_strict_reader_abstains_where_nothing_is_said():
    assert answer(FIRST) == "unknown"
    assert answer(FIRST, "The weather is fine.") == "unknown"
    assert answer(FIRST, f"{FIRST.planted} or {FIRST.right}") == "unknown"


@pytest.mark.parametrize("heading", [flat.SUMMARY, "# Ledger context"])
@pytest.mark.parametrize("together", [True, False])
def test_printing_every_word_answers_no_better_than_chance(heading, together):
    words = sorted({word for trajectory in MANY for event in trajectory.events for word in event.text.split()})
    right = 0
    for trajectory in MANY:
        values = [*words, *trajectory.values]
        label = "- [verified] " if heading == "# Ledger context" else ""
        lines = [label + " ".join(values)] if together else [f"{label}{value}" for value in values]
        right += answer(trajectory, *lines, heading=heading) == trajectory.right
    assert right <= len(MANY) / 3


# what is measured


def case(trajectory, *lines: str, standing=frozenset()) -> Case:
    entries = tuple(StepEntry(f"0000:summary-{i:02d}", line, "summary") for i, line in enumerate(lines))
    shown_ = WorkingSet(flat.SUMMARY, flat.template(flat.SUMMARY), entries, standing)
    step = asked(trajectory, shown_, Strict(trajectory.values), "hand")
    return Case(trajectory, shown_, step.response, 0, None, step.response)


def test_an_oracle_answers_right_and_a_broken_arm_with_the_planted_value():
    (premise,), (correction, _) = FIRST.of(Part.PREMISE), FIRST.of(Part.CORRECTION)
    oracle, broken, silent = case(FIRST, correction.text), case(FIRST, premise.text), case(FIRST)
    assert (oracle.persistence, oracle.survival, oracle.exposure, oracle.right) == (False, True, False, True)
    assert (broken.persistence, broken.survival, broken.exposure, broken.right) == (True, False, True, False)
    assert (silent.persistence, silent.right, silent.abstained) == (False, False, True)


def test_an_answer_that_names_both_values_persists_and_is_not_right():
    both = replace(case(FIRST), answer=f"{FIRST.right}, not {FIRST.planted}")
    assert both.persistence
    assert not both.right


def test_without_entries_of_its_own_the_carriers_of_a_summary_are_the_lines_that_show_the_value():
    told = case(FIRST, f"It is {FIRST.planted}.", f"It is {FIRST.right}.", standing=None)
    assert carriers(FIRST, told.shown) == ["0000:summary-00"]
    assert told.kept is None


# criteria


def rows(**shares: int):
    from experiment.intervals import clopper_pearson

    found = []
    for arm, count in shares.items():
        interval = clopper_pearson(count, 50)
        limits = {"persistence_low": interval.low, "persistence_high": interval.high}
        found.append({"arm": arm, "n": 50, "persistence": interval.mean, **limits})
    return found


def verdicts(direction: str, threshold: float, found, *arms: str):
    one = CriterionConfig("said before", list(arms), "persistence", direction, threshold)
    criteria.check([one])
    return [verdict.word for verdict in criteria.judged([one], found)]


def test_a_criterion_is_decided_by_the_end_of_the_interval_and_for_each_of_its_arms():
    found = rows(flat=0, ledger_v2=1, flat_scripted=50)
    assert verdicts("at_most", 0.1, found, "flat", "ledger_v2", "flat_scripted") == ["passed", "failed", "failed"]
    assert verdicts("at_least", 0.9, found, "flat_scripted", "flat", "ledger_v1") == ["passed", "failed", "not run"]
    text = "\n".join(criteria.report(criteria.judged([CriterionConfig("said before", ["flat"], threshold=0.1)], found)))
    assert "said before" in text
    assert "0 [0, 7]" in text
    assert "≤ 10" in text


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"arms": ["ledger_v3"]}, "did you mean 'ledger_v2'"),
        ({"metric": "persistance"}, "did you mean 'persistence'"),
        ({"direction": "at_mots"}, "did you mean 'at_most'"),
        ({"threshold": 1.5}, "out of range"),
        ({"arms": []}, "needs a hypothesis and arms"),
    ],
)
def test_a_criterion_that_cannot_be_judged_is_refused_with_its_place(wrong, says):
    good = CriterionConfig("said before", ["flat"], "persistence", "at_most", 0.1)
    with pytest.raises(UsageError, match=r"scenario\.criteria\[1\]") as refused:
        criteria.check([good, replace(good, **wrong)])
    assert says in str(refused.value)


# figures


def figure_rows():
    return [
        {"scenario": "trajectory", "retention": q, **row}
        for q in (0.0, 0.5, 1.0)
        for row in rows(flat_retention=round(50 * (1 - q)), ledger_v2=0)
    ]


def test_figures_are_the_same_bytes_each_time_and_name_their_axes():
    files = retention_curves(figure_rows())
    assert set(files) == {"persistence-retention.svg", "persistence-retention.pdf"}
    for make in files.values():
        assert make() == make()
    assert files["persistence-retention.svg"]() != retention_curves(figure_rows()[:-1])["persistence-retention.svg"]()


def test_there_is_no_curve_where_retention_does_not_vary_and_no_panel_of_one_arm():
    assert retention_curves(figure_rows()[:2]) == {}
    assert retention_curves([{"arm": "concat", "scenario": "bridge"}]) == {}
    assert by_arm(figure_rows()[:1]) == {}


# measured edges


def test_the_fixture_is_what_its_script_writes(tmp_path):
    fixture.main(["--into", str(tmp_path / "edges.parquet")])
    assert read_parquet(tmp_path / "edges.parquet") == read_parquet(FIXTURE)


def test_a_file_that_is_no_run_of_attribution_is_refused_in_one_line(tmp_path):
    write_parquet(tmp_path / "other.parquet", [{"a": 1}])
    with pytest.raises(UsageError, match="no column 'claim_id'"):
        edges_of(str(tmp_path / "other.parquet"))
    with pytest.raises(UsageError, match="no such file"):
        edges_of(str(tmp_path / "nothing.parquet"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"agreement": None},
        {"agreement": math.nan},
        {"agreement": 7.0},
        {"weight_ppm": 1_000_001},
        {"weight_ppm": None},
        {"entry_id": None},
    ],
)
def test_an_edge_that_the_ledger_would_not_take_is_refused_with_its_row(tmp_path, wrong):
    first, second, *_ = fixture.rows(1)
    write_parquet(tmp_path / "edges.parquet", [first, {**second, **wrong}])
    with pytest.raises(UsageError, match=r"edges\.parquet: row 1: no measured edge: "):
        edges_of(str(tmp_path / "edges.parquet"))
    write_parquet(tmp_path / "left.parquet", [first, {**second, **wrong, "verdict": "unstable"}])
    assert len(edges_of(str(tmp_path / "left.parquet")).measured) == 1


class Believes:
    """A scorer for which an answer is likely as far as the premise is shown, and rests on nothing else."""

    name = model = "double"

    def __call__(self, step, masks, tick=lambda: None) -> Scores:
        import numpy as np

        carried = [place for place, entry in enumerate(step.entries) if part_of(entry.entry_id) is Part.PREMISE]
        odds = -1.0 + 2.0 * masks[:, carried].sum(axis=1)
        return Scores(-np.log1p(np.exp(-odds)), 1)


def test_answers_are_put_side_by_side_by_what_they_rested_on(tmp_path, capsys):
    from mergebench.trajectory.measure import asked as ask

    steps = []
    for arm, parts in (("flat_scripted", (Part.PREMISE, Part.FACT)), ("ledger_v2", (Part.CORRECTION, Part.FACT))):
        lines = tuple(StepEntry(event.name, event.text, "") for event in FIRST.of(*parts))
        shown_ = WorkingSet(flat.SUMMARY, flat.template(flat.SUMMARY), lines, frozenset())
        steps.append(ask(FIRST, shown_, Strict(FIRST.values), arm))
    import msgspec

    (tmp_path / "steps.jsonl").write_bytes(b"".join(msgspec.json.encode(step) + b"\n" for step in steps))
    found = [attribute(step, Believes(), Settings()) for step in read_steps(tmp_path / "steps.jsonl")]
    edges = [row for one in found for row in edge_rows(one)]
    table = {row["arm"]: row for row in rested_by_arm(rows_of(edges))}
    assert table["flat_scripted"]["premise"] == pytest.approx(1, abs=1e-6)
    assert (table["ledger_v2"]["premise"], table["ledger_v2"]["shown"]) == (0, 0)
    write_parquet(tmp_path / "edges.parquet", edges)
    assert rested([str(tmp_path)]) == 0
    assert "flat_scripted" in capsys.readouterr().out
    assert rested([str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_sealed_parts_are_told_by_a_source_and_the_rest_by_somebody():
    for event in FIRST.events:
        assert (event.origin is not None) == (event.part in SEALED)


def test_a_sweep_ends_as_the_run_would_have_whose_result_is_to_stop_a_script(tmp_path):
    job = Job(0, (), "done", 0.0, str(tmp_path))
    assert exit_code_of(job) == 0
    write_json(tmp_path / "record.json", {"status": "complete", "exit_code": 4})
    assert exit_code_of(job) == 4
    assert exit_code_of(replace(job, run=None)) == 0
