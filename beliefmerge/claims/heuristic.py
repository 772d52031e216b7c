"""The deterministic extractor: offline, the floor that a model's extraction is compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from beliefmerge.claims.assemble import assemble
from beliefmerge.claims.claim import Extraction
from beliefmerge.claims.scan import scan
from beliefmerge.session.model import Session


def extract(sessions: Sequence[Session], *, current: str | None = None) -> Extraction:
    """Claims of all (redacted) branches together; `current` is the id of the caller's own session.

    Deterministic, and the same set for every order and repetition of `sessions`. What was dropped is counted by cause:
    `chatter`, `question`, `code`, `log`, `heading`, `long`, `unread` and `over the cap`.
    """
    distinct = sorted({id(s): s for s in sessions}.values(), key=lambda s: (s.id, s.path or "", len(s.messages)))
    dropped: Counter[str] = Counter()
    said = [(session, scan(session, dropped)) for session in distinct]
    claims = assemble(said, current=current, dropped=dropped)
    return Extraction(claims, dropped)
