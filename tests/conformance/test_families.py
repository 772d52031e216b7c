"""Every family of scenarios, whatever its size, seed and wording: reproducible, sound, and what it says it is."""

from __future__ import annotations

import pickle
import random
import re
import subprocess
import sys

import pytest

from beliefmerge.claims.values.normalise import normalise
from beliefmerge.errors import UsageError
from beliefmerge.session.model import Channel
from mergebench.match import SCRIPTS, fold, shows
from mergebench.registries import SCENARIOS
from mergebench.scenario import Kind, Role, Scenario, Size
from mergebench.scenarios import bridge
from mergebench.scenarios._credentials import KINDS
from mergebench.scenarios._draft import Candidates, Line, confusable, faults, generate
from tests.bench_cases import SCENARIO as HAND_MADE

SIZES = [
    Size(),
    Size(topics=16, conflicts=3, paraphrase=1.0),
    Size(topics=30, conflicts=4, chatter=0, branches=5, paraphrase=0.5),
]
FAMILIES = list(SCENARIOS)


def scenarios(family: str, seeds: range = range(3)) -> list[Scenario]:
    return [SCENARIOS[family].generate(size, seed) for size in SIZES for seed in seeds]


@pytest.fixture(params=FAMILIES)
def family(request):
    return request.param


def test_a_scenario_is_the_same_bytes_every_time_and_leaves_the_global_generator_alone(family):
    random.seed(5)
    before = random.getstate()
    first = pickle.dumps(SCENARIOS[family].generate(Size(), 1))
    assert random.getstate() == before
    random.seed(99)
    assert pickle.dumps(SCENARIOS[family].generate(Size(), 1)) == first
    code = (
        "import sys, pickle; from mergebench.registries import SCENARIOS; from mergebench.scenario import Size;"
        f"sys.stdout.buffer.write(repr(SCENARIOS[{family!r}].generate(Size(), 1)).encode())"
    )
    other = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert other[0] == other[1] == repr(SCENARIOS[family].generate(Size(), 1)).encode()


def test_seeds_differ(family):
    texts = [SCENARIOS[family].generate(Size(), seed).texts for seed in range(5)]
    assert len(set(texts)) == 5


def test_a_telling_stands_where_it_says(family):
    for scenario in scenarios(family):
        sessions = {session.id: session for session in scenario.sessions}
        for telling in scenario.tellings:
            message = sessions[telling.session].messages[telling.seq]
            (block,) = message.blocks
            assert block.text[telling.start : telling.end] == telling.sentence
            assert block.channel is telling.channel
            assert shows(telling.sentence, telling.value)


def test_no_message_shows_a_value_that_it_neither_tells_nor_names(family):
    for scenario in scenarios(family):
        assert not any(shows(text, decoy) for text in scenario.texts for decoy in scenario.decoys)
        sentences = {(t.session, t.seq): t.sentence for t in scenario.tellings}
        for session in scenario.sessions:
            for message in session.messages:
                rest = message.text.replace(sentences.get((session.id, message.seq), "\x00"), "")
                assert not any(shows(rest, value) for value in scenario.vocabulary)


def test_a_value_in_a_message_that_does_not_name_it_is_a_fault():
    places = {
        value: {(t.session, t.seq) for t in HAND_MADE.tellings if t.value == value} for value in ("120", "Lindau")
    }
    assert "Lindau" not in faults(HAND_MADE, places)
    assert faults(HAND_MADE, {**places, "Lindau": {("a", 0)}}).count("Lindau") == 1


def test_values_are_looked_for_where_their_longest_word_is_and_none_is_missed(family):
    for scenario in scenarios(family, range(2)):
        texts = [*scenario.texts, " ".join(scenario.texts), *(f"又{value}了" for value in scenario.vocabulary)]
        candidates = Candidates(scenario.vocabulary)
        for text in texts:
            found = [value for value in candidates.of(text) if shows(text, value)]
            assert found == [value for value in scenario.vocabulary if shows(text, value)]
        everywhere = [v for text in scenario.texts for v in scenario.vocabulary if shows(text, v)]
        assert faults(scenario, {}) == everywhere, "where nothing may stand, all that stands is a fault"


def test_values_that_can_be_taken_for_each_other_are_noticed():
    assert not confusable(["42", "420", "Alder House", "Mill House"])
    assert confusable(["42", "42 days"])
    assert confusable(["42", "42"])
    assert confusable(["窑炉", "窑炉间"])


