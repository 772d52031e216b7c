"""What z3 finds and proves, against exhaustive enumeration, and that its proofs can fail."""

from __future__ import annotations

import re
import sys
from itertools import product

import pytest

from beliefmerge.errors import UsageError
from beliefmerge.scores import SCORES
from confluence import reference
from confluence.representation import decide, union
from confluence.space import Form, Space

z3 = pytest.importorskip("z3")

from confluence import smt, symbolic, theorems  # noqa: E402

SECONDS = 20_000
BOTH = ("egalitarian", "elitist")


def fewest(space, score, representation):
    """The least number of assertions of a failing profile, by brute force."""
    profiles = product(space.templates(), repeat=space.branches)
    failing = (p for p in profiles if reference.fails(p, space, SCORES[score], representation))
    return min((sum(map(len, profile)) for profile in failing), default=None)


def read(witness):
    """The branches of a witness, by name."""
    shown = dict(part.split(": ") for part in re.sub(r" \(weights.*", "", witness).split("; "))
    return {
        name: tuple(sorted(("abcdefgh".index(one[0]), int(one[2:])) for one in said.split(", ") if one != "-"))
        for name, said in shown.items()
    }


@pytest.mark.parametrize("representation", ["COUNT", "MAX"])
@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("score", BOTH)
@pytest.mark.parametrize("n", [2, 3])
def test_the_smallest_counterexample_is_as_small_as_the_enumerated_one_and_really_fails(representation, form, score, n):
    space = Space(2, 2, n, form)
    setting = symbolic.Setting.of(2, 2, score, fixed=True)
    found = smt.lossy(representation.lower(), setting, str(form), n, "2^(l-1)").solve_minimal(SECONDS)
    assert found.assertions == fewest(space, score, representation)
    assert found.verdict == (smt.PROVED if found.assertions is None else smt.FOUND)
    if found.witness:
        profile = tuple(read(found.witness).values())
        assert set(profile) <= set(space.templates())
        assert decide(reference.fold(profile, space, SCORES[score], representation), SCORES[score]) != decide(
            union(profile), SCORES[score]
        )


def test_the_witness_is_the_first_of_the_smallest():
    setting = symbolic.Setting.of(3, 2, "egalitarian", fixed=True)
    found = smt.lossy("max", setting, "well_formed", 3, "2^(l-1)").solve_minimal(SECONDS)
    assert (found.assertions, found.witness) == (3, "b0: a@1; b1: a@1; b2: b@1")


@pytest.mark.parametrize("score", BOTH)
def test_a_shared_trunk_is_found_to_break_scores(score):
    setting = symbolic.Setting.of(2, 2, score, fixed=True)
    found = smt.shared_trunk(setting, "well_formed", 2).solve_minimal(SECONDS)
    trunk, *own = read(found.witness).values()
    assert (found.verdict, found.assertions, found.branches) == (smt.FOUND, 2, 2)
    assert decide(union((trunk, trunk, *own)), SCORES[score]) != decide(union((trunk, *own)), SCORES[score])


def test_two_branches_cannot_fail_under_count_whatever_the_weights():
    setting = symbolic.Setting.of(3, 2, "egalitarian", fixed=False)
    assert smt.lossy("count", setting, "general", 2, "all").solve_minimal(SECONDS).verdict == smt.PROVED


@pytest.mark.parametrize(("values", "levels"), [(1, 1), (2, 2), (3, 4)])
def test_every_theorem_is_proved(values, levels):
    found = list(theorems.theorems(values, levels, SECONDS))
    assert {one.verdict for one in found} == {smt.PROVED}
    assert {one.representation for one in found} == {"join", "scores", "classes", "max", "count"}
    assert theorems.settled(found)


@pytest.mark.parametrize("score", BOTH)
def test_without_a_continuation_unequal_differences_are_not_proved_apart(score, monkeypatch):
    monkeypatch.setattr(theorems, "added", lambda a, b: a)
    found = list(theorems.differences(symbolic.Setting.of(2, 2, score, fixed=False), SECONDS))
    assert [one.verdict for one in found] == [smt.PROVED, theorems.REFUTED]


def test_a_join_that_forgets_is_refuted(monkeypatch):
    monkeypatch.setattr(z3, "SetUnion", z3.SetDifference)
    assert theorems.REFUTED in {one.verdict for one in theorems.join(SECONDS)}


def test_a_profile_that_does_not_always_fail_is_not_called_so():
    found = theorems.always_fails("count", "aab", 2, SECONDS)
    assert found.verdict == theorems.REFUTED
    assert not theorems.settled([found])


def test_what_the_solver_does_not_settle_in_time_is_said_to_be_unknown():
    setting = symbolic.Setting.of(4, 4, "elitist", fixed=True)
    found = smt.lossy("max", setting, "general", 4, "all").solve_minimal(1)
    assert (found.verdict, found.assertions, found.witness) == (smt.UNKNOWN, None, None)
    assert not theorems.settled([found])


def test_a_score_without_an_encoding_is_refused():
    with pytest.raises(UsageError, match="'capped' has no encoding"):
        symbolic.Setting.of(2, 2, "capped", fixed=True)


def test_without_the_package_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(UsageError, match=r"install beliefmerge\[smt\]"):
        symbolic.solver_library()
