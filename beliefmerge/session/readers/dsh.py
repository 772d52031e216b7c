"""DeepSeek Harness session logs, formats v0 to v4: a header line, then events with a dense `seq`; raw or zstd frames.

What counts is the *surface*: the ordered list of messages that the model sees. Events append to it or replace a range
of it (compaction); a replaced message is out. Forks copy the messages of the inherited prefix with their ids.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from beliefmerge.session.model import Block, Channel, Message, Session
from beliefmerge.session.reader import Conversation, block, flags, gathered, kept, known, single
from beliefmerge.session.readers._dsh_events import KNOWN, SURFACE
from beliefmerge.session.shelf import Shelf, Spoken
from beliefmerge.session.source import Head, Source
from beliefmerge.session.strands import EVENT, Origins, origins
from beliefmerge.session.surface import Surface
from beliefmerge.session.text import as_dict, as_id, as_list, as_text, seconds

NEWEST = 4
"""The highest format version that is read."""

_PACKED = {"text-chunks": "texts", "reasoning-chunks": "texts", "tool-call-chunks": "args"}


@dataclass
class _Log:
    """A log as it is read."""

    source: Source
    header: dict[str, Any]
    surface: Surface = field(default_factory=Surface)
    shelf: Shelf = field(default_factory=Shelf)
    has_blocks: bytearray = field(default_factory=bytearray)
    counts: Counter[str] = field(default_factory=Counter)
    next_seq: int = 0
    cut: int = 0
    title: str | None = None
    provider: str | None = None
    model: str | None = None
    origins: Origins = field(default_factory=Origins)

    @property
    def id(self) -> str:
        return as_id(self.header.get("id")) or self.source.path.parent.name


class _DSH:
    def sniff(self, head: Head) -> float:
        """A header record with a version comes first."""
        first = head.values[0] if head.values else None
        return 1.0 if _is_header(first) else 0.0

    def read(self, source: Source) -> Iterator[Conversation]:
        """One conversation without branches: a fork is a log of its own."""
        counts: Counter[str] = Counter()
        records = source.records(counts, _is_event, finished=True)
        _, header = next(records, (0, None))
        log = _Log(source, _header(source, header), counts=counts)
        log.cut = _whole(log.header.get("seedLength")) or 0
        for line, record in records:
            _take(log, line, record)
        yield single(_session(log))


READER = _DSH()


def _is_header(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("type") != "session":
        return False
    return "version" in value and ("createdAt" in value or "delegationDepth" in value)


def _is_event(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str) and ("seq" in value or "seq0" in value)


def _header(source: Source, header: Any) -> dict[str, Any]:
    if not _is_header(header):
        raise source.error("no session header", 1)
    version = _whole(header.get("version"))
    if version is None:
        raise source.error("the header's version is not a whole number", 1)
    if version > NEWEST:
        raise source.error(f"format version {version}: written by a newer harness (known: 0 to {NEWEST})", 1)
    if as_id(header.get("id")) is None:
        raise source.error("the header has no session id", 1)
    return dict(header)


def _whole(value: Any) -> int | None:
    """A sequence number: a whole number that is not negative, else None."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _take(log: _Log, line: int, record: Any) -> None:
    """One event: its place in the sequence, then its effect. Unknown ones have none, or the log is refused."""
    if not isinstance(record, dict) or not isinstance(record.get("type"), str):
        raise log.source.error("an event is not an object with a type", line)
    kind = record["type"]
    if kind in _PACKED:
        _advance(log, line, record.get("seq0"), len(as_list(as_dict(record.get("data")).get(_PACKED[kind]))))
        return
    seq = _advance(log, line, record.get("seq"), 1)
    if kind not in KNOWN:
        if record.get("ignorable") is not True:
            raise log.source.error(f"unknown event {kind!r} that is not ignorable: written by a newer harness?", line)
        if kind == EVENT and not log.origins.lines:
            log.origins = origins(record.get("data"))
        log.counts["skipped-ignorable"] += 1
        return
    data = as_dict(record.get("data"))
    if kind in SURFACE:
        _surface(log, line, seq, record, data)
    elif record.get("surfaceOp") is not None or record.get("sourceEventSeqs") is not None:
        raise log.source.error(f"event {kind!r} cannot change the surface", line)
    elif kind == "session/end-seed" and data.get("inherited") is True:
        log.cut = seq
    elif kind == "session/title":
        log.title = as_text(data.get("title")) or log.title
    elif kind in ("request/context", "model/selection"):
        log.provider = as_id(data.get("provider")) or log.provider
        log.model = as_id(data.get("model")) or log.model


def _advance(log: _Log, line: int, value: Any, events: int) -> int:
    seq = _whole(value)
    if seq != log.next_seq or events < 1:
        shown = as_text(value) or "nothing"
        raise log.source.error(f"corrupt: seq {shown} where {log.next_seq} was expected; an event is missing", line)
    log.next_seq = seq + events
    return seq


