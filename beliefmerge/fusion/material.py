"""What a fusion works on: the sources without secrets, their messages once, cut to size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from beliefmerge.fusion.dedup import deduplicate
from beliefmerge.fusion.limits import shorten
from beliefmerge.fusion.message import FusedMessage, FusedSource, project
from beliefmerge.fusion.options import FusionOptions
from beliefmerge.fusion.title import source_title
from beliefmerge.session.model import Session
from beliefmerge.session.text import one_line

if TYPE_CHECKING:
    from beliefmerge.session.redact import Known


@dataclass(frozen=True, slots=True)
class Material:
    """The sources without secrets: their messages, cut to size, each source's order of them, what was found."""

    sessions: Sequence[Session]
    sources: Sequence[FusedSource]
    titles: Sequence[str]
    messages: Sequence[FusedMessage]
    sequences: Sequence[Sequence[int]]
    copies: int
    warnings: tuple[str, ...]
    secrets: Known
    kinds: dict[str, int]

    def safe(self, text: str | None) -> str | None:
        """`text` without secrets, those of the sources included."""
        from beliefmerge.session.redact import redact_text

        return None if text is None else redact_text(text, self.secrets)[0]


def gather(sessions: Sequence[Session], options: FusionOptions) -> Material:
    """`sessions` as material. Secrets are replaced before anything else."""
    from beliefmerge.session.lineage import resolve
    from beliefmerge.session.redact import redact_and_learn

    redacted, kinds, secrets = redact_and_learn(resolve(sessions))
    config = options.config
    # Cut before copies are looked for: a fused session holds a long message cut, its source has it whole.
    sources = [
        replace(source, messages=tuple(shorten(message, config.max_message_bytes) for message in source.messages))
        for source in project(redacted)
    ]
    unique = deduplicate(sources, active=options.deduplicate)
    return Material(
        sessions=redacted,
        sources=sources,
        titles=[source_title(source, config.max_title_bytes) for source in sources],
        messages=unique.messages,
        sequences=unique.sequences,
        copies=unique.removed,
        warnings=tuple(_warnings(sources, unique.conflicts)),
        secrets=secrets,
        kinds=dict(sorted(kinds.items())),
    )


def _warnings(sources: Sequence[FusedSource], conflicts: Sequence[str]) -> Iterable[str]:
    if conflicts:
        shown = ", ".join(one_line(name, 80) for name in conflicts[:3]) + (", …" if len(conflicts) > 3 else "")
        ids = "message id stands" if len(conflicts) == 1 else "message ids stand"
        yield f"{len(conflicts)} {ids} for different texts ({shown}); each is kept"
    for source in sources:
        name = one_line(source.name, 84)
        if source.name != source.session.id:
            own = one_line(source.session.id, 80)
            yield f"two sources call themselves session '{own}'; the later one is '{name}' here"
        if source.session.flags:
            yield f"session '{name}': {', '.join(source.session.flags)}"
