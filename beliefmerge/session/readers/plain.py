"""Our own format, for tests and hand-written input: JSON (or one such object a line) with messages, claims, or both.

::

    {"id": "a", "trust": 1, "title": "…",
     "messages": [{"channel": "user", "text": "…", "id": "m1", "time": 1790000000}],
     "claims": [{"key": "cache.ttl", "value": "60 s", "evidence": 4, "derived_from": ["load.low"]}]}

- `channel`: ``user``, ``tool``, ``model``, ``reasoning`` or ``injected``; an unknown one is an error. Of a claim it
  defaults by `evidence` (4 user, 3 tool, 2 model, 1 reasoning), and `evidence` by `channel`; where both are given, the
  evidence is at most the channel's (flag ``evidence-capped``). With neither, a claim is a model's.
- `derived_from`: a premise is a key, or ``{"key": …, "value": …}`` where a value other than the branch's own is meant.
  A flat list is one conjunction; a list of lists is alternatives, each a conjunction. A mixture is an error.
- `value` may be a number or a boolean (yes or no). `denied: true` states that the value does not hold, `multi: true`
  that the slot holds several values.
- `trust` can only lower: 2 is read as 1. Keys that are not listed here, `current` among them, have no effect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.errors import UnreadableSession, nearest
from beliefmerge.session.model import Channel, DataClaim, Message, Session
from beliefmerge.session.reader import Conversation, block, distinct, flags, kept, single
from beliefmerge.session.source import Head, Shape, Source
from beliefmerge.session.text import as_id, as_text, seconds

_CHANNEL = {4: Channel.USER, 3: Channel.TOOL, 2: Channel.MODEL, 1: Channel.REASONING}

Premises = tuple[tuple[tuple[str, str | None], ...], ...]


class _Plain:
    def sniff(self, head: Head) -> float:
        """Objects with `claims`, or with `messages` that have no role."""
        if head.shape is Shape.ARRAY or not head.values:
            return 0.0
        return min(map(_likeness, head.values))

    def read(self, source: Source) -> Iterator[Conversation]:
        """A conversation for each object."""
        if source.head.shape is Shape.OBJECT:
            yield single(_Reading(source, None, Counter()).session(source.document))
            return
        counts: Counter[str] = Counter()
        # What is wrong with the file is known at its end, and is of concern to each conversation in it.
        for line, value in list(source.records(counts, lambda value: _likeness(value) > 0)):
            yield single(_Reading(source, line, counts).session(value))


READER = _Plain()


def _likeness(value: Any) -> float:
    if not isinstance(value, dict):
        return 0.0
    if isinstance(value.get("claims"), list):
        return 1.0
    messages = value.get("messages")
    if not isinstance(messages, list):
        return 0.0
    roles = any(isinstance(each, dict) and "role" in each for each in messages)
    channels = any(isinstance(each, dict) and "channel" in each for each in messages)
    return 1.0 if channels else 0.0 if roles else 0.6


class _Reading:
    """One object on its way to a session, with what its errors must name."""

    def __init__(self, source: Source, line: int | None, counts: Counter[str]) -> None:
        self.source, self.line, self.counts = source, line, counts.copy()

    def error(self, cause: str) -> UnreadableSession:
        return self.source.error(cause, self.line)

    def session(self, value: Any) -> Session:
        if not isinstance(value, dict):
            raise self.error("not an object")
        name = as_id(value.get("id"))
        if name is None:
            raise self.error("no id")
        messages = self.list_of(value, "messages")
        claims = self.list_of(value, "claims")
        made = [self.message(each, i, name) for i, each in enumerate(messages)]
        said = tuple(self.claim(each, i, len(made) + i) for i, each in enumerate(claims))
        return Session(
            id=name,
            format="plain",
            messages=distinct([message for message in made if message.blocks], self.counts),
            claims=said,
            trust=self.trust(value.get("trust")),
            title=as_text(value.get("title")) or None,
            cwd=as_id(value.get("cwd")),
            flags=flags(self.counts),
            path=str(self.source.path),
            meta={"counts": kept(self.counts)},
        )

    def list_of(self, value: dict[str, Any], key: str) -> list[Any]:
        found = value.get(key)
        if found is None:
            return []
        if not isinstance(found, list):
            raise self.error(f"{key} is not a list")
        return found

    def message(self, value: Any, index: int, session: str) -> Message:
        place = f"messages[{index}]"
        if not isinstance(value, dict):
            raise self.error(f"{place} is not an object")
        channel = self.channel(value.get("channel"), place)
        if channel is None:
            raise self.error(f"{place} has no channel")
        return Message(
            blocks=block(channel, as_text(value.get("text"))),
            seq=index,
            session=session,
            id=as_id(value.get("id")),
            time=seconds(value.get("time")),
        )

    def channel(self, value: Any, place: str) -> Channel | None:
        if value is None:
            return None
        try:
            return Channel(value)
        except ValueError:
            match = nearest(as_text(value), [channel.value for channel in Channel])
            hint = f"; did you mean {match!r}?" if match else ""
            known = ", ".join(Channel)
            raise self.error(f"{place}: unknown channel {as_text(value)!r}{hint} (known: {known})") from None

    def trust(self, value: Any) -> Trust | None:
        level = self.whole(value, "trust", 0, 2)
        return None if level is None else min(Trust(level), Trust.EXTERNAL)

    def whole(self, value: Any, what: str, low: int, high: int) -> int | None:
        if value is None:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.error(f"{what} is not a whole number from {low} to {high}")
        return value

    def claim(self, value: Any, index: int, seq: int) -> DataClaim:
        place = f"claims[{index}]"
        if not isinstance(value, dict):
            raise self.error(f"{place} is not an object")
        channel = self.channel(value.get("channel"), place)
        level = self.whole(value.get("evidence"), f"{place}: evidence", 1, 4)
        channel = channel or _CHANNEL[level or Evidence.INFERRED]
        evidence = min(Evidence(level), channel.evidence) if level else channel.evidence
        self.counts["evidence-capped"] += level is not None and evidence < level
        kind = value.get("type")
        if kind is not None and not isinstance(kind, str):
            raise self.error(f"{place}: type is not a name")
        return DataClaim(
            key=self.scalar(value.get("key"), f"{place}: key"),
            value=self.scalar(value.get("value"), f"{place}: value"),
            channel=channel,
            evidence=evidence,
            denied=self.flag(value.get("denied"), f"{place}: denied"),
            multi=self.flag(value.get("multi"), f"{place}: multi"),
            type=kind,
            derived_from=self.premises(value.get("derived_from"), place),
            seq=seq,
        )

    def scalar(self, value: Any, what: str) -> str:
        """A string that says something; numbers as JSON writes them, booleans as yes and no."""
        text = ("yes" if value else "no") if isinstance(value, bool) else ""
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            text = as_text(value)
        if not text.strip():
            raise self.error(f"{what} is missing or no text")
        return text

    def flag(self, value: Any, what: str) -> bool:
        if value is None or isinstance(value, bool):
            return bool(value)
        raise self.error(f"{what} is neither true nor false")

    def premises(self, value: Any, place: str) -> Premises:
        if value is None:
            return ()
        entries = value if isinstance(value, list) else [value]
        nested = [isinstance(entry, list) for entry in entries]
        if any(nested) and not all(nested):
            raise self.error(f"{place}: derived_from mixes premises and lists of premises")
        if any(nested):
            return tuple(tuple(self.premise(each, place) for each in entry) for entry in entries)
        return (tuple(self.premise(each, place) for each in entries),) if entries else ()

    def premise(self, value: Any, place: str) -> tuple[str, str | None]:
        if isinstance(value, str):
            return self.scalar(value, f"{place}: a premise"), None
        if isinstance(value, dict):
            held = value.get("value")
            key = self.scalar(value.get("key"), f"{place}: a premise's key")
            return key, None if held is None else self.scalar(held, f"{place}: a premise's value")
        raise self.error(f"{place}: a premise is neither a key nor an object with key and value")
