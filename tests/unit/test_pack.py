"""Packing, seen from outside: what is shown, what is left out, and what is said about it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from beliefmerge.claims.claim import ClaimType
from beliefmerge.errors import UsageError
from beliefmerge.pack import Item, Rendition, Weights, pack, unit
from beliefmerge.pack.item import canonical
from beliefmerge.pack.problem import TOLERANCE, build
from beliefmerge.pack.relaxation import relax
from beliefmerge.pack.solvers import auto, exact, partial
from tests.packing import WEIGHTS, synthetic


def item(id: str, *costs: int, **features) -> Item:
    """An item whose renditions have these costs, the barest first."""
    fullness = [i / max(len(costs) - 1, 1) for i in range(len(costs))] if len(costs) > 1 else [1.0]
    renditions = tuple(Rendition(f"{id}\n", c, q) for c, q in zip(costs, fullness, strict=True))
    return Item(id, features.pop("type", "Fact"), renditions, **features)


def ids(packing) -> list[str]:
    return [choice.item.id for choice in packing.chosen]


def test_everything_is_shown_in_full_when_it_fits():
    packed = pack([item("b", 3, 9), item("a", 5)], budget=20, overhead=6)
    assert ids(packed) == ["a", "b"]
    assert (packed.cost, packed.omitted, packed.shortened, packed.gap) == (20, 0, 0, 0)


def test_nothing_is_shown_when_the_cheapest_item_does_not_fit_beside_the_overhead():
    packed = pack([item("a", 5), item("b", 7)], budget=9, overhead=5)
    assert (packed.chosen, packed.cost, packed.utility, packed.omitted) == ((), 0, 0, 2)


def test_nothing_comes_of_no_items():
    packed = pack([], budget=0)
    assert (packed.chosen, packed.cost, packed.upper_bound, packed.gap, packed.omitted) == ((), 0, 0, 0, 0)


def test_an_overhead_over_the_budget_shows_nothing_not_even_what_is_free():
    assert pack([item("a", 0)], budget=3, overhead=4).chosen == ()


def test_quotes_go_before_items():
    made = [item(f"k{i}", 10, 30, evidence=1 + i % 4) for i in range(8)]
    packed = pack(made, budget=8 * 10 + 2 * 20)
    assert packed.omitted == 0
    assert packed.shortened == 6


def test_the_more_valuable_item_keeps_its_quote():
    packed = pack([item("weak", 10, 30, evidence=1), item("strong", 10, 30, evidence=4)], budget=40)
    assert {choice.item.id: choice.rendition.cost for choice in packed.chosen} == {"weak": 10, "strong": 30}


def test_a_retracted_item_never_displaces_a_live_one():
    live, fallen = item("live", 10, evidence=1), item("fallen", 10, evidence=4, witnesses=9, retracted=True)
    assert ids(pack([live, fallen], budget=10)) == ["live"]
    assert ids(pack([live, fallen], budget=20)) == ["live", "fallen"]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"evidence": 4}, {"evidence": 3}),
        ({"witnesses": 2}, {"witnesses": 1}),
        ({"trust": 2}, {"trust": 1}),
        ({"recency": 1.0}, {"recency": 0.0}),
        ({"salience": 1.0}, {"salience": 0.5}),
        ({"type": "Constraint"}, {"type": "Fact"}),
    ],
)
def test_each_feature_decides_between_otherwise_equal_items(better, worse):
    assert ids(pack([item("a", 10, **worse), item("b", 10, **better)], budget=10)) == ["b"]


def test_the_query_decides_between_otherwise_equal_items():
    made = [item("a", 10, text="the cache is warm"), item("b", 10, text="the database port is 5432")]
    assert ids(pack(made, budget=10, query="Which port?")) == ["b"]
    assert ids(pack(made, budget=10)) == ["a"]


def test_a_second_type_is_worth_more_than_a_second_item_of_the_first():
    made = [item("a", 10), item("b", 10), item("c", 10, type="Artifact")]
    assert ids(pack(made, budget=20)) == ["a", "c"]


def test_equal_items_are_chosen_by_id():
    assert ids(pack([item(f"k{i}", 10) for i in reversed(range(5))], budget=20)) == ["k0", "k1"]


def test_room_reserved_for_counts_is_used_when_nothing_is_left_out():
    made = [item("a", 10), item("b", 10)]

    def measure(chosen):
        return 10 * len(chosen) + (0 if len(chosen) == 2 else 8)

    assert ids(pack(made, budget=20, overhead=8)) == ["a"]
    assert ids(pack(made, budget=20, overhead=8, measure=measure)) == ["a", "b"]


def test_characters_are_the_unit_of_chars4_so_that_rounding_is_not_paid_by_line():
    units = unit("chars4")
    made = [Item(f"k{i}", "Fact", (units.rendition("- abc\n"),)) for i in range(4)]
    packed = pack(made, budget=units.capacity(6))
    assert len(packed.chosen) == 4
    assert units.tokens(packed.cost) == 6


def test_every_claim_type_has_a_weight():
    assert {kind.value for kind in ClaimType} == set(WEIGHTS.type_value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"budget": -1}, "a budget cannot be negative: -1"),
        ({"budget": 1, "overhead": -2}, "overhead is negative: -2"),
        ({"budget": 1, "solver": "exatc"}, "unknown solver 'exatc'; did you mean 'exact'?"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(arguments, message):
    with pytest.raises(UsageError) as caught:
        pack([item("a", 1)], **arguments)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pack([item("a", 1), item("a", 2)], budget=1), "two items to pack have the id 'a'"),
        (lambda: Item("a", "Fact", ()), "item 'a' has no rendition"),
        (lambda: item("a", 1, evidence=5), "item 'a': evidence lies in 1..4, not 5"),
        (lambda: item("a", 1, salience=float("nan")), "item 'a': salience lies in 0..1, not nan"),
        (lambda: Rendition("", -1), "a rendition cannot cost -1"),
        (lambda: Rendition("", 1, 1.5), "the quality of a rendition lies in 0..1, not 1.5"),
        (lambda: Weights(gamma=-0.1), "packing weight gamma must be finite and not negative"),
        (lambda: Weights(type_value={"Fact": float("inf")}), "packing weight type_value[Fact] must be finite"),
        (lambda: Weights(retracted=1.1), "packing weight retracted is a share"),
        (lambda: Weights(detail=0.5), "packing weight detail=0.5 would let a quote outweigh an item"),
        (lambda: unit("chars3"), "unknown token counter 'chars3'; did you mean 'chars4'?"),
    ],
)
def test_what_cannot_be_packed_is_refused_in_one_line(make, message):
    with pytest.raises(UsageError) as caught:
        make()
    assert str(caught.value).startswith(message)


def test_a_thousand_slots_are_packed_to_a_proved_optimum_without_scipy():
    code = (
        "import sys; from tests.packing import synthetic; from beliefmerge.pack import pack; "
        "p = pack(synthetic(1000, 0), budget=4800, overhead=300); "
        "print(p.gap, p.solver, 'numpy' in sys.modules, 'scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0.0", "exact", "False", "False"]


def hard_instance():
    """Utility all but proportional to cost: the core stays large and the bound does not close."""
    made = [item(f"k{i:03d}", 400 + 97 * i % 801, salience=(400 + 97 * i % 801) / 1200) for i in range(300)]
    weights = Weights(plausibility=0.0, detail=0.0, coverage=0.0)
    return build(canonical(made), 4801, weights, [0.0] * len(made))


def test_a_core_too_large_for_the_search_goes_to_the_integer_programme(monkeypatch):
    made = synthetic(100, 3, classes=True)
    problem = build(canonical(made), 3000, WEIGHTS, [0.0] * len(made))
    searched = exact.solve(problem, relax(problem))
    monkeypatch.setattr(exact, "STATES", 0)
    programmed = exact.solve(problem, relax(problem))
    assert programmed.utility == pytest.approx(searched.utility, rel=1e-9)
    assert programmed.bound == pytest.approx(searched.bound, rel=1e-9)
    assert problem.cost(programmed.selection) <= problem.capacity


def test_effort_that_runs_out_leaves_a_selection_that_fits_and_an_honest_gap(monkeypatch):
    problem = hard_instance()
    monkeypatch.setattr(exact, "STATES", 100)
    monkeypatch.setattr(exact, "NODES", 1)
    relaxation = relax(problem)
    found = exact.solve(problem, relaxation)
    assert problem.cost(found.selection) <= problem.capacity
    assert problem.utility(found.selection) == found.utility <= found.bound <= relaxation.bound


def test_the_default_takes_partial_where_exact_stops_short_and_partial_is_better(monkeypatch):
    problem = hard_instance()
    relaxation = relax(problem)
    seeded = partial.solve(problem, relaxation)
    short = replace(seeded, selection=problem.nothing, utility=0.0, solver="exact")
    monkeypatch.setattr(exact, "solve", lambda *_: short)
    found = auto.solve(problem, relaxation)
    assert (found.solver, found.utility) == ("partial", seeded.utility)


def test_the_default_does_not_try_exact_beyond_its_size(monkeypatch):
    made = synthetic(60, 1)
    problem = build(canonical(made), 2000, WEIGHTS, [0.0] * len(made))
    monkeypatch.setattr(auto, "SIZE", 10)
    found = auto.solve(problem, relax(problem))
    assert found.solver == "partial"
    assert found.bound * (1 + TOLERANCE) >= exact.solve(problem, relax(problem)).utility


def test_a_solver_that_misses_the_optimum_says_by_how_much_it_may():
    made = synthetic(60, 0)
    greedy, best = (pack(made, budget=2500, solver=name) for name in ("density", "exact"))
    assert greedy.utility < best.utility == pytest.approx(best.upper_bound)
    assert greedy.upper_bound >= best.utility
    assert greedy.gap == pytest.approx(1 - greedy.utility / greedy.upper_bound)
    assert best.gap == 0


def test_what_the_recount_takes_back_is_worth_least_and_what_it_adds_is_worth_most():
    made = [item(f"k{i}", 10, evidence=e, salience=0.8) for i, e in enumerate([1, 4, 2, 3])]

    def dearer(chosen):
        return sum(choice.rendition.cost for choice in chosen) + 15

    def cheaper(chosen):
        return sum(choice.rendition.cost for choice in chosen)

    assert set(ids(pack(made, budget=40, measure=dearer))) == {"k1", "k3"}
    assert set(ids(pack(made, budget=20, overhead=10, measure=cheaper))) == {"k1", "k3"}


def test_counts_that_no_state_is_left_of_are_not_carried_on(monkeypatch):
    """Else the work grows with the square of the items, and the limit on states does not see it."""
    from beliefmerge.pack import core

    looked, original = [], core._Search.completion

    def completion(self, part, start, count):
        looked.append(count)
        return original(self, part, start, count)

    monkeypatch.setattr(core._Search, "completion", completion)
    packed = pack([item(f"k{i}", 40 + len(str(i)), evidence=4) for i in range(1000)], budget=4701)
    assert packed.gap == 0
    assert len(looked) < 200_000
