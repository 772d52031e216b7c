"""What was read from a session file: messages by channel, branches, what was skipped or mended, kinds of secrets."""

from __future__ import annotations

import itertools
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from beliefmerge.session.model import Channel, Message, Session
from beliefmerge.session.parts import parts
from beliefmerge.session.reader import Conversation
from beliefmerge.session.text import one_line

if TYPE_CHECKING:
    from beliefmerge.session.redact import Known

_NAMES_SHOWN = 12


@dataclass(frozen=True)
class Inspection:
    """What was read from a session: the report without its messages, and their rows, made one after the other."""

    summary: dict[str, Any]
    rows: Callable[[], Iterator[dict[str, Any]]]

    def json(self) -> Iterator[str]:
        """The report as JSON, in pieces."""
        yield "{\n"
        for i, (key, value) in enumerate(self.summary.items()):
            yield f"{',' if i else ''}\n  {json.dumps(key)}: ".lstrip("\n" if not i else "")
            if key != "messages":
                yield json.dumps(value, ensure_ascii=False, indent=2).replace("\n", "\n  ")
                continue
            mark = "["
            for row in self.rows():
                yield mark + "\n    " + json.dumps(row, ensure_ascii=False, indent=2).replace("\n", "\n    ")
                mark = ","
            yield "[]" if mark == "[" else "\n  ]"
        yield "\n}\n"

    def text(self, width: int = 100) -> Iterator[str]:
        """The report for a reader, in lines: a summary, then one for each row, cut at `width` characters of text."""
        yield from _summary(self.summary)
        if self.summary.get("message_count"):
            yield ""
        for row in self.rows():
            yield _line(row, width)


def describe(path: str | os.PathLike[str], *, branch: str | None = None) -> dict[str, Any]:
    """The report of one branch of the session at `path` (the active one by default), as ``inspect --json`` prints it.

    Of a file with several conversations, of which none is named, the report lists them.
    ``messages`` has one row a message and channel: consecutive blocks of one channel are one row, tool calls are none.
    Texts are redacted by `beliefmerge.session.redact`; ``secrets`` counts what was found, by kind.

    Raises:
        UnreadableSession: as `beliefmerge.session.readers.read_session`.
    """
    inspection = inspect(path, branch=branch)
    return inspection.summary | {"messages": list(inspection.rows())}


def describe_text(report: dict[str, Any], *, width: int = 100) -> str:
    """The same for a reader: a few lines of summary, then a line for each row, cut at `width` characters of text."""
    return "\n".join(Inspection(report, lambda: iter(report["messages"])).text(width))


def inspect(path: str | os.PathLike[str], *, branch: str | None = None) -> Inspection:
    """As `describe`, but the rows of a session that is too large to hold are not held."""
    from beliefmerge.session.readers import conversations, select

    found = list(conversations(path))
    if branch is None and len(found) > 1:
        return Inspection(_listing(found), lambda: iter(()))
    conversation, name = select(path, found, branch)
    session = conversation.load(name)
    channels: Counter[str] = Counter()
    rounds, secrets = _secrets(session, channels)
    first, _ = _redacted(next(parts(session)), rounds)
    summary = _report(conversation, replace(first, messages=session.messages), channels, secrets)

    def redacted_rows() -> Iterator[dict[str, Any]]:
        for part in parts(session):
            for message in _redacted(part, rounds)[0].messages:
                yield from rows(message)

    return Inspection(summary, redacted_rows)


def _listing(found: list[Conversation]) -> dict[str, Any]:
    """The report of a file with several conversations, of which none was named."""
    from beliefmerge.session.heads import Heads

    listed: list[dict[str, Any]] = []
    heads = Heads()
    for each in found:
        session = each.load(each.branches[0])
        heads.add(session, each.title)
        listed.append({"message_count": len(session.messages), "branches": len(each.branches)})
    named = [{"id": head.id, "title": head.title} | row for head, row in zip(heads.redacted(), listed, strict=True)]
    return {"format": session.format, "conversation_count": len(found), "conversations": named}


