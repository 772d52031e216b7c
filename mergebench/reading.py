"""What a context presents: its items, and of which values it says that they hold.

A rendered block is parsed; any other text is one item a line, and presents all it shows as holding.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from beliefmerge.algebra.decision import Outcome
from beliefmerge.algebra.evidence import Trust
from beliefmerge.render.escape import MalformedBlock
from beliefmerge.render.parse import parse
from beliefmerge.render.parsed import ParsedItem, ParsedSide, PrintedStatus
from mergebench.arm import Output
from mergebench.match import shows, without


@dataclass(frozen=True, slots=True)
class Item:
    """One thing a context says.

    `holds` and `fallen` are values it shows as holding and as not holding; `words` is what else it says in the voice of
    a claim (its key and quotes, or the whole line of a plain text). `trust` is its label, None where nothing is
    labelled.
    """

    holds: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()
    words: str = ""
    key: str = ""
    disputed: bool = False
    retracted: bool = False
    trust: Trust | None = None

    @property
    def shown(self) -> str:
        """All its text."""
        return "\n".join([*self.holds, *self.fallen, self.words])


@dataclass(frozen=True)
class Reading:
    """An output and what it presents."""

    output: Output
    items: tuple[Item, ...]
    banner: bool = False

    @property
    def text(self) -> str:
        """What is printed."""
        return self.output.text

    @cached_property
    def sides(self) -> tuple[tuple[str, str, str], ...]:
        """(key, value, printed quote or nothing) of each value a block shows."""
        return tuple(
            (item.key, side.value, side.quote.text if side.quote else "")
            for item in (_parsed(self.output.text) if self.output.block else ())
            for side in item.sides
        )

    def presents(self, value: str, winners: Iterable[str] = (), quotes: Iterable[str] = ()) -> bool:
        """Whether `value` is presented as holding.

        `winners` are values it may be named beside without being held: in an item that holds one of them, only the
        item's values count. `quotes` are passages, told for a winner, that name `value`: taken out wherever they stand.
        """
        winners, quotes = tuple(winners), tuple(quotes)
        return any(self._holds(item, value, winners, quotes) for item in self.items)

    @staticmethod
    def _holds(item: Item, value: str, winners: tuple[str, ...], quotes: tuple[str, ...]) -> bool:
        if item.holds and any(shows(held, value) for held in item.holds):
            return True
        if item.retracted or (item.fallen and any(shows(fallen, value) for fallen in item.fallen)):
            return False
        if item.holds and any(shows(held, winner) for held in item.holds for winner in winners):
            return False
        return shows(without(item.words, quotes) if quotes else item.words, value)


def read(output: Output) -> Reading:
    """What `output` presents. Raises MalformedBlock when it claims to be a block and is none."""
    if not output.block:
        return Reading(output, tuple(Item(words=line) for line in output.text.splitlines() if line.strip()))
    parsed = parse(output.text)
    return Reading(output, tuple(_item(item) for item in parsed.items), parsed.banner)


def _parsed(text: str) -> tuple[ParsedItem, ...]:
    try:
        return parse(text).items
    except MalformedBlock:
        return ()


def _item(item: ParsedItem) -> Item:
    dead = item.status is PrintedStatus.RETRACTED
    live = [side for side in item.sides if not (dead or side.denied or side.retracted)]
    fallen = [side for side in item.sides if side not in live]
    quotes = [side.quote.text for side in (item.sides if dead else live) if side.quote]
    return Item(
        holds=tuple(side.value for side in live),
        fallen=tuple(side.value for side in fallen),
        words="\n".join([item.key, *quotes]),
        key=item.key,
        disputed=item.outcome is Outcome.DISPUTED,
        retracted=dead or not live,
        trust=_lowest(item.sides),
    )


def _lowest(sides: tuple[ParsedSide, ...]) -> Trust:
    return min(side.trust for side in sides)
