"""A compaction's summary says that it is one, in every format that writes one."""

from __future__ import annotations

import pytest

from beliefmerge.session.readers import read_session
from tests.builders import (
    claude_code,
    claude_user,
    codex,
    codex_record,
    dsh_header,
    dsh_replace,
    dsh_user,
    lines,
)

FILES = {
    "dsh": [dsh_header(), dsh_user(0, "Plan A?"), dsh_replace(1, "Earlier: A.", 0, 0), dsh_user(2, "And B?")],
    "claude_code": [
        *claude_code([("user", "Plan A?")]),
        claude_user("u9", "u0000000-0000", "Earlier: A.", isCompactSummary=True),
        claude_user("u10", "u9", "And B?"),
    ],
    "codex": [
        *codex([("user", "Plan A?")]),
        codex_record("compacted", {"message": "Earlier: A."}),
        *codex([("user", "And B?")])[1:],
    ],
}


@pytest.mark.parametrize("form", FILES)
def test_the_summary_alone_is_a_checkpoint(form, tmp_path):
    path = tmp_path / "log"
    path.write_bytes(lines(FILES[form]))
    session = read_session(path)
    assert session.format == form
    assert [message.text for message in session.messages if message.checkpoint] == ["Earlier: A."]
    assert session.messages[-1].text == "And B?"
