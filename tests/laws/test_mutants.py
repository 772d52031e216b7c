"""Each law can fail: a mutant of what it guards makes it fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from beliefmerge.algebra import derivation, opinion, semiring, tally
from beliefmerge.algebra.annotation import Annotation
from beliefmerge.algebra.decision import Stance
from beliefmerge.algebra.evidence import Trust
from beliefmerge.claims.joint import extractor, ground
from beliefmerge.claims.said.scan import Said
from beliefmerge.errors import TrustViolation
from beliefmerge.scores import SCORES
from beliefmerge.session.model import Channel
from tests.laws import test_algebra_laws as algebra
from tests.laws import test_derivation_laws as derivations
from tests.laws import test_joint_laws as joint

EGALITARIAN = SCORES["egalitarian"]


def keep_the_strongest(self: Annotation, other: Annotation) -> Annotation:
    """MAX in place of the join: one assertion a value survives a merge."""
    best = {}
    for a in sorted(self.assertions | other.assertions, key=lambda a: (a.evidence, a.message)):
        best[a.value, a.denied] = a
    return Annotation(frozenset(best.values()), self.several)


def multi_for_anybody(self: Annotation) -> bool:
    """Whoever lists two values of a key makes its slot multi-valued."""
    return bool(self.several)


def weakest_route(graph: semiring.Graph) -> list[int]:
    """Min over the satisfied routes in place of max."""
    strongest = semiring.grade(graph)
    out = list(strongest)
    for rule in graph.rules:
        below = [strongest[b] for b in rule.body]
        if semiring.OUT not in below:
            out[rule.head] = min([out[rule.head], rule.ceiling, *below])
    return out


def max_before_min(graph: semiring.Graph) -> list[int]:
    """Min over claims after max: the best own trust meets the best route, whoever gave it."""
    ceilings = [semiring.OUT] * graph.size
    for rule in graph.rules:
        ceilings[rule.head] = max(ceilings[rule.head], rule.ceiling)
    return semiring.grade(
        semiring.Graph(graph.size, [semiring.Rule(r.head, r.body, ceilings[r.head]) for r in graph.rules])
    )


def deaf_to_denials(opinions) -> tally.Tally:
    return whole_tally(o for o in opinions if not o.assertion.denied)


whole_tally = tally.Tally.of


def every_opinion_its_own_witness(telling: opinion._Telling) -> opinion.Opinion:
    return opinion.Opinion(telling.assertion, telling.assertion.identity, telling.assertion.justifications)


def one_pot(self: tally.Tally, value: str, score) -> tuple[int, ...]:
    """All trust levels added up."""
    support, denial = (
        score.total([level for _, level in self.heard(Stance(value, denied))]) for denied in (False, True)
    )
    return tuple(a - b for a, b in zip(support, denial, strict=True))


def heard_at_any_trust(self: opinion._Strongest, a) -> int:
    """A lower voice supersedes a higher one."""
    best = [self._best.get(matter, (0, 0, 0))[0] for matter in (("value", a.value), "asserted")]
    return best[0] if a.denied or not self._single else max(best)


def found_in_the_users_mouth(*place, **near) -> Said | None:
    """The model's word on who spoke is taken."""
    said = whole_search(*place, **near)
    return said and replace(said, channel=Channel.USER)


whole_search = ground._found


def found_anywhere(quote: str, line: int | None, excerpt) -> Said:
    """A quote that is not in the branch is taken for its first block's."""
    try:
        return whole_locate(quote, line, excerpt)
    except ground.Ungrounded:
        return Said(0, 0, 0, len(quote), quote, "prose", excerpt.session.messages[0].blocks[0].channel)


whole_locate = ground.locate


MUTANTS: dict[str, tuple[object, str, object, Callable[[], None]]] = {
    "MAX in place of the join": (
        Annotation,
        "join",
        keep_the_strongest,
        algebra.test_collapsing_between_merges_is_unsound_and_joining_is_not,
    ),
    "a list at any trust": (
        Annotation,
        "multi",
        property(multi_for_anybody),
        lambda: algebra.test_lower_trust_never_overturns_higher(score=EGALITARIAN),
    ),
    "min over routes": (
        derivation,
        "grade",
        weakest_route,
        derivations.test_effective_trust_is_min_along_a_route_then_max_over_claims,
    ),
    "min over claims after max": (
        derivation,
        "grade",
        max_before_min,
        derivations.test_effective_trust_is_min_along_a_route_then_max_over_claims,
    ),
    "a denial ignored": (
        tally.Tally,
        "of",
        staticmethod(deaf_to_denials),
        lambda: algebra.test_a_value_denied_by_one_more_user_than_say_it_does_not_stand(score=EGALITARIAN),
    ),
    "repetition corroborates": (
        opinion,
        "_opinion",
        every_opinion_its_own_witness,
        algebra.test_the_fast_reading_is_the_obvious_one,
    ),
    "trust levels in one pot": (
        tally.Tally,
        "net",
        one_pot,
        lambda: algebra.test_no_number_of_foreign_voices_overturns_the_current_user(score=EGALITARIAN),
    ),
    "a lower voice supersedes a higher one": (
        opinion._Strongest,
        "evidence",
        heard_at_any_trust,
        lambda: algebra.test_lower_trust_never_overturns_higher(score=EGALITARIAN),
    ),
    "the model says who spoke": (
        ground,
        "_found",
        found_in_the_users_mouth,
        joint.test_a_reasoning_block_is_speculation_whatever_is_claimed,
    ),
    "a quote unchecked": (ground, "locate", found_anywhere, joint.test_what_nobody_said_is_nobodys_claim),
    "branches as they come": (extractor, "_in_order", list, joint.test_the_prompt_does_not_depend_on_the_order),
    "branches as they come, under replay": (
        extractor,
        "_in_order",
        list,
        joint.test_branches_that_share_an_id_are_in_an_order_of_their_own,
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_caught(name, monkeypatch):
    target, attribute, mutant, law = MUTANTS[name]
    law()
    monkeypatch.setattr(target, attribute, mutant)
    with pytest.raises(AssertionError):
        law()


def test_a_dropped_banner_is_caught(monkeypatch):
    from beliefmerge import merge, pipeline
    from beliefmerge.demo import talk

    sessions = [talk("a", ("user", "The staging host is stage-3."))]
    assert "\n> " in merge(sessions).text
    monkeypatch.setattr(pipeline, "needs_banner", lambda slots: False)
    with pytest.raises(TrustViolation, match="banner"):
        merge(sessions)


def test_a_side_that_lends_itself_trust_is_caught(monkeypatch):
    from beliefmerge import merge, reconcile
    from beliefmerge.demo import talk

    def promoted(slot, stance, standing):
        from dataclasses import replace

        return replace(honest(slot, stance, standing), trust=Trust.TRUSTED)

    honest = reconcile._side
    sessions = [talk("a", ("user", "The staging host is stage-3."))]
    monkeypatch.setattr(reconcile, "_side", promoted)
    with pytest.raises(TrustViolation):
        merge(sessions)
