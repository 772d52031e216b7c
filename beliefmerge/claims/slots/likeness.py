"""Values of one slot that are one value said more or less fully: “Postgres”, “PostgreSQL 15”; “Ana”, “Ana Ruiz”."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SUFFIXES = ("ql", "sql", "db", "mq", "js", "lang")
"""What product names are said with or without: Postgres(QL), Mongo(DB), Rabbit(MQ), Node(JS), Go(lang)."""
MOST = 64
"""Values of a slot that are compared; beyond, each is its own."""


def representatives(values: Mapping[str, str]) -> dict[str, str]:
    """For identities (with a spelling each) of one slot: the fullest one that means the same, where just one does.

    A shorter value stands for a longer one when only version numbers or further capitalised names are left out, and no
    other value of the slot could be meant.
    """
    if not 2 <= len(values) <= MOST:
        return {}
    tokens = {token for identity in values for token in identity.split()}
    longer = {t: t + s for t in tokens for s in _SUFFIXES if len(t) >= 2 and t + s in tokens}
    full = {identity: " ".join(longer.get(token, token) for token in identity.split()) for identity in values}
    spelled: dict[str, str] = {}
    for identity in sorted(values):
        spelled.setdefault(full[identity], values[identity])
    out = {}
    for identity, fuller in full.items():
        wider = [other for other in spelled if other != fuller and _extends(other, fuller, spelled[other])]
        target = wider[0] if len(wider) == 1 else fuller
        if target != identity:
            out[identity] = target
    return out


def _extends(longer: str, shorter: str, spelling: str) -> bool:
    """Whether `longer` is `shorter` with a version, a year or one or two further names."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", longer) and shorter.startswith("--"):
        return longer[4:] == shorter[1:]
    if not longer.startswith(shorter + " ") or not shorter[0].isalpha():
        return False
    rest = longer[len(shorter) + 1 :].split()
    if len(rest) > 2:
        return False
    words = spelling.split()
    return all(re.fullmatch(r"v?\d[\d.:]*(?: utc)?", word) for word in rest) or (
        len(words) == len(shorter.split()) + len(rest) and all(word[0].isupper() for word in words)
    )
