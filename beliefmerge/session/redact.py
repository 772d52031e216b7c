"""Redaction (stage 0): credentials are replaced before extraction, before any prompt, before anything is written.

What a detector finds in one place is replaced in every place, in every session: a label gives a value away once, and
the value is then known where no label stands beside it. What is handed on has kinds and counts; values stay in a
`Known`, which shows none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from beliefmerge.session.model import Block, DataClaim, Message, Session
from beliefmerge.session.redaction.detect import find_secrets
from beliefmerge.session.redaction.known import Known

__all__ = ["Known", "learn", "redact", "redact_and_learn", "redact_known", "redact_text", "secrets_in"]

Redactions = Mapping[str, tuple[str, Counter[str]]]
"""A string that has a secret: what replaces it, and the places by kind."""


def redact(sessions: Sequence[Session]) -> tuple[list[Session], Counter[str]]:
    """`sessions` with every secret in them replaced by ``[REDACTED:<kind>]``, and the number of places by kind.

    The result does not depend on the order of `sessions`, and redacting it again changes nothing. Sessions and messages
    without a secret are the same objects as before. A secret in the id of a session or message is replaced in every
    reference to it alike.
    """
    result, counts, _ = redact_and_learn(sessions)
    return result, counts


def redact_and_learn(sessions: Sequence[Session]) -> tuple[list[Session], Counter[str], Known]:
    """As `redact`, and the values that were replaced, for those who must tell whether a text holds one."""
    result, total = list(sessions), Counter[str]()
    known, examined = Known(), set[str]()
    # A replaced value can bring to light one that a longer match had hidden: strings that changed are looked at again.
    while found := learn(result, examined):
        known.add(found)
        result, counts = redact_known(result, known)
        total.update(counts)
    return result, total, known


def learn(sessions: Iterable[Session], examined: set[str] | None = None) -> Known:
    """What can be found in `sessions`, but for strings in `examined`, to which the strings looked at are added."""
    texts = {text for session in sessions for text in chain(_texts(session), _names(session), _labelled(session))}
    if examined is not None:
        texts -= examined
        examined |= texts
    return Known(find_secrets(list(texts)))


def redact_known(sessions: Sequence[Session], known: Known) -> tuple[list[Session], Counter[str]]:
    """`sessions` with every value in `known` replaced, and the number of places by kind."""
    texts = list({text for session in sessions for text in chain(_texts(session), _names(session))})
    redactions = {text: redaction for text in known.candidates(texts) if (redaction := known.redact(text))[1]}
    if not redactions:
        return list(sessions), Counter()
    rewrite = _Rewrite(redactions)
    return [rewrite.session(session) for session in sessions], rewrite.counts


def redact_text(text: str, known: Known | None = None) -> tuple[str, Counter[str]]:
    """`text` without the values in `known` and the secrets found in itself, and the number of places by kind."""
    total = Counter[str]()
    if known:
        text, total = known.redact(text)
    while found := Known(find_secrets([text])):
        text, counts = found.redact(text)
        if not counts:
            break
        total += counts
    return text, total


def secrets_in(text: str) -> Counter[str]:
    """Kinds of the secrets that can be found in `text`, with the number of places."""
    return redact_text(text)[1]


def _texts(session: Session) -> Iterator[str]:
    """Every string of `session` that is looked at for secrets."""
    yield from (block.text for message in session.messages for block in message.blocks)
    yield from filter(None, (session.title, session.cwd, session.path, *session.flags))
    for claim in session.claims:
        yield from filter(None, (claim.key, claim.value, claim.type))
        yield from (text for premises in claim.derived_from for premise in premises for text in premise if text)
    yield from _strings(session.meta)


def _names(session: Session) -> Iterator[str]:
    """Ids, whose usual forms (UUIDs, hashes, ``msg_…``) no detector takes for a secret."""
    yield from filter(None, (session.id, session.format, session.parent, session.branch))
    yield from (name for message in session.messages for name in _called(message) if name)


def _called(message: Message) -> tuple[str | None, ...]:
    return (message.session, message.id, message.origin, message.name if message.copied else None)


def _labelled(session: Session) -> Iterator[str]:
    """Names and values that are stored apart, put together, so that the name is seen to label the value."""
    for claim in session.claims:
        yield f"{claim.key}: {claim.value}"
        for premises in claim.derived_from:
            yield from (f"{key}: {value}" for key, value in premises if value)
    yield from _pairs(session.meta)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _strings(key)
            yield from _strings(item)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _strings(item)


def _pairs(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(item, str):
                yield f"{key}: {item}"
            else:
                yield from _pairs(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _pairs(item)


class _Rewrite:
    """Puts redacted strings in place of those that have a secret, and counts the places by kind."""

    def __init__(self, redactions: Redactions) -> None:
        self._redactions = redactions
        self.counts: Counter[str] = Counter()

    def text(self, text: str) -> str:
        redaction = self._redactions.get(text)
        if redaction is None:
            return text
        self.counts.update(redaction[1])
        return redaction[0]

    def optional(self, text: str | None) -> str | None:
        return None if text is None else self.text(text)

    def session(self, session: Session) -> Session:
        """`session` itself when nothing in it changes."""
        messages = tuple(self.message(message) for message in session.messages)
        changed = replace(
            session,
            id=self.text(session.id),
            format=self.text(session.format),
            messages=messages,
            claims=tuple(self.claim(claim) for claim in session.claims),
            title=self.optional(session.title),
            cwd=self.optional(session.cwd),
            parent=self.optional(session.parent),
            branch=self.optional(session.branch),
            flags=tuple(self.text(flag) for flag in session.flags),
            path=self.optional(session.path),
            meta=self.value(session.meta),
        )
        same = all(new is old for new, old in zip(messages, session.messages, strict=True))
        return session if same and replace(changed, messages=session.messages) == session else changed

    def message(self, message: Message) -> Message:
        """`message` itself when nothing in it changes."""
        redactions = self._redactions
        if not any(block.text in redactions for block in message.blocks) and not any(
            name in redactions for name in _called(message)
        ):
            return message
        return replace(
            message,
            blocks=tuple(Block(block.channel, self.text(block.text), block.kind) for block in message.blocks),
            session=self.text(message.session),
            id=self.optional(message.id),
            origin=self.optional(message.origin),
            copied=None,
        )

    def claim(self, claim: DataClaim) -> DataClaim:
        premises = tuple(
            tuple((self.text(key), self.optional(value)) for key, value in conjunction)
            for conjunction in claim.derived_from
        )
        return replace(
            claim,
            key=self.text(claim.key),
            value=self.text(claim.value),
            type=self.optional(claim.type),
            derived_from=premises,
        )

    def value(self, value: Any) -> Any:
        """Strings anywhere in plain data; the same object where none changes."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            changed: Any = {self.value(key): self.value(item) for key, item in value.items()}
            return value if changed == value else changed
        if isinstance(value, list | tuple | set | frozenset):
            items = [self.value(item) for item in value]
            return (
                value
                if items == list(value)
                else type(value)(items)
                if not hasattr(value, "_fields")
                else type(value)(*items)
            )
        return value
