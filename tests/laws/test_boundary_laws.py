"""Laws of the boundary on spaces that are drawn."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from beliefmerge.scores import SCORES
from confluence import reference
from confluence.cascade_counts import cascade
from confluence.cascade_reference import outcome, slot
from confluence.derivations import Derivation
from confluence.horizon import class_of, counts, layers, refine
from confluence.identified import identified
from confluence.outcomes import Folder
from confluence.overlap import disjoint_failures
from confluence.representation import REPRESENTATIONS, decide, union
from confluence.space import Form, Space

scores = st.sampled_from(["egalitarian", "elitist"]).map(lambda name: SCORES[name])
spaces = st.builds(Space, st.integers(1, 3), st.integers(1, 3), st.integers(2, 4), st.sampled_from(list(Form))).filter(
    lambda space: space.total <= 5000
)


@st.composite
def derivations(draw):
    """Acyclic graphs of up to three claims with up to two justifications each."""
    claims = draw(st.integers(1, 3))
    bodies = [st.lists(st.integers(0, c - 1), min_size=1, max_size=2, unique=True).map(tuple) for c in range(1, claims)]
    premises = [draw(st.lists(body, max_size=2).map(tuple)) for body in bodies]
    return Derivation(((), *premises))


@settings(max_examples=40, deadline=None)
@given(spaces, scores)
def test_the_minimum_meets_the_formula_exactly_when_enough_is_to_come(space, score):
    automaton = layers(space)
    for one in counts(space, score, automaton, refine(automaton, score)):
        assert one.minimal <= one.differences
        assert (one.minimal == one.differences) == (one.remaining >= one.enough)


@settings(max_examples=40, deadline=None)
@given(spaces, scores, st.data())
def test_states_of_one_class_decide_alike_under_any_continuation(space, score, data):
    automaton = layers(space)
    depth = data.draw(st.integers(0, space.branches))
    states = class_of(automaton, refine(automaton, score))[depth]
    one = data.draw(st.sampled_from(sorted(states)))
    other = data.draw(st.sampled_from(sorted(s for s in states if states[s] == states[one])))
    templates = st.lists(st.sampled_from(space.templates()), max_size=space.branches - depth)
    more = data.draw(templates)
    assert decide(union((one, *more)), score) == decide(union((other, *more)), score)


@settings(max_examples=25, deadline=None)
@given(spaces, scores)
def test_scores_identify_no_states_wrongly(space, score):
    automaton = layers(space)
    classes = class_of(automaton, refine(automaton, score))
    found = identified(Folder("SCORES", score, space.levels), space.templates(), classes)
    assert all(one.wrong == 0 for one in found)


@settings(max_examples=25, deadline=None)
@given(spaces.filter(lambda space: space.total <= 729), scores, st.sampled_from(list(REPRESENTATIONS)))
def test_disjoint_profiles_fail_as_the_reference_says(space, score, representation):
    assert disjoint_failures(space, score, representation) == reference.failures(space, score, representation)


@settings(max_examples=60, deadline=None)
@given(derivations(), scores, st.sampled_from(["COUNT", "MAX"]), st.data())
def test_a_profile_as_small_as_none_of_a_sort_is_not_of_that_sort(derivation, score, representation, data):
    found = cascade(derivation, 3, score, representation)
    said = st.tuples(*[st.sampled_from(slot(3).templates())] * 3)
    profile = data.draw(st.tuples(*[said] * derivation.claims))
    seen = outcome(derivation, profile, score, representation)
    size = (sum(len(one) for claim in profile for one in claim), profile)
    sorts = {"deleted": seen.deleted, "resurrected": seen.resurrected, "mixed": seen.deleted and seen.resurrected}
    for sort, holds in sorts.items():
        if holds:
            least = found.witnesses[sort]
            assert (sum(len(one) for claim in least for one in claim), least) <= size