def test_a_draft_with_a_fault_is_drawn_again_and_one_that_never_gets_better_is_refused():
    def faulty_until(attempt):
        def fill(draft):
            bridge.fill(draft)
            if draft.attempt < attempt:
                draft.say(draft.branches[0], Line(Channel.USER, None, f"Think of {draft.topics[0].decoys[0]}."))

        return generate("bridge", fill)

    assert not any("Think of" in text for text in faulty_until(2)(Size(), 0).texts)
    with pytest.raises(UsageError, match="no sound scenario"):
        faulty_until(10_000)(Size(), 0)


def test_no_value_can_be_taken_for_another(family):
    for scenario in scenarios(family):
        values = scenario.vocabulary
        assert len(set(values)) == len(values)
        assert not any(shows(x, y) for x in values for y in values if x != y)


def test_every_asserted_value_is_told_and_every_told_value_is_asserted(family):
    for scenario in scenarios(family):
        told = {(t.key, t.value) for t in scenario.tellings}
        assert told == {(topic.key, value) for topic in scenario.topics for value in topic.asserted}


def test_there_are_as_many_topics_chatter_and_branches_as_asked_for(family):
    for size in SIZES:
        scenario = SCENARIOS[family].generate(size, 0)
        assert len(scenario.topics) == size.topics
        assert len(scenario.sessions) == size.branches
        planted = sum(plant.place != "title" for plant in scenario.plants) + len(scenario.secrets)
        for session in scenario.sessions:
            telling = {t.seq for t in scenario.tellings if t.session == session.id}
            silent = [message for message in session.messages if message.seq not in telling]
            assert size.chatter <= len(silent) <= size.chatter + planted


def test_a_bridge_question_needs_two_branches_and_a_local_one_a_single_one(family):
    for scenario in scenarios(family):
        assert scenario.asked(Kind.LOCAL)
        assert scenario.asked(Kind.BRIDGE)
        for question in scenario.questions:
            whole = ["\n".join(m.text for m in session.messages) for session in scenario.sessions]
            answering = [text for text in whole if all(shows(text, value) for value in question.expects)]
            if question.kind is Kind.BRIDGE:
                assert answering == [], "no single branch answers it"
                assert all(shows("\n".join(whole), value) for value in question.expects)
            if question.kind is Kind.LOCAL:
                assert answering


def test_every_topic_has_a_question_of_its_own(family):
    for scenario in scenarios(family):
        assert {topic.key for topic in scenario.topics} == {q.keys[0] for q in scenario.questions if len(q.keys) == 1}


def test_facts_do_not_all_come_first():
    places = []
    for seed in range(30):
        scenario = SCENARIOS["bridge"].generate(Size(), seed)
        lengths = {session.id: len(session.messages) for session in scenario.sessions}
        places += [telling.seq / lengths[telling.session] for telling in scenario.tellings]
    assert 0.4 < sum(places) / len(places) < 0.6
    assert min(places) < 0.1
    assert max(places) > 0.9


def test_more_chatter_leaves_the_facts_as_they_are(family):
    few, many = (SCENARIOS[family].generate(Size(chatter=n), 2) for n in (6, 30))
    assert few.topics == many.topics
    assert few.questions == many.questions
    assert {t.sentence for t in few.tellings} == {t.sentence for t in many.tellings}


def test_too_small_a_size_is_refused_in_one_line(family):
    with pytest.raises(UsageError, match=r"^scenario\.topics=3 is out of range: .* needs at least \d+$"):
        SCENARIOS[family].generate(Size(topics=3, conflicts=3), 0)


def test_more_topics_than_there_are_words_for_is_refused():
    with pytest.raises(UsageError, match="more than the"):
        SCENARIOS["bridge"].generate(Size(topics=5000), 0)


# paraphrase


def twice_told(scenario: Scenario):
    for topic in scenario.with_roles(Role.CONFLICT, Role.TIE):
        tellings = [t for t in scenario.tellings if t.key == topic.key]
        first, second = (next(t for t in tellings if t.value == value) for value in topic.asserted[:2])
        yield first, second


@pytest.mark.parametrize("name", ["bridge", "tie"])
def test_without_paraphrase_two_branches_use_one_wording_and_with_it_never(name):
    for seed in range(10):
        for x, y in twice_told(SCENARIOS[name].generate(Size(paraphrase=0.0), seed)):
            assert x.sentence.replace(x.value, "…") == y.sentence.replace(y.value, "…")
        for x, y in twice_told(SCENARIOS[name].generate(Size(paraphrase=1.0), seed)):
            assert x.sentence.replace(x.value, "…") != y.sentence.replace(y.value, "…")


def test_paraphrase_is_a_share():
    pairs = [
        pair for seed in range(100) for pair in twice_told(SCENARIOS["bridge"].generate(Size(paraphrase=0.3), seed))
    ]
    differing = sum(x.sentence.replace(x.value, "…") != y.sentence.replace(y.value, "…") for x, y in pairs)
    assert 0.2 < differing / len(pairs) < 0.4


