"""What every reader must do: read what its tool writes, and survive what nobody should write."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefmerge.errors import UnreadableSession
from beliefmerge.session.inspect import rows
from beliefmerge.session.model import Session
from beliefmerge.session.readers import READERS, read_session, read_sessions
from beliefmerge.session.source import Source
from tests.builders import BUILDERS, DOCUMENTS, TALK, build, frames, values, write

FORMATS = list(READERS)
every_format = pytest.mark.parametrize("form", FORMATS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("sessions")


def read(folder: Path, raw: bytes) -> list[Session]:
    """The sessions in `raw`, under a name that says nothing of the format."""
    path = folder / "file"
    path.write_bytes(raw)
    return read_sessions(path)


def read_or_refuse(folder: Path, raw: bytes) -> list[Session]:
    """Sessions that can be hashed, encoded and printed, or none with a one-line error that names the file."""
    refusal, sessions = "", []
    try:
        sessions = read(folder, raw)
    except UnreadableSession as error:
        refusal = str(error)
    assert bool(sessions) != refusal.startswith(str(folder / "file"))
    assert refusal.isprintable()
    for session in sessions:
        assert all(message.key.encode() and message.blocks for message in session.messages)
        assert all(row["text"].strip() for message in session.messages for row in rows(message))
        json.dumps([row for message in session.messages for row in rows(message)], allow_nan=False).encode()
        assert len({message.key for message in session.messages}) == len(session.messages)
        assert session.flags == tuple(sorted(session.meta["counts"]))
        assert session.branches >= 1
    return sessions


def spoken(session: Session) -> list[tuple[str, str]]:
    return [(row["channel"], row["text"]) for message in session.messages for row in rows(message)]


def test_every_reader_has_a_builder():
    assert set(BUILDERS) == set(FORMATS)


@every_format
def test_what_was_said_is_read(form, folder):
    (session,) = read(folder, build(form))
    assert session.format == form
    assert spoken(session) == TALK
    assert session.flags == ()


@every_format
def test_only_one_reader_recognises_a_file(form, folder):
    path = folder / "file"
    path.write_bytes(build(form))
    head = Source(path).head
    sure = {name: READERS[name].sniff(head) for name in FORMATS}
    assert [name for name in FORMATS if sure[name] > 0] == [form]


NASTY = st.text(st.one_of(st.characters(), st.sampled_from('\u2028\u0085\ud800\x00{}[]"\\\n\u202e<')), min_size=1)
CHANNELS = st.sampled_from(["user", "model", "tool", "reasoning", "injected"])


@every_format
@settings(max_examples=60)
@given(turns=st.lists(st.tuples(CHANNELS, NASTY.filter(str.strip)), min_size=1, max_size=6))
def test_text_is_kept_verbatim_but_for_nul_and_lone_surrogates(form, folder, turns):
    (session,) = read(folder, build(form, turns))
    safe = [(c, "".join("\ufffd" if x == "\x00" or "\ud800" <= x <= "\udfff" else x for x in t)) for c, t in turns]
    assert spoken(session) == safe


@every_format
def test_reading_twice_gives_the_same_session(form, folder):
    first, second = (read(folder, build(form))[0] for _ in range(2))
    assert first == second
    assert [a.key for a in first.messages] == [b.key for b in second.messages]


@every_format
def test_an_empty_file_is_named_as_such(form, folder):
    for raw in (b"", b"\n", b" \n\t\n"):
        with pytest.raises(UnreadableSession, match="empty"):
            read(folder, raw)


@every_format
def test_a_file_cut_at_any_byte_is_read_or_refused(form, folder):
    raw = build(form, TALK[:4])
    whole = spoken(read(folder, raw)[0])
    for end in range(len(raw)):
        for session in read_or_refuse(folder, raw[:end]):
            assert whole[: len(session.messages)] == spoken(session)


@every_format
def test_a_file_with_any_byte_changed_is_read_or_refused(form, folder):
    raw, choose = build(form), random.Random(7)
    for _ in range(300):
        at = choose.randrange(len(raw))
        read_or_refuse(folder, raw[:at] + bytes([choose.randrange(256)]) + raw[at + 1 :])


@settings(max_examples=200)
@given(raw=st.binary(max_size=200))
def test_random_bytes_are_refused(folder, raw):
    assert read_or_refuse(folder, raw) == []


@every_format
@settings(max_examples=60)
@given(data=st.data())
def test_lines_cut_spliced_repeated_and_shuffled_are_read_or_refused(form, folder, data):
    raw = build(form).split(b"\n")
    pieces = [line[: data.draw(st.integers(0, len(line)))] for line in raw] + raw
    chosen = data.draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=8))
    ends = data.draw(st.lists(st.sampled_from([b"\n", b"", b"\r\n"]), min_size=len(chosen), max_size=len(chosen)))
    read_or_refuse(folder, b"".join(line + end for line, end in zip(chosen, ends, strict=True)))


@every_format
def test_repeated_records_are_one_message_or_refused(form, folder):
    if form in DOCUMENTS:
        return
    records = values(form)
    for session in read_or_refuse(folder, write(form, [records[0], *records[1:], *records[1:]])):
        if session.messages[0].id is not None:
            assert spoken(session) == TALK


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("10" * 3000),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["0", "1", "text", "id"]), inner),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to everything inside a JSON value."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in steps for place in places(inner, (*path, key)))]


def change(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """`value` with what stands at `path` replaced by `new`, or taken out where that is `...`."""
    if not path:
        return None if new is ... else new
    copy = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1 and new is ...:
        del copy[path[0]]
    else:
        copy[path[0]] = change(value[path[0]], path[1:], new)
    return copy


@every_format
@settings(max_examples=300)
@given(data=st.data())
def test_wrong_types_anywhere_are_read_or_refused(form, folder, data):
    content = values(form)
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(content)))
        content = change(content, path, data.draw(ANYTHING | st.just(...)))
    read_or_refuse(folder, write(form, content if form in DOCUMENTS or isinstance(content, list) else [content]))


@every_format
@pytest.mark.parametrize("depth", [900, 100_000])
def test_deep_nesting_is_read_or_refused(form, folder, depth):
    deep = f'{{"x":{"[" * depth}{"]" * depth}}}', f"{'[' * depth}{']' * depth}", '{"a":' * depth + "1" + "}" * depth
    raw = build(form)
    marker = json.dumps(TALK[1][1]).encode()
    for value in deep:
        read_or_refuse(folder, raw.replace(marker, value.encode()))
        read_or_refuse(folder, raw + value.encode() + b"\n")
        read_or_refuse(folder, value.encode())
        read_or_refuse(folder, raw.replace(marker, value.encode()[: depth // 2]))


@every_format
def test_a_record_longer_than_the_limit_is_refused_with_its_line(form, folder, monkeypatch):
    monkeypatch.setattr("beliefmerge.session.source.MAX_RECORD", 3000)
    monkeypatch.setattr("beliefmerge.session.source.MAX_DOCUMENT", 3000)
    long = [(channel, text * (500 if i == 5 else 1)) for i, (channel, text) in enumerate(TALK)]
    raw = build(form, long)
    with pytest.raises(UnreadableSession, match=r"longer than|larger than") as caught:
        read(folder, raw)
    number = next(i for i, line in enumerate(raw.split(b"\n"), 1) if len(line) > 3000)
    assert form in DOCUMENTS or f": line {number}: " in str(caught.value)


@every_format
def test_no_path_from_the_content_is_opened(form, folder, monkeypatch):
    secret = folder / "secret.json"
    secret.write_text('{"id":"x","messages":[{"channel":"user","text":"leaked"}]}')
    opened: list[Path] = []
    real = Path.open
    monkeypatch.setattr(Path, "open", lambda self, *a, **k: (opened.append(self), real(self, *a, **k))[1])
    content = values(form)
    for path in places(content):
        inner = content
        for step in path:
            inner = inner[step]
        if isinstance(inner, str):
            read_or_refuse(folder, write(form, change(content, path, str(secret))))
    assert set(opened) == {folder / "file"}


def test_a_directory_or_missing_file_is_refused(folder):
    (folder / "directory").mkdir()
    for path in (folder / "directory", folder / "missing", folder / "nul\0byte", folder / "file" / "below"):
        with pytest.raises(UnreadableSession):
            read_session(path)


def test_compressed_files_of_every_kind_are_read_or_refused(folder):
    for form in FORMATS:
        sessions = read_or_refuse(folder, frames(build(form)))
        assert [session.format for session in sessions] in ([], [form])
    raw = frames(*([record] for record in values("dsh", TALK[:4])))
    whole = spoken(read(folder, raw)[0])
    for end in range(len(raw)):
        for session in read_or_refuse(folder, raw[:end]):
            assert whole[: len(session.messages)] == spoken(session)
            assert session.flags in ((), ("torn",))
    choose = random.Random(7)
    for _ in range(500):
        at = choose.randrange(len(raw))
        read_or_refuse(folder, raw[:at] + bytes([choose.randrange(256)]) + raw[at + 1 :])
