"""Trees and surfaces, each against a slow and obvious twin, and lineage across logs."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from beliefmerge.session.lineage import place, resolve
from beliefmerge.session.model import Block, Channel, Message, Session
from beliefmerge.session.surface import Surface
from beliefmerge.session.tree import LOST, NONE, Tree, numbered

PARENTS = st.lists(st.integers(LOST, 9), max_size=8).map(
    lambda parents: [parent if parent < len(parents) else LOST for parent in parents]
)


def climb(parents: list[int], node: int) -> list[int]:
    """The obvious way up: it stops at a root, at a lost parent, or where it was before."""
    path = [node]
    while (parent := parents[path[-1]]) >= 0 and parent not in path:
        path.append(parent)
    return path


@settings(max_examples=300)
@given(PARENTS)
@example([2, 2, 1])
def test_every_node_reaches_a_root_and_sound_links_stay(parents):
    counts: Counter[str] = Counter()
    tree = Tree(parents, counts)
    nodes = range(len(parents))
    assert tree.nodes() == list(nodes)
    for node in nodes:
        path = list(tree.path(node))
        assert len(path) == len(set(path))
        assert tree.parent[path[0]] == NONE
    changed = {node for node in nodes if tree.parent[node] != parents[node]}
    assert all(tree.parent[node] == NONE for node in changed)
    lost = {node for node in nodes if parents[node] == LOST}
    cycles = {frozenset(cycle) for node in nodes if (cycle := cycle_of(parents, node))}
    assert counts["orphan-parent"] == len(lost)
    assert counts["parent-cycle"] == len(cycles)
    assert changed == lost | {min(cycle) for cycle in cycles}


def cycle_of(parents: list[int], node: int) -> set[int]:
    path = climb(parents, node)
    return set(path) if parents[path[-1]] == node else set()


@given(PARENTS, st.lists(st.booleans(), min_size=8, max_size=8))
def test_contracting_passes_through_what_is_not_kept(parents, keep):
    tree = Tree(parents, Counter())
    small = tree.contract(keep[: len(parents)])
    kept = [node for node in range(len(parents)) if keep[node]]
    assert small.nodes() == kept
    for node in kept:
        assert list(small.path(node)) == [step for step in tree.path(node) if keep[step]]
    assert {node for leaf in small.leaves() for node in small.path(leaf)} == set(kept)


@given(PARENTS)
def test_every_node_lies_on_the_path_to_a_leaf(parents):
    tree = Tree(parents, Counter())
    assert {node for leaf in tree.leaves() for node in tree.path(leaf)} == set(range(len(parents)))


def test_names_are_numbered_in_their_order_and_lost_ones_marked():
    assert list(numbered({"a": None, "b": "a", "c": "gone", "d": "e", "e": "d"})) == [NONE, 0, LOST, 4, 3]


@given(st.data())
def test_a_surface_does_what_a_list_does(data):
    surface = Surface()
    twin: list[int] = []
    seqs: list[int] = []
    for i in range(data.draw(st.integers(0, 20))):
        seq = (seqs[-1] if seqs else -1) + data.draw(st.integers(1, 3))
        if twin and data.draw(st.booleans()):
            start, end = (data.draw(st.sampled_from([*twin, seq, seq - 1, -1, 99])) for _ in range(2))
            if start not in twin or end not in twin or twin.index(start) > twin.index(end):
                with pytest.raises(LookupError):
                    surface.replace(start, end, seq)
                continue
            at, to = twin.index(start), twin.index(end)
            assert surface.replace(start, end, seq) == to - at + 1
            twin[at : to + 1] = [seq]
        else:
            surface.append(seq)
            twin.append(seq)
        seqs.append(seq)
        assert list(surface) == [(seqs.index(each), each) for each in twin], i
        assert len(surface) == len(twin)


def said(session: str, seq: int, origin: str | None = None, id: str | None = None) -> Message:
    return Message((Block(Channel.USER, "The port is 8080."),), seq, session, id, origin=origin)


def test_the_fork_of_a_fork_finds_the_first_telling_through_the_log_between():
    a = Session("a", "codex", (said("a", 0),))
    b = Session("b", "codex", (said("b", 0, origin="a#0"), said("b", 1)), parent="a")
    c = Session("c", "codex", (said("c", 0, origin="b#0"), said("c", 1, origin="b#1"), said("c", 2)), parent="b")
    assert c.messages[0].key != a.messages[0].key
    a2, b2, c2 = resolve([a, b, c])
    assert a2 is a or a2 == a
    assert a2.messages[0].key == b2.messages[0].key == c2.messages[0].key
    assert b2.messages[1].key == c2.messages[1].key
    assert c2.messages[2].key not in {message.key for session in (a2, b2) for message in session.messages}


def test_resolving_stops_at_loops_and_leaves_ids_alone():
    a = Session("a", "codex", (said("a", 0, origin="b#0"),))
    b = Session("b", "codex", (said("b", 0, origin="a#0"), said("b", 1, origin="a#1", id="m")))
    resolved = resolve([a, b])
    assert [len(session.messages) for session in resolved] == [1, 2]
    assert resolved[1].messages[1] == b.messages[1]
    assert place(b.messages[1]) == "b#1"
    assert resolve(resolve([a, b])) == resolved
