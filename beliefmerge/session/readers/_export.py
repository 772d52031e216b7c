"""Exports of web interfaces: a JSON array of conversations, or one conversation, each with all its branches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from beliefmerge.session.model import Session
from beliefmerge.session.reader import Conversation
from beliefmerge.session.source import Element, Head, Shape, Source


class Export:
    """What the readers of such exports share; one gives `is_conversation` and `conversation`."""

    def sniff(self, head: Head) -> float:
        """Sure where most values are conversations."""
        values = head.values if head.shape is not Shape.LINES else ()
        return 1.0 if 2 * sum(map(self.is_conversation, values)) > len(values) else 0.0

    def read(self, source: Source) -> Iterator[Conversation]:
        """A conversation for each element; branches are named by the id of their last message.

        Of a file too large to hold, a conversation is parsed again when one of its branches is built.
        """
        counts: Counter[str] = Counter()
        if source.head.shape is Shape.OBJECT:
            yield self.conversation(source, source.document, counts)
            return
        found: list[tuple[Conversation, Counter[str]]] = []
        for element in source.elements(counts):
            if not self.is_conversation(element.value):
                counts["skipped-conversation"] += 1
                continue
            own: Counter[str] = Counter()
            conversation = self.conversation(source, element.value, own)
            if not element.held:
                own = Counter()
                conversation = self._on_demand(conversation, source, element, own)
            found.append((conversation, own))
        # What is wrong with the file is known at its end, and is of concern to each conversation in it.
        for conversation, own in found:
            own.update(counts)
            yield conversation

    def _on_demand(
        self, conversation: Conversation, source: Source, element: Element, counts: Counter[str]
    ) -> Conversation:
        start, end = element.start, element.end

        def load(branch: str) -> Session:
            return self.conversation(source, source.element(start, end), counts.copy()).load(branch)

        return replace(conversation, load=load)

    def is_conversation(self, value: Any) -> bool:
        """Whether a JSON value is a conversation of this format."""
        raise NotImplementedError

    def conversation(self, source: Source, value: Any, counts: Counter[str]) -> Conversation:
        """The conversation that a value is."""
        raise NotImplementedError
