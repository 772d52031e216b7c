"""The laws of the merge, for every score."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefmerge.algebra.annotation import Annotation, Assertion
from beliefmerge.algebra.decision import Decision, Outcome, Stance
from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.algebra.history import Chain, History
from beliefmerge.algebra.opinion import read
from beliefmerge.algebra.representation import Summary, decision
from beliefmerge.algebra.score import Score
from beliefmerge.algebra.tally import Tally
from beliefmerge.scores import SCORES
from tests import oracles
from tests.strategies import Branch, Utterance, annotation, forests, utterances

every_score = pytest.mark.parametrize("score", [SCORES[name] for name in SCORES.names()], ids=SCORES.names())


@given(forests(), forests(prefix="n"), forests(prefix="o"))
def test_join_is_associative_commutative_and_idempotent(x, y, z):
    a, b, c = annotation(x), annotation(y), annotation(z)
    assert (a | b) | c == a | (b | c)
    assert a | b == b | a
    assert a | a == a
    assert a | Annotation() == a


@given(forests(), st.data())
def test_a_fork_cut_anywhere_adds_nothing(branches, data):
    branch = data.draw(st.sampled_from(branches))
    cut = data.draw(st.integers(0, len(branch.utterances)))
    assert annotation([*branches, replace(branch, utterances=branch.utterances[:cut])]) == annotation(branches)


@given(forests(), st.booleans())
def test_the_fast_reading_is_the_obvious_one(branches, multi):
    state = annotation(branches, multi=multi)
    expected = oracles.opinions(state)
    reading = read(state)
    assert {o.assertion.identity for o in reading.opinions} == set(expected)
    for opinion in reading.opinions:
        roots, grounds = expected[opinion.assertion.identity]
        assert opinion.witness in roots
        assert set(opinion.justifications) in (grounds or [set()])
    assert len(reading.opinions) + len(reading.superseded) == len(oracles.copies(state))


@every_score
@given(branches=forests(), data=st.data())
def test_no_order_grouping_or_repetition_of_branches_changes_the_decision(score: Score, branches, data):
    whole = decision(annotation(branches), score)
    shuffled = data.draw(st.permutations([*branches, *branches]))
    cut = data.draw(st.integers(0, len(shuffled)))
    assert decision(annotation(shuffled[:cut]) | annotation(shuffled[cut:]), score) == whole
    assert read(annotation(shuffled)) == read(annotation(branches))


@every_score
@given(branches=forests(), evidence=st.sampled_from(list(Evidence)), data=st.data())
def test_a_fresh_witness_for_a_value_never_makes_it_lose(score: Score, branches, evidence, data):
    state = annotation(branches)
    earlier = decision(state, score)
    winners = sorted(stance.value for stance in earlier.stances if not stance.denied)
    if not winners:
        return
    value = data.draw(st.sampled_from(winners))
    fresh = Assertion(value, evidence, Trust.EXTERNAL, "user", "fresh", History.of())
    later = decision(state | Annotation.of([fresh]), score)
    assert Stance(value) in later.stances
    assert later.stances <= earlier.stances


@every_score
@given(branches=forests(), value=st.sampled_from("abc"))
def test_a_value_denied_by_one_more_user_than_say_it_does_not_stand(score: Score, branches, value):
    state = annotation(branches)
    said = len([o for o in read(state).opinions if o.assertion.value == value])
    trust = max((o.assertion.trust for o in read(state).opinions), default=Trust.EXTERNAL)
    against = [
        Assertion(value, Evidence.USER_STATED, trust, "user", f"against {i}", History.of(), denied=True)
        for i in range(said + 1)
    ]
    assert Stance(value) not in decision(state | Annotation.of(against), score).stances or score.name == "capped"


@every_score
@given(branches=forests(denials=False))
def test_if_every_opinion_is_a_value_the_decision_is_that_value(score: Score, branches):
    values = {o.assertion.value for o in read(annotation(branches)).opinions}
    if len(values) != 1:
        values = {"a"}
        branches = [
            replace(b, utterances=tuple(replace(u, said=(("a", False),)) for u in b.utterances)) for b in branches
        ]
    assert decision(annotation(branches), score) == Decision(Outcome.RESOLVED, frozenset({Stance(*values)}))


@every_score
@given(branches=forests(), values=st.permutations("abc"))
def test_renaming_values_and_messages_renames_the_decision(score: Score, branches, values):
    new = dict(zip("abc", values, strict=True))
    renamed = [
        replace(
            branch,
            utterances=tuple(
                replace(u, key=f"renamed {u.key[::-1]}", said=tuple((new[v], denied) for v, denied in u.said))
                for u in branch.utterances
            ),
        )
        for branch in branches
    ]
    before, after = decision(annotation(branches), score), decision(annotation(renamed), score)
    assert after == Decision(before.outcome, frozenset(Stance(new[s.value], s.denied) for s in before.stances))


@st.composite
def hostile(draw: st.DrawFn, branch: Branch, name: int) -> Branch:
    """A lower-trust log that copies some of `branch`'s messages, in any order, between words of its own."""
    own = [draw(utterances(f"hostile{name}.{i}")) for i in range(draw(st.integers(0, 5)))]
    copied = draw(st.lists(st.sampled_from(branch.utterances), unique=True)) if branch.utterances else []
    return Branch(tuple(draw(st.permutations([*own, *copied]))), trust=draw(st.sampled_from([Trust(0), Trust(1)])))


