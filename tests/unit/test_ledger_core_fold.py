"""The calculus by example, and what may be appended to a log."""

from __future__ import annotations

import msgspec
import pytest

from beliefmerge.ledger.core import trust, views
from beliefmerge.ledger.core.entries import Cascade, Checkpoint, Conjecture, Reputation
from beliefmerge.ledger.core.fold import fold
from beliefmerge.ledger.core.state import Invalid, State, Unknown
from beliefmerge.ledger.core.trust import Tier
from beliefmerge.ledger.core.validity import append, check
from tests.ledger_strategies import TENANT, TEXTS, Log


@pytest.fixture
def log() -> Log:
    return Log()


def voters(log: Log) -> list[str]:
    return [log.seal(TEXTS[i + 1], f"v{i}", f"voter{i}.org") for i in (1, 2)]


def test_founding_belief_of_each_kind(log):
    seal = log.seal()
    derived = log.derive(seal)
    guess = log.guess(derived)
    assert [log.state.belief_ppm(x) for x in (seal, derived, guess)] == [350_000, 315_000, 200_000]
    assert [log.state.tier(x) for x in (seal, derived, guess)] == [2, 1, 0]


def test_each_independent_origin_after_the_first_halves_the_doubt(log):
    seals = [log.seal(TEXTS[i + 1], f"s{i}", f"site{i}.com", "bridge") for i in range(4)]
    assert {log.state.belief_ppm(s) for s in seals} == {1_000_000 - 650_000 // 8}
    assert all(log.state.render_tier(s) is Tier.SEALED_VERIFIED for s in seals)
    again = log.seal(TEXTS[5], "s9", "www.site0.com", "bridge")
    assert log.state.belief_ppm(again) == log.state.belief_ppm(seals[0])


def test_a_pass_leaves_a_twentieth_of_the_target_and_what_edges_carry_of_the_rest(log):
    premise, origins = log.seal(source="liar"), voters(log)
    derived = log.derive(premise)
    assert log.contradict(premise, origins[0]) is None
    passed = log.contradict(premise, *origins)
    assert log.state.belief_ppm(premise) == 17_500
    assert log.state.belief_ppm(derived) == 15_750
    assert (log.state.status(premise), log.state.status(derived)) == ("retracted", "fallen")
    assert log.state.status(log.derive(derived)) == "fallen"
    log.measure(derived, premise, 0)
    assert log.state.belief_ppm(derived) == 315_000
    assert log.state.reputations.now() == {"liar": (1, 2), "v1": (2, 1), "v2": (2, 1)}
    assert log.state.belief_ppm(log.seal(source="liar")) == round(700_000 / 3)
    assert log.state.corroborated(origins[0])
    log.restore(passed)
    assert log.state.belief_ppm(premise) == 350_000
    assert log.state.reputations.now() == {}
    assert not log.state.corroborated(origins[0])


def test_a_second_pass_on_one_target_debits_and_credits_nobody(log):
    premise, origins = log.seal(source="liar"), voters(log)
    first = log.contradict(premise, *origins)
    second = log.contradict(premise, *origins)
    assert log.state.reputations.now()["liar"] == (1, 2)
    assert log.state.belief_ppm(premise) == 17_500
    log.restore(first)
    assert log.state.status(premise) == "retracted"
    log.restore(second)
    assert log.state.status(premise) == "active"


def test_a_replay_that_matches_verifies_and_one_that_does_not_quarantines_that_seal_only(log):
    seal, other = log.seal(), log.seal(source="t", host="t.org")
    derived = log.derive(seal)
    log.find(seal, "match")
    assert (log.state.tier(seal), log.state.belief_ppm(seal)) == (Tier.SEALED_VERIFIED, 475_000)
    for outcome in ("unreachable", "refused"):
        log.find(other, outcome)
    assert log.state.status(other) == "active"
    log.find(seal, "mismatch")
    log.find(seal, "match")
    assert (log.state.status(seal), log.state.belief_ppm(seal)) == ("quarantined", 0)
    assert log.state.status(derived) == log.state.status(other) == "active"


def test_what_is_shown_and_what_is_on_record(log):
    premise, origins = log.seal(source="liar"), voters(log)
    derived = log.derive(premise)
    passed = log.contradict(premise, *origins)
    log.measure(derived, premise, 500_000, 599_999)
    shown = {entry.id: entry for entry in views.context(log.state)}
    assert list(shown) == [log.ids[seq] for seq in log.state.nodes]
    assert shown[derived].parents == (premise,)
    assert shown[derived].fallen_since_seq == shown[premise].fallen_since_seq == log.state.place(passed)
    assert shown[origins[0]].render_tier == "sealed_verified" != shown[origins[0]].tier
    audit = views.audit(log.state)
    assert audit.passes[0].reputation == {"liar": (0, 1), "v1": (1, 0), "v2": (1, 0)}
    assert (audit.edges[0].admitted, audit.edges[0].in_force_ppm) == (False, 1_000_000)
    assert audit.retracted == (premise,)
    assert views.audit(fold(log.records)) == audit


def test_where_bounds_round_apart_the_fraction_decides(log):
    """0.9 × 0.7 × 2/3 × (1 − 0.95 × 0.0005) = 419,800.5 millionths: thirds have no decimal bounds, and it is a tie."""
    origins = voters(log)
    log.contradict(log.seal(), *origins)
    premise = log.seal("The tower leans.", "v1", "towers.org")
    derived = log.derive(premise)
    log.measure(derived, premise, 500)
    log.contradict(premise, log.seal(TEXTS[3], "x", "x.org"), log.seal(TEXTS[4], "y", "y.org"))
    seq = log.state.place(derived)
    value = trust.product(log.state._founding.of(seq), trust.remains(*log.state.edges.reach(seq).values()))
    assert trust.rounded(value) is None
    assert log.state.belief_ppm(derived) == 419_800


def test_ties_are_rounded_to_even():
    half = trust.ONE // (2 * trust.PPM)
    assert trust.rounded((half, half)) == 0
    assert trust.rounded((3 * half, 3 * half)) == 2
    assert trust.rounded((half - 1, half + 1)) is None


def refused(log: Log, error: type[Exception], kind, **fields) -> None:
    head = log.state.head
    with pytest.raises(error):
        append(log.state, kind(tenant=TENANT, seq=len(log.ids), time_ms=0, **fields))
    assert log.state.head == head


def test_references_lead_to_claims_of_this_log(log):
    seal = log.seal()
    nowhere = "0" * 64
    for call in (log.derive, log.guess, lambda x: log.contradict(x, seal), lambda x: log.contradict(seal, x)):
        with pytest.raises(Unknown):
            call(nowhere)
    with pytest.raises(Unknown):
        log.state.belief_ppm("not an id")
    log.contradict(seal)
    with pytest.raises(Invalid):
        log.derive(log.ids[-1])
    assert log.state.head.seq == 1


def test_what_no_log_takes(log):
    seal, origins = log.seal(), voters(log)
    derived = log.derive(seal)
    passed = log.contradict(seal, *origins)
    with pytest.raises(Invalid):
        log.measure(seal, origins[0], 1)
    with pytest.raises(Invalid):
        log.measure(derived, log.derive(derived), 1)
    with pytest.raises(Invalid):
        log.measure(derived, origins[0], 1)
    with pytest.raises(Invalid):
        log.find(derived, "match")
    with pytest.raises(Invalid):
        log.seal(host="a\0.com")
    refused(log, Invalid, Reputation, source_id="v1", alpha_delta=1, beta_delta=0, cause=passed)
    refused(log, Invalid, Reputation, source_id="friend", alpha_delta=9, beta_delta=0, cause=passed)
    refused(log, Unknown, Reputation, source_id="friend", alpha_delta=9, beta_delta=0, cause="0" * 64)
    refused(log, Invalid, Checkpoint, head_seq=0, head_hash="0" * 64, public_key="0" * 64, signature="0" * 128)
    log.restore(passed)
    with pytest.raises(Invalid):
        log.restore(passed)
    said = log.state.contradictions[log.state.place(passed) - 1]
    forged = {"contradiction": log.ids[said.seq], "target": seal, "votes": tuple(origins), "independent": 2}
    refused(log, Invalid, Cascade, **forged)


def test_an_entry_of_another_tenant_or_number_is_refused(log):
    log.seal()
    guess = Conjecture(tenant="other", seq=1, time_ms=0, text="x")
    with pytest.raises(Invalid, match="tenant"):
        check(log.state, guess)
    for seq in (0, 2):
        with pytest.raises(Invalid, match="follow"):
            check(log.state, msgspec.structs.replace(guess, tenant=TENANT, seq=seq))
        with pytest.raises(Invalid, match="follows"):
            State.apply(log.state, msgspec.structs.replace(guess, tenant=TENANT, seq=seq), bytes(32))
