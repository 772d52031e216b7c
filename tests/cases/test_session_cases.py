"""Every shared session case: nasty files and what is to be read from each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beliefmerge.errors import UnreadableSession
from beliefmerge.session.directory import newest_generation
from beliefmerge.session.inspect import describe
from beliefmerge.session.readers import read_session, read_sessions
from tests.shared import cases, needs_shared

pytestmark = needs_shared
CASES = {path.name: path for path in cases("sessions") if path.is_dir()}


def expected(case: Path) -> dict[str, Any]:
    return json.loads((case / "expect.json").read_text())


def source(case: Path) -> Path:
    """The case's one file, or the directory when it holds several."""
    files = [path for path in sorted(case.iterdir()) if path.name != "expect.json"]
    return files[0] if len(files) == 1 else case


READABLE = [name for name, path in CASES.items() if "messages" in expected(path)]
REFUSED = [name for name, path in CASES.items() if "error" in expected(path)]


@pytest.mark.parametrize("name", READABLE)
def test_a_case_is_read_as_expected(name):
    want, got = expected(CASES[name]), describe(source(CASES[name]))
    assert len(got["messages"]) == len(want["messages"])
    for row, row_wanted in zip(got["messages"], want["messages"], strict=True):
        assert row_wanted.items() <= row.items()
    assert got["flags"] == want.get("flags", [])
    assert got["branches"] == want.get("branches", 1)
    if "message_count" in want:
        assert got["message_count"] == want["message_count"]


@pytest.mark.parametrize("name", READABLE)
def test_a_case_is_read_alike_under_any_name(name, tmp_path):
    path = source(CASES[name])
    want = describe(path)
    file = newest_generation(path) if path.is_dir() else path
    for other in ("conversations.json", "rollout-1.jsonl", "session.v9.jsonl.zstd", "a.txt", "x"):
        renamed = tmp_path / other
        renamed.write_bytes(file.read_bytes())
        got = describe(renamed)
        assert got["format"] == want["format"]
        assert [row["text"] for row in got["messages"]] == [row["text"] for row in want["messages"]]


@pytest.mark.parametrize("name", REFUSED)
def test_a_case_is_refused_as_expected(name):
    path = source(CASES[name])
    with pytest.raises(UnreadableSession, match=expected(CASES[name])["error"]) as caught:
        read_session(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_fork_and_its_parent_share_the_keys_of_the_trunk():
    if "dsh-fork-shared-ids" not in CASES:
        pytest.skip("the case is not here")
    case = CASES["dsh-fork-shared-ids"]
    a, b = (read_session(case / side) for side in "ab")
    shared = [message for message in a.messages if message.key in {other.key for other in b.messages}]
    assert [message.id for message in shared] == expected(case)["trunk"]
    assert b.parent == a.id


def test_every_case_is_covered():
    assert set(CASES) == {*READABLE, *REFUSED, "dsh-fork-shared-ids"}
    assert all(read_sessions(source(CASES[name])) for name in READABLE)
