"""What must hold of any bytes under any name: sessions that can be used, or one clear error."""

from __future__ import annotations

import json
from pathlib import Path
from unittest import mock

from beliefmerge.errors import UnreadableSession
from beliefmerge.session import shelf, source
from beliefmerge.session.inspect import describe, describe_text, rows
from beliefmerge.session.model import Session
from beliefmerge.session.readers import read_sessions


def sessions_or_refusal(path: Path) -> tuple[list[Session], str]:
    """The sessions of a file, or none and the error.

    Raises:
        AssertionError: they cannot be hashed, encoded and printed, or the error is not one line that names the file.
    """
    try:
        sessions = read_sessions(path)
    except UnreadableSession as error:
        refusal = str(error)
        assert refusal.startswith(str(path)), refusal
        assert refusal.isprintable(), refusal
        return [], refusal
    assert sessions
    for session in sessions:
        usable(session)
    return sessions, ""


def usable(session: Session) -> None:
    """What everything after a reader relies on."""
    keys = [message.key for message in session.messages]
    assert all(key.encode() for key in keys)
    assert len(set(keys)) == len(keys)
    assert all(message.blocks and all(block.text.strip() for block in message.blocks) for message in session.messages)
    seqs = [message.seq for message in session.messages]
    assert session.format == "dsh" or seqs == sorted(seqs)
    json.dumps([row for message in session.messages for row in rows(message)], allow_nan=False).encode()
    assert session.flags == tuple(sorted(session.meta["counts"]))
    assert session.branches >= 1
    assert session.id.encode()


def same_on_every_way(path: Path) -> tuple[list[Session], str]:
    """As `sessions_or_refusal`, and the same with texts in a file, arrays read apart, and bytes taken a few at a time.

    Raises:
        AssertionError: as there, or one way reads what another does not.
    """
    sessions, refusal = sessions_or_refusal(path)
    with (
        mock.patch.object(shelf, "HELD", 0),
        mock.patch.object(source, "MAX_ARRAY", 0),
        mock.patch.object(source, "_STEP", 512),
    ):
        others, other_refusal = sessions_or_refusal(path)
    assert bool(refusal) == bool(other_refusal), (refusal, other_refusal)
    assert sessions == others
    return sessions, refusal


def report(path: Path) -> str:
    """The report for a terminal; a refusal is as good.

    Raises:
        AssertionError: it holds what a terminal would act on.
    """
    try:
        text = describe_text(describe(path))
    except UnreadableSession as error:
        text = str(error)
    assert all(character.isprintable() or character == "\n" for character in text)
    return text
