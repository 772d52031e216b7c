"""The title of a fusion: the caller's, else the plan's, else made from the titles of the sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beliefmerge.fusion.limits import truncate
from beliefmerge.fusion.message import FusedSource, Role, well_formed
from beliefmerge.fusion.snapshot import size

_WORDS = 8


def one_title(text: str, limit: int) -> str:
    """`text` on one line of at most `limit` bytes, without characters that cannot be seen; empty when none is left."""
    shown = "".join(c if c.isprintable() else " " for c in well_formed(text))
    line = " ".join(shown.split())
    return line if size(line) <= limit else truncate(line, limit - size("…")).rstrip() + "…"


def source_title(source: FusedSource, limit: int) -> str:
    """What a source is called: its title, else the first words of its user, else its id."""
    said = next((message.text for message in source.messages if message.role is Role.USER), "")
    candidates: Iterable[str] = (source.session.title or "", " ".join(said.split()[:_WORDS]), source.name)
    return next(filter(None, (one_title(each, limit) for each in candidates)), "session")


def choose_title(explicit: str | None, planned: str | None, titles: Sequence[str], limit: int) -> str:
    """The first of these that says something, of at most `limit` bytes."""
    joined = " + ".join(dict.fromkeys(titles))
    return next(filter(None, (one_title(each, limit) for each in (explicit or "", planned or "", joined))), "Fusion")
