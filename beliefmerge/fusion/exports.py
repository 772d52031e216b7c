"""A fused session as an OpenAI-style chat or as Markdown, where session text stays text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from beliefmerge.fusion.message import FusedMessage, Role
from beliefmerge.render.escape import quoted

_RUN = re.compile(r"`+")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]"
)
_NAMES = {Role.USER: "user", Role.ASSISTANT: "assistant", Role.CHECKPOINT: "summary of compacted history"}


def to_openai(title: str, boundary: str, block: str, messages: Sequence[FusedMessage]) -> str:
    """``{"title", "messages"}``. The boundary, our own words, has role `system`; `block`, merged from the sessions, and
    summaries are quoted in messages of the user whose `name` marks them.
    """
    rows: list[dict[str, Any]] = [{"role": "system", "content": boundary}]
    if block:
        rows.append({"role": "user", "name": "beliefmerge", "content": block})
    for message in messages:
        row: dict[str, Any] = {"role": "assistant" if message.role is Role.ASSISTANT else "user"}
        if message.role is Role.CHECKPOINT:
            row["name"] = "compact-checkpoint"
        row |= {"id": message.id, "content": message.text}
        if message.time is not None:
            row["timestamp"] = message.time / 1000
        rows.append(row)
    return json.dumps({"title": title, "messages": rows}, ensure_ascii=False, indent=1) + "\n"


def to_markdown(title: str, boundary: str, block: str, messages: Sequence[FusedMessage]) -> str:
    """Headings of ours, and each text in a code fence longer than any in it, with unseen characters made visible."""
    parts = [f"# Fused session {quoted(title)}", f"> {boundary}"]
    if block:
        parts.append(_fenced(block))
    for message in messages:
        parts.append(f"## {_NAMES[message.role]} ({', '.join(f'{quoted(r.source)} #{r.seq}' for r in message.refs)})")
        parts.append(_fenced(message.text))
    return "\n\n".join(parts) + "\n"


def _fenced(text: str) -> str:
    shown = _UNSEEN.sub(lambda m: f"\\u{{{ord(m[0]):X}}}", text)
    fence = "`" * max(3, 1 + max(map(len, _RUN.findall(shown)), default=0))
    return f"{fence}text\n{shown}\n{fence}"
