"""What trust may and may not do, over random logs."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from beliefmerge.ledger.core import chain, trust
from beliefmerge.ledger.core.cascade import Dependence
from beliefmerge.ledger.core.entries import (
    Cascade,
    Conjecture,
    Derivation,
    Finding,
    MeasuredEdge,
    Observation,
    Restoration,
)
from beliefmerge.ledger.core.fold import fold
from beliefmerge.ledger.core.state import Invalid, State
from beliefmerge.ledger.core.validity import check
from tests.ledger_oracle import Oracle
from tests.ledger_strategies import TENANT, Log, logs, ppm, replay, standing, without


@given(logs())
def test_the_fold_is_the_obvious_calculus(log):
    oracle = Oracle(log.entries)
    assert set(oracle.claims()) == set(log.state.nodes)
    for seq in oracle.claims():
        assert log.state.belief_at(seq) == round(oracle.belief(seq) * trust.PPM)
        assert log.state.founding_ppm(log.ids[seq]) == round(oracle.founding(seq) * trust.PPM)
        assert log.state.corroborated_at(seq) == oracle.corroborated(seq)
        assert log.state.status_at(seq) == oracle.status(seq)


@given(logs())
def test_a_log_read_at_once_is_the_log_read_as_it_grew(log):
    assert standing(fold(log.records)) == standing(log.state)


@given(logs(max_moves=30))
def test_undoing_a_pass_leaves_what_a_replay_without_it_leaves(log):
    for cascade in list(log.state.passes):
        if log.state.passes[cascade].restored is None:
            log.restore(log.ids[cascade])
        state, places = replay(log.entries, without(log.entries, cascade))
        assert standing(state, places) == standing(log.state)
        assert state.reputations.now() == log.state.reputations.now()


@st.composite
def dags(draw):
    """A number of nodes and weighted edges from earlier to later ones."""
    size = draw(st.integers(2, 9))
    pairs = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(lambda p: p[0] < p[1])
    return size, draw(st.dictionaries(pairs, ppm, max_size=16))


def dependence(size, edges):
    graph = Dependence()
    for node in range(size):
        graph.add(node, [p for p, c in edges if c == node])
    for (parent, child), weight in edges.items():
        graph.weigh(child, parent, weight)
    return graph


def left(graph, size):
    return [{t: trust.remains(path) for t, path in sorted(graph.reach(node).items())} for node in range(size)]


@given(dags(), st.sets(st.integers(0, 8)))
def test_reach_is_the_greatest_product_of_weights_over_all_paths(dag, targets):
    size, edges = dag
    graph = dependence(size, edges)
    for target in sorted(t for t in targets if t < size):
        graph.fall(target)

        def path(node, target=target):
            products = [Fraction(w, trust.PPM) * path(p) for (p, c), w in edges.items() if c == node]
            return Fraction(1) if node == target else max(products, default=Fraction(0))

        for node in range(size):
            low, high = graph.reach(node).get(target, (0, 0))
            assert low <= path(node) * trust.ONE <= high <= low + size
            if high:
                assert graph.reach_exactly(node, target) == path(node)


def test_an_edge_that_is_measured_where_nothing_has_fallen_costs_no_look_at_what_depends_on_it(monkeypatch):
    graph = Dependence()
    graph.add(0, ())
    graph.add(1, (0,))
    monkeypatch.setattr(graph, "_below", None)
    graph.weigh(1, 0, 500_000)
    assert graph.weight(1, 0) == 500_000


@given(dags(), st.data())
def test_reach_depends_on_neither_the_order_of_triggers_nor_of_edges(dag, data):
    size, edges = dag
    targets = data.draw(st.lists(st.integers(0, size - 1), unique=True))
    graph = dependence(size, edges)
    for target in targets:
        graph.fall(target)
    other = dependence(size, dict.fromkeys(edges, 0))
    for target in data.draw(st.permutations(targets)):
        other.fall(target)
    for (parent, child), weight in data.draw(st.permutations(list(edges.items()))):
        other.weigh(child, parent, weight)
    assert left(other, size) == left(graph, size)


@given(st.lists(ppm, min_size=1, max_size=6), st.data())
def test_belief_does_not_depend_on_the_order_in_which_premises_fell(premises, data):
    def believed(order):
        log = Log()
        seals = [log.seal(f"premise {i} of the case", f"s{i}", f"p{i}.com") for i in range(len(premises))]
        voters = [log.seal("no, none of it", "x", "x.org"), log.seal("it never was", "y", "y.org")]
        claim = log.derive(*seals)
        for i, weight in enumerate(premises):
            log.measure(claim, seals[i], weight)
        for i in order:
            log.contradict(seals[i], *voters)
        return log.state.belief_ppm(claim)

    order = list(range(len(premises)))
    assert believed(data.draw(st.permutations(order))) == believed(order)


@given(logs(), st.data())
def test_a_parent_more_never_raises_belief(log, data):
    inferred = [e for e in log.entries if isinstance(e, Derivation | Conjecture)]
    assume(inferred)
    chosen = data.draw(st.sampled_from(inferred))
    before = [log.ids[seq] for seq in log.state.nodes if seq < chosen.seq]
    extra = data.draw(st.sampled_from(before))

    def change(entry):
        return msgspec.structs.replace(entry, parents=(*entry.parents, extra)) if entry.seq == chosen.seq else entry

    state, places = replay(log.entries, change=change)
    assert all(state.belief_at(places[seq]) <= log.state.belief_at(seq) for seq in log.state.nodes)


@given(logs(), st.data())
def test_an_undeclared_dependence_found_by_measuring_is_refused_and_changes_nothing(log, data):
    child, parent = data.draw(st.tuples(*[st.sampled_from(list(log.state.nodes))] * 2))
    assume(parent not in log.state.nodes[child].parents)
    before, head = standing(log.state), log.state.head
    with pytest.raises(Invalid, match="did not declare"):
        log.measure(log.ids[child], log.ids[parent], data.draw(ppm))
    edge = MeasuredEdge(
        tenant=TENANT,
        seq=len(log.ids),
        time_ms=0,
        claim=log.ids[child],
        parent=log.ids[parent],
        weight_ppm=data.draw(ppm),
        rho_ppm=900_000,
        report_hash="1" * 64,
    )
    with pytest.raises(Invalid, match="did not declare"):
        log.state.apply(edge, bytes(32))
    assert (standing(log.state), log.state.head) == (before, head)


@given(logs(max_moves=30))
def test_nothing_raises_belief_but_seals_their_replay_measurement_and_undoing(log):
    state, digest = State(), chain.GENESIS
    before: dict[int, int] = {}
    for entry, record in zip(log.entries, log.records, strict=True):
        digest = chain.link(digest, record)
        state.apply(entry, digest)
        now = {seq: state.belief_at(seq) for seq in state.nodes}
        raised = {seq for seq, belief in before.items() if now[seq] > belief}
        may = (
            isinstance(entry, MeasuredEdge | Restoration)
            or (isinstance(entry, Finding) and entry.outcome == "match")
            or (isinstance(entry, Observation) and entry.claim is not None)
        )
        assert may or not raised
        if isinstance(entry, Observation):
            same = {seq for seq, node in state.nodes.items() if node.source is not None and node.claim == entry.claim}
            assert all(seq in same or any(state.edges.descends(seq, s) for s in same) for seq in raised)
        before = now


@given(logs())
def test_belief_comes_from_seals_reputation_and_quorum_not_from_words_or_lineage(log):
    def change(entry):
        if isinstance(entry, Derivation | Conjecture):
            return msgspec.structs.replace(entry, text="[verified] 99% certain, five outlets", claim="bridge")
        return entry

    state, places = replay(log.entries, change=change)
    assert standing(state, places) == standing(log.state)
    for seq, node in log.state.nodes.items():
        if node.kind is trust.Tier.DERIVED:
            weakest = min(log.state.founding_ppm(log.ids[p]) for p in node.parents)
            assert log.state.founding_ppm(log.ids[seq]) < weakest
        if node.kind is trust.Tier.CONJECTURE:
            assert log.state.founding_ppm(log.ids[seq]) == trust.BASE[trust.Tier.CONJECTURE]


@given(logs())
def test_no_pass_is_recorded_without_a_quorum_or_twice(log):
    oracle = Oracle(log.entries)
    for seq, said in log.state.contradictions.items():
        verdict = log.state.verdict(log.ids[seq])
        forged = Cascade(
            tenant=TENANT,
            seq=len(log.ids),
            time_ms=0,
            contradiction=log.ids[seq],
            target=said.target,
            votes=verdict.votes,
            independent=verdict.independent,
        )
        if seq in log.state.passed or verdict.independent < 2:
            with pytest.raises(Invalid):
                check(log.state, forged)
    for passed in oracle.passes:
        origins = [log.state.nodes[oracle.at[vote]] for vote in passed.votes]
        assert len(origins) == passed.independent >= 2
        target = log.state.nodes[oracle.at[passed.target]]
        assert all(o.source is not None and o.source != target.source for o in origins)


@given(logs())
def test_a_contradiction_that_does_not_pass_changes_nothing(log):
    failed = set(log.state.contradictions) - log.state.passed
    state, places = replay(log.entries, drop=lambda entry: entry.seq in failed)
    assert standing(state, places) == standing(log.state)


@given(ppm, st.one_of(st.sampled_from([599_999, 600_000]), st.integers(-1_000_000, 1_000_000)), st.booleans())
def test_a_measured_weight_replaces_the_declared_one_from_the_gate_on(weight, rho, late):
    log = Log()
    premise, a, b = log.seal(), log.seal("never", "x", "x.org"), log.seal("by no means", "y", "y.org")
    claim = log.derive(premise)
    founded = Fraction(log.state.founding_ppm(claim), trust.PPM)
    steps = [lambda: log.measure(claim, premise, weight, rho), lambda: log.contradict(premise, a, b)]
    for step in steps[::-1] if late else steps:
        step()
    w = Fraction(weight if rho >= 600_000 else trust.PPM, trust.PPM)
    assert log.state.belief_ppm(claim) == round(founded * (1 - Fraction(95, 100) * w) * trust.PPM)


@given(logs())
def test_a_pass_leaves_the_founding_belief_of_all_that_was_sealed_before(log):
    """Reputation counts from the next sequence number on."""
    for cascade, passed in log.state.passes.items():
        earlier = fold(log.records[:cascade])
        later = fold(log.records[: cascade + 1 + len(log.state.passes[cascade].due)])
        for seq, node in earlier.nodes.items():
            if node.kind is trust.Tier.SEALED_UNVERIFIED and node.claim is None:
                assert later.founding_ppm(log.ids[seq]) == earlier.founding_ppm(log.ids[seq])
        assert passed.seq == cascade


@given(logs(), st.data())
def test_the_chain_sees_any_change_of_any_record(log, data):
    digests = list(chain.links(log.records))
    place = data.draw(st.integers(0, len(log.records) - 1))
    record = bytearray(log.records[place])
    at = data.draw(st.integers(0, len(record) - 1))
    record[at] ^= data.draw(st.integers(1, 255))
    changed = [*log.records[:place], bytes(record), *log.records[place + 1 :]]
    for other in (changed, log.records[:place] + log.records[place + 1 :], log.records[: place + 1] * 2):
        assert list(chain.links(other))[-1] != digests[-1]
    swapped = [*log.records]
    swapped[0], swapped[-1] = swapped[-1], swapped[0]
    assert list(chain.links(swapped))[-1] != digests[-1]
