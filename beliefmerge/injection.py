"""What a host calls before a step: a chat's messages with the merged block of other sessions appended, once a turn.

The block goes in as one message of role ``user`` with the name ``beliefmerge``. Of the roles that every
OpenAI-compatible interface takes at this place it is the one with the least authority: ``system`` and ``developer``
rank above the user (Wallace et al., "The Instruction Hierarchy", 2024), so quoted data there would be promoted, and
``tool`` needs a call that nobody made. ``name`` is a field of the interface, so no server refuses the mark, and a
session's text cannot set it. Our readers take a merged block for injected by its heading, whatever its role and name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from beliefmerge.pipeline import merge
from beliefmerge.render import MalformedBlock, parse
from beliefmerge.session.model import Session

NAME = "beliefmerge"
"""The name that marks the injected message."""


def inject(
    messages: Sequence[Mapping[str, Any]],
    sessions: Iterable[Session],
    *,
    budget: int = 1200,
    query: str | None = None,
    **options: Any,
) -> list[dict[str, Any]]:
    """`messages` (OpenAI-style) with the merged block of `sessions`, at most `budget` tokens, as one marked message.

    A turn starts with the user's last own message; a block that the turn already has is replaced where it stands, and
    taken out when nothing survives the merge. `query` is that message's text unless given; `options` are those of
    ``merge``. Neither `messages` nor anything in it is changed. Raises what ``merge`` raises.
    """
    start = max((i for i, message in enumerate(messages) if _is_own(message)), default=-1)
    if query is None and start >= 0:
        query = _text(messages[start].get("content")) or None
    block = merge(sessions, budget=budget, query=query, **options).text
    marked = [{"role": "user", "name": NAME, "content": block}] if block else []
    before = [dict(message) for message in messages[: start + 1]]
    turn = [(dict(message), is_injected(message)) for message in messages[start + 1 :]]
    place = next((i for i, (_, ours) in enumerate(turn) if ours), len(turn))
    kept = [message for message, ours in turn if not ours]
    return [*before, *kept[:place], *marked, *kept[place:]]


def is_injected(message: Mapping[str, Any]) -> bool:
    """Whether ``inject`` put `message` there: by its name or, where a host dropped that, because it is all a block."""
    if message.get("role") != "user":
        return False
    return message.get("name") == NAME or _is_block(_text(message.get("content")))


def _is_block(text: str) -> bool:
    try:
        return bool(parse(text).items)
    except MalformedBlock:
        return False


def _is_own(message: Mapping[str, Any]) -> bool:
    return message.get("role") == "user" and not is_injected(message)


def _text(content: Any) -> str:
    """The text of a message's content, a string or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))