# what each family tests


def test_conflicts_are_decided_by_the_stronger_channel():
    for scenario in scenarios("bridge", range(10)):
        for right, wrong in twice_told(scenario):
            assert right.channel.evidence > wrong.channel.evidence
            assert right.session != wrong.session


def test_ties_have_equal_evidence_in_two_branches():
    for scenario in scenarios("tie", range(10)):
        assert scenario.with_roles(Role.TIE)
        assert scenario.with_roles(Role.CONFLICT), "and not everything is a tie"
        for topic in scenario.with_roles(Role.TIE):
            x, y = (t for t in scenario.tellings if t.key == topic.key)
            assert x.channel is y.channel
            assert x.session != y.session


def test_changes_come_from_one_speaker_the_later_one_holding_within_and_across_branches():
    within = across = naming = 0
    for scenario in scenarios("supersede", range(10)):
        for topic in scenario.with_roles(Role.CHANGE):
            tellings = sorted((t for t in scenario.tellings if t.key == topic.key), key=lambda t: t.seq)
            assert len({t.channel for t in tellings}) == 1
            (last,) = {t.session for t in tellings if t.value == topic.holds[0]}
            told = [t for t in tellings if t.session == last]
            assert [t.value for t in told] == [*topic.fails, *topic.holds]
            across += len({t.session for t in tellings}) > 1
            within += len({t.session for t in tellings}) == 1
            naming += any(shows(told[-1].sentence, value) for value in topic.fails)
    assert within > 5
    assert across > 5
    assert naming > 5, "some name the old value in the new sentence"


def test_forks_share_messages_and_counting_copies_would_decide_otherwise():
    copied = changed = 0
    for scenario in scenarios("fork", range(10)):
        keys = [[message.key for message in session.messages] for session in scenario.sessions]
        trunk = set(keys[0]).intersection(*keys[1:])
        assert trunk
        assert all(set(branch[: len(trunk)]) == trunk for branch in keys), "the trunk comes first"
        for topic in scenario.with_roles(Role.CONFLICT):
            support = dict.fromkeys(topic.asserted, 0)
            for telling in scenario.tellings:
                if telling.key == topic.key:
                    support[telling.value] += telling.channel.evidence.weight
            assert support[topic.fails[0]] >= support[topic.holds[0]], "one vote a copy ties or wins"
            copied += 1
        changed += len(scenario.with_roles(Role.CHANGE))
    assert copied
    assert changed


def test_conclusions_fall_or_stay_as_their_routes_say():
    """The roles against a naive fixpoint: a value holds when it is right as said, or by a route whose premises hold."""
    fallen = kept = conjunctions = 0
    for scenario in scenarios("derive", range(10)):
        right = {(topic.key, v) for topic in scenario.with_roles(Role.SINGLE, Role.CONFLICT) for v in topic.holds}
        derived = [t for t in scenario.tellings if t.premises]
        while True:
            more = {(t.key, t.value) for t in derived if any(set(route) <= right for route in t.premises)} - right
            if not more:
                break
            right |= more
        for topic in scenario.with_roles(Role.FALLEN, Role.KEPT):
            assert ((topic.key, topic.asserted[0]) in right) == (topic.role is Role.KEPT)
            fallen += topic.role is Role.FALLEN
            kept += topic.role is Role.KEPT
        conjunctions += sum(len(route) > 1 for t in derived for route in t.premises)
        for telling in derived:
            assert all(shows(telling.sentence, value) for route in telling.premises for _, value in route)
    assert min(fallen, kept, conjunctions) > 5


def test_instructions_are_planted_in_every_place_and_the_reader_has_a_session_of_their_own():
    for scenario in scenarios("inject", range(5)):
        assert scenario.current == scenario.sessions[0].id
        assert {plant.place for plant in scenario.plants} == {"tool", "user", "quote", "title", "injected"}
        held = [*scenario.texts, *(session.title or "" for session in scenario.sessions)]
        for plant in scenario.plants:
            assert sum(shows(text, plant.payload) for text in held) == 1
        for topic in scenario.with_roles(Role.CONFLICT):
            tellings = [t for t in scenario.tellings if t.key == topic.key]
            assert {t.session for t in tellings if t.value == topic.holds[0]} == {scenario.current}
            assert all(t.channel is Channel.USER for t in tellings if t.value == topic.holds[0])
            assert all(t.session != scenario.current for t in tellings if t.value == topic.fails[0])


