"""The sample sessions that the demo merges."""

from __future__ import annotations

from pathlib import Path

import pytest

from beliefmerge.session.inspect import describe, describe_text

SESSIONS = Path(__file__).parents[2] / "examples" / "sessions"


@pytest.mark.parametrize(
    ("name", "form", "secrets"), [("mira-claude-code.jsonl", "claude_code", 1), ("nadia-dsh", "dsh", 0)]
)
def test_a_sample_session_is_sound_and_shows_no_secret(name, form, secrets):
    report = describe(SESSIONS / name)
    assert report["format"] == form
    assert 14 <= report["message_count"] <= 20
    assert {"user", "model", "tool", "reasoning"} <= {row["channel"] for row in report["messages"]}
    assert (report["flags"], report["branches"]) == ([], 1)
    assert sum(report["secrets"].values()) == secrets
    assert "zz_fake" not in describe_text(report)


def test_every_sample_is_covered():
    assert {path.name for path in SESSIONS.iterdir()} == {"mira-claude-code.jsonl", "nadia-dsh"}
