"""Limits: the text of a message, the number of messages, the bytes of the whole. The earliest go first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from beliefmerge.fusion.config import FusionConfig
from beliefmerge.fusion.message import FusedMessage
from beliefmerge.fusion.snapshot import entry, size


def shorten(message: FusedMessage, limit: int) -> FusedMessage:
    """`message` with at most `limit` bytes of text; what is cut off its end is said in its last block."""
    whole = size(message.text)
    if whole <= limit:
        return message
    room = limit - size(_mark(whole))
    texts: list[str] = []
    left = 0
    for text in message.texts:
        texts.append(truncate(text, room))
        left += size(texts[-1])
        room -= size(texts[-1]) + 1
        if room <= 0 or texts[-1] != text:
            break
    cut = whole - left - (len(texts) - 1)
    texts[-1] += _mark(cut)
    return replace(message, texts=tuple(texts), cut=cut)


def truncate(text: str, limit: int) -> str:
    """The longest beginning of `text` of at most `limit` bytes that ends between code points."""
    return text if size(text) <= limit else text.encode()[: max(limit, 0)].decode(errors="ignore")


def latest(messages: Sequence[FusedMessage], order: Sequence[int], config: FusionConfig, frame: int) -> list[int]:
    """The end of `order` that fits: at most `max_messages`, and `frame` bytes with the entries within
    `max_fused_bytes`.
    """
    kept: list[int] = []
    used = frame
    for i in reversed(order[-config.max_messages :]):
        used += size(entry(messages[i])) + (1 if kept else 0)
        if used > config.max_fused_bytes:
            break
        kept.append(i)
    return kept[::-1]


def _mark(cut: int) -> str:
    return f"… [{cut} bytes left out]"
