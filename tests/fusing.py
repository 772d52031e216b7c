"""Sessions to fuse, and the obvious slow twins of what fusion does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from beliefmerge.fusion import Caller, FusionOptions, FusionResult, fuse
from beliefmerge.fusion.message import FusedMessage
from beliefmerge.fusion.readback import OPENING
from beliefmerge.session.model import Block, Channel, Message, Session
from tests.strategies import nasty_text

NOW = 1_796_000_000.0
CWD = "/home/u/p"
CALLER = Caller(CWD)


def said(channel: str, text: str | tuple[str, ...], id: str | None = None, time: float | None = None) -> dict[str, Any]:
    """A message before it has a place: `checkpoint` is a channel here."""
    return {"channel": channel, "texts": (text,) if isinstance(text, str) else text, "id": id, "time": time}


def session(name: str, *messages: dict[str, Any], cwd: str | None = CWD, **more: Any) -> Session:
    made = []
    for seq, message in enumerate(messages):
        checkpoint = message["channel"] == "checkpoint"
        channel = Channel.INJECTED if checkpoint else Channel(message["channel"])
        blocks = tuple(Block(channel, text) for text in message["texts"])
        made.append(Message(blocks, seq, name, message["id"], message["time"], checkpoint=checkpoint))
    return Session(name, "dsh", tuple(made), cwd=cwd, **more)


def options(root: Path, **more: Any) -> FusionOptions:
    """Options under which the same input gives the same bytes."""
    return FusionOptions(root=root, clock=lambda: NOW, **({"target": "fused"} | more))


def fused(root: Path, sessions: Sequence[Any], **more: Any) -> FusionResult:
    return fuse(sessions, CALLER, options(root, **more))


def words(session: Session) -> list[str]:
    """The texts of a fused session after its opening."""
    return [message.text for message in session.messages[OPENING:]]


def slowly_merged(messages: Sequence[FusedMessage], sequences: Sequence[Sequence[int]]) -> list[int]:
    """The chronological order from its definition: each time, of the messages that no source still holds back, the one
    whose source's clock, never running backwards, shows the least.
    """

    def clock(k: int, i: int) -> int:
        upto = [messages[j].time for j in sequences[k][: list(sequences[k]).index(i) + 1]]
        known = [time for time in upto if time is not None]
        later = [messages[j].time for j in sequences[k] if messages[j].time is not None]
        return max(known) if known else (later[0] if later else -1)

    left = {i for own in sequences for i in own}
    merged: list[int] = []
    while left:
        first = [next((i for i in own if i in left), None) for own in sequences]
        free = [
            (clock(k, i), k, i)
            for k, i in enumerate(first)
            if i is not None and all(first[h] == i for h, own in enumerate(sequences) if i in own)
        ]
        chosen = min(free)[2] if free else next(i for i in first if i is not None)
        merged.append(chosen)
        left.remove(chosen)
    return merged


times = st.one_of(st.none(), st.integers(0, 12).map(float), st.just(1_790_000_000.25))
channels = st.sampled_from(["user", "user", "model", "model", "tool", "reasoning", "injected", "checkpoint"])
texts = st.one_of(nasty_text, st.sampled_from(["OK.", "The port is 8080.", "é" * 60, "字" * 50]))


@st.composite
def forks(draw: st.DrawFn, most: int = 3) -> list[Session]:
    """Two to `most` sessions of one workspace, some with the beginning of an earlier one, clocks as they come."""
    logs: list[list[dict[str, Any]]] = []
    for b in range(draw(st.integers(2, most))):
        trunk: list[dict[str, Any]] = []
        if logs and draw(st.booleans()):
            parent = draw(st.sampled_from(logs))
            trunk = [m for m in parent[: draw(st.integers(0, len(parent)))] if m["id"] is not None]
        own = [
            said(
                draw(channels),
                tuple(draw(st.lists(texts, min_size=1, max_size=2))),
                draw(st.sampled_from([None, f"m{b}.{i}", f"m{b}.{i}", "shared"])),
                draw(times),
            )
            for i in range(draw(st.integers(0 if trunk else 1, 5)))
        ]
        logs.append(trunk + own)
    return [session(f"s{b}", *log, title=draw(st.one_of(st.none(), nasty_text))) for b, log in enumerate(logs)]
