"""What scenarios are about: subjects of everyday projects, what can be said of them, and the values it can take."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from mergebench.scenarios import _quantities

SUBJECTS: dict[str, tuple[str, ...]] = {
    "venue": (
        "the chapel hall", "the east greenhouse", "the rooftop terrace", "the village library", "the pottery studio",
        "the climbing gym", "the orchard barn", "the map room", "the night shelter", "the ferry lounge",
    ),
    "circle": (
        "the alto section", "the pruning crew", "the first-aid team", "the costume workshop", "the survey party",
        "the translation desk", "the tasting panel", "the choir board", "the rowing squad", "the seed exchange",
    ),
    "event": (
        "the spring fair", "the lantern walk", "the alumni dinner", "the harvest supper", "the regatta",
        "the book swap", "the blood drive", "the chess open", "the pilot screening", "the repair café",
    ),
    "device": (
        "the cold room", "the kiln", "the irrigation pump", "the label printer", "the bread oven",
        "the centrifuge", "the weather buoy", "the backup server", "the telescope mount", "the cargo bike",
    ),
    "work": (
        "the field guide", "the grant report", "the exhibition catalogue", "the radio play", "the parish newsletter",
        "the vaccination study", "the tenancy handbook", "the mosaic", "the mobile app", "the survey questionnaire",
    ),
}  # fmt: skip

_GIVEN = (
    "Ilse", "Tomas", "Farida", "Bram", "Noor", "Yusuf", "Greta", "Mateo", "Anouk", "Piotr", "Leila", "Sven", "Chiara",
    "Dario", "Ingrid", "Kofi", "Marit", "Ravi", "Selma", "Viktor",
)  # fmt: skip
_FAMILY = (
    "Marchetti", "Lindqvist", "Okonkwo", "Haverkamp", "Petrov", "Aldana", "Rasmussen", "Takeda", "Vasquez", "Whitlock",
    "Brandl", "Castellane", "Dlamini", "Eriksen", "Fontaine", "Gruber", "Hosseini", "Ivanova", "Jansen", "Kowalski",
)  # fmt: skip
_TOWNS = (
    "Lindau", "Porvoo", "Tavira", "Kotor", "Bruges", "Visby", "Sintra", "Zadar", "Cobh", "Ronda", "Delft", "Piran",
    "Ghent", "Oban", "Matera", "Tartu", "Lucca", "Bergen", "Colmar", "Sibiu",
)  # fmt: skip
_FIRMS = (
    "Brightwell", "Nordkap", "Halvorsen", "Pinecrest", "Calloway", "Tessera", "Quillon", "Meridian", "Oakhurst",
    "Larkspur", "Vantage", "Copperfield", "Solveig", "Ashdown", "Marlowe", "Zephyrine",
)  # fmt: skip
_COLOURS = (
    "ochre", "vermilion", "crimson", "ivory", "mustard", "lavender", "charcoal", "russet", "maroon", "olive", "coral",
    "indigo", "sepia", "emerald", "salmon", "cobalt",
)  # fmt: skip
_MONTHS = ("March", "April", "May", "June", "September", "October", "November")
_TYPESETTERS = ("Typst", "Scribus", "InDesign", "Pandoc", "LyX", "Affinity", "QuarkXPress", "Asciidoctor", "FrameMaker")
_HOUSES = (
    "Alder House", "Pier Cottage", "Mill Annexe", "Quarry Lodge", "Tower Block", "Canal Depot", "Granary Loft",
    "Harbour Office", "Abbey Gatehouse", "Station Kiosk", "Castle Stables", "Brewery Yard",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _person(rng: random.Random) -> str:
    return f"{rng.choice(_GIVEN)} {rng.choice(_FAMILY)}"


def _amount(rng: random.Random) -> str:
    """61 to 989, never round: round numbers are what budgets and counts are made of."""
    while True:
        drawn = rng.randrange(61, 990)
        if drawn % 10:
            return str(drawn)


def _clock(rng: random.Random) -> str:
    return f"{rng.randrange(6, 22):02d}:{rng.randrange(5, 60, 5):02d}"


def _date(rng: random.Random) -> str:
    return f"{rng.randrange(1, 29)} {rng.choice(_MONTHS)}"


def _part(rng: random.Random) -> str:
    letters = "ABCDEFGHJKLMNPQRTUVWXYZ"
    return f"{rng.choice(letters)}{rng.choice(letters)}-{rng.randrange(110, 990)}"


_DRAWS: dict[str, Callable[[random.Random], str]] = {
    "person": _person,
    "amount": _amount,
    "clock": _clock,
    "date": _date,
    "part": _part,
    "town": lambda rng: rng.choice(_TOWNS),
    "firm": lambda rng: rng.choice(_FIRMS),
    "colour": lambda rng: rng.choice(_COLOURS),
    "typesetter": lambda rng: rng.choice(_TYPESETTERS),
    "house": lambda rng: rng.choice(_HOUSES),
    "day": lambda rng: rng.choice(_DAYS),
    "km": lambda rng: _quantities.draw(rng, "km"),
    "kg": lambda rng: _quantities.draw(rng, "kg"),
    "hours": lambda rng: _quantities.draw(rng, "hours"),
    "weeks": lambda rng: _quantities.draw(rng, "weeks"),
    "word": _quantities.draw_word,
}


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that can be said of a subject, one value at a time: two values of it cannot both hold.

    `wordings` have {s} for the subject and {v} for the value and are clauses without a full stop; `label` is what a
    form or a record calls it; `asks` is a question's clause.
    """

    label: str
    value: str
    asks: str
    wordings: tuple[str, ...]
    subjects: tuple[str, ...]

    def draw(self, rng: random.Random) -> str:
        """A value of this attribute."""
        return _DRAWS[self.value](rng)


