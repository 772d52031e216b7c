"""Dead ends: an option was given up for a reason, which must still be there for the next session.

In every other case another branch, which does not know, proposes the option again on a weaker channel. As many topics
are decided by evidence, so that calling everything a dead end is no answer either.
"""

from __future__ import annotations

from beliefmerge.errors import UsageError
from beliefmerge.session.model import Channel
from mergebench.scenario import Family, Kind, Role, Topic
from mergebench.scenarios._draft import Draft, Statement, Subject, ask, draw_subjects, generate, need, question, state
from mergebench.scenarios._things import ATTRIBUTES
from mergebench.scenarios._wording import shared
from mergebench.scenarios.bridge import deal, oppose

CHOSEN = tuple(a for a in ATTRIBUTES if a.value in ("firm", "town", "typesetter", "house", "colour", "person"))
"""Attributes whose value somebody picks."""
_ENDINGS = (
    "the plan that {clause} came to nothing, as {reason}",
    "we shelved the plan that {clause}, because {reason}",
    "the thought that {clause} did not survive the week: {reason}",
    "it cannot be that {clause}: {reason}",
    "no more talk of {v} for {s}, please, {reason}",
)
_WHO = (
    "the landlord", "the insurer", "the council", "the electrician", "our neighbour", "the treasurer", "the caretaker",
    "the fire officer", "the printer's apprentice",
)  # fmt: skip
_DID = (
    "objected to the noise", "would not sign for it", "wanted twice the money", "warned of the damp",
    "found it took a month longer", "could not get a permit", "saw it fall apart in a storm", "had lost the drawings",
    "remembered what it did to the carpet",
)  # fmt: skip


def reasons(draft: Draft, count: int) -> list[str]:
    """`count` reasons, no two alike."""
    every = [f"{who} {did}" for who in _WHO for did in _DID]
    if count > len(every):
        raise UsageError(f"scenario.conflicts={count} is more than the {len(every)} reasons there are words for")
    return draft.stream("reasons").sample(every, count)


def rule_out(draft: Draft, subject: Subject, reason: str, *, proposed: bool) -> None:
    """Have one branch rule the first value out; with `proposed`, another one says on a weaker channel that it holds."""
    rng = draft.stream("rule out", subject.key)
    here, there = rng.sample(draft.branches, 2)
    wording = shared(rng, subject.attribute, subject.name)
    value = subject.values[0]
    clause = wording.clause.format(v=value)
    text = rng.choice(_ENDINGS).format(clause=clause, v=value, s=subject.name, reason=reason)
    statement = Statement(subject.key, value, f"{text[0].upper()}{text[1:]}.", denied=True)
    draft.say(here, draft.line(rng.choice((Channel.USER, Channel.TOOL)), statement, here))
    if proposed:
        draft.say(
            there, draft.line(rng.choice((Channel.MODEL, Channel.REASONING)), state(subject, value, wording), there)
        )
    draft.topics.append(Topic(subject.key, Role.REFUTED, (), (value,), subject.decoys, reason))
    asked = f"{subject.asks}, and what was ruled out there and why"
    draft.questions.append(question(Kind.PROBE, subject.key, asked, (value, reason)))


def fill(draft: Draft) -> None:
    """Dead ends, in every other case proposed again, as many conflicts that evidence decides, singles."""
    size = draft.size
    need(
        draft,
        2 * size.conflicts + size.branches,
        f"conflicts={size.conflicts} dead ends, as many decided, with branches={size.branches}",
    )
    dead = draw_subjects(draft, size.conflicts, 1, CHOSEN, "dead ends")
    for number, (subject, reason) in enumerate(zip(dead, reasons(draft, size.conflicts), strict=True)):
        rule_out(draft, subject, reason, proposed=bool((draft.seed + number) % 2))
    subjects = draw_subjects(draft, size.topics - size.conflicts)
    for subject in subjects[: size.conflicts]:
        oppose(draft, subject)
    told = deal(draft, subjects[size.conflicts :])
    ask(draft, told, [*dead, *subjects], bridges=size.topics)


FAMILY = Family(
    "dead ends ruled out with a reason: are they still there for the next session", generate("refuted", fill)
)
