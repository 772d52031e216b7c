"""Trees and surfaces, each against a slow and obvious twin, and lineage across logs."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from beliefmerge.session.lineage import place, resolve
from beliefmerge.session.model import Block, Channel, Message, Session
from beliefmerge.session.surface import Surface
from beliefmerge.session.tree import Tree

NODES = st.integers(0, 7)
PARENTS = st.dictionaries(NODES, st.none() | st.integers(0, 9), max_size=8)


def climb(parents: dict[int, int | None], node: int) -> list[int]:
    """The obvious way up: it stops at a root, at a lost parent, or where it was before."""
    path = [node]
    while (parent := parents[path[-1]]) is not None and parent in parents and parent not in path:
        path.append(parent)
    return path


@settings(max_examples=300)
@given(PARENTS)
@example({0: 2, 1: 2, 2: 1})
def test_every_node_reaches_a_root_and_sound_links_stay(parents):
    counts: Counter[str] = Counter()
    tree = Tree(parents, counts)
    assert set(tree.parent) == set(parents)
    for node in parents:
        path = tree.path(node)
        assert len(path) == len(set(path))
        assert tree.parent[path[0]] is None
    changed = {node for node in parents if tree.parent[node] != parents[node]}
    assert all(tree.parent[node] is None for node in changed)
    lost = {node for node, parent in parents.items() if parent is not None and parent not in parents}
    cycles = {frozenset(cycle) for node in parents if (cycle := cycle_of(parents, node))}
    assert counts["orphan-parent"] == len(lost)
    assert counts["parent-cycle"] == len(cycles)
    assert changed == lost | {min(cycle, key=list(parents).index) for cycle in cycles}


def cycle_of(parents: dict[int, int | None], node: int) -> set[int]:
    path = climb(parents, node)
    last = parents[path[-1]]
    return set(path) if last == node else set()


@given(PARENTS, st.sets(NODES))
def test_contracting_passes_through_what_is_not_kept(parents, keep):
    tree = Tree(parents, Counter())
    small = tree.contract(keep.__contains__)
    kept = [node for node in parents if node in keep]
    assert list(small.parent) == [node for node in small.parent if node in keep]
    assert set(small.parent) == set(kept)
    for node in kept:
        assert small.path(node) == [step for step in tree.path(node) if step in keep]


@given(PARENTS)
def test_every_node_lies_on_the_path_to_a_leaf(parents):
    tree = Tree(parents, Counter())
    assert {node for leaf in tree.leaves() for node in tree.path(leaf)} == set(parents)


@given(st.data())
def test_a_surface_does_what_a_list_does(data):
    surface: Surface[str] = Surface()
    twin: list[int] = []
    for seq in range(data.draw(st.integers(0, 20))):
        if twin and data.draw(st.booleans()):
            start, end = (data.draw(st.sampled_from([*twin, seq, 99])) for _ in range(2))
            if start not in twin or end not in twin or twin.index(start) > twin.index(end):
                with pytest.raises(LookupError):
                    surface.replace(start, end, seq, f"node {seq}")
            else:
                at, to = twin.index(start), twin.index(end)
                assert surface.replace(start, end, seq, f"node {seq}") == to - at + 1
                twin[at : to + 1] = [seq]
        else:
            surface.append(seq, f"node {seq}")
            twin.append(seq)
        assert list(surface) == [f"node {each}" for each in twin]
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
