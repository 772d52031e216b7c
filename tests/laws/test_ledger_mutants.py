"""Each law of the ledger's calculus can fail: a mutant of what it guards makes it fail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import Phase, is_hypothesis_test, settings

from beliefmerge.ledger.core import (
    chain,
    domains,
    entries,
    founding,
    independent,
    likeness,
    quorum,
    reputation,
    state,
    trust,
    verdict,
)
from beliefmerge.ledger.core.canonical import canonical
from beliefmerge.ledger.core.cascade import Dependence
from beliefmerge.ledger.core.founding import Founding
from beliefmerge.ledger.core.state import State
from beliefmerge.ledger.core.verdict import Verdict, Votes
from tests.laws import test_ledger_calculus_laws as calculus
from tests.laws import test_ledger_quorum_laws as votes
from tests.unit import test_ledger_core_canonical as records


def factors(graph: Dependence) -> dict[int, int]:
    return graph.__dict__.setdefault("factors", {})


def multiply_down(self: Dependence, target: int) -> None:
    """Fall as it is, and the factor of each node multiplied up, in ppm."""
    whole_fall(self, target)
    for node in self._below(target):
        left = trust.rounded(trust.remains(self._reach.get(node, {}).get(target, (0, 0))))
        factors(self)[node] = round(Fraction(factors(self).get(node, trust.PPM) * left, trust.PPM))


def divide_back(self: Dependence, target: int) -> None:
    """Undone by dividing what was multiplied."""
    for node in self._below(target):
        left = trust.rounded(trust.remains(self._reach.get(node, {}).get(target, (0, 0))))
        factors(self)[node] = round(Fraction(factors(self).get(node, trust.PPM) * trust.PPM, left))
    whole_rise(self, target)


def by_factors(self: State, seq: int) -> int:
    founding = trust.rounded(self._founding.of(seq)) or 0
    return (
        0 if seq in self.quarantined else round(Fraction(founding * factors(self.edges).get(seq, trust.PPM), trust.PPM))
    )


whole_fall, whole_rise = Dependence.fall, Dependence.rise


def sum_over_paths(self: Dependence, nodes, target, path) -> None:
    for node in nodes:
        total = sum(path[p][0] * self.weight(node, p) // trust.PPM for p in self._parents[node] if p in path)
        if total:
            path[node] = (min(total, trust.ONE),) * 2
            self._reach.setdefault(node, {})[target] = path[node]


def strongest_parent(parents) -> trust.Interval:
    return trust.times(
        (max(low for low, _ in parents), max(high for _, high in parents)), trust.BASE[trust.Tier.DERIVED]
    )


def supported_conjecture(self: Founding, seq: int, value=trust.sealed):
    """A conjecture lifted by what it says it rests on."""
    node = self._nodes[seq]
    if node.source is None and node.parents:
        return max(
            honest_leaf(self, seq, value), *(honest_leaf(self, p, value) for p in node.parents if self._nodes[p].source)
        )
    return honest_leaf(self, seq, value)


honest_leaf = Founding._leaf


def taken_at_its_word(self: Founding, seq: int, value=trust.sealed):
    """What calls itself verified is believed as if it were."""
    if "verified" in self._nodes[seq].text:
        return value(trust.BASE[trust.Tier.SEALED_VERIFIED], 1, 0, 1)
    return honest_leaf(self, seq, value)


def one_voice_is_enough(self: State, entry) -> None:
    """A contradiction makes its target fall, whether or not it passes."""
    honest_contradict(self, entry)
    self.edges.fall(self.place(entry.target))


honest_contradict = State._contradict


def born_standing(self: Dependence, child: int, parents) -> None:
    self._parents[child] = tuple(parents)
    for parent in parents:
        self._children.setdefault(parent, []).append(child)


def every_trigger_anew(self: State, seq: int) -> int:
    """Two passes on one target count twice."""
    value = Fraction(honest_belief(self, seq))
    return round(value * Fraction(1, 20) ** (len(self._triggers.on.get(seq, [0])) - 1))


honest_belief = State.belief_at


def at_once(self: reputation.Reputations, source: str, seq: int) -> tuple[int, int]:
    """Reputation of now instead of then."""
    changes = self._sources.get(source)
    return changes.counts[-1] if changes else reputation.PRIOR


def host_as_domain(url):
    from urllib.parse import urlsplit

    return url and urlsplit(url).hostname


def greedy(adjacency, within, budget=0):
    chosen = 0
    for v in independent.bits(within):
        if not adjacency[v] & chosen:
            chosen |= 1 << v
    return chosen


def unrestrained(origins, members):
    """What matches is not counted."""
    return list(members)[:1]


def unsolved(self: quorum.Independence) -> None:
    """First come, first counted."""
    self._known = True


def fixed_sketch(text) -> object:
    """Two shingles a text, however long: a sketch of fixed length."""
    return text.shingles[:2]


def anyone_votes(self: Votes, seq: int, target: int) -> str | None:
    return None if seq in self._nodes else "no claim"


def unchained(prev: bytes, record: bytes) -> bytes:
    from hashlib import sha256

    return sha256(record).digest()


def ungated(self: State, entry) -> None:
    """A measurement below the gate replaces the declared edge."""
    self.measurements[entry.seq] = entry
    self.edges.weigh(self.place(entry.claim), self.place(entry.parent), entry.weight_ppm)


def any_parent(self: State, claim: str, parent: str) -> tuple[int, int]:
    """An edge that was measured is one, declared or not."""
    return self._claimed(claim), self._claimed(parent)


def forgiving(self: reputation.Reputations, cause: int) -> None:
    """What a pass changed stays after it is undone."""


def a_quarantine_spreads(self: State, seq: int) -> int:
    return 0 if any(q == seq or self.edges.descends(seq, q) for q in self.quarantined) else honest_belief(self, seq)


class Lenient:
    """Reads records and passes over fields it does not know."""

    @staticmethod
    def decode(record: bytes):
        said = json.loads(record)
        known = {f for kind in get_args(entries.Entry) for f in kind.__struct_fields__} | {"kind"}
        return strict.decode(canonical({name: value for name, value in said.items() if name in known}))


strict = entries._decoder


MUTANTS: dict[str, tuple[list[tuple[object, object, object]], Callable[[], None]]] = {
    "fields of trust passed over": (
        [(entries, "_decoder", Lenient)],
        lambda: records.test_a_record_cannot_lend_itself_trust("tier"),
    ),
    "divided back": (
        [
            (Dependence, "fall", multiply_down),
            (Dependence, "rise", divide_back),
            (State, "belief_at", by_factors),
        ],
        calculus.test_undoing_a_pass_leaves_what_a_replay_without_it_leaves,
    ),
    "rounded at each step": (
        [(Dependence, "fall", multiply_down), (State, "belief_at", by_factors)],
        calculus.test_belief_does_not_depend_on_the_order_in_which_premises_fell,
    ),
    "reputation outlives its cause": (
        [(reputation.Reputations, "undo", forgiving)],
        calculus.test_undoing_a_pass_leaves_what_a_replay_without_it_leaves,
    ),
    "sum over paths": (
        [(Dependence, "_settle", sum_over_paths)],
        calculus.test_reach_is_the_greatest_product_of_weights_over_all_paths,
    ),
    "strongest parent": ([(founding, "_derived", strongest_parent)], calculus.test_a_parent_more_never_raises_belief),
    "a conjecture lifted by its parents": (
        [(Founding, "_leaf", supported_conjecture)],
        calculus.test_a_parent_more_never_raises_belief,
    ),
    "words lend belief": (
        [(Founding, "_leaf", taken_at_its_word)],
        calculus.test_belief_comes_from_seals_reputation_and_quorum_not_from_words_or_lineage,
    ),
    "one voice is enough": (
        [(state._APPLY, entries.Contradiction, one_voice_is_enough)],
        calculus.test_a_contradiction_that_does_not_pass_changes_nothing,
    ),
    "born standing": ([(Dependence, "add", born_standing)], calculus.test_the_fold_is_the_obvious_calculus),
    "two passes on one target": (
        [(State, "belief_at", every_trigger_anew)],
        calculus.test_the_fold_is_the_obvious_calculus,
    ),
    "reputation of now": (
        [(reputation.Reputations, "before", at_once)],
        calculus.test_a_pass_leaves_the_founding_belief_of_all_that_was_sealed_before,
    ),
    "a gate that is open": (
        [(state._APPLY, entries.MeasuredEdge, ungated)],
        calculus.test_a_measured_weight_replaces_the_declared_one_from_the_gate_on,
    ),
    "measured edges are added": (
        [(State, "declared", any_parent)],
        calculus.test_an_undeclared_dependence_found_by_measuring_is_refused_and_changes_nothing,
    ),
    "a quarantine that spreads": (
        [(State, "belief_at", a_quarantine_spreads)],
        calculus.test_the_fold_is_the_obvious_calculus,
    ),
    "one origin is enough": (
        [(Verdict, "passed", property(lambda self: self.independent >= 1))],
        calculus.test_no_pass_is_recorded_without_a_quorum_or_twice,
    ),
    "all may vote": (
        [(Votes, "refusal", anyone_votes), (verdict, "registrable", lambda url: url or "no.host")],
        votes.test_who_has_no_vote,
    ),
    "hosts for domains": (
        [(verdict, "registrable", host_as_domain)],
        votes.test_one_domain_cannot_outvote,
    ),
    "private suffixes count": (
        [(domains, "_registrable", lambda host: host)],
        votes.test_every_host_of_the_strategies_but_the_address_has_a_domain,
    ),
    "first come, first counted": (
        [(quorum.Independence, "_solve", unsolved)],
        votes.test_a_document_between_two_honest_ones_can_lose_its_own_vote_only,
    ),
    "one of each component": (
        [(quorum, "_matching", unrestrained)],
        votes.test_many_sources_with_many_domains_are_counted_exactly_and_at_once,
    ),
    "greedy independent sets": ([(independent, "maximum", greedy)], votes.test_maximum_independent_sets_are_maximum),
    "copies by a fixed sketch": ([(likeness, "_prefix", fixed_sketch)], votes.test_the_index_of_copies_loses_none),
    "a soft hyphen makes another word": (
        [(likeness, "_IGNORABLE", re.compile("(?!)"))],
        votes.test_what_is_not_seen_makes_no_other_text,
    ),
    "a chain of single links": ([(chain, "link", unchained)], calculus.test_the_chain_sees_any_change_of_any_record),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_caught(name, monkeypatch):
    patches, law = MUTANTS[name]
    for target, attribute, mutant in patches:
        if isinstance(target, dict):
            monkeypatch.setitem(target, attribute, mutant)
        else:
            monkeypatch.setattr(target, attribute, mutant)
    if is_hypothesis_test(law):
        # That it fails is enough: no time is spent on a smaller failure.
        attribute = "_hypothesis_internal_use_settings"
        quick = settings(getattr(law, attribute), phases=[Phase.explicit, Phase.generate])
        monkeypatch.setattr(law, attribute, quick)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        law()
