"""A merged block that is read again: what a merge once printed is no new testimony.

Of its lines only settled values are read, and a claim is made of one only where nobody speaks of its slot in his own
words (`beliefmerge.claims.assemble`): a session that was fused from a block still says what the block says, and a block
that comes back beside its sources adds nothing to them.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from beliefmerge.algebra.evidence import Evidence
from beliefmerge.session.model import MERGED_HEADING, Block, Channel
from beliefmerge.session.notices import MERGED_BANNER

_LABELS = rf"\[(?:{'|'.join(evidence.label for evidence in Evidence)})(?: x[0-9]+)?(?:, [A-Za-z]+)*+\]"
_PRINTED = re.compile(
    rf"^[ \t>]*+(?:(?:{MERGED_HEADING}|{re.escape(MERGED_BANNER)})[ \t\r]*+$"
    rf'|- (?P<item>[^"\[\n]++){_LABELS}(?! \|).*$'
    rf"|- .*{_LABELS}.*$"
    r"|\((?:omitted|unresolved|adjudicated|retracted) [0-9]+[);].*$)",
    re.MULTILINE,
)
"""The heading, the banner, an item with its labels, the footer. Other lines may be somebody's own, added to it."""
_MARKED = re.compile(r"(?:RETRACTED|ADJUDICATED|DISPUTED|COMPATIBLE|CONDITIONAL|REFUTED|not) ")


class Echoes:
    """The lines of `block` that a merge printed."""

    def __init__(self, block: Block) -> None:
        pasted = block.channel is Channel.INJECTED and MERGED_HEADING in block.text
        self._lines = list(_PRINTED.finditer(block.text)) if pasted else []
        self.items = [place for line in self._lines if (place := _settled(line))]
        """Where ``key: value`` of a settled value stands, in order."""
        self.unread = len(self._lines) - len(self.items)
        """How many lines are none of them."""

    def __contains__(self, place: int) -> bool:
        i = bisect_right(self._lines, place, key=re.Match.start)
        return i > 0 and place < self._lines[i - 1].end()


def _settled(line: re.Match[str]) -> tuple[int, int] | None:
    item = (line["item"] or "").rstrip()
    key, _, value = item.partition(": ")
    if not (key.strip() and value) or _MARKED.match(value):
        return None
    return line.start("item"), line.start("item") + len(item)
