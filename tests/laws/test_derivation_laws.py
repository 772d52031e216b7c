"""The laws of derivation: retraction and trust by least fixpoint, never by a cycle, never by laundering."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.algebra.annotation import Premise
from beliefmerge.algebra.decision import Stance
from beliefmerge.algebra.derivation import Ground, Stand, Status, derive
from beliefmerge.algebra.evidence import Trust
from beliefmerge.algebra.semiring import OUT, Graph, Rule, grade, routes, why
from tests import oracles

YES = Stance("yes")


@st.composite
def graphs(draw: st.DrawFn, max_size: int = 6) -> Graph:
    size = draw(st.integers(1, max_size))
    node = st.integers(0, size - 1)
    rule = st.builds(Rule, node, st.lists(node, max_size=3).map(tuple), st.integers(0, 2))
    return Graph(size, draw(st.lists(rule, max_size=10)))


@given(graphs())
def test_grades_are_the_least_fixpoint(graph):
    assert grade(graph) == oracles.grades(graph)


@given(graphs())
def test_boolean_reading_is_the_trust_reading_with_trust_forgotten(graph):
    boolean = grade(Graph(graph.size, [Rule(r.head, r.body) for r in graph.rules]))
    assert [g != OUT for g in grade(graph)] == [g != OUT for g in boolean]


@given(graphs(max_size=4))
def test_why_provenance_is_every_minimal_set_of_axioms(graph):
    axioms = [r for r, rule in enumerate(graph.rules) if not rule.body]
    found, cut = why(graph, limit=1000)
    assert not cut
    assert [set(sets) for sets in found] == oracles.minimal_supports(graph, axioms)


@given(graphs(), st.integers(1, 3))
def test_bounded_why_provenance_only_gives_sets_that_derive_the_node(graph, limit):
    found, _ = why(graph, limit=limit)
    for node, sets in enumerate(found):
        assert len(sets) <= limit
        assert bool(sets) == (grade(graph)[node] != OUT)
        for support in sets:
            rules = [rule for r, rule in enumerate(graph.rules) if rule.body or r in support]
            assert grade(Graph(graph.size, rules))[node] != OUT


@given(graphs())
def test_routes_are_counted_where_no_cycle_is_involved(graph):
    def trees(node: int, above: frozenset[int]) -> int | None:
        if node in above:
            return None
        total = 0
        for rule in graph.rules:
            if rule.head == node:
                below = [trees(b, above | {node}) for b in rule.body]
                if None in below:
                    return None
                product = 1
                for count in below:
                    product *= count
                total += product
        return total

    assert routes(graph) == [trees(node, frozenset()) for node in range(graph.size)]


def stands(rules: dict[str, list[tuple[Trust, list[list[str]]]]]) -> dict[str, Stand]:
    """Yes/no slots, all resolved to yes: key -> [(own trust, alternatives of keys)]."""
    return {
        key: Stand(
            {YES: [Ground(t, tuple(frozenset(Premise(k, "yes") for k in j) for j in js)) for t, js in grounds]},
            frozenset({YES}),
        )
        for key, grounds in rules.items()
    }


@st.composite
def slot_graphs(draw: st.DrawFn) -> dict[str, list[tuple[Trust, list[list[str]]]]]:
    keys = "pqrst"
    premise = st.sampled_from(keys)
    ground = st.tuples(st.sampled_from(list(Trust)), st.lists(st.lists(premise, min_size=1, max_size=2), max_size=2))
    return {key: draw(st.lists(ground, min_size=1, max_size=2)) for key in keys[: draw(st.integers(1, 5))]}


def obvious(rules: dict[str, list[tuple[Trust, list[list[str]]]]]) -> dict[str, Trust | None]:
    """min first (own trust with the route's weakest premise), then max over claims and routes, iterated."""
    trust: dict[str, Trust | None] = dict.fromkeys(rules)
    for _ in range(len(rules) + 1):
        for key, grounds in rules.items():
            found = []
            for own, alternatives in grounds:
                for route in alternatives or [[]]:
                    if all(trust.get(p) is not None for p in route):
                        found.append(min([own, *(trust[p] for p in route)]))
            trust[key] = max(found, default=None)
    return trust


@given(slot_graphs())
def test_effective_trust_is_min_along_a_route_then_max_over_claims(rules):
    standings = derive(stands(rules))
    assert {key: s.trust[YES] for key, s in standings.items()} == obvious(rules)


@given(slot_graphs())
def test_status_says_what_holds_it_up(rules):
    trust = obvious(rules)
    for key, standing in derive(stands(rules)).items():
        alternatives = [route for _, js in rules[key] for route in js]
        if not alternatives:
            assert standing.status is Status.AXIOM
        elif trust[key] is not None:
            assert standing.status is Status.FOUNDED
            assert all(trust[p.key] is not None for p in standing.route)
        else:
            assert standing.status is Status.RETRACTED
            assert standing.unmet
            assert all(trust.get(p.key) is None for p in standing.unmet)


@given(slot_graphs())
def test_no_value_is_trusted_above_the_claims_that_assert_it(rules):
    for key, standing in derive(stands(rules)).items():
        trust = standing.trust[YES]
        assert trust is None or trust <= max(own for own, _ in rules[key])


def test_a_cycle_without_outside_support_is_out_and_with_it_is_in():
    cycle = {"p": [(Trust.TRUSTED, [["q"]])], "q": [(Trust.TRUSTED, [["p"]])]}
    assert {s.status for s in derive(stands(cycle)).values()} == {Status.RETRACTED}
    cycle["q"].append((Trust.EXTERNAL, []))
    assert {s.status for s in derive(stands(cycle)).values()} == {Status.FOUNDED}


def test_a_second_route_keeps_a_conclusion_and_lends_it_its_trust():
    rules = {
        "x": [(Trust.TRUSTED, [["p"], ["q"]])],
        "p": [(Trust.UNTRUSTED, [])],
        "q": [(Trust.EXTERNAL, [])],
    }
    assert derive(stands(rules))["x"].trust[YES] is Trust.EXTERNAL


def test_a_weak_route_of_a_trusted_claim_does_not_borrow_a_strong_route_of_an_untrusted_one():
    rules = {
        "x": [(Trust.TRUSTED, [["weak"]]), (Trust.UNTRUSTED, [["strong"]])],
        "weak": [(Trust.UNTRUSTED, [])],
        "strong": [(Trust.TRUSTED, [])],
    }
    assert derive(stands(rules))["x"].trust[YES] is Trust.UNTRUSTED


def test_a_premise_on_a_value_the_slot_does_not_have_is_not_met():
    rules = stands({"x": [(Trust.EXTERNAL, [["p"]])]})
    rules["p"] = Stand({Stance("no"): [Ground(Trust.EXTERNAL)]}, frozenset({Stance("no")}))
    assert derive(rules)["x"].status is Status.RETRACTED
    rules["x"] = Stand({YES: [Ground(Trust.EXTERNAL, (frozenset({Premise("p")}),))]}, frozenset({YES}))
    assert derive(rules)["x"].status is Status.RETRACTED
    rules["p"] = Stand({Stance("blue"): [Ground(Trust.EXTERNAL)]}, frozenset({Stance("blue")}))
    assert derive(rules)["x"].status is Status.FOUNDED
