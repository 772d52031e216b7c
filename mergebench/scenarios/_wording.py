"""How a fact is said: a wording of its attribute, after a way of leading into it that suits who speaks."""

from __future__ import annotations

import random
from dataclasses import dataclass

from beliefmerge.session.model import Channel
from mergebench.scenarios._things import Attribute

_LEADS = {
    Channel.USER: ("", "", "", "For the record: ", "One thing to note, ", "Before I forget, ", "Just so you know, "),
    Channel.MODEL: ("", "", "", "From what I read, ", "As far as I can see, ", "My reading is that ", "Noted, "),
    Channel.TOOL: ("", "", "", "entry found: ", "page text: ", "match: "),
    Channel.REASONING: ("", "", "Presumably ", "I would guess ", "It looks as if "),
    Channel.INJECTED: ("",),
}
_RECORDS = ("{s}, {label}: {v}", "{label} of {s} = {v}")
_OPENINGS = ("", "", "", "By the way, ", "Small update: ", "About the other matter: ", "Quick note, ")
"""Leads that suit any speaker, for two tellings that share one wording."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A way to say a fact; with a value it is a sentence."""

    lead: str
    clause: str
    """With {v} left open."""

    def say(self, value: str) -> str:
        """The sentence that gives this value."""
        text = self.lead + self.clause.format(v=value)
        return f"{text[0].upper()}{text[1:]}."


def clause_of(attribute: Attribute, wording: str, subject: str) -> str:
    """A wording of `attribute` about `subject`, the value left open."""
    return wording.format(s=subject, v="{v}", label=attribute.label)


def draw(
    rng: random.Random, attribute: Attribute, subject: str, channel: Channel, *, unlike: Wording | None = None
) -> Wording:
    """A wording for one telling on `channel`; with `unlike`, one whose clause is another."""
    choices = list(attribute.wordings) + (list(_RECORDS) if channel is Channel.TOOL else [])
    clauses = [clause_of(attribute, wording, subject) for wording in choices]
    if unlike is not None:
        clauses = [clause for clause in clauses if clause != unlike.clause]
    clause = rng.choice(clauses)
    record = any(clause == clause_of(attribute, wording, subject) for wording in _RECORDS)
    return Wording("" if record else rng.choice(_LEADS[channel]), clause)


def shared(rng: random.Random, attribute: Attribute, subject: str) -> Wording:
    """A wording for several tellings on any channels."""
    return Wording(rng.choice(_OPENINGS), clause_of(attribute, rng.choice(attribute.wordings), subject))
