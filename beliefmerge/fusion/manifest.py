"""The manifest: where a fusion's messages come from, and what was done. It holds no message text.

It is an event of the new session's log that others may ignore.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from beliefmerge.fusion.descent import copy_of, lines
from beliefmerge.fusion.message import FusedMessage, FusedSource
from beliefmerge.fusion.plan import Plan
from beliefmerge.session.strands import EVENT

VERSION = 1


def manifest(
    sources: Sequence[FusedSource],
    messages: Sequence[tuple[int, FusedMessage]],
    plan: Plan | None,
    counts: dict[str, int],
    **more: Any,
) -> dict[str, Any]:
    """The data of the event. `messages` are (sequence number in the new log, message)."""
    numbers = {source.name: n for n, source in enumerate(sources)}
    return {
        "version": VERSION,
        **more,
        "counts": counts,
        "sources": [_source(source) for source in sources],
        "messages": [_message(seq, message, numbers) for seq, message in messages],
        "lines": lines(sources, messages),
        "plan": None if plan is None else _plan(plan),
    }


def read_manifest(path: str | os.PathLike[str]) -> dict[str, Any] | None:
    """The manifest of the fused session at `path`, a file or session directory; None where it has none.

    Raises UnreadableSession.
    """
    from collections import Counter

    from beliefmerge.session.directory import newest_generation
    from beliefmerge.session.source import Source
    from beliefmerge.session.text import as_dict

    file = Path(path)
    source = Source(newest_generation(file) if file.is_dir() else file)
    for _, record in source.records(Counter(), lambda value: isinstance(value, dict), finished=True):
        if isinstance(record, dict) and record.get("type") == EVENT:
            return as_dict(record.get("data"))
    return None


def _source(source: FusedSource) -> dict[str, Any]:
    session = source.session
    entry = {"id": source.name, "sessionId": session.id, "format": session.format, "messages": len(source.messages)}
    version = session.meta.get("version")
    return entry | ({"formatVersion": version} if version is not None else {})


def _message(seq: int, message: FusedMessage, numbers: dict[str, int]) -> dict[str, Any]:
    """`refs` are pairs: number of the source, sequence number there."""
    row: dict[str, Any] = {"seq": seq, "refs": [[numbers[ref.source], ref.seq] for ref in message.refs]}
    if message.time is None:
        row["timeMissing"] = True
    if message.cut:
        row["bytesLeftOut"] = message.cut
    if original := copy_of(message):
        row["copyOf"] = original
    return row


def _plan(plan: Plan) -> dict[str, Any]:
    topics = [{"title": topic.title, "messages": len(topic.messages)} for topic in plan.topics]
    return {"model": plan.model, "reason": plan.reason, "strategy": plan.strategy, "topics": topics}
