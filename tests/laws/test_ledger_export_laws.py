"""Every single-byte change, insertion, deletion and truncation of an export is found."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.ledger import chainverify
from beliefmerge.ledger.chainverify import Refused, verify
from tests.ledger_strategies import logs
from tests.unit.test_ledger_chainverify import RECORDS, export, public

WHOLE = b"".join(export(RECORDS))


def refused(data: bytes) -> bool:
    try:
        verify(io.BytesIO(data), key=public())
    except Refused:
        return True
    return False


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_a_changed_byte_is_found(at, by):
    assert refused(WHOLE[:at] + bytes([WHOLE[at] ^ by]) + WHOLE[at + 1 :])


@given(st.integers(0, len(WHOLE)), st.one_of(st.sampled_from(b'\\"0 \n'), st.integers(0, 255)))
def test_an_inserted_byte_is_found(at, byte):
    assert refused(WHOLE[:at] + bytes([byte]) + WHOLE[at:])


@given(st.integers(0, len(WHOLE) - 1))
def test_a_deleted_byte_and_a_cut_are_found(at):
    assert refused(WHOLE[:at] + WHOLE[at + 1 :])
    assert refused(WHOLE[:at])


@given(logs(), st.data())
def test_any_log_is_verified_and_any_change_of_its_export_found(log, data):
    whole = b"".join(export(log.records))
    assert verify(io.BytesIO(whole), key=public(), records=True).head.seq == log.state.head.seq
    at = data.draw(st.integers(0, len(whole) - 1))
    assert refused(whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_every_change_of_every_byte_is_found():
    """All substitutions, insertions, deletions and truncations of a short export."""
    whole = b"".join(export(RECORDS[3:4]))
    for at in range(len(whole) + 1):
        before, after = whole[:at], whole[at:]
        assert refused(before) or not after
        assert not after or refused(before + after[1:])
        for byte in range(256):
            assert refused(before + bytes([byte]) + after)
            assert not after or byte == after[0] or refused(before + bytes([byte]) + after[1:])


HOLES = {
    "HEADER": (
        re.compile(rb'\{"kind":"header","v":\d,"tenant":"([^"]*)","public_key":"([^"]*)"\}\n'),
        WHOLE.replace(b'"v":1', b'"v":2', 1),
    ),
    "_check_head": (lambda *_: None, b"".join([*export(RECORDS)[:-1], export(RECORDS[:-1])[-1]])),
}


@pytest.mark.parametrize("attribute", HOLES)
def test_a_verifier_that_looks_away_is_caught(attribute, monkeypatch):
    mutant, hole = HOLES[attribute]
    assert refused(hole)
    monkeypatch.setattr(chainverify, attribute, mutant)
    assert not refused(hole)
