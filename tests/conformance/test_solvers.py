"""Every registered solver, on the same instances."""

from __future__ import annotations

import pytest

from beliefmerge.pack import SOLVERS, Item, Rendition, pack
from beliefmerge.pack.item import canonical
from beliefmerge.pack.problem import build
from beliefmerge.pack.relaxation import relax
from tests.packing import WEIGHTS, synthetic


def problem(n: int, room: int, seed: int = 0):
    made = synthetic(n, seed, classes=bool(seed % 2))
    return build(canonical(made), room, WEIGHTS, [0.0] * len(made))


@pytest.mark.parametrize("name", SOLVERS.names())
@pytest.mark.parametrize(("n", "room", "seed"), [(0, 100, 0), (1, 0, 0), (8, 500, 1), (60, 2500, 2), (250, 4800, 3)])
def test_a_solver_finds_a_selection_that_fits_and_bounds_it_honestly(name, n, room, seed):
    instance = problem(n, room, seed)
    relaxation = relax(instance)
    found = SOLVERS[name](instance, relaxation)
    assert instance.cost(found.selection) <= room
    assert found.utility == instance.utility(found.selection)
    assert found.utility <= found.bound <= relaxation.bound * (1 + 1e-9)
    assert found.solver in SOLVERS
    assert SOLVERS[name](instance, relaxation) == found


@pytest.mark.parametrize("name", SOLVERS.names())
def test_a_solver_is_within_a_hundredth_of_the_bound_on_a_thousand_slots(name):
    packed = pack(synthetic(1000, 7), budget=4800, overhead=300, solver=name)
    assert packed.gap <= 0.01


@pytest.mark.parametrize("name", SOLVERS.names())
def test_a_solver_takes_what_is_free(name):
    free = [Item(f"k{i}", "Fact", (Rendition("", 0),)) for i in range(3)]
    dear = Item("x", "Decision", (Rendition("", 9),), evidence=4)
    assert len(pack([*free, dear], budget=8, solver=name).chosen) == 3
    assert len(pack([*free, dear], budget=9, solver=name).chosen) == 4