def _secrets(session: Session, channels: Counter[str]) -> tuple[list[Known], Counter[str]]:
    """What `beliefmerge.session.redact.redact_and_learn` learns in each round, and the places by kind.

    What is found in one part is replaced in all; a replaced value can bring to light one that a longer match had
    hidden, so that messages that changed are looked at again. Rows are counted by channel into `channels`.
    """
    from beliefmerge.session.redact import Known, learn

    rounds: list[Known] = []
    examined: set[str] = set()
    while True:
        found, counts = Known(), Counter[str]()
        for part in parts(session):
            redacted, counted = _redacted(part, rounds)
            counts += counted
            if rounds:
                pairs = zip(redacted.messages, part.messages, strict=True)
                redacted = replace(redacted, messages=tuple(new for new, old in pairs if new is not old))
                found.add(learn([redacted], examined))
            else:
                channels.update(row["channel"] for message in part.messages for row in rows(message))
                found.add(learn([redacted]))
        if not found:
            return rounds, counts
        known = Known()
        for each in (*rounds[-1:], found):
            known.add(each)
        rounds.append(known)


def _redacted(part: Session, rounds: list[Known]) -> tuple[Session, Counter[str]]:
    from beliefmerge.session.redact import redact_known

    counts: Counter[str] = Counter()
    for known in rounds:
        (part,), counted = redact_known([part], known)
        counts += counted
    return part, counts


def _report(
    conversation: Conversation, session: Session, channels: Counter[str], secrets: Counter[str]
) -> dict[str, Any]:
    from beliefmerge.session.redact import redact_text

    return {
        "format": session.format,
        "id": session.id,
        "title": session.title,
        "parent": session.parent,
        "branch": session.branch,
        "branches": session.branches,
        "branch_names": [redact_text(each)[0] for each in conversation.branches] if session.branches > 1 else [],
        "message_count": len(session.messages),
        "claim_count": len(session.claims),
        "channels": {channel.value: channels[channel] for channel in Channel if channels[channel]},
        "messages": [],
        "flags": list(session.flags),
        "counts": dict(session.meta.get("counts", {})),
        "secrets": dict(sorted(secrets.items())),
    }


def rows(message: Message) -> Iterator[dict[str, Any]]:
    """One row for each run of blocks of one channel; a tool call ends no run and is in none."""
    spoken = (block for block in message.blocks if block.kind == "text")
    for channel, blocks in itertools.groupby(spoken, key=lambda block: block.channel):
        yield {
            "id": message.id if message.id is not None else message.origin or f"{message.session}#{message.seq}",
            "channel": channel.value,
            "text": "\n".join(block.text for block in blocks),
            "time": message.time,
            "seq": message.seq,
        }


def _summary(report: dict[str, Any]) -> Iterator[str]:
    if "conversations" in report:
        yield f"{report['format']} file of {report['conversation_count']} conversations: FILE#ID chooses one"
        for each in report["conversations"]:
            more = f", {each['branches']} branches" if each["branches"] > 1 else ""
            title = f"  {one_line(each['title'], 60)}" if each["title"] else ""
            yield f"  {one_line(each['id'], 80)}  {_messages(each['message_count'])}{more}{title}"
        return
    title = f": {one_line(report['title'], 80)}" if report["title"] else ""
    yield f"{report['format']} session {one_line(report['id'], 80)}{title}"
    if report["parent"]:
        yield f"forked from {one_line(report['parent'], 80)}"
    if report["branches"] > 1:
        names = [one_line(name, 80) for name in report["branch_names"]]
        more = ", …" if len(names) > _NAMES_SHOWN else ""
        yield f"branch {one_line(report['branch'] or '', 80)} of {report['branches']}: " + (
            ", ".join(names[:_NAMES_SHOWN]) + more + " (FILE#BRANCH chooses another)"
        )
    spoken = ", ".join(f"{n} {channel}" for channel, n in report["channels"].items())
    claims = f", {report['claim_count']} claims given as data" if report["claim_count"] else ""
    yield _messages(report["message_count"]) + (f" ({spoken})" if spoken else "") + claims
    yield f"skipped or mended: {_counted(report['counts'])}"
    yield f"secrets: {_counted(report['secrets'])}"


def _messages(count: int) -> str:
    return f"{count} message" + ("" if count == 1 else "s")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{word} ({n})" for word, n in counts.items()) or "none"


def _line(row: dict[str, Any], width: int) -> str:
    text = one_line(" ".join(row["text"][: 2 * width].split()), width)
    return f"{row['seq']:>6}  {_clock(row['time']):16}  {row['channel']:9}  {text}"


def _clock(time: float | None) -> str:
    try:
        return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M") if time is not None else ""
    except (ValueError, OverflowError, OSError):
        return ""
