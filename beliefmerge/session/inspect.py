"""What was read from a session file: messages by channel, branches, what was skipped or mended, kinds of secrets."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from beliefmerge.session.model import Channel, Message, Session
from beliefmerge.session.reader import Conversation
from beliefmerge.session.text import one_line

Redact = Callable[[Sequence[Session]], tuple[list[Session], Counter[str]]]

_NAMES_SHOWN = 12


def describe(
    path: str | os.PathLike[str], *, branch: str | None = None, redact: Redact | None = None
) -> dict[str, Any]:
    """The report of one branch of the session at `path` (the active one by default), as ``inspect --json`` prints it.

    ``messages`` has one row a message and channel: consecutive blocks of one channel are one row, tool calls are none.
    Texts are redacted (by `redact`, else by `beliefmerge.session.redact`); ``secrets`` counts what was found, by kind.

    Raises:
        UnreadableSession: as `beliefmerge.session.readers.read_session`.
    """
    from beliefmerge.session.readers import choose

    conversation, name = choose(path, branch)
    (session,), secrets = (redact or _default_redaction())([conversation.load(name)])
    return _report(conversation, session, secrets)


def _default_redaction() -> Redact:
    from beliefmerge.session.redact import redact

    return redact


def _report(conversation: Conversation, session: Session, secrets: Counter[str]) -> dict[str, Any]:
    return {
        "format": session.format,
        "id": session.id,
        "title": session.title,
        "parent": session.parent,
        "branch": session.branch,
        "branches": session.branches,
        "branch_names": list(conversation.branches) if session.branches > 1 else [],
        "message_count": len(session.messages),
        "claim_count": len(session.claims),
        "messages": [row for message in session.messages for row in rows(message)],
        "flags": list(session.flags),
        "counts": dict(session.meta.get("counts", {})),
        "secrets": dict(sorted(secrets.items())),
    }


def rows(message: Message) -> Iterator[dict[str, Any]]:
    """One row for each run of blocks of one channel; a tool call ends no run and is in none."""
    spoken = (block for block in message.blocks if block.kind == "text")
    for channel, blocks in itertools.groupby(spoken, key=lambda block: block.channel):
        yield {
            "id": message.id if message.id is not None else message.origin or f"{message.session}#{message.seq}",
            "channel": channel.value,
            "text": "\n".join(block.text for block in blocks),
            "time": message.time,
            "seq": message.seq,
        }


def describe_text(report: dict[str, Any], *, width: int = 100) -> str:
    """The same for a reader: a few lines of summary, then a line for each row, cut at `width` characters of text."""
    return "\n".join((*_summary(report), "", *(_line(row, width) for row in report["messages"])))


def _summary(report: dict[str, Any]) -> Iterator[str]:
    title = f": {one_line(report['title'], 80)}" if report["title"] else ""
    yield f"{report['format']} session {one_line(report['id'], 80)}{title}"
    if report["parent"]:
        yield f"forked from {one_line(report['parent'], 80)}"
    if report["branches"] > 1:
        names = [one_line(name, 80) for name in report["branch_names"]]
        more = ", …" if len(names) > _NAMES_SHOWN else ""
        yield f"branch {one_line(report['branch'] or '', 80)} of {report['branches']}: " + (
            ", ".join(names[:_NAMES_SHOWN]) + more
        )
    channels = Counter(row["channel"] for row in report["messages"])
    spoken = ", ".join(f"{channels[channel]} {channel}" for channel in Channel if channels[channel])
    claims = f", {report['claim_count']} claims given as data" if report["claim_count"] else ""
    yield f"{report['message_count']} messages" + (f" ({spoken})" if spoken else "") + claims
    yield f"skipped or mended: {_counted(report['counts'])}"
    yield f"secrets: {_counted(report['secrets'])}"


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{word} ({n})" for word, n in counts.items()) or "none"


def _line(row: dict[str, Any], width: int) -> str:
    text = one_line(" ".join(row["text"][: 2 * width].split()), width)
    return f"{row['seq']:>6}  {_clock(row['time']):16}  {row['channel']:9}  {text}"


def _clock(time: float | None) -> str:
    try:
        return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M") if time is not None else ""
    except (ValueError, OverflowError, OSError):
        return ""
