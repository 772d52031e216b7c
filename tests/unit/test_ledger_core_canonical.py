"""JSON with one meaning in, canonical JSON out, and records that refuse what they do not know."""

from __future__ import annotations

import json

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.ledger.core.canonical import MAX_INT, Malformed, NotHashable, canonical, parse
from beliefmerge.ledger.core.entries import Derivation, Observation, Unreadable, decode, encode, kind
from tests.ledger_strategies import logs

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-MAX_INT, MAX_INT), text),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(text, inner, max_size=4)),
    max_leaves=12,
)


@given(values)
def test_the_fast_form_is_rfc_8785_and_reads_back(value):
    assert canonical(value) == rfc8785.dumps(value)
    assert parse(canonical(value)) == value


def test_keys_are_ordered_by_utf_16_units():
    assert canonical({"\ue000": 1, "😀": 2}) == '{"😀":2,"\ue000":1}'.encode()


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b'{"kind":"conjecture","kind":"observation"}', "duplicate key 'kind'"),
        (b'[{"a":{"b":1,"b":1}}]', "duplicate key 'b'"),
        (b"NaN", "NaN"),
        (b'{"x":-Infinity}', "-Infinity"),
        (b'"\\ud800"', "surrogate"),
        (b'{"\\udc00":1}', "surrogate"),
        (b"\xff", "UTF-8"),
        (b"\xef\xbb\xbf1", "BOM"),
        (b"[" * 65 + b"]" * 65, "deeper than 64"),
        (b"[" * 10_000, "deeper than 64"),
        (b'{"a":' * 10_000, "deeper than 64"),
        (b"1" * 5_000, "digits"),
        (b"", "not JSON"),
        (b'"' + b'\\"' * 200_000, "Unterminated"),
        (b"{'a':1}", "not JSON"),
        (b"[1,]", "not JSON"),
        (b'"a\nb"', "control character"),
    ],
)
def test_what_has_no_one_meaning_is_malformed(data, cause):
    with pytest.raises(Malformed, match=cause):
        parse(data)


def test_brackets_in_strings_are_no_depth():
    assert parse(b'"' + b"[" * 100 + b'"') == "[" * 100
    assert parse(b"[" * 64 + b"]" * 64) is not None
    assert parse(b'"\\ud83d\\ude00"') == "😀"


@pytest.mark.parametrize(
    "value", [0.5, 1.0, float("nan"), [2**53], -(2**53), {1: 2}, "\ud800", {"\ud800": 1}, b"", {1}]
)
def test_what_cannot_be_read_back_is_not_hashed(value):
    with pytest.raises(NotHashable):
        canonical({"args": value})


def test_depth_is_refused_before_hashing_too():
    value: object = 1
    for _ in range(65):
        value = [value]
    with pytest.raises(NotHashable, match="deeper"):
        canonical(value)


@given(logs())
def test_records_read_back_as_what_was_written(log):
    for record in log.records:
        assert encode(decode(record)) == record
        assert json.loads(record)["kind"] == kind(decode(record))
        assert canonical(parse(record)) == record


@pytest.mark.parametrize("name", ["tier", "belief", "belief_ppm", "status", "verified", "seal"])
def test_a_record_cannot_lend_itself_trust(name):
    said = msgspec.to_builtins(Derivation(tenant="t", seq=0, time_ms=0, text="x", parents=("0" * 64,)))
    assert decode(canonical(said))
    with pytest.raises(Unreadable, match="unknown field"):
        decode(canonical({**said, name: "sealed_verified"}))


@pytest.mark.parametrize(
    "wrong",
    [
        {"parents": []},
        {"parents": ["0" * 63]},
        {"parents": ["0" * 64 + "\n"]},
        {"parents": ["A" * 64]},
        {"text": ""},
        {"seq": -1},
        {"kind": "belief"},
        {"v": 2},
    ],
)
def test_a_record_of_another_shape_is_unreadable(wrong):
    said = msgspec.to_builtins(Derivation(tenant="t", seq=0, time_ms=0, text="x", parents=("0" * 64,)))
    with pytest.raises(Unreadable):
        decode(canonical({**said, **wrong}))


def test_a_float_in_the_arguments_of_a_seal_is_not_hashed():
    seal = Observation(
        tenant="t",
        seq=0,
        time_ms=0,
        text="",
        source_id="s",
        tool="x",
        args={"ratio": 0.5},
        acquired_ms=0,
        content_hash="0" * 64,
        determinism="volatile",
    )
    with pytest.raises(NotHashable, match="float"):
        encode(seal)