@every_score
@settings(max_examples=500)
@given(user=st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=1, max_size=4), data=st.data())
def test_lower_trust_never_overturns_higher(score: Score, user, data):
    said = [Utterance(f"u{i}", "user", Evidence.USER_STATED, (stance,)) for i, stance in enumerate(user)]
    current = Branch(tuple(said), current=True)
    alone = decision(annotation([current]), score)
    crowd = [data.draw(hostile(current, name)) for name in range(data.draw(st.integers(0, 4)))]
    lists = frozenset(data.draw(st.sets(st.sampled_from([Trust(0), Trust(1)]))))
    together = decision(annotation([current, *crowd]) | Annotation(several=lists), score)
    if alone.outcome is Outcome.RESOLVED:
        assert together == alone
    denied = {stance.value for stance in alone.stances if stance.denied}
    assert not denied & {stance.value for stance in together.stances if not stance.denied}


@every_score
@given(voices=st.integers(1, 12))
def test_no_number_of_foreign_voices_overturns_the_current_user(score: Score, voices):
    mine = Branch((Utterance("mine", "user", Evidence.USER_STATED, (("a", False),)),), current=True)
    crowd = [
        Branch((Utterance(f"foreign {i}", "user", Evidence.USER_STATED, (("b", False), ("a", True))),))
        for i in range(voices)
    ]
    assert decision(annotation([mine, *crowd]), score).value == "a"


def winners(state: Annotation, score: Score) -> frozenset[Stance]:
    """The standing values of greatest net support."""
    stances = decision(state, score).stances
    return frozenset() if any(stance.denied for stance in stances) else stances


@pytest.mark.parametrize("name", ["egalitarian", "elitist"])
@settings(max_examples=500)
@given(these=forests(prefix="these"), those=forests(prefix="those"))
def test_what_two_groups_without_common_messages_both_decide_their_merge_decides(name, these, those):
    a, b = annotation(these), annotation(those)
    shared = winners(a, SCORES[name]) & winners(b, SCORES[name])
    if shared:
        assert winners(a | b, SCORES[name]) == shared


def test_under_a_score_that_does_not_add_up_two_groups_may_agree_and_their_merge_not():
    def group(name: str) -> Annotation:
        told = (("v", "user"), ("v", "tool"), ("w", "user"))
        evidence = {"user": Evidence.USER_STATED, "tool": Evidence.TOOL_VERIFIED}
        said = (Utterance(f"{name}{i}", by, evidence[by], ((value, False),)) for i, (value, by) in enumerate(told))
        return annotation([Branch((utterance,)) for utterance in said])

    capped, v = SCORES["capped"], Stance("v")
    assert winners(group("a"), capped) == winners(group("b"), capped) == {v}
    assert winners(group("a") | group("b"), capped) == {v, Stance("w")}


