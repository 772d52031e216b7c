"""What trajectories are about: things with one value of a kind, ways to say it, and who says it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

_GIVEN = ("Adela", "Bastien", "Corin", "Delphine", "Emrys", "Fiorella", "Gaspard", "Helmi", "Isolde", "Joachim")
_FAMILY = ("Amsel", "Berglund", "Corvina", "Drossel", "Engström", "Falkner", "Grieve", "Holm", "Ibarra", "Junker")
_FIRMS = ("Aldbury", "Branscombe", "Corrigan", "Dunmore", "Elstow", "Farringdon", "Gosforth", "Hexley", "Inverurie")
_TOWNS = ("Ystad", "Tønder", "Narva", "Kaunas", "Gorizia", "Ohrid", "Setúbal", "Trogir", "Vyborg", "Sopron")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")


def _year(rng: random.Random) -> str:
    return str(rng.randrange(1841, 1939))


def _number(low: int, high: int) -> Callable[[random.Random], str]:
    return lambda rng: str(rng.randrange(low, high))


def _person(rng: random.Random) -> str:
    return f"{rng.choice(_GIVEN)} {rng.choice(_FAMILY)}"


@dataclass(frozen=True, slots=True)
class Attribute:
    """A kind of value that a thing has one of. `wordings` have {s} for the thing and {v} for the value."""

    name: str
    subjects: tuple[str, ...]
    wordings: tuple[str, ...]
    asks: str
    draw: Callable[[random.Random], str]


ATTRIBUTES = (
    Attribute(
        "year",
        ("Elra dam", "Volk bridge", "Tammer lighthouse", "Orrin aqueduct", "Sund breakwater"),
        ("the {s} was finished in {v}", "the {s} was completed in {v}"),
        "In which year was the {s} finished?",
        _year,
    ),
    Attribute(
        "depth",
        ("Harrow quarry", "Lindle reservoir", "Brack well", "Mere shaft", "Tolland basin"),
        ("the depth of the {s} is {v} metres", "the {s} has a depth of {v} metres", "the {s} is {v} metres deep"),
        "How many metres deep is the {s}?",
        _number(31, 97),
    ),
    Attribute(
        "length",
        ("Skell canal", "Grell tunnel", "Ashby towpath", "Fell railway", "Marsh causeway"),
        ("the length of the {s} is {v} kilometres", "the {s} is {v} kilometres long"),
        "How many kilometres long is the {s}?",
        _number(112, 298),
    ),
    Attribute(
        "capacity",
        ("north cistern", "Hob silo", "Calder tank", "upper granary", "Penn vat"),
        ("the capacity of the {s} is {v} litres", "the {s} has a capacity of {v} litres", "the {s} holds {v} litres"),
        "How many litres does the {s} hold?",
        _number(4101, 9899),
    ),
    Attribute(
        "owner",
        ("Tarn mill", "Weir cottage", "Ness foundry", "Cleeve brewery", "Rowan sawmill"),
        ("the {s} is owned by {v}", "the owner of the {s} is {v}"),
        "Who owns the {s}?",
        lambda rng: rng.choice(_FIRMS),
    ),
    Attribute(
        "architect",
        ("Kett theatre", "Morrow observatory", "Quay library", "Sallow chapel", "Dene market hall"),
        ("the architect of the {s} is {v}", "the {s} was designed by {v}"),
        "Who is the architect of the {s}?",
        _person,
    ),
    Attribute(
        "seat",
        ("Merrow guild", "Pell society", "Arbour trust", "Lathe union", "Corn exchange board"),
        ("the head office of the {s} is in {v}", "the {s} is based in {v}"),
        "In which town is the head office of the {s}?",
        lambda rng: rng.choice(_TOWNS),
    ),
    Attribute(
        "port",
        ("relay server", "metrics gateway", "archive node", "billing proxy", "print spooler"),
        ("the {s} listens on port {v}", "the port of the {s} is {v}"),
        "On which port does the {s} listen?",
        _number(8101, 9899),
    ),
    Attribute(
        "inspection",
        ("goods lift", "boiler house", "east crane", "ferry ramp", "signal mast"),
        ("the inspection of the {s} takes place on {v}", "the {s} is inspected on {v}"),
        "On which day is the {s} inspected?",
        lambda rng: rng.choice(_DAYS),
    ),
)

PREMISE_LEADS = (
    "{c}",
    "According to a reader's letter, {c}",
    "From the front page: {c}",
    "Our correspondent says that {c}",
)
CORRECTION_LEADS = (
    "According to the official survey that the county commissioned, {c}",
    "The regional archive confirms that {c}",
    "The official register states that {c}",
    "From the annual report: {c}",
    "Our own records say that {c}",
    "According to the head engineer's own measurements, {c}",
    "The national catalogue says that {c}",
    "Result of a check on site: {c}",
)
"""Kept because the offline extractor reads through each of them: the compaction is measured here, and not the reading,
which is what `paraphrase` is for."""
FACT_LEADS = ("{c}", "According to the handbook, {c}", "The public register states that {c}")
NOTES = ("Noted for the report: {c}", "For the summary table: {c}", "The draft now says that {c}")
CAPTIONS = ("The caption says that {c}", "The index entry reads: {c}", "The opening sentence will be: {c}")
PLANS = (
    "For the visit we plan with this: {c}",
    "The checklist of the visit says that {c}",
    "Planned around the fact that {c}",
)

DOUBTFUL = ("orsk-daily.com", "rumour-mill.net", "village-voice.org", "evening-herald.com", "hearsay-weekly.net")
RELIABLE = (
    "county-archive.org", "hydro-survey.net", "land-registry.com", "museum-catalogue.org", "engineers-guild.net",
    "public-works.org", "field-office.com",
)  # fmt: skip
NEUTRAL = ("visitor-handbook.org", "trade-register.net", "harbour-office.com")


def sentence(lead: str, clause: str) -> str:
    """`clause` after `lead`, as a sentence."""
    said = lead.format(c=clause)
    return f"{said[0].upper()}{said[1:]}."
