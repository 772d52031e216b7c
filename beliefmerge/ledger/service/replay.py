"""Replaying a seal: whether what was sealed is still there, and still the same."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from beliefmerge.ledger.content import NotCanonical
from beliefmerge.ledger.content import content as shimmed
from beliefmerge.ledger.core.entries import Observation
from beliefmerge.ledger.service.pinned import NotAllowed, NotReached, Reach, check
from beliefmerge.ledger.service.reacquirers import REACQUIRERS
from beliefmerge.ledger.store.errors import BlobDamaged, UnknownBlob


@dataclass(frozen=True, slots=True)
class Replayed:
    """`outcome`: match, mismatch, unreachable (nothing to compare with) or refused (the allow-list forbids it)."""

    outcome: Literal["match", "mismatch", "unreachable", "refused"]
    method: Literal["reacquired", "rehashed"]
    observed: str | None = None
    detail: str = ""


def replay(seal: Observation, blob: Callable[[], bytes], reach: Reach) -> Replayed:
    """Acquire the content again where the tool is allow-listed and deterministic; else hash its stored `blob` again.

    A volatile tool is not run again: another answer of it would say nothing. A seal that names an address which may not
    be asked is refused either way.
    """
    again = seal.determinism == "deterministic" and seal.tool in REACQUIRERS
    method: Literal["reacquired", "rehashed"] = "reacquired" if again else "rehashed"
    try:
        for address in _addresses(seal):
            check(address, reach)
        content = REACQUIRERS[seal.tool].acquire(seal.url, seal.args, reach) if again else blob()
    except NotAllowed as refused:
        return Replayed("refused", method, detail=str(refused))
    except NotReached as missed:
        return Replayed("unreachable", method, detail=str(missed))
    except UnknownBlob as missing:
        return Replayed("unreachable", method, detail=str(missing))
    except BlobDamaged as damaged:
        return Replayed("mismatch", method, detail=str(damaged))
    observed = [sha256(form).hexdigest() for form in _forms(content, seal, again=again)]
    if seal.content_hash in observed:
        return Replayed("match", method, seal.content_hash)
    return Replayed("mismatch", method, observed[0])


def _forms(raw: bytes, seal: Observation, *, again: bool) -> list[bytes]:
    """What may have been sealed for `raw`: the bytes as they came and, of a new answer, the form that a shim seals."""
    forms = [raw]
    if again:
        args = seal.args if isinstance(seal.args, dict) else {}
        with contextlib.suppress(NotCanonical):
            forms.append(shimmed(raw, args).data)
    return forms


def _addresses(seal: Observation) -> list[str]:
    """Each address the seal names."""
    named = [seal.url, seal.args.get("url") if isinstance(seal.args, dict) else None]
    return [address for address in named if isinstance(address, str)]
