"""Which sentences of a large input are read in full: those that share a template with another, and the most salient.

Two sentences share a template when they are equal left and right of one short span. All such spans of a sentence are
hashed (words before, words after), and hashes that occur twice are kept. What makes it fast is that the span can only
lie between the longest beginning and the longest ending that the sentence shares with any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.uint64]
    Bools = NDArray[np.bool_]

ALIGNED = 12_000
"""Distinct sentences that are read because they share a template, at most."""
SALIENT = 8_000
"""Distinct sentences that are read because they are salient, at most."""
HOLE = 4
"""Words of the span that differs."""
COMPARED = 200_000
"""Sentences whose spans are compared, at most, the most salient first."""
_AT_ONCE = 1 << 23
_A, _B, _C = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9


def select(text: Ints, salience: Any, count: Any, words: Any, *, crowd: int) -> Bools:
    """Mask over rows: whether the row's sentence is read. Rows with one `text` are chosen together.

    `count` gives each row's words in `words`. A template that more than `crowd` sentences fill enumerates things rather
    than says what one thing is.
    """
    import numpy as np

    _, first, inverse = np.unique(text, return_index=True, return_inverse=True)
    starts = np.concatenate(([0], np.cumsum(count, dtype=np.int64)))[:-1]
    shares = shares_template(
        words.view(np.uint64), starts[first], count[first].astype(np.int64), salience[first], crowd
    )
    chosen = np.zeros(first.size, dtype=bool)
    order = np.lexsort((text[first], -salience[first].astype(np.int64)))
    for mask, most in ((shares, ALIGNED), (~shares, SALIENT)):
        chosen[order[mask[order]][:most]] = True
    result: Bools = chosen[inverse]
    return result


def shares_template(words: Ints, starts: Any, lengths: Any, salience: Any, crowd: int) -> Bools:
    """Mask over sentences ``words[start:start + length]``: whether 2 to `crowd` of them share one of its templates."""
    import numpy as np

    mixed = _mix(words)
    out = np.zeros(starts.size, dtype=bool)
    before = _shared(mixed, starts, lengths, backwards=False)
    after = _shared(mixed, starts, lengths, backwards=True)
    likely = np.flatnonzero((before + after >= lengths - HOLE) & (lengths >= 3))
    if likely.size > COMPARED:
        likely = np.sort(likely[np.argsort(-salience[likely].astype(np.int64), kind="stable")[:COMPARED]])
    if likely.size < 2:
        return out
    keys, owners = _spans(mixed, starts[likely], lengths[likely], before[likely], after[likely])
    for part in range(-(-keys.size // _AT_ONCE)):
        mine = keys % np.uint64(-(-keys.size // _AT_ONCE)) == part
        out[likely[_met(keys[mine], owners[mine], crowd)]] = True
    return out


def _mix(words: Ints) -> Ints:
    """Word hashes spread over all bits."""
    import numpy as np

    with np.errstate(over="ignore"):
        mixed = words * np.uint64(_A)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(_B)
        mixed ^= mixed >> np.uint64(32)
    return mixed


def _shared(mixed: Ints, starts: Any, lengths: Any, *, backwards: bool) -> Any:
    """For every sentence, how many words at its beginning (end) it shares with some other sentence."""
    import numpy as np

    shared = np.zeros(starts.size, dtype=np.int64)
    running = np.zeros(starts.size, dtype=np.uint64)
    alive = np.arange(starts.size)
    for size in range(1, int(lengths.max(initial=0)) + 1):
        alive = alive[lengths[alive] >= size]
        place = starts[alive] + (lengths[alive] - size if backwards else size - 1)
        with np.errstate(over="ignore"):
            running[alive] = running[alive] * np.uint64(_C) + mixed[place]
        alive = alive[_repeated(running[alive])]
        if alive.size < 2:
            break
        shared[alive] = size
    return shared


def _repeated(keys: Ints) -> Bools:
    """Whether each key occurs more than once."""
    import numpy as np

    order = np.argsort(keys)
    same = keys[order][1:] == keys[order][:-1]
    out = np.zeros(keys.size, dtype=bool)
    out[order[1:][same]] = True
    out[order[:-1][same]] = True
    return out


def _spans(mixed: Ints, starts: Any, lengths: Any, before: Any, after: Any) -> tuple[Ints, Any]:
    """The surroundings of every span that can match, hashed, and the sentence each belongs to."""
    import numpy as np

    longest = int(lengths.max())
    # endings[k]: hash of the last k words; beginnings grow as `head` does.
    endings = [np.zeros(starts.size, dtype=np.uint64)]
    with np.errstate(over="ignore"):
        for size in range(1, longest + 1):
            here = np.flatnonzero(lengths >= size)
            longer = endings[-1].copy()
            longer[here] = longer[here] * np.uint64(_C) + mixed[starts[here] + lengths[here] - size]
            endings.append(longer)
        ending = np.stack(endings)
        keys: list[Ints] = []
        owners: list[Any] = []
        head = np.zeros(starts.size, dtype=np.uint64)
        alive = np.arange(starts.size)
        for size in range(longest):
            alive = alive[(before[alive] >= size) & (lengths[alive] > size)]
            if not alive.size:
                break
            if size:
                head[alive] = head[alive] * np.uint64(_C) + mixed[starts[alive] + size - 1]
            for hole in range(1, HOLE + 1):
                rest = lengths[alive] - size - hole
                fits = alive[(rest >= 0) & (rest <= after[alive]) & (size + rest >= 2)]
                tail = lengths[fits] - size - hole
                key = (head[fits] + np.uint64(size)) * np.uint64(_A) ^ (
                    ending[tail, fits] + tail.astype(np.uint64)
                ) * np.uint64(_B)
                keys.append(key)
                owners.append(fits)
    return np.concatenate(keys), np.concatenate(owners)


def _met(keys: Ints, owners: Any, crowd: int) -> Any:
    """Owners of keys that 2 to `crowd` spans have."""
    import numpy as np

    order = np.argsort(keys)
    edges = np.flatnonzero(np.concatenate(([True], keys[order][1:] != keys[order][:-1], [True])))
    sizes = np.repeat(np.diff(edges), np.diff(edges))
    return np.unique(owners[order[(sizes >= 2) & (sizes <= crowd)]])


def plainly(sentences: Sequence[Sequence[str]], crowd: int) -> list[bool]:
    """What `shares_template` says, by comparing all pairs of distinct sentences: its oracle."""
    members: dict[tuple[tuple[str, ...], tuple[str, ...]], set[int]] = {}
    for i, words in enumerate(sentences):
        for start in range(len(words)):
            for end in range(start + 1, min(start + HOLE, len(words)) + 1):
                if len(words) - (end - start) >= 2 and len(words) >= 3:
                    members.setdefault((tuple(words[:start]), tuple(words[end:])), set()).add(i)
    out = [False] * len(sentences)
    for met in members.values():
        if 2 <= len(met) <= crowd:
            for i in met:
                out[i] = True
    return out
