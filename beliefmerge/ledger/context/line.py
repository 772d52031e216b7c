r"""One entry as one line: ``- [prefix] text``.

The text is folded to one line and printed bare where it cannot be mistaken for anything of ours, else between double
quotes, by the rules of the merged block (`beliefmerge.render.escape`). Beyond those, a bracket before one of our own
prefix words, both of whatever width, is always escaped.
"""

from __future__ import annotations

import re

from beliefmerge.ledger.context.entry import retracted
from beliefmerge.ledger.core.views import ContextEntry
from beliefmerge.render.escape import field, fold, unescape

PREFIXES = {
    "sealed_verified": "verified",
    "derived": "derived",
    "conjecture": "conjecture",
    "sealed_unverified": "uncorroborated",
}
"""Tier to prefix of the second contract, in the order of its blocks: what nobody else vouches for comes last."""
RETRACTED = "RETRACTED"

_WORDS = ("verified", "unverified", "uncorroborated", "derived", "conjecture", "sealed", "retracted")
_WIDE = 0xFEE0
"""From an ASCII character to its full-width form."""
_EITHER = "|".join("".join(f"[{letter}{chr(ord(letter) + _WIDE)}]" for letter in word) for word in _WORDS)
_FORGED = re.compile(rf"(?<!\\)[\[［](?=\W{{0,8}}(?i:{_EITHER}))")
LINE = re.compile(r"- \[([^\[\]]+)\] (.+)")


def printed(text: str) -> str:
    """`text` as it stands after a prefix."""
    return _FORGED.sub(lambda match: "\\" + match[0], field(fold(text)))


def original(shown: str) -> str:
    """The folded text that ``printed`` gave `shown` for."""
    return unescape(shown[1:-1]) if shown.startswith('"') else shown


def first_contract(entry: ContextEntry) -> str:
    """Stored tier and belief before the text; for one that was taken back, that it is retracted."""
    if retracted(entry):
        return _line(f"{RETRACTED} {entry.tier}", entry)
    return _line(f"{entry.tier} {_belief(entry.belief_ppm)}", entry)


def second_contract(entry: ContextEntry, tier: str) -> str:
    """The prefix of `tier`, and no number."""
    return _line(PREFIXES[tier], entry)


def _line(prefix: str, entry: ContextEntry) -> str:
    return f"- [{prefix}] {printed(entry.text)}\n"


def _belief(ppm: int) -> str:
    """Three digits after the point, rounded half up: integers only, so that no platform prints another one."""
    thousandths = (ppm + 500) // 1000
    return f"{thousandths // 1000}.{thousandths % 1000:03d}"
