"""Reading a session: its sentences that may be claims, each with its place, and counts of what is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from beliefmerge.claims.said import chatter
from beliefmerge.claims.said.echoes import Echoes
from beliefmerge.claims.said.leaves import json_leaves
from beliefmerge.claims.said.sentences import split
from beliefmerge.session.model import Block, Channel, Session

LONGEST_BLOCK = 1 << 20
"""Characters of one block that are read; the rest is counted as `long`."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence in its place: `message` is the index in the session, ``block.text[start:end]`` the sentence.

    `text` is what is parsed: the sentence itself, or ``path: value`` for a leaf of a JSON block.
    """

    message: int
    block: int
    start: int
    end: int
    text: str
    kind: str
    channel: Channel


def scan(session: Session, dropped: Counter[str], *, keep_chatter: bool = False) -> list[Said]:
    """The sentences of `session` that may be claims or open questions, in order; with `keep_chatter`, chatter too."""
    out: list[Said] = []
    for index, message in enumerate(session.messages):
        for number, block in enumerate(message.blocks):
            if block.kind != "text" or not block.text:
                continue
            if len(block.text) > LONGEST_BLOCK:
                dropped["long"] += 1
            for start, end, text, kind in sentences(block, dropped, keep_chatter=keep_chatter):
                out.append(Said(index, number, start, end, text, kind, block.channel))
    return out


def leaf_text(text: str, start: int) -> str:
    """What is parsed for the leaf of a JSON block that begins at `start`."""
    return _leaf_texts(text)[start]


@lru_cache(maxsize=4)
def _leaf_texts(text: str) -> dict[int, str]:
    return {leaf.start: f"{leaf.path}: {leaf.value}" for leaf in json_leaves(text[:LONGEST_BLOCK])}


def sentences(
    block: Block, dropped: Counter[str], *, keep_chatter: bool = False
) -> Iterator[tuple[int, int, str, str]]:
    """(start, end, text, kind) of what may be a claim in one block."""
    text = block.text if len(block.text) <= LONGEST_BLOCK else block.text[:LONGEST_BLOCK]
    if text[:1] in "{[" or (block.channel is Channel.TOOL and text.lstrip()[:1] in "{["):
        leaves = list(json_leaves(text))
        for leaf in leaves:
            yield leaf.start, leaf.end, f"{leaf.path}: {leaf.value}", "json"
        if leaves:
            return
    echoes = Echoes(block)
    dropped["merged"] += echoes.unread
    for start, end in echoes.items:
        yield start, end, block.text[start:end], "echo"
    for piece in split(text):
        if piece.start in echoes:
            continue
        sentence = text[piece.start : piece.end]
        why = chatter.cause(sentence, piece.kind)
        if why is None or (keep_chatter and why == "chatter"):
            yield piece.start, piece.end, sentence, piece.kind
        elif why == "question":
            yield piece.start, piece.end, sentence, "question"
        else:
            dropped[why] += 1
