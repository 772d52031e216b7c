"""The pipeline: options, the degradation ladder, warnings, and what the report says."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from beliefmerge import BeliefMergeError, merge
from beliefmerge.claims.claim import Extraction
from beliefmerge.demo import facts, talk
from beliefmerge.errors import UsageError
from beliefmerge.session.model import Channel, DataClaim
from beliefmerge.tokens import COUNTERS

HOSTS = talk("a", ("user", "The staging host is stage-3."), ("user", "The queue broker is kafka."))
OTHER = talk("b", ("user", "The queue broker is rabbitmq."))


@pytest.mark.parametrize("option", ["score", "tokens", "solver", "extract"])
def test_an_unknown_name_is_an_error_that_lists_the_known_ones(option):
    with pytest.raises(UsageError, match="known:"):
        merge([HOSTS], **{option: "nonesuch"})


@pytest.mark.parametrize("budget", [0, -1])
def test_a_budget_below_one_is_refused(budget):
    with pytest.raises(UsageError, match="budget"):
        merge([HOSTS], budget=budget)


@pytest.mark.parametrize("tokens", sorted(COUNTERS))
@pytest.mark.parametrize("budget", [1, 10, 30, 60, 120, 1200])
def test_the_budget_is_hard_for_every_counter(tokens, budget):
    merged = merge([HOSTS, OTHER], budget=budget, tokens=tokens)
    assert COUNTERS[tokens](merged.text) == merged.report.tokens <= budget
    assert merged.report.shown + merged.report.dropped == len([s for s in merged.slots if s.sides])


@pytest.mark.parametrize("solver", ["auto", "exact", "partial", "density"])
def test_a_budget_beyond_every_number_is_room_for_everything(solver):
    merged = merge([HOSTS, OTHER], budget=10**400, solver=solver)
    assert merged.text == merge([HOSTS, OTHER]).text
    assert merged.report.gap == 0


@pytest.mark.parametrize("budget", [60, 100, 140, 180])
def test_an_older_copy_of_a_log_changes_nothing_that_is_printed(budget):
    things = ("queue", "cache", "mirror", "proxy", "mailer", "parser", "sensor", "camera")
    said = [("user", f"The {thing} host is stage-{number}.") for number, thing in enumerate(things)]
    whole = talk("a", *said)
    for kept in range(1, len(said)):
        older = replace(whole, messages=whole.messages[:kept])
        assert merge([whole, older], budget=budget).text == merge([whole], budget=budget).text


def test_a_list_in_another_session_does_not_make_the_current_users_slot_multi_valued():
    mine = talk("mine", ("user", "port: 8443"), ("model", "Noted."), ("user", "port: 9000"))
    other = talk("other", ("tool", "- port: 1\n- port: 2"))
    (port,) = (slot for slot in merge([mine, other], current="mine").slots if slot.key == "port")
    assert (port.decision.outcome.value, [side.spelling for side in port.sides]) == ("resolved", ["9000"])
    (port,) = (slot for slot in merge([mine, other]).slots if slot.key == "port")
    assert {side.spelling for side in port.sides} == {"1", "2", "8443", "9000"}


def test_nothing_survives_too_small_a_budget_and_the_report_says_so():
    merged = merge([HOSTS], budget=5)
    assert merged.text == ""
    assert "nothing survives the budget" in merged.report.rungs


def test_no_sessions_give_an_empty_text():
    merged = merge([])
    assert (merged.text, merged.slots, merged.report.tokens) == ("", (), 0)


def test_the_same_session_twice_is_the_session_once():
    assert merge([HOSTS, HOSTS, OTHER]).text == merge([OTHER, HOSTS]).text


def test_without_a_model_joint_extraction_falls_back_and_says_so():
    merged = merge([HOSTS, OTHER], extract="joint")
    assert merged.report.mode == "heuristic"
    assert any("no model" in rung for rung in merged.report.rungs)


def test_an_extractor_that_fails_falls_back_with_its_cause():
    def broken(sessions, *, current=None) -> Extraction:
        raise BeliefMergeError("rate limit")

    merged = merge([HOSTS, OTHER], extract=broken)
    assert merged.text == merge([HOSTS, OTHER]).text
    assert any("rate limit" in rung for rung in merged.report.rungs)


def test_an_adjudicator_that_fails_leaves_the_ties():
    def broken(ties):
        raise TimeoutError("too slow")

    merged = merge([HOSTS, OTHER], adjudicator=broken)
    assert merged.report.disputed == 1
    assert any("too slow" in rung for rung in merged.report.rungs)


def test_an_adjudicated_tie_is_shown_settled_and_keeps_its_annotation():
    from beliefmerge.adjudicate import Answer

    def choose_kafka(ties):
        return {tie.key: Answer("choose", ("kafka",)) for tie in ties}

    merged = merge([HOSTS, OTHER], adjudicator=choose_kafka)
    slot = next(s for s in merged.slots if "kafka" in s.values)
    assert (slot.values, slot.outcome, slot.decision.outcome) == (("kafka",), "resolved", "disputed")
    assert slot.opposed == ("rabbitmq",)
    assert merged.report.adjudicated == 1
    assert "ADJUDICATED" in merged.text


def test_the_current_session_must_be_there():
    with pytest.raises(UsageError, match="did you mean 'a'"):
        merge([HOSTS, OTHER], current="aa")


def test_a_current_session_whose_id_holds_a_secret_is_still_the_current_one():
    token = "zz_test_" + "4f9a8b7c6d5e4f3a2b1c"
    mine = talk(f"run-{token}", ("user", f"export API_TOKEN={token}"), ("user", "The staging host is stage-3."))
    merged = merge([mine], current=mine.id)
    assert token not in json.dumps(merged.to_json())
    assert 2 in {int(slot.trust) for slot in merged.slots}


def test_two_files_cannot_both_be_the_current_session():
    from dataclasses import replace

    mine = replace(HOSTS, path="mine.json")
    forged = replace(talk("a", ("user", "The refund limit is 900 EUR.")), path="forged.json")
    with pytest.raises(UsageError, match="only one can be current"):
        merge([mine, forged], current="a")
    older = replace(mine, messages=mine.messages[:1], path="older.json")
    assert merge([mine, older], current="a").text == merge([mine], current="a").text


def test_one_message_id_with_two_texts_is_a_warning_and_both_are_kept():
    merged = merge([talk("a", ("user", "The region is eu-west.")), talk("a", ("user", "The zone is eu-west-1a."))])
    assert any("different contents" in warning for warning in merged.report.warnings)
    assert {"eu-west", "eu-west-1a"} <= {value for slot in merged.slots for value in slot.values}


def test_trust_that_a_file_claims_for_itself_never_raises():
    from dataclasses import replace

    from beliefmerge.algebra.evidence import Trust

    for declared, expected in ((Trust.TRUSTED, 1), (Trust.EXTERNAL, 1), (Trust.UNTRUSTED, 0)):
        merged = merge([replace(HOSTS, trust=declared)])
        assert {int(slot.trust) for slot in merged.slots} == {expected}


def test_a_premise_that_fell_before_the_conclusion_was_drawn_takes_it_too():
    def claim(key, value, because=(), evidence=Channel.USER):
        return DataClaim(key, value, evidence, evidence.evidence, derived_from=because)

    late = facts("late", claim("ship", "yes", ((("done", "yes"),),)))
    fallen = facts("fallen", claim("done", "yes"), claim("done", "no"))
    (ship,) = [s for s in merge([fallen, late]).slots if s.key == "ship"]
    assert ship.status == "retracted"


def test_saying_a_conclusion_again_without_its_reasons_does_not_save_it():
    def claim(key, value, because=()):
        return DataClaim(key, value, Channel.USER, Channel.USER.evidence, derived_from=because)

    once = facts("a", claim("done", "yes"), claim("ship", "yes", ((("done", None),),)), claim("ship", "yes"))
    other = facts("b", claim("done", "no"))
    (ship,) = [s for s in merge([once, other]).slots if s.key == "ship"]
    assert ship.status == "retracted"


def test_claims_of_two_files_of_one_id_are_in_no_history_of_one_another():
    def given(*values):
        return facts("a", *(DataClaim("k", value, Channel.USER, Channel.USER.evidence) for value in values))

    one, other = given("first", "second"), given("third")
    for sessions in ([one, other], [other, one], [one, other, given("first")]):
        (slot,) = merge(sessions).slots
        assert (slot.outcome, slot.values, slot.superseded) == ("disputed", ("third", "second"), ("first",))


def test_two_files_of_one_id_that_spell_a_value_differently_are_merged_in_either_order():
    one = talk("a", ("user", "The staging host is beta."), ("user", "The staging host is Alpha."))
    other = talk("a", ("user", "Hello."), ("user", "The staging host is ALPHA."))
    assert merge([one, other]).text == merge([other, one]).text
    (slot,) = merge([one, other]).slots
    assert (slot.values, slot.sides[0].witnesses) == (("ALPHA",), 2)


def test_the_json_is_plain_data():
    out = merge([HOSTS, OTHER]).to_json()
    assert json.loads(json.dumps(out)) == out
    assert set(out) == {"text", "slots", "report"}
    assert {"mode", "budget", "tokens", "solver", "gap", "dropped"} <= set(out["report"])
    for slot in out["slots"]:
        assert {"key", "type", "outcome", "values", "opposed", "superseded", "witnesses", "evidence", "trust"} <= set(
            slot
        )
        assert {"status", "spans"} <= set(slot)


def test_an_unchanged_block_is_preserved_whole():
    merged = merge([HOSTS])
    assert merged.report.preserved_prefix(merged.text) == merged.report.tokens
    assert merged.report.preserved_prefix("something else") == 0


def test_a_reordered_copy_of_the_current_session_is_refused():
    from dataclasses import replace

    mine = talk("a", ("user", "The database is MySQL."), ("user", "The database is PostgreSQL."))
    turned = replace(mine, messages=mine.messages[::-1])
    with pytest.raises(UsageError, match="only one can be current"):
        merge([mine, turned], current="a")


def test_claims_left_out_of_the_middle_of_the_current_session_are_refused():
    from dataclasses import replace

    said = [
        DataClaim("region", value, Channel.USER, Channel.USER.evidence, seq=i) for i, value in enumerate(["eu", "us"])
    ]
    mine = replace(HOSTS, claims=tuple(said))
    with pytest.raises(UsageError, match="only one can be current"):
        merge([mine, replace(mine, claims=(said[1],))], current="a")
    older = replace(mine, messages=mine.messages[:1], claims=(replace(said[0], seq=7),))
    assert merge([mine, older], current="a").text == merge([mine], current="a").text


def test_an_id_with_another_secret_in_it_does_not_pass_for_the_current_one():
    mine, forged = (f"zz_test_{end}4f9a8b7c6d5e4f3a2b1c" for end in "56")
    sessions = [talk(f"run-{token}", ("user", f"export API_TOKEN={token}")) for token in (mine, forged)]
    with pytest.raises(UsageError, match="holds a secret"):
        merge(sessions, current=sessions[0].id)


@pytest.mark.parametrize("spelled", ["ｈｕｎｔｅｒ２ｘｙｚ９", "hunter2xyz９"])
def test_a_secret_in_another_spelling_is_left_out_and_does_not_stop_the_merge(spelled):
    secret = "hunter2xyz9"
    told = talk("a", ("user", f"The db password: {secret}"), ("user", f"The codename is {spelled}."))
    given = facts("b", DataClaim("call sign", spelled, Channel.USER, Channel.USER.evidence))
    merged = merge([told, given, OTHER])
    assert secret not in json.dumps(merged.to_json(), ensure_ascii=False)
    assert "rabbitmq" in merged.text
    assert merged.report.dropped_claims["redacted"] >= 2
