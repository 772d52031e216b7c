"""Bytes, lines, frames and JSON: bounded, streamed, mended where that is safe."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.errors import UnreadableSession
from beliefmerge.session import source as source_module
from beliefmerge.session.jsontext import Damaged, _Strings, parse, parse_slowly, resynchronise
from beliefmerge.session.readers import read_session
from beliefmerge.session.source import Shape, Source
from beliefmerge.session.text import as_text, clean, one_line, seconds, shortest_names, split_at_tags
from tests.builders import claude_user, dsh_header, dsh_user, frames, lines

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def write(folder: Path, raw: bytes) -> Source:
    path = folder / "file"
    path.write_bytes(raw)
    return Source(path)


def is_record(value: object) -> bool:
    return isinstance(value, dict) and "uuid" in value


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 5000, "a number with too many digits"),
        (b"\xff", "not UTF-8"),
        (b"{", "not JSON: Expecting property name"),
    ],
)
def test_json_is_refused_for_a_cause_in_few_words(raw, why):
    with pytest.raises(Damaged, match=why) as caught:
        parse(raw)
    assert len(str(caught.value)) < 100


def records(source: Source) -> tuple[list[object], Counter[str]]:
    counts: Counter[str] = Counter()
    return [value for _, value in source.records(counts, is_record)], counts


@given(JSON)
def test_the_fast_parser_agrees_with_the_slow_one(value):
    raw = json.dumps(value).encode()
    assert parse(raw) == parse_slowly(raw)


@given(st.text(st.one_of(st.characters(), st.characters(categories=["Cs"]))))
def test_parsed_text_can_be_encoded(text):
    parsed = parse(json.dumps({text: [text]}).encode())
    assert parsed == {k: [k] for k in parsed}
    (key,) = parsed
    assert len(key.encode()) >= len(key)


@pytest.mark.parametrize("raw", [b"", b"{", b'{"a":1}x', b"\xff", b'"\xed\xa0\x80"', b"[" * 10**5, b"9" * 5000, b"nul"])
def test_what_is_no_json_is_damaged(raw):
    with pytest.raises(Damaged):
        parse(raw)


def test_lone_surrogates_control_characters_and_nan_go_to_the_slow_parser():
    assert parse(rb'"a\ud800b"') == "a\ufffdb"
    assert parse(b'"a\tb"') == "a\tb"
    assert parse(rb'"\ud83d\ude00"') == "\U0001f600"
    (number,) = parse(b"[NaN]")
    assert number != number


RECORD = {"uuid": "u2", "text": 'says {"uuid": "no"} and }{', "list": [{"uuid": "inner"}]}


@pytest.mark.parametrize("cut", range(1, len(json.dumps({"uuid": "u1", "text": "he said", "list": [{"a": [1]}]}))))
def test_a_record_cut_by_another_loses_only_itself(cut):
    first = json.dumps({"uuid": "u1", "text": "he said", "list": [{"a": [1]}]})
    # Right after a colon, a comma or a bracket the second record might as well be a value of the first.
    within_string = first[:cut].count('"') % 2
    ambiguous = not within_string and first[:cut].rstrip().endswith((":", ",", "["))
    found = resynchronise((first[:cut] + json.dumps(RECORD)).encode(), is_record)
    assert found == ([] if ambiguous else [RECORD])


def test_two_records_on_a_line_are_both_kept():
    assert resynchronise((json.dumps(RECORD) * 2 + " " + json.dumps(RECORD)).encode(), is_record) == [RECORD] * 3


def test_the_rest_of_a_cut_record_is_not_taken_for_one():
    whole = json.dumps({"uuid": "u1", "message": {"uuid": "inner"}, "x": 1})
    for cut in range(len(whole)):
        assert resynchronise(whole[:cut].encode(), is_record) == []


def test_a_hostile_line_is_searched_in_bounded_time():
    assert resynchronise(b'{"a":' * 200_000, is_record) == []
    assert resynchronise(b'{"' * 500_000, is_record) == []
    assert resynchronise(b"[" + b'{"a":1},' * 100_000, is_record) == []
    assert len(resynchronise(b"x" + b'{"uuid":"u1","type":"user"}' * 100_000, is_record)) == 100_000


@given(st.text(st.sampled_from('"\\{a:')), st.lists(st.integers(0, 30)))
def test_strings_are_open_where_an_odd_quote_stands_before(text, places):
    strings = _Strings(text)
    for place in sorted(min(place, len(text)) for place in places):
        before = re.sub(r"\\.", "", text[:place], flags=re.DOTALL)
        assert strings.open_at(place) == before.count('"') % 2


def test_lines_end_at_the_byte_0x0a_only(tmp_path):
    text = "a\u2028b\u2029c\x85d\x0be\x0cf\rg"
    got, counts = records(write(tmp_path, json.dumps({"t": text}, ensure_ascii=False).encode() + b"\r\n\n{}\n"))
    assert got == [{"t": text}, {}]
    assert not counts


def test_a_byte_order_mark_is_passed_over_and_utf_16_refused(tmp_path):
    assert records(write(tmp_path, b'\xef\xbb\xbf{"a":1}\n'))[0] == [{"a": 1}]
    path = tmp_path / "utf16"
    path.write_bytes(lines([claude_user("u1", None, "x")]).decode().encode("utf-16"))
    with pytest.raises(UnreadableSession, match="not UTF-8"):
        read_session(path)


def test_a_line_that_is_not_utf_8_is_refused_with_its_number(tmp_path):
    raw = lines([claude_user("u1", None, "x")]) + b'{"type":"user","uuid":"u2","message":"\xff"}\n'
    with pytest.raises(UnreadableSession, match="line 2: not UTF-8"):
        read_session(write(tmp_path, raw).path)


def test_damaged_lines_are_counted_and_an_unfinished_one_is_torn(tmp_path):
    raw = b'{"a":1}\n{"a":\n{"a":2}\n{"a'
    got, counts = records(write(tmp_path, raw))
    assert got == [{"a": 1}, {"a": 2}]
    assert counts == {"damaged-line": 1, "torn": 1}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="resident memory is read from /proc")
def test_a_line_of_200_mb_is_refused_without_being_held(tmp_path):
    path = tmp_path / "huge.jsonl"
    with path.open("wb") as file:
        file.write(lines([claude_user("u1", None, "x")]))
        file.write(b'{"type":"user","uuid":"u2","message":{"role":"user","content":"')
        for _ in range(200):
            file.write(b"a" * (1 << 20))
        file.write(b'"}}\n')
    code = (
        "import sys; from beliefmerge.session.readers import read_session\n"
        "try: read_session(sys.argv[1])\n"
        "except Exception as error: print(type(error).__name__, error)\n"
        # Unlike ru_maxrss, this is not inherited from the process that started this one.
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    said, resident = done.stdout.splitlines()
    assert said == f"UnreadableSession {path}: line 2: longer than 32 MiB"
    assert int(resident) < 200 * 1024


@pytest.mark.parametrize("first", [b"[", b"{", b'{"id":"x","messages":['])
def test_a_document_that_is_too_large_is_refused(tmp_path, monkeypatch, first):
    monkeypatch.setattr(source_module, "MAX_DOCUMENT", 1000)
    monkeypatch.setattr(source_module, "MAX_RECORD", 1000)
    for tail in (b"", b"\n"):
        path = write(tmp_path, first + b'{"channel":"user","text":"' + b"x" * 2000 + b'"}' + tail).path
        with pytest.raises(UnreadableSession, match=r"longer than|larger than|unknown session format|not JSON"):
            read_session(path)


@given(st.lists(JSON, max_size=6), st.integers(0, 4), st.sampled_from([1, 7, 1 << 20]), st.data())
def test_elements_of_an_array_are_the_same_read_apart_as_parsed_whole(tmp_path_factory, array, indent, step, data):
    folder, containers = tmp_path_factory.getbasetemp(), [each for each in array if isinstance(each, dict | list)]
    source = write(folder, json.dumps(array, indent=indent or None).encode() + b"\n")
    assert [element.value for element in source.elements(Counter())] == containers
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source_module, "_STEP", step)
        apart = list(source._elements_apart(Counter()))
        assert [element.value for element in apart] == containers
        assert [source.element(element.start, element.end) for element in apart] == containers
        broken = write(folder, source.path.read_bytes()[: data.draw(st.integers(1, source.size - 2))])
        counts: Counter[str] = Counter()
        kept = [element.value for element in broken._elements_apart(counts)]
    assert kept == containers[: len(kept)]
    assert counts["torn"]


def test_an_element_that_is_too_long_is_refused_with_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(source_module, "MAX_ARRAY", 100)
    monkeypatch.setattr(source_module, "MAX_RECORD", 1000)
    source = write(tmp_path, json.dumps([{"a": 1}, {"b": "x" * 2000}], indent=1).encode())
    with pytest.raises(UnreadableSession, match="line 5: an element longer than"):
        list(source.elements(Counter()))
    source = write(tmp_path, b'[\n{"a": 1},\n{"a": 1 2}]' + b" " * 100)
    with pytest.raises(UnreadableSession, match="line 3: not JSON"):
        list(source.elements(Counter()))


def test_the_shape_of_a_file_is_seen(tmp_path):
    shapes = {
        b'{"a":1}': Shape.OBJECT,
        b'{\n"a":1\n}\n': Shape.OBJECT,
        b'[{"a":1}]': Shape.ARRAY,
        b'[\n{"a":1}\n]': Shape.ARRAY,
        b'{"a":1}\n{"a":2}': Shape.LINES,
        b'[{"a":1}]\n[{"a":2}]\n': Shape.LINES,
        b'{"a":\n{"a":2}\n{"a":3}\n': Shape.LINES,
        frames(b'{"a":1}\n'): Shape.LINES,
    }
    for raw, shape in shapes.items():
        assert write(tmp_path, raw).head.shape is shape, raw


def test_frames_are_read_one_by_one_whatever_their_bounds(tmp_path):
    batches = [[dsh_header()], *([dsh_user(i, f"{i}" * 300)] for i in range(200))]
    session = read_session(write(tmp_path, frames(*batches)).path)
    assert [message.seq for message in session.messages] == list(range(200))
    assert read_session(write(tmp_path, frames([record for batch in batches for record in batch])).path).messages


def test_a_frame_that_ends_within_a_line_is_corrupt(tmp_path):
    raw = frames([dsh_header()], lines([dsh_user(0, "a"), dsh_user(1, "b")])[:-5], [dsh_user(2, "c")])
    with pytest.raises(UnreadableSession, match=r"line 3: corrupt: a zstd frame ends within a line"):
        read_session(write(tmp_path, raw).path)


def test_a_frame_whose_checksum_is_wrong_is_corrupt(tmp_path):
    raw = frames([dsh_header()], [dsh_user(0, "a")])
    with pytest.raises(UnreadableSession, match="corrupt zstd frame"):
        read_session(write(tmp_path, raw[:-1] + bytes([raw[-1] ^ 1])).path)


def test_a_torn_frame_keeps_its_complete_lines(tmp_path):
    noise = os.urandom(200_000).hex()
    body = lines([dsh_user(0, "first"), dsh_user(1, noise), dsh_user(2, "last")])
    raw = frames([dsh_header()], body)
    session = read_session(write(tmp_path, raw[: len(raw) - 2000]).path)
    assert session.messages[0].text == "first"
    assert len(session.messages) < 3
    assert session.flags == ("torn",)


def test_a_decompression_bomb_is_refused(tmp_path):
    bomb = zstandard.ZstdCompressor(level=19).compress(b"\n" * (70 << 20))
    with pytest.raises(UnreadableSession, match="expands more than 1000 times"):
        read_session(write(tmp_path, frames([dsh_header()]) + bomb).path)
    line = zstandard.ZstdCompressor(level=19).compress(b"a" * (60 << 20))
    with pytest.raises(UnreadableSession, match="longer than 32 MiB"):
        read_session(write(tmp_path, frames([dsh_header()]) + line).path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_or_directory_without_rights_is_refused(tmp_path):
    path = write(tmp_path, b"{}").path
    path.chmod(0)
    (tmp_path / "closed").mkdir(mode=0)
    for each in (path, tmp_path / "closed"):
        with pytest.raises(UnreadableSession, match="Permission denied"):
            read_session(each)


def test_errors_from_the_system_name_the_file(tmp_path, monkeypatch):
    path = write(tmp_path, b"{}").path

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UnreadableSession, match=r"file: Permission denied$"):
        read_session(path)
    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(UnreadableSession, match="Permission denied"):
        read_session(tmp_path)


def test_what_is_no_regular_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(UnreadableSession, match="not a regular file"):
            read_session(path)


def test_importing_the_readers_is_cheap():
    code = "import sys, beliefmerge.session.readers; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"msgspec", "zstandard", "numpy", "beliefmerge.session.readers.dsh"} & set(done.stdout.split())


def test_whatever_stands_for_a_text_becomes_one():
    assert as_text("a\x00b") == "a\ufffdb"
    assert as_text(None) == as_text({}) == as_text([]) == as_text(object()) == ""
    assert as_text(5) == "5"
    assert as_text(True) == "true"
    assert as_text({"10": "b", "9": "a"}) == "ab"
    assert as_text({"type": "text", "text": "a"}) == "a"
    assert as_text(["a", None, {"text": ["b"]}]) == "a\nb"


def test_clean_keeps_offsets():
    assert len(clean("a\x00b\x00")) == 4


def test_times_are_read_from_text_and_numbers():
    assert seconds("1970-01-01T00:01:00Z") == seconds("1970-01-01T00:01:00") == seconds(60) == seconds(6e4, unit=1e-3)
    odd = (None, True, "soon", "", [], float("nan"), float("inf"), 10**400, "2026-13-01")
    assert [seconds(value) for value in odd] == [None] * len(odd)


@given(st.text())
def test_an_error_stays_on_one_line(text):
    assert one_line(text).isprintable()


@given(st.lists(st.sampled_from(["<a>", "</a>", "<b>", "</b>", "x", " ", "\n"]), max_size=12).map("".join))
def test_splitting_at_tags_loses_nothing(text):
    pieces = list(split_at_tags(text, re.compile(r"<(a|b)>")))
    assert "".join(piece for piece, _ in pieces) == text
    assert all(re.fullmatch(r"<(a|b)>.*?</\1>", piece, re.DOTALL) for piece, tagged in pieces if tagged)
    assert not any(re.search(r"<(a|b)>.*</\1>", piece, re.DOTALL) for piece, tagged in pieces if not tagged)


def test_short_names_are_unique():
    ids = ["abcdefgh-1", "abcdefgh-2", "x", "12345678-9"]
    assert shortest_names(ids) == {
        "abcdefgh-1": "abcdefgh-1",
        "abcdefgh-2": "abcdefgh-2",
        "x": "x",
        "12345678-9": "12345678",
    }