def test_each_branch_may_decide_a_value_and_the_merge_another_since_their_trunk_counts_once():
    trunk = (Utterance("t", "user", Evidence.USER_STATED, (("v", False),)),)
    others = [Branch((*trunk, Utterance(f"w{i}", "tool", Evidence.TOOL_VERIFIED, (("w", False),)))) for i in range(3)]
    score = SCORES["egalitarian"]
    for branch in others:
        assert decision(annotation([branch]), score).value == "v"
    assert decision(annotation(others), score).value == "w"


@every_score
@given(levels=st.lists(st.integers(1, 4), max_size=8), more=st.integers(1, 4), data=st.data())
def test_scores_are_symmetric_and_grow_with_witnesses_and_strength(score: Score, levels, more, data):
    base = score.total(levels)
    assert score.total(data.draw(st.permutations(levels))) == base
    assert score.total([*levels, more]) >= base
    assert score.total([]) == (0,) * len(base)
    if more < 4:
        assert score.total([*levels, more + 1]) >= score.total([*levels, more])


def _said(value: str, level: int, n: int) -> Annotation:
    return Annotation.of([Assertion(value, Evidence(level), Trust.EXTERNAL, "user", f"b{n}", History.of())])


def test_collapsing_between_merges_is_unsound_and_joining_is_not():
    branches = [_said("a", 1, 0), _said("a", 1, 1), _said("b", 2, 2)]
    score = SCORES["egalitarian"]
    tie = Decision(Outcome.DISPUTED, frozenset({Stance("a"), Stance("b")}))
    assert decision(branches[0] | branches[1] | branches[2], score) == tie

    def fold(representation: str) -> Decision:
        state = Summary.start(representation, branches[0])
        for branch in branches[1:]:
            state = state.absorb(branch, score)
        return state.decide(score)

    assert fold("max").value == "b"
    assert fold("count") == tie
    assert fold("scores") == tie


@every_score
@given(levels=st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 4)), min_size=1, max_size=6), data=st.data())
def test_scores_kept_per_value_are_enough_while_sources_are_disjoint(score: Score, levels, data):
    branches = [_said(value, level, n) for n, (value, level) in enumerate(levels)]
    state = Summary.start("scores", branches[0])
    for branch in branches[1:]:
        state = state.absorb(branch, score)
    assert state.decide(score) == decision(Annotation.of(a for b in branches for a in b), score)


@given(forests())
def test_a_tally_counts_each_witness_once(branches):
    reading = read(annotation(branches))
    tally = Tally.of(reading.opinions)
    for stance, voices in tally.voices.items():
        told = [o for o in reading.opinions if Stance(o.assertion.value, o.assertion.denied) == stance]
        assert len(voices) == len({o.witness for o in told})


@given(st.lists(st.text(min_size=1), unique=True), st.data())
def test_histories_are_equal_when_their_messages_are(messages, data):
    cut = data.draw(st.integers(0, len(messages)))
    longer, shorter = Chain(messages), Chain(messages[:cut])
    assert History(longer, cut) == History(shorter, cut)
    assert hash(History(longer, cut)) == hash(History(shorter, cut))
    assert all((m in History(longer, cut)) == (m in messages[:cut]) for m in messages)


def test_files_that_contradict_one_another_about_the_order_lose_no_value():
    a = Utterance("1", "user", Evidence.USER_STATED, (("a", False),))
    b = Utterance("2", "user", Evidence.USER_STATED, (("b", False),))
    c = Utterance("3", "user", Evidence.USER_STATED, (("c", False),))
    loops = [Branch((a, b)), Branch((b, c)), Branch((c, a))]
    assert read(annotation(loops)).opinions
    assert decision(annotation(loops), SCORES["egalitarian"]).outcome is not Outcome.EMPTY
