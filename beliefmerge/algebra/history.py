"""Histories: the messages before an assertion in its branch, shared as prefixes of one chain."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cached_property


class Chain:
    """The message keys of one branch, oldest first. Histories are prefixes of it and share its memory."""

    def __init__(self, messages: Iterable[str]) -> None:
        self.messages = tuple(dict.fromkeys(messages))

    @cached_property
    def index(self) -> dict[str, int]:
        """Position of each message key."""
        return {message: i for i, message in enumerate(self.messages)}

    @cached_property
    def digests(self) -> tuple[bytes, ...]:
        """``digests[i]`` identifies the first `i` messages, whatever chain they were read from."""
        running = hashlib.blake2b(digest_size=16)
        out = [running.digest()]
        for message in self.messages:
            running.update(message.encode("utf-8", "surrogatepass") + b"\x1e")
            out.append(running.copy().digest())
        return tuple(out)

    def before(self, message: str) -> History:
        """The history of an assertion made in `message`; raises KeyError when the chain lacks it."""
        return History(self, self.index[message])


class History:
    """The first `length` messages of `chain`. Equal when the messages are, whatever file they were read from."""

    __slots__ = ("chain", "length")

    def __init__(self, chain: Chain, length: int) -> None:
        self.chain, self.length = chain, length

    @classmethod
    def of(cls, *messages: str) -> History:
        """A history of exactly these messages, oldest first."""
        chain = Chain(messages)
        return cls(chain, len(chain.messages))

    @property
    def messages(self) -> tuple[str, ...]:
        """The messages, oldest first."""
        return self.chain.messages[: self.length]

    def __contains__(self, message: object) -> bool:
        i = self.chain.index.get(message)  # type: ignore[call-overload]
        return i is not None and i < self.length

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History):
            return NotImplemented
        if self.length != other.length:
            return False
        return self.chain is other.chain or self.chain.digests[self.length] == other.chain.digests[other.length]

    def __hash__(self) -> int:
        return hash((self.length, self.chain.digests[self.length]))

    def __repr__(self) -> str:
        return f"History({self.length} messages)"
