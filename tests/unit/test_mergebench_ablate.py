"""Ablations: what is left out is left out, and the table says what it was worth."""

from __future__ import annotations

import pytest

from beliefmerge.errors import UsageError
from mergebench.ablate import STAGES, AblateConfig, run
from mergebench.ablation import without
from mergebench.arm import Request
from mergebench.match import shows
from mergebench.registries import ARMS, SCENARIOS
from mergebench.scenario import Role, Size


def printed(family: str, arm: str = "oracle", seed: int = 1, **options: object) -> str:
    scenario = SCENARIOS[family].generate(Size(topics=12), seed)
    return ARMS[arm].work(scenario, Request(1500, options={**ARMS[arm].options, **options})).text


def test_without_derivation_nothing_is_derived_or_falls():
    assert "derived from" in printed("derive")
    assert "RETRACTED" in printed("derive")
    text = printed("derive", derivation=False)
    assert "derived from" not in text
    assert "RETRACTED" not in text


def test_without_trust_nobody_is_the_current_user_and_the_injected_is_like_any_other():
    with_trust, flat = printed("inject", seed=0), printed("inject", seed=0, trust=False)
    assert "trusted]" in with_trust
    assert "trusted]" not in flat
    assert "UNTRUSTED" not in flat
    assert flat


def test_without_alignment_one_wording_in_two_branches_is_two_slots():
    scenario = SCENARIOS["bridge"].generate(Size(), 0)
    arm, found = ARMS["heuristic"], {}
    for aligned in (True, False):
        request = Request(2000, options={**arm.options, "alignment": aligned})
        conflicts = arm.work(scenario, request).conflicts
        found[aligned] = sum(len([v for v in t.asserted if any(shows(x, v) for c in conflicts for x in c)]) == 2
                             for t in scenario.with_roles(Role.CONFLICT))  # fmt: skip
    assert found[True] > found[False]


def test_without_the_filter_small_talk_is_shown():
    lines = {on: len(printed("bridge", "heuristic", chatter_filter=on).splitlines()) for on in (True, False)}
    assert lines[False] > lines[True]


def test_an_extraction_that_the_merge_makes_itself_cannot_be_flattened():
    with pytest.raises(UsageError, match="offline"):
        without("joint", derivation=False, trust=True)


def test_the_table_has_a_row_a_measure_and_pairs_what_each_stage_adds():
    result = run(AblateConfig(arm="oracle", family="derive", seeds=2, results_dir="x"))
    rows = {row["measure"]: row for row in result.rows}
    assert set(rows) == {"bridge", "retraction_recall", "retraction_precision"}
    recall = rows["retraction_recall"]
    assert (recall["whole"], recall["derivation"], recall["packing"]) == (1, 1, 0)
    assert recall["derivation_low"] <= recall["derivation"] <= recall["derivation_high"]
    assert "alignment" not in recall, "the oracle has nothing to align"
    assert set(STAGES) == {"alignment", "derivation", "trust", "packing", "chatter_filter"}
