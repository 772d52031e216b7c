"""The two rendering contracts. Canonical: the same set of entries gives the same bytes, whatever order they come in.

The first contract is a record: each entry with its stored tier and its belief, and for one turn a notice of what was
retracted. The second is a working set: what was invalidated is absent without a word, an entry is shown at the tier
that corroboration gives it, what is sealed but vouched for by nobody else comes last, and the order says what a number
would.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from beliefmerge.errors import UsageError, unknown
from beliefmerge.ledger.context.entry import TIERS, effective_tier, invalidated, retracted
from beliefmerge.ledger.context.line import PREFIXES, first_contract, second_contract
from beliefmerge.ledger.core.views import ContextEntry
from beliefmerge.pack.units import unit

HEADING = "# Ledger context"
CONTRACTS = ("v1", "v2")


@dataclass(frozen=True, slots=True)
class Line:
    """An entry that is shown: `text` as printed, its line break included, and the prefix in it."""

    entry: ContextEntry
    prefix: str
    text: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text, what is in it from top to bottom, and how many entries had no room."""

    text: str
    shown: tuple[Line, ...]
    omitted: int


def render(
    found: Iterable[ContextEntry],
    *,
    contract: str = "v2",
    budget: int = 1200,
    tokens: str = "chars4",
    corroboration: bool = True,
    announced: Collection[str] = (),
) -> Rendered:
    """`found` under a contract, in at most `budget` tokens of the counter `tokens`, heading included.

    Entries are taken in the order in which they stand; one that does not fit is left out, and smaller ones after it may
    still fit. Nothing that fits gives an empty text. `corroboration` false shows stored tiers (second contract).
    `announced` are the ids of retracted entries that the reader was told of: a notice is given once (first contract).
    Raises UsageError for an unknown contract or counter, or a budget below 1.
    """
    if contract not in CONTRACTS:
        raise unknown("rendering contract", contract, CONTRACTS)
    if budget < 1:
        raise UsageError(f"budget {budget} is not positive")
    distinct = {entry.id: entry for entry in found}.values()
    lines = _first(distinct, announced) if contract == "v1" else _second(distinct, corroboration=corroboration)
    return _within(lines, budget, tokens)


def _first(found: Iterable[ContextEntry], announced: Collection[str]) -> list[Line]:
    news = [e for e in found if not retracted(e) or e.id not in announced]
    news.sort(key=lambda e: (retracted(e), -TIERS.index(e.tier), -e.belief_ppm, e.id))
    return [_line(entry, first_contract(entry)) for entry in news]


def _second(found: Iterable[ContextEntry], *, corroboration: bool) -> list[Line]:
    blocks = list(PREFIXES)
    tiered = [(effective_tier(e) if corroboration else e.tier, e) for e in found if not invalidated(e)]
    tiered.sort(key=lambda pair: (blocks.index(pair[0]), -pair[1].belief_ppm, pair[1].id))
    return [_line(entry, second_contract(entry, tier)) for tier, entry in tiered]


def _line(entry: ContextEntry, text: str) -> Line:
    return Line(entry, text[text.index("[") + 1 : text.index("]")], text)


def _within(lines: Sequence[Line], budget: int, tokens: str) -> Rendered:
    units = unit(tokens)
    capacity = units.capacity(budget)
    kept: list[Line] = []
    spent = units.cost(f"{HEADING}\n")
    for each in lines:
        cost = units.cost(each.text)
        if spent + cost <= capacity:
            kept.append(each)
            spent += cost
    # A byte-pair encoder is not additive over lines: the whole is counted, and the last line goes until it fits.
    while kept and units.cost(_text(kept)) > capacity:
        kept.pop()
    return Rendered(_text(kept), tuple(kept), len(lines) - len(kept))


def _text(kept: Sequence[Line]) -> str:
    return f"{HEADING}\n" + "".join(each.text for each in kept) if kept else ""
