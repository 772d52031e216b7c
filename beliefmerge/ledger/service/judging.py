"""Which embedder near-copies are told by, as the ledger's directory records it.

Counts of origins, and with them beliefs and verdicts, are functions of the log and of the embedder. So a directory
keeps the one it began with: another is taken only where that is asked for.
"""

from __future__ import annotations

from pathlib import Path

from beliefmerge.errors import UsageError
from beliefmerge.files import write_atomically
from beliefmerge.ledger.core.embedding import Embed
from beliefmerge.ledger.store.log import EMPTY, Log

NONE = "none"
FILE = "embedder"


def judging(data: Path, log: Log, asked: str | None = None, *, change: bool = False) -> tuple[str, Embed | None]:
    """The full name of the embedder of the ledger in `data`, and what it maps texts by; None where words alone count.

    `asked` is ``none`` or a registered embedder; without it, what is recorded, and of a new ledger ``none``. Raises
    UsageError where another is recorded and no `change` is wanted, ModelError where it is not installed.
    """
    path = data / FILE
    recorded = _recorded(path, log)
    full, embed = _named(asked or (recorded or NONE).partition(":")[0])
    if recorded not in (None, full) and not change:
        raise UsageError(
            f"{path}: origins are counted with the embedder {recorded} here, not with {full}; with --change-embedder "
            "they are counted anew, and beliefs may change"
        )
    if recorded != full:
        write_atomically(path, full + "\n")
    return full, embed


def _recorded(path: Path, log: Log) -> str | None:
    """What is recorded; ``none`` for entries that were judged where nothing was, None for a new ledger."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return NONE if any(log.head(tenant) != EMPTY for tenant in log.tenants()) else None
    except (OSError, UnicodeError) as error:
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or 'not UTF-8'}") from None


def _named(name: str) -> tuple[str, Embed | None]:
    if name == NONE:
        return NONE, None
    from beliefmerge.ledger.verifier.embedders import embedder

    model = embedder(name)
    model.embed([NONE])  # what is missing is said now, not at the first request
    return model.name, lambda text: model.embed([text])[0]
