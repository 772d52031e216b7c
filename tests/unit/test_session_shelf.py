"""Messages kept in a file, against the same messages kept in a list; and files that change while they are read."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefmerge.errors import UnreadableSession
from beliefmerge.session import shelf as shelf_module
from beliefmerge.session.model import Block, Channel, Message, OnDemand, Session
from beliefmerge.session.reader import gathered
from beliefmerge.session.readers import conversations, read_session, read_sessions
from beliefmerge.session.shelf import Shelf, Spoken
from beliefmerge.session.source import Source
from tests.builders import build, claude_user, dsh_header, dsh_user, frames, lines

BLOCKS = st.builds(Block, st.sampled_from(Channel), st.text(max_size=40), st.sampled_from(["text", "tool-call"]))
SPOKEN = st.builds(
    Spoken,
    st.lists(BLOCKS, max_size=3).map(tuple),
    st.none() | st.sampled_from(["a", "b", "c"]),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
)


@settings(max_examples=150)
@given(st.lists(SPOKEN, max_size=12), st.sampled_from([0, 900, 1 << 20]), st.lists(st.integers(0, 11), max_size=30))
def test_a_shelf_gives_what_was_put_on_it_in_any_order(spoken, held, order):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shelf_module, "HELD", held)
        patch.setattr(shelf_module, "_AHEAD", 64)
        shelf = Shelf()
        for i, each in enumerate(spoken):
            assert shelf.add(each) == i
            assert shelf[i] == each
    assert len(shelf) == len(spoken)
    assert shelf.large or held > 0 or not spoken
    for i in (*range(len(spoken)), *order):
        if i < len(spoken):
            assert shelf[i] == spoken[i]
    for a, first in enumerate(spoken):
        for b, second in enumerate(spoken):
            assert (first.id != second.id) <= (shelf.id_hashes[a] != shelf.id_hashes[b])
            assert (first.id is None) == (shelf.id_hashes[a] == 0)


@settings(max_examples=150)
@given(st.lists(SPOKEN, max_size=12))
def test_messages_on_demand_are_those_that_would_be_held(spoken):
    hashes = [0 if each.id is None else hash(each.id) for each in spoken]
    seen: list[Counter[str]] = [Counter(), Counter()]
    held = gathered(len(spoken), lambda i: spoken[i].message(i, "s"), seen[0], None)
    made = gathered(len(spoken), lambda i: spoken[i].message(i, "s"), seen[1], hashes)
    assert isinstance(held, tuple)
    assert isinstance(made, OnDemand)
    assert made == held
    assert held == made
    assert list(made) == list(held)
    assert +seen[0] == +seen[1]
    assert len(made) == len(held)
    assert made[1:-1] == held[1:-1]
    assert made[::-1] == held[::-1]
    assert Session("s", "f", made) == Session("s", "f", held)
    for i in range(-len(held), len(held)):
        assert made[i] == held[i]
    with pytest.raises(IndexError):
        made[len(held)]
    assert made != (*held, Message((), 99, "s"))


def test_a_forked_process_reads_the_same_shelf(monkeypatch):
    monkeypatch.setattr(shelf_module, "HELD", 0)
    shelf = Shelf()
    spoken = [Spoken((Block(Channel.USER, f"{i} " * 5000),), None, None) for i in range(60)]
    for each in spoken:
        shelf.add(each)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        same = all(shelf[i] == each for i, each in enumerate(spoken))
        os.write(write, b"same" if same else b"other")
        os._exit(0)
    assert all(shelf[i] == each for i, each in enumerate(spoken))
    assert os.read(read, 10) == b"same"
    os.waitpid(child, 0)
    for each in (read, write):
        os.close(each)


def test_a_temporary_file_that_cannot_be_made_is_a_clear_error(monkeypatch, tmp_path):
    path = tmp_path / "log"
    path.write_bytes(build("dsh"))
    monkeypatch.setattr(shelf_module, "HELD", 0)

    def refuse(**_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(UnreadableSession, match="No space left on device: a session is too large to be held in memory"):
        read_session(path)


def test_the_temporary_file_has_no_name(monkeypatch, tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setattr(shelf_module, "HELD", 0)
    (tmp_path / "log").write_bytes(build("dsh"))
    session = read_session(tmp_path / "log")
    assert isinstance(session.messages, OnDemand)
    assert list(folder.iterdir()) == []


LONG = "x" * (3 << 20)


def growing(folder: Path, form: str) -> Path:
    """A file of some 12 MB, more than is read at once."""
    path = folder / "log"
    if form == "dsh":
        path.write_bytes(lines([dsh_header(), *(dsh_user(i, f"{i}{LONG}") for i in range(4))]))
    elif form == "zstd":
        noise = [os.urandom(1 << 20).hex() for _ in range(4)]
        path.write_bytes(frames([dsh_header()], *([dsh_user(i, text)] for i, text in enumerate(noise))))
    elif form == "claude_code":
        path.write_bytes(lines(claude_user(f"u{i}", f"u{i - 1}" if i else None, f"{i}{LONG}") for i in range(4)))
    return path


@pytest.mark.parametrize("form", ["dsh", "zstd"])
@pytest.mark.parametrize("change", ["shrunk", "rewritten"])
def test_a_log_that_changes_while_it_is_read_is_refused(form, change, tmp_path):
    path = growing(tmp_path, form)
    source = Source(path)
    rows = source.lines()
    next(rows)
    os.utime(path, ns=(1, 1))
    if change == "shrunk":
        with path.open("r+b") as file:
            file.truncate(path.stat().st_size - 10)
    with pytest.raises(UnreadableSession, match=r"log: changed while it was read; read it again$"):
        list(rows)
    with pytest.raises(UnreadableSession, match="changed while it was read"):
        list(source.lines())


def test_a_log_that_is_replaced_between_two_looks_is_refused(tmp_path):
    path = growing(tmp_path, "claude_code")
    source = Source(path)
    assert source.head.values
    (tmp_path / "new").write_bytes(path.read_bytes())
    (tmp_path / "new").replace(path)
    with pytest.raises(UnreadableSession, match="changed while it was read"):
        list(source.lines())


@pytest.mark.parametrize("form", ["dsh", "zstd", "claude_code"])
def test_lines_appended_since_are_left_out(form, tmp_path):
    path = growing(tmp_path, form)
    before = read_session(path)
    source = Source(path)
    whole = list(source.lines())
    rows = source.lines()
    next(rows)
    with path.open("ab") as file:
        extra = [dsh_user(4, "later")] if form != "claude_code" else [claude_user("u9", "u3", "later")]
        file.write(frames(extra) if form == "zstd" else lines(extra))
    assert [whole[0], *rows] == whole
    assert len(read_session(path).messages) == len(before.messages) + 1


def test_an_export_that_changes_before_a_branch_is_built_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("beliefmerge.session.source.MAX_ARRAY", 100)
    path = tmp_path / "export"
    path.write_bytes(build("chatgpt"))
    (found,) = conversations(path)
    assert found.load(found.branches[0]) == read_sessions(path)[0]
    path.write_bytes(build("chatgpt") + b" ")
    with pytest.raises(UnreadableSession, match="changed while it was read"):
        found.load(found.branches[0])
