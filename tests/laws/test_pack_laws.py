"""The laws of packing: the objective's shape, the solvers' order, the certificate, the input's order."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from beliefmerge.errors import UsageError
from beliefmerge.pack import SOLVERS, Choice, Item, Rendition, Weights, pack, unit, utility
from beliefmerge.pack.core import search
from beliefmerge.pack.item import canonical
from beliefmerge.pack.problem import OUT, TOLERANCE, UNGROUPED, build
from beliefmerge.pack.programme import optimise
from beliefmerge.pack.reduction import reduce
from beliefmerge.pack.relaxation import at_price, imposed, relax, survivors
from beliefmerge.pack.solvers import density, exact, partial
from beliefmerge.tokens import counter
from tests.packing import (
    WEIGHTS,
    best_utility,
    items,
    lagrangian,
    naive_greedy,
    optimum,
    problems,
    selections,
    synthetic,
)

ROOM = st.integers(0, 40)
SOLVER = st.sampled_from(SOLVERS.names())


def close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


@st.composite
def nested(draw) -> tuple[list[Choice], list[Choice], Choice]:
    """S within T, and a choice of an item that neither has."""
    made = draw(items(most=8).filter(len))
    shown = [Choice(item, draw(st.sampled_from(item.renditions))) for item in made]
    flags = draw(st.lists(st.sampled_from(["both", "larger", "neither"]), min_size=len(shown), max_size=len(shown)))
    rest, new = list(zip(shown[1:], flags[1:], strict=True)), shown[0]
    return [c for c, f in rest if f == "both"], [c for c, f in rest if f != "neither"], new


@given(nested())
def test_showing_more_is_never_worth_less(sets):
    smaller, larger, new = sets
    assert utility(smaller, WEIGHTS) <= utility(larger, WEIGHTS) <= utility([*larger, new], WEIGHTS)


@given(nested())
def test_what_an_item_adds_only_shrinks_as_more_is_shown(sets):
    smaller, larger, new = sets
    early = utility([*smaller, new], WEIGHTS) - utility(smaller, WEIGHTS)
    late = utility([*larger, new], WEIGHTS) - utility(larger, WEIGHTS)
    assert late <= early + 1e-12


@given(nested())
def test_a_retracted_item_adds_five_percent_of_its_personal_value_and_nothing_else(sets):
    _, shown, new = sets
    live, fallen = (Choice(replace(new.item, retracted=r), new.rendition) for r in (False, True))
    alone = utility([live], replace(WEIGHTS, coverage=0))
    assert close(utility([*shown, fallen], WEIGHTS) - utility(shown, WEIGHTS), 0.05 * alone)


@given(items(most=8).filter(len), st.data())
def test_giving_up_a_quote_costs_less_than_giving_up_any_live_item(made, data):
    shown = [Choice(item, data.draw(st.sampled_from(item.renditions))) for item in made]
    bare = Rendition("", 0, 0.0)
    shortened = data.draw(st.integers(0, len(shown) - 1))
    without_quote = [Choice(c.item, bare) if i == shortened else c for i, c in enumerate(shown)]
    loss = utility(shown, WEIGHTS) - utility(without_quote, WEIGHTS)
    for i, choice in enumerate(shown):
        if not choice.item.retracted:
            rest = shown[:i] + shown[i + 1 :]
            assert loss <= utility(shown, WEIGHTS) - utility(rest, WEIGHTS) + 1e-12


@given(items(), ROOM, st.integers(0, 10), SOLVER)
def test_the_budget_is_never_exceeded(made, budget, overhead, solver):
    packed = pack(made, budget=budget, overhead=overhead, solver=solver)
    total = sum(choice.rendition.cost for choice in packed.chosen)
    assert packed.cost == (total + overhead if packed.chosen else 0) <= budget
    assert packed.omitted + len(packed.chosen) == len(made)


LINES = st.text(alphabet="ab 数.,-\"'<>#\t🙂é", min_size=1, max_size=30)


@given(st.lists(st.lists(LINES, min_size=1, max_size=2), max_size=6), st.integers(0, 60), SOLVER, st.data())
def test_the_budget_is_never_exceeded_by_the_exact_count_of_any_counter(texts, budget, solver, data):
    name = data.draw(st.sampled_from(["chars4", "regex", "o200k"]))
    units, count = unit(name), counter(name)
    made = [
        Item(f"k{i}", "Fact", tuple(units.rendition(f"- {line}\n", 1 - j) for j, line in enumerate(lines)))
        for i, lines in enumerate(texts)
    ]

    def block(chosen):
        return "".join(["# What is known\n\n", *(c.rendition.text for c in chosen), f"{len(chosen)} shown"])

    packed = pack(
        made,
        budget=units.capacity(budget),
        overhead=units.cost("# What is known\n\n 9 shown"),
        solver=solver,
        measure=lambda chosen: units.cost(block(chosen)),
    )
    text = block(packed.chosen) if packed.chosen else ""
    assert count(text) <= budget
    assert packed.cost == units.cost(text)


@given(items(), ROOM, st.integers(-6, 6), SOLVER)
def test_a_count_that_sums_do_not_foresee_is_still_kept_within(made, budget, surprise, solver):
    def measure(chosen):
        return max(sum(c.rendition.cost for c in chosen) + surprise, 0)

    packed = pack(made, budget=budget, solver=solver, measure=measure)
    assert packed.cost == (measure(packed.chosen) if packed.chosen else 0) <= budget


@given(items(most=5), ROOM)
def test_room_that_the_recount_frees_is_used(made, budget):
    reserved = pack(made, budget=budget, overhead=8, measure=lambda chosen: sum(c.rendition.cost for c in chosen))
    left = budget - reserved.cost
    shown = {choice.item.id for choice in reserved.chosen}
    assert all(min(r.cost for r in i.renditions) > min(left, budget - 8) for i in made if i.id not in shown)


@given(items(most=8), ROOM)
def test_exact_is_at_least_partial_is_at_least_density(made, budget):
    found = [pack(made, budget=budget, solver=name).utility for name in ("density", "partial", "exact", "auto")]
    assert found[0] <= found[1] <= found[2] * (1 + TOLERANCE)
    assert found[2] <= found[3]


@given(items(most=5, renditions=2), ROOM)
def test_exact_finds_what_trying_everything_finds(made, budget):
    packed = pack(made, budget=budget, solver="exact")
    assert close(packed.utility, best_utility(made, budget))
    assert close(packed.utility, utility(packed.chosen, WEIGHTS))
    assert packed.gap == 0


@given(items(most=10, renditions=1), ROOM)
def test_exact_finds_the_best_of_all_subsets_of_ten_items(made, budget):
    packed = pack(made, budget=budget, solver="exact")
    assert close(packed.utility, best_utility(made, budget))


@settings(max_examples=40)
@given(problems(most=6, renditions=2))
def test_the_integer_programme_finds_what_trying_everything_finds(problem):
    assume(problem.candidates)
    everything = [[OUT, *range(len(c.options))] for c in problem.candidates]
    selection, bound = optimise(problem, everything, nodes=1000)
    assert selection is not None
    assert problem.cost(selection) <= problem.capacity
    assert close(problem.utility(selection), optimum(problem))
    assert close(bound, optimum(problem))


@given(problems(most=6, renditions=2))
def test_the_search_over_all_decisions_finds_what_trying_everything_finds(problem):
    everything = [[OUT, *range(len(c.options))] for c in problem.candidates]
    selection = search(problem, relax(problem), everything, target=-1.0, states=10**6)
    assert selection is not None
    assert problem.cost(selection) <= problem.capacity
    assert close(problem.utility(selection), optimum(problem))


@given(problems(most=6, renditions=2), st.floats(0, 1))
def test_the_search_finds_the_best_above_its_target_and_nothing_when_there_is_none(problem, share):
    best = optimum(problem)
    target = best * (1.5 * share)
    relaxation = relax(problem)
    selection = search(problem, relaxation, survivors(imposed(problem, relaxation), target), target, states=10**6)
    if best > target * (1 + TOLERANCE):
        assert selection is not None
        assert close(problem.utility(selection), best)
    elif best < target * (1 - TOLERANCE):
        assert selection is None


@given(problems(most=5), st.floats(0, 3))
def test_every_price_bounds_every_selection_that_fits(problem, price):
    relaxation = at_price(problem, price)
    assert close(relaxation.bound, lagrangian(problem, price))
    assert relaxation.bound >= optimum(problem) - 1e-9


@given(problems(most=5))
def test_the_relaxation_finds_the_tightest_price(problem):
    best = relax(problem)
    for share in (0.0, 0.5, 0.9, 1.1, 2.0):
        assert best.bound <= at_price(problem, best.price * share).bound + 1e-9
    assert best.bound <= at_price(problem, best.price + 0.01).bound + 1e-9


@settings(max_examples=400)
@given(problems(most=5, renditions=2), st.floats(0, 1))
def test_a_decision_imposed_is_bounded_by_the_relaxation_solved_with_it(problem, price):
    for i, bounds in enumerate(imposed(problem, at_price(problem, price))):
        for decision, bound in bounds.items():
            assert close(bound, lagrangian(problem, price, (i, decision)))


@given(problems(most=6, renditions=2))
def test_reducing_keeps_the_optimum_and_what_it_keeps_means_the_same(problem):
    reduced = reduce(problem)
    assert close(optimum(reduced.problem), optimum(problem))
    for selection in selections(reduced.problem):
        whole = reduced.expand(selection)
        assert close(problem.utility(whole), reduced.problem.utility(selection))
        assert problem.cost(whole) == reduced.problem.cost(selection)


@given(problems(most=7), st.booleans())
def test_lazy_greedy_takes_what_greedy_by_recomputing_everything_takes(problem, per_cost):
    lazy = density.complete(problem, problem.nothing, per_cost=per_cost)
    naive = naive_greedy(problem, per_cost=per_cost)
    assert close(problem.utility(lazy), problem.utility(naive))


@given(problems(most=5, renditions=2))
def test_all_seeds_of_three_reach_the_proved_share_of_the_optimum(problem):
    found = partial.solve(problem, relax(problem))
    assert found.utility >= (1 - 1 / math.e) * optimum(problem) - 1e-9


@given(items(), ROOM, SOLVER, st.randoms(use_true_random=False), st.sampled_from([None, "port", "端口"]))
def test_the_order_of_the_items_does_not_matter(made, budget, solver, rng, query):
    shuffled = list(made)
    rng.shuffle(shuffled)
    assert pack(made, budget=budget, solver=solver, query=query) == pack(
        shuffled, budget=budget, solver=solver, query=query
    )


@given(items(most=7), ROOM, st.integers(1, 10))
def test_a_larger_budget_is_never_worth_less(made, budget, more):
    narrow, wide = (pack(made, budget=b, solver="exact").utility for b in (budget, budget + more))
    assert narrow <= wide * (1 + TOLERANCE)


@given(items(), ROOM, SOLVER)
def test_the_certificate_holds_for_every_solver(made, budget, solver):
    packed = pack(made, budget=budget, solver=solver)
    best = pack(made, budget=budget, solver="exact").utility
    assert packed.upper_bound >= best * (1 - TOLERANCE)
    assert packed.upper_bound >= packed.utility
    assert 0 <= packed.gap <= 1
    assert packed.utility >= (1 - packed.gap) * best * (1 - TOLERANCE)


@pytest.mark.parametrize("classes", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_search_and_integer_programme_agree_on_instances_too_large_to_enumerate(seed, classes):
    made = synthetic(60, seed, classes=classes)
    problem = build(canonical(made), 3000, WEIGHTS, [0.0] * len(made))
    everything = [[OUT, *range(len(c.options))] for c in problem.candidates]
    programmed, bound = optimise(problem, everything, nodes=100_000)
    found = exact.solve(problem, relax(problem))
    assert programmed is not None
    assert close(found.utility, problem.utility(programmed))
    assert close(found.utility, bound)


def test_coverage_increments_add_up_to_the_coverage_and_decrease():
    made = synthetic(40, 0)
    problem = build(canonical(made), 10**6, WEIGHTS, [0.0] * len(made))
    everything = tuple(len(c.options) - 1 for c in problem.candidates)
    fullest = [Choice(c.item, c.item.renditions[c.options[-1].rendition]) for c in problem.candidates]
    assert close(problem.utility(everything), utility(fullest, WEIGHTS))
    for gains in problem.gains:
        assert list(gains) == sorted(gains, reverse=True)
    assert all(c.group == UNGROUPED for c in problem.candidates if c.item.retracted)


@given(st.floats(0, 1), st.floats(0, 5), st.floats(0, 1))
def test_weights_are_refused_exactly_when_they_let_a_quote_outweigh_an_item(detail, relevance, plausibility):
    least = min(WEIGHTS.type_value.values()) * plausibility * WEIGHTS.base
    features = WEIGHTS.evidence + WEIGHTS.corroboration + WEIGHTS.trust + relevance + WEIGHTS.recency
    most = max(WEIGHTS.type_value.values()) * (WEIGHTS.base + features)
    if detail * most > (1 - detail) * least:
        with pytest.raises(UsageError, match="detail"):
            Weights(detail=detail, relevance=relevance, plausibility=plausibility)
    else:
        assert Weights(detail=detail, relevance=relevance, plausibility=plausibility).detail == detail
