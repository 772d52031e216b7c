"""The order of a fusion: by time, or grouped by source. Neither reorders a source.

Clocks run backwards and times are missing, so within a source a message counts as no earlier than the one before it.
With these times, which never fall, merging the sources is a k-way merge. A message that several forks share waits until
it is next in all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from beliefmerge.fusion.message import FusedMessage

STRATEGIES = ("chronological", "by-source")
_BEFORE_ALL = -1


def chronological(messages: Sequence[FusedMessage], sequences: Sequence[Sequence[int]]) -> list[int]:
    """All of `messages`, as indices, merged by time; of equal times the earlier source goes first.

    `sequences` are the sources' own orders. A source without any time goes first. Where sources contradict each other
    about the order of what they share, the earlier source is followed.
    """
    times = [_rising([messages[i].time for i in own]) for own in sequences]
    holders: dict[int, list[int]] = {}
    for k, own in enumerate(sequences):
        for i in own:
            holders.setdefault(i, []).append(k)
    heads = [0] * len(sequences)
    done: set[int] = set()
    merged: list[int] = []
    while len(merged) < len(holders):
        _pass_over(sequences, heads, done)
        waiting = [k for k, own in enumerate(sequences) if heads[k] < len(own)]
        ready = [
            k
            for k in waiting
            if all(_is_next(sequences, heads, h, sequences[k][heads[k]]) for h in holders[sequences[k][heads[k]]])
        ]
        best = min(ready or waiting[:1], key=lambda k: (times[k][heads[k]], k))
        merged.append(sequences[best][heads[best]])
        done.add(merged[-1])
    return merged


def by_source(sequences: Sequence[Sequence[int]]) -> list[int]:
    """All messages, as indices, source after source; a shared one with the first source that has it."""
    return list(dict.fromkeys(i for own in sequences for i in own))


def _rising(times: Sequence[int | None]) -> list[int]:
    """`times` such that none is below the one before it; a missing one counts as the one before it, else after it."""
    latest = next((time for time in times if time is not None), _BEFORE_ALL)
    rising: list[int] = []
    for time in times:
        latest = latest if time is None else max(latest, time)
        rising.append(latest)
    return rising


def _pass_over(sequences: Sequence[Sequence[int]], heads: list[int], done: set[int]) -> None:
    for k, own in enumerate(sequences):
        while heads[k] < len(own) and own[heads[k]] in done:
            heads[k] += 1


def _is_next(sequences: Sequence[Sequence[int]], heads: Sequence[int], k: int, message: int) -> bool:
    return heads[k] < len(sequences[k]) and sequences[k][heads[k]] == message