def test_opposites_contradict_as_they_say_and_spellings_of_one_value_agree():
    digits = units = same = denied = 0
    for scenario in scenarios("opposed", range(10)):
        for topic in scenario.with_roles(Role.CONFLICT):
            right, wrong = (next(t for t in scenario.told[topic.key] if t.value == v) for v in topic.asserted)
            assert right.channel.evidence > wrong.channel.evidence
            assert right.session != wrong.session
            assert normalise(right.value) != normalise(wrong.value)
            if len(right.value) == len(wrong.value):
                close = sum(x != y for x, y in zip(right.value, wrong.value, strict=True)) == 1
                digits += close
            units += (
                right.value.split()[1:] != wrong.value.split()[1:] or right.value.isdigit() != wrong.value.isdigit()
            )
        for topic in scenario.with_roles(Role.SAME):
            assert len({normalise(value) for value in topic.holds}) == 1
            assert len({t.session for t in scenario.told[topic.key]}) == 2
            same += 1
        for topic in scenario.with_roles(Role.REFUTED):
            said, ruled_out = sorted(scenario.told[topic.key], key=lambda t: t.denied)
            assert ruled_out.denied
            assert not said.denied
            assert ruled_out.channel.evidence > said.channel.evidence
            denied += 1
    assert min(digits, units, same, denied) > 5


def form(value: str) -> tuple[list[str], bool]:
    """The unit of a value, and whether it is in figures alone."""
    return value.split()[1:], value.isdigit()


def test_compatible_values_are_told_in_two_branches_and_set_apart():
    many = apart = 0
    for scenario in scenarios("compatible", range(10)):
        assert scenario.with_roles(Role.CONFLICT), "and not everything is compatible"
        for topic in scenario.with_roles(Role.COMPATIBLE):
            one, other = scenario.told[topic.key]
            assert one.session != other.session
            many += one.multi and other.multi
            if not one.multi:
                assert one.qualifier != other.qualifier
                assert all(fold(t.qualifier) in fold(t.sentence) for t in (one, other))
                apart += 1
            assert scenario.alone[topic.key].kind is Kind.BRIDGE
    assert min(many, apart) > 5


def test_dead_ends_have_a_reason_and_are_proposed_again_on_weaker_channels_only():
    proposed = quiet = 0
    for scenario in scenarios("refuted", range(6)):
        reasons = [topic.reason for topic in scenario.with_roles(Role.REFUTED)]
        assert len(set(reasons)) == len(reasons) > 0
        for topic in scenario.with_roles(Role.REFUTED):
            (end,) = (t for t in scenario.told[topic.key] if t.denied)
            again = [t for t in scenario.told[topic.key] if not t.denied]
            assert shows(end.sentence, topic.reason)
            assert all(t.channel.evidence < end.channel.evidence and t.session != end.session for t in again)
            assert sum(shows(text, topic.reason) for text in scenario.texts) == 1
            proposed += bool(again)
            quiet += not again
    assert min(proposed, quiet) > 5


def test_credentials_of_every_kind_are_planted_in_every_place():
    kinds, places = set(), set()
    for scenario in scenarios("secret", range(14)):
        for secret in scenario.secrets:
            whole = repr([(s.title, s.cwd, s.path, s.meta, s.flags, s.claims, s.messages) for s in scenario.sessions])
            assert whole.count(secret.value) == (2 if secret.place == Channel.USER else 1)
            kinds.add(secret.kind)
            places.add(secret.place)
    assert kinds == set(KINDS)
    assert places == {*map(str, Channel), "title", "cwd", "path", "meta", "flags", "claims"}


def test_every_other_branch_is_chinese_and_conflicts_go_across():
    chinese = re.compile(f"[{SCRIPTS}]")
    for scenario in scenarios("languages", range(5)):
        for number, session in enumerate(scenario.sessions):
            assert all(bool(chinese.search(message.text)) == bool(number % 2) for message in session.messages)
        for topic in scenario.with_roles(Role.CONFLICT):
            assert {bool(chinese.search(t.sentence)) for t in scenario.told[topic.key]} == {True, False}
        assert not any(chinese.search(value) for value in scenario.vocabulary)
        assert not any(chinese.search(question.text) for question in scenario.questions)


@pytest.mark.parametrize(
    ("topics", "branches"), [(10, 2), (1000, 64), pytest.param(10_000, 64, marks=pytest.mark.slow)]
)
def test_the_words_suffice_for_every_size_and_questions_grow_with_topics(topics, branches):
    scenario = SCENARIOS["scale"].generate(Size(topics=topics, branches=branches, chatter=2), 0)
    assert len(scenario.topics) == topics
    assert len(scenario.sessions) == branches
    assert len(scenario.questions) < 2 * topics
    assert not confusable(scenario.vocabulary)
    with pytest.raises(UsageError, match="more than the"):
        SCENARIOS["scale"].generate(Size(topics=100_000), 0)
