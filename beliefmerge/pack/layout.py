"""Stable-first layout: what is least likely to change between turns comes first.

A prompt cache keeps the longest unchanged prefix; everything after the first change is computed again. What is settled
and strong is overturned least often, a dispute is open by definition, and a retracted item waits for its premise.
"""

from __future__ import annotations

from collections.abc import Iterable

from beliefmerge.pack.item import Choice, Item
from beliefmerge.tokens import Counter


def stability(item: Item) -> tuple[bool, bool, int, int, str]:
    """Sort key: settled before contested before retracted, then stronger, then longest standing, then by id."""
    return (item.retracted, item.contested, -item.evidence, item.since, item.id)


def stable_first(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """The choices in the order they are printed."""
    return tuple(sorted(choices, key=lambda choice: stability(choice.item)))


def preserved_prefix(previous: str, text: str, count: Counter) -> int:
    """How many tokens of `text` a cache that holds `previous` need not compute again.

    Counted over whole lines, since a token may straddle a change within one.
    """
    pairs = zip(previous, text, strict=False)
    common = next((i for i, (old, new) in enumerate(pairs) if old != new), min(len(previous), len(text)))
    at_line_end = all(rest[common : common + 1] in ("", "\n") for rest in (previous, text))
    kept = text[:common] if at_line_end else text[: text.rfind("\n", 0, common) + 1]
    return count(kept)
