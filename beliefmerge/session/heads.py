"""What many sessions call themselves, without the secrets that any of them tells."""

from __future__ import annotations

from collections.abc import Sequence

from beliefmerge.session.model import Session
from beliefmerge.session.parts import PART, parts
from beliefmerge.session.redact import Known, learn, redact, redact_known


class Heads:
    """Sessions are added whole and looked at for secrets, some `PART` characters at once; their heads are kept."""

    def __init__(self) -> None:
        self._heads: list[Session] = []
        self._known = Known()
        self._waiting: list[Session] = []
        self._size = 0

    def add(self, session: Session, title: str | None) -> int:
        """Keep the id, the working directory and `title`; the number of the head."""
        self._heads.append(Session(session.id, session.format, title=title, cwd=session.cwd))
        for part in parts(session):
            self._waiting.append(part)
            self._size += sum(len(block.text) for message in part.messages for block in message.blocks)
            if self._size >= PART:
                self._look()
        return len(self._heads) - 1

    def _look(self) -> None:
        self._known.add(learn(self._waiting))
        self._waiting, self._size = [], 0

    def redacted(self) -> Sequence[Session]:
        """The heads in the order in which they were added, without what was found in any session or in themselves."""
        self._look()
        heads, _ = redact_known(self._heads, self._known)
        heads, _ = redact(heads)
        return heads
