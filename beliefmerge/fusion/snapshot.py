"""The JSON of a fusion: what is measured against the byte limit, and all that a planner sees.

It stands between tags in a prompt, so no ``<`` is left in it: session text can close no tag.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from beliefmerge.fusion.message import FusedMessage, FusedSource


def snapshot(sources: Sequence[FusedSource], messages: Iterable[FusedMessage], titles: Sequence[str]) -> str:
    """Tag-safe JSON of the sources (with their `titles`) and of `messages`, in the order given."""
    shown = ",".join(map(entry, messages))
    return f'{{"sources":{_tag_safe(_heads(sources, titles))},"messages":[{shown}]}}'


def entry(message: FusedMessage) -> str:
    """One message of a snapshot."""
    first = message.refs[0]
    row: dict[str, Any] = {"sourceSessionId": first.source, "sourceSeq": first.seq, "role": message.role.value}
    others = [{"sourceSessionId": ref.source, "sourceSeq": ref.seq} for ref in message.refs[1:]]
    if others:
        row["alsoIn"] = others
    if message.time is not None:
        row["time"] = message.time
    return _tag_safe(row | {"text": message.text})


def size(text: str) -> int:
    """Bytes of `text` in UTF-8."""
    return len(text.encode())


def _heads(sources: Sequence[FusedSource], titles: Sequence[str]) -> list[dict[str, str]]:
    heads = zip(sources, titles, strict=True)
    return [{"id": source.name, "tool": source.session.format, "title": title} for source, title in heads]


def _tag_safe(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