_ALL = tuple(SUBJECTS)

ATTRIBUTES: tuple[Attribute, ...] = (
    Attribute("contact person", "person", "who is the contact for {s}", (
        "{v} is the person to ask about {s}",
        "all questions about {s} go to {v}",
        "{s} is in the hands of {v}",
        "{v} alone answers for {s}",
        "the first to call about {s} is {v}",
    ), _ALL),
    Attribute("key holder", "house", "where is the key to {s} kept", (
        "the key to {s} hangs in the {v}",
        "you pick up the key for {s} at the {v}",
        "the {v} keeps the key of {s}",
        "anyone who wants to unlock {s} fetches the key from the {v}",
    ), ("venue", "device")),
    Attribute("capacity", "amount", "how many people fit into {s}", (
        "{s} holds {v} people",
        "we can seat {v} guests in {s}",
        "{v} visitors is the most {s} takes",
        "fire rules cap {s} at {v} persons",
        "with {v} heads {s} is full",
    ), ("venue",)),
    Attribute("opening time", "clock", "when does {s} open", (
        "{s} opens at {v}",
        "the doors of {s} are unlocked at {v}",
        "nobody gets into {s} before {v}",
        "from {v} onwards you can walk into {s}",
    ), ("venue",)),
    Attribute("wall colour", "colour", "what colour does {s} get", (
        "{s} gets painted {v}",
        "the walls of {s} will be {v}",
        "we picked {v} for the walls of {s}",
        "{v} is the shade chosen for {s}",
    ), ("venue",)),
    Attribute("meeting day", "day", "which day does {s} meet", (
        "{s} meets on {v}",
        "the weekly session of {s} falls on {v}",
        "{v} is when {s} gets together",
        "you will find {s} assembled every {v}",
    ), ("circle",)),
    Attribute("number of members", "amount", "how many members does {s} have", (
        "{s} has {v} members",
        "there are {v} names on the roll of {s}",
        "{v} people belong to {s}",
        "the headcount of {s} stands at {v}",
    ), ("circle",)),
    Attribute("base", "house", "where is {s} based", (
        "{s} works out of the {v}",
        "the {v} is home to {s}",
        "the address of {s} is the {v}",
        "{s} has its base in the {v}",
    ), ("circle", "work")),
    Attribute("date", "date", "when does {s} take place", (
        "{s} takes place on {v}",
        "we fixed {v} as the date of {s}",
        "{s} is down for {v} in the calendar",
        "{v} is reserved for {s}",
    ), ("event",)),
    Attribute("host town", "town", "which town hosts {s}", (
        "{s} is held in {v}",
        "{v} hosts {s} this year",
        "this time the town for {s} is {v}",
        "the stage for {s} is {v}",
    ), ("event",)),
    Attribute("ticket price", "amount", "what does a ticket for {s} cost", (
        "a ticket for {s} costs {v} crowns",
        "entry to {s} is {v} crowns",
        "you pay {v} crowns to get into {s}",
        "{v} crowns buys admission to {s}",
    ), ("event",)),
    Attribute("main sponsor", "firm", "who is the main sponsor of {s}", (
        "{v} is the main sponsor of {s}",
        "most of the money for {s} comes from {v}",
        "the biggest cheque for {s} is signed by {v}",
        "our chief backer for {s} is {v}",
    ), ("event", "work")),
    Attribute("set point", "amount", "what temperature is {s} set to", (
        "{s} runs at {v} kelvin",
        "we keep {s} at {v} kelvin",
        "the dial of {s} points to {v} kelvin",
        "{v} kelvin is the setting for {s}",
    ), ("device",)),
    Attribute("maker", "firm", "who built {s}", (
        "{v} built {s}",
        "{s} came from {v}",
        "the maker of {s} is {v}",
        "we bought {s} from {v}",
    ), ("device",)),
    Attribute("serial number", "part", "what is the serial number of {s}", (
        "the serial number of {s} is {v}",
        "{s} carries the serial number {v}",
        "{v} is stamped into {s} as its serial number",
        "the rating plate on {s} reads {v}",
    ), ("device",)),
    Attribute("page count", "amount", "how many pages does {s} have", (
        "{s} runs to {v} pages",
        "there are {v} pages in {s}",
        "the printer expects {v} pages for {s}",
        "{v} pages is the length of {s}",
    ), ("work",)),
    Attribute("layout program", "typesetter", "which program is {s} laid out in", (
        "{s} is laid out in {v}",
        "{v} is what we typeset {s} with",
        "the source of {s} opens in {v}",
        "we make up {s} with {v}",
    ), ("work",)),
    Attribute("submission date", "date", "when is {s} due", (
        "{s} is due on {v}",
        "we hand in {s} on {v}",
        "{v} is the last day for {s}",
        "the cut-off for {s} falls on {v}",
    ), ("work",)),
)  # fmt: skip