def _surface(log: _Log, line: int, seq: int, record: dict[str, Any], data: dict[str, Any]) -> None:
    _check_sources(log, line, seq, record.get("sourceEventSeqs"))
    spoken = _spoken(log, record, data)
    log.shelf.add(spoken)
    log.has_blocks.append(bool(spoken.blocks))
    operation = record.get("surfaceOp")
    if operation == "append":
        log.surface.append(seq)
        return
    if not isinstance(operation, dict) or operation.get("op") != "replace":
        raise log.source.error(f"event {record['type']!r} has no valid surfaceOp", line)
    start = _whole(operation.get("startSeq", operation.get("start")))
    end = _whole(operation.get("endSeq", operation.get("end")))
    try:
        log.surface.replace(-1 if start is None else start, -1 if end is None else end, seq)
    except LookupError as error:
        raise log.source.error(
            f"corrupt: surfaceOp replaces a range that is not there: {error.args[0]}", line
        ) from None


def _check_sources(log: _Log, line: int, seq: int, sources: Any) -> None:
    """Entries are numbers, or ranges `[a, b]` that are only looked at: all must lie before the event itself."""
    if sources is None:
        return
    entries = sources if isinstance(sources, list) else [None]
    for entry in entries:
        pair = entry if isinstance(entry, list) else [entry, entry]
        start, end = (_whole(pair[0]), _whole(pair[1])) if len(pair) == 2 else (None, None)
        if start is None or end is None or not start <= end < seq:
            raise log.source.error("corrupt: sourceEventSeqs names an event that is not before its own", line)


def _spoken(log: _Log, record: dict[str, Any], data: dict[str, Any]) -> Spoken:
    """What a surface event says. One without blocks keeps its place, for replacements, and is no message."""
    kind = record["type"]
    message = data if kind == "user/message" else as_dict(data.get("message"))
    source = as_dict(message.get("source")).get("kind")
    if kind == "assistant/message":
        channel = Channel.MODEL if source in (None, "model") else Channel.INJECTED
        origin = as_dict(message.get("source"))
        log.provider = as_id(origin.get("provider")) or log.provider
        log.model = as_id(origin.get("model")) or log.model
    elif kind == "tool/result":
        channel = Channel.TOOL
    else:
        channel = Channel.USER if kind == "user/message" and source in (None, "user") else Channel.INJECTED
    return Spoken(
        blocks=_blocks(message.get("content"), channel),
        id=as_id(message.get("id")),
        time=seconds(record.get("time"), unit=0.001),
        checkpoint=source == "compact-checkpoint",
    )


def _blocks(content: Any, channel: Channel) -> tuple[Block, ...]:
    if not isinstance(content, list):
        return block(channel, as_text(content))
    blocks: tuple[Block, ...] = ()
    for part in content:
        if not isinstance(part, dict):
            blocks += block(channel, as_text(part))
            continue
        match part.get("type"):
            case "text":
                blocks += block(channel, as_text(part.get("text")))
            case "reasoning":
                reasoning = Channel.REASONING if channel is Channel.MODEL else channel
                blocks += block(reasoning, as_text(part.get("text")))
            case "tool-call":
                call = f"{as_text(part.get('name'))} {as_text(part.get('arguments'))}"
                blocks += block(channel, call, "tool-call")
            case "tool-result":
                result = Channel.INJECTED if channel is Channel.INJECTED else Channel.TOOL
                blocks += block(result, as_text(_texts(part.get("content"))))
            case _:
                pass
    return blocks


def _texts(content: Any) -> Any:
    """A tool result's content without images and files."""
    if not isinstance(content, list):
        return content
    return [part for part in content if not isinstance(part, dict) or part.get("type") in (None, "text")]


def _session(log: _Log) -> Session:
    header = log.header
    parent = as_id(header.get("parentSession"))
    seeded = header.get("isSeeded") is True or "seedLength" in header
    inherited = f"{parent}#" if parent and seeded else None
    seqs, places = array("q"), array("i")
    for place, seq in log.surface:
        if log.has_blocks[place]:
            seqs.append(seq)
            places.append(place)

    def make(i: int) -> Message:
        spoken, seq = log.shelf[places[i]], seqs[i]
        origin = f"{inherited}{seq}" if inherited and spoken.id is None and seq < log.cut else None
        return log.origins.applied(spoken.message(seq, log.id, origin))

    hashes = [log.shelf.id_hashes[place] for place in places] if log.shelf.large else None
    messages = gathered(len(places), make, log.counts, hashes)
    meta = known(
        version=_whole(header.get("version")),
        created=seconds(header.get("createdAt"), unit=0.001),
        provider=log.provider,
        model=log.model,
        agent_preset=as_id(header.get("agentPreset")),
        delegated_by=parent if header.get("origin") == "subagent" else None,
    )
    return Session(
        id=log.id,
        format="dsh",
        messages=messages,
        title=log.title,
        cwd=as_id(header.get("cwd")),
        parent=parent if seeded else None,
        flags=flags(log.counts),
        path=str(log.source.path),
        lines=log.origins.lines,
        meta={**meta, "counts": kept(log.counts)},
    )
