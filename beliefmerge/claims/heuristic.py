"""The deterministic extractor: offline, the floor that a model's extraction is compared with.

A small input is read in full. Of a large one, every sentence is looked at, and those are read in full that share a
template with another or are the most salient (`beliefmerge.claims.said.preselect`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from beliefmerge.algebra.collector import paused
from beliefmerge.claims.assemble import assemble
from beliefmerge.claims.claim import Extraction
from beliefmerge.claims.parallel import both
from beliefmerge.claims.said.chatter import FLOOR
from beliefmerge.claims.said.columns import KINDS, Columns, Stretch, columns, halves
from beliefmerge.claims.said.scan import Said, leaf_text, scan
from beliefmerge.session.model import Session

LARGE = 2_000_000
"""Characters beyond which only part of the sentences is read in full."""
_PARALLEL = 8_000_000
"""Characters beyond which a second process pays."""


def extract(sessions: Sequence[Session], *, current: str | None = None, keep_chatter: bool = False) -> Extraction:
    """Claims of all (redacted) branches together; `current` is the id of the caller's own session.

    Deterministic, and the same set for every order and repetition of `sessions`. What was dropped is counted by cause:
    `chatter`, `code`, `log`, `heading`, `long`, `answered` (questions), `merged` (printed by a merge before),
    `repeated`, `redacted` (a secret alone is no value) and `unread` (large inputs only). With `keep_chatter`, small
    inputs are read with their small talk.
    """
    found = distinct(sessions)
    dropped: Counter[str] = Counter()
    size = sum(len(block.text) for session in found for message in session.messages for block in message.blocks)
    with paused():
        if size <= LARGE:
            said = [scan(session, dropped, keep_chatter=keep_chatter) for session in found]
        else:
            said = _selected(found, dropped, parallel=size > _PARALLEL)
        branches = list(zip(found, said, strict=True))
        floor = 0.0 if keep_chatter else FLOOR
        claims = assemble(branches, current=current, crowd=crowd(len(found)), dropped=dropped, floor=floor)
    return Extraction(claims, +dropped)


def distinct(sessions: Sequence[Session]) -> list[Session]:
    """`sessions` without repetitions, in an order of their own."""
    ordered = sorted(sessions, key=lambda s: (s.id, len(s.messages), [m.key for m in s.messages[:1] + s.messages[-1:]]))
    out: list[Session] = []
    for _, same in groupby(ordered, key=lambda s: s.id):
        kept: list[Session] = []
        for session in same:
            if not any(session is other or session == other for other in kept):
                kept.append(session)
        out += kept
    return out


def _selected(sessions: Sequence[Session], dropped: Counter[str], *, parallel: bool) -> list[list[Said]]:
    """What of a large input is read in full, a list for every session."""
    import numpy as np

    from beliefmerge.claims.said.preselect import select

    found = _columns(sessions, dropped, parallel=parallel)
    text, salience = np.frombuffer(found.text, dtype=np.uint64), np.frombuffer(found.salience, dtype=np.uint8)
    count, words = np.frombuffer(found.size, dtype=np.uint8), np.frombuffer(found.words, dtype=np.int64)
    chosen = select(text, salience, count, words, crowd=crowd(len(sessions)))
    dropped["unread"] += int(len(text) - chosen.sum())
    out: list[list[Said]] = [[] for _ in sessions]
    for row in np.flatnonzero(chosen).tolist():
        number, index, place = found.session[row], found.message[row], found.block[row]
        block = sessions[number].messages[index].blocks[place]
        start, end, kind = found.start[row], found.end[row], KINDS[found.kind[row]]
        sentence = leaf_text(block.text, start) if kind == "json" else block.text[start:end]
        out[number].append(Said(index, place, start, end, sentence, kind, block.channel))
    return out


def crowd(branches: int) -> int:
    """How many sentences may fill one template before it enumerates things: more than branches disagree about one."""
    return max(12, 2 * branches)


def _columns(sessions: Sequence[Session], dropped: Counter[str], *, parallel: bool) -> Columns:
    first, second = halves(sessions)
    if not parallel:
        return columns([*first, *second], dropped)

    def scanned(stretches: Sequence[Stretch]) -> tuple[Columns, Counter[str]]:
        counted: Counter[str] = Counter()
        return columns(stretches, counted), counted

    (mine, ours), (theirs, others) = both(lambda: scanned(first), lambda: scanned(second))
    dropped.update(ours)
    dropped.update(others)
    mine.extend(theirs)
    return mine
