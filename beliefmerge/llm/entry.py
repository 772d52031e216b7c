"""Entries of the record: a request, what came of it, and the address that the request alone decides.

The address is the SHA-256 of the request as canonical JSON (keys sorted, no white space, ASCII). The model's name is in
the request; the server's address, the key, and how the request had to be put to the server are not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from beliefmerge.llm.protocol import ChatMessage, Completion, Usage


class CorruptEntry(Exception):
    """Bytes that are no entry, or the entry of another address; the message says which."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One recorded call. `kind` is `complete` or `score`; `time` is UTC, ISO 8601."""

    kind: str
    request: dict[str, Any]
    reply: dict[str, Any]
    usage: dict[str, Any]
    time: str

    @property
    def address(self) -> str:
        """64 hex digits."""
        return address(self.kind, self.request)

    def encode(self) -> bytes:
        """Canonical JSON on one line, without its end."""
        return canonical(msgspec.to_builtins(self))


def canonical(value: Any) -> bytes:
    """`value` as canonical JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def address(kind: str, request: Mapping[str, Any]) -> str:
    """Where the reply to `request` is kept."""
    return hashlib.sha256(canonical({"kind": kind, "request": request})).hexdigest()


def decode(raw: bytes, expected: str | None = None) -> Entry:
    """The entry that `raw` holds. Raises CorruptEntry where it holds none, or not the one of address `expected`."""
    try:
        entry = msgspec.convert(json.loads(raw), type=Entry)
        own = entry.address
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        raise CorruptEntry(f"not an entry: {error}") from None
    if expected is not None and own != expected:
        raise CorruptEntry("the entry of another request")
    return entry


def chat_request(
    model: str,
    messages: Sequence[ChatMessage],
    *,
    schema: Mapping[str, Any] | None,
    max_tokens: int,
    temperature: float,
    seed: int | None,
) -> dict[str, Any]:
    """The request of a chat completion."""
    return {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
        "schema": None if schema is None else dict(schema),
        "max_tokens": max_tokens,
        "temperature": float(temperature),
        "seed": seed,
    }


def chat_reply(completion: Completion) -> tuple[dict[str, Any], dict[str, Any]]:
    """Reply and usage as an entry keeps them."""
    usage = completion.usage
    return (
        {"text": completion.text, "finish_reason": completion.finish_reason, "model": completion.model},
        {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "attempts": usage.attempts,
            "seconds": round(usage.seconds, 3),
            "cost": usage.cost,
        },
    )


def completion(entry: Entry) -> Completion:
    """The completion that `entry` records. Raises CorruptEntry where it records none."""
    try:
        reply, usage = msgspec.convert(entry.reply, _Reply), msgspec.convert(entry.usage, Usage)
    except msgspec.ValidationError as error:
        raise CorruptEntry(f"no chat completion: {error}") from None
    return Completion(reply.text, reply.finish_reason, reply.model, usage, cached=True)


def logprobs(entry: Entry) -> tuple[float, ...]:
    """The log-probabilities that `entry` records. Raises CorruptEntry where it records none."""
    try:
        return msgspec.convert(entry.reply, _Logprobs).logprobs
    except msgspec.ValidationError as error:
        raise CorruptEntry(f"no log-probabilities: {error}") from None


class _Reply(msgspec.Struct):
    text: str
    finish_reason: str
    model: str


class _Logprobs(msgspec.Struct):
    logprobs: tuple[float, ...]
