"""Names and values by composition: enough for ten thousand topics of which no two can be taken for each other."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from mergebench.scenarios._things import SUBJECTS

_WHICH = (
    "northern", "southern", "eastern", "western", "upper", "lower", "inner", "outer", "former", "future", "spare",
    "rented", "borrowed", "donated", "restored", "unfinished", "mended", "smaller", "larger", "taller", "narrower",
    "wider", "oldest", "newest", "busiest", "quietest", "coldest", "warmest", "driest", "steepest", "wooden", "tin",
    "brick", "marble", "clay", "linen", "woollen", "paper", "bamboo", "slate", "hidden", "shared", "locked", "sunken",
    "floating", "portable", "folding", "rotating", "striped", "spotted", "painted", "unpainted", "heated", "unheated",
    "covered", "uncovered", "first", "last", "middle", "corner",
)  # fmt: skip
_GIVEN = (
    "Ada", "Bodil", "Cyril", "Dora", "Egon", "Freya", "Gunnar", "Hedda", "Ivar", "Jorun", "Karel", "Ludmila", "Milos",
    "Nadia", "Orla", "Pavel", "Ragna", "Stellan", "Tilde", "Ulf",
)  # fmt: skip
_HEADS = (
    "Aspen", "Birk", "Dahl", "Ekholm", "Falk", "Grann", "Hagel", "Isak", "Kvist", "Lind", "Marr", "Nord", "Oster",
    "Palm", "Quist", "Rosen", "Stark", "Thorn", "Ulm", "Vester", "Wall", "Ylva", "Zorn", "Blom", "Crag", "Dorn", "Elm",
    "Frost", "Glas", "Horn",
)  # fmt: skip
_TAILS = (
    "ander", "berg", "by", "dal", "eke", "feldt", "gren", "hart", "ing", "kvam", "lund", "mark", "nes", "off", "quell",
    "rup", "sson", "torp", "uff", "vik", "wald", "zell", "strand", "holm", "stad", "haug", "vold", "moen", "sund",
    "rud",
)  # fmt: skip


def _person(rng: random.Random) -> str:
    return f"{rng.choice(_GIVEN)} {rng.choice(_HEADS)}{rng.choice(_TAILS)}"


def _register(rng: random.Random) -> str:
    return str(rng.randrange(100_001, 999_999))


def _code(rng: random.Random) -> str:
    letters = "ABCDEFGHJKLMNPQRTUVWXYZ"
    return f"{rng.choice(letters)}{rng.choice(letters)}-{rng.randrange(1010, 9990)}"


def _shelf(rng: random.Random) -> str:
    return f"{rng.choice(_HEADS)}{rng.choice(_TAILS)} {rng.randrange(101, 999)}"


@dataclass(frozen=True, slots=True)
class Trait:
    """Something that can be said of a subject; as `mergebench.scenarios._things.Attribute`, with its own draw."""

    label: str
    draw: Callable[[random.Random], str]
    asks: str
    wordings: tuple[str, ...]


TRAITS = (
    Trait("warden", _person, "who is the warden of {s}", (
        "{v} is warden of {s}",
        "the warden of {s} is {v}",
        "{s} has {v} for a warden",
    )),
    Trait("register number", _register, "what is the register number of {s}", (
        "{s} stands in the register as {v}",
        "the register lists {s} as {v}",
        "{v} is the register number of {s}",
    )),
    Trait("tag", _code, "which tag does {s} bear", (
        "{s} bears the tag {v}",
        "the tag on {s} reads {v}",
        "{v} is the tag of {s}",
    )),
    Trait("shelf", _shelf, "on which shelf are the papers of {s}", (
        "the papers of {s} are on shelf {v}",
        "look for the papers of {s} on shelf {v}",
        "shelf {v} has the papers of {s}",
    )),
)  # fmt: skip


def subjects() -> list[str]:
    """Every name that can be composed."""
    every = [name.removeprefix("the ") for group in SUBJECTS.values() for name in group]
    return [f"the {which} {name}" for name in every for which in _WHICH]
