"""The second reading: every label from the claims again, by the definitions, with none of the algebra's code.

Slow and obvious on purpose (quadratic in a slot's assertions of one speaker and stance), and only for the slots asked
for and what they rest on. `beliefmerge.verify` holds a rendered block against it; tests hold the fast path against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import TypeAlias

from beliefmerge.algebra.annotation import Justification, Premise
from beliefmerge.algebra.decision import Outcome, Stance
from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.algebra.history import Chain, History
from beliefmerge.algebra.score import Score
from beliefmerge.claims.claim import Claim
from beliefmerge.slot import Resolution

OUT = -1
"""The grade of what no route supports; else a grade is a trust level."""

Place: TypeAlias = tuple[int, int, int]


@dataclass(eq=False, slots=True)
class Telling:
    """One assertion, its copies folded: the greatest trust among them, and all else from the copies of that trust."""

    stance: Stance
    evidence: Evidence
    trust: Trust
    speaker: str
    message: str
    seq: int
    place: tuple[int, int, int]
    """(block, start, end)."""
    histories: tuple[History, ...]
    justifications: tuple[Justification, ...]
    claims: tuple[Claim, ...]
    """The copies, in canonical order."""
    position: Place = (0, 0, 0)

    @property
    def identity(self) -> tuple[object, ...]:
        """What copies share."""
        return (self.message, *self.place, self.stance.value, self.stance.denied)

    def follows(self, other: Telling) -> bool:
        """Whether `other` lies in this one's history, or earlier in the same message."""
        if self.message == other.message:
            return other.place[:2] < self.place[:2]
        return any(other.message in history for history in self.histories)


@dataclass(frozen=True, slots=True)
class Voice:
    """An opinion: an assertion that nothing supersedes, its witness and what it rests on."""

    telling: Telling
    witness: tuple[object, ...]
    grounds: tuple[Justification, ...]


@dataclass(frozen=True, slots=True)
class ExpectedSide:
    """What may be printed of one stance."""

    stance: Stance
    spelling: str
    evidence: Evidence
    witnesses: int
    trust: Trust
    retracted: bool
    guard: str | None
    quotes: tuple[str, ...]
    """What its opinions' spans hold."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What may be printed of one slot."""

    outcome: Outcome
    sides: tuple[ExpectedSide, ...]
    adjudicated: bool
    retracted: bool
    routes: tuple[frozenset[Premise], ...]
    """The best satisfied justifications that name a premise; any one of them may be printed."""
    unmet: frozenset[Premise]


@dataclass(slots=True)
class _Decided:
    """A slot before derivation."""

    outcome: Outcome
    shown: frozenset[Stance]
    holding: frozenset[Stance]
    voices: Mapping[Stance, Sequence[Voice]]
    adjudicated: bool = False
    guards: Mapping[Stance, str] = field(default_factory=dict)


class BadResolution(ValueError):
    """A resolution that its tie does not allow."""


def rederive(
    keys: Iterable[str], claims: Iterable[Claim], score: Score, resolutions: Mapping[str, Resolution]
) -> dict[str, Expected]:
    """What the claims allow to be printed of `keys`. Raises BadResolution; a key nobody made a claim of is left out."""
    by_key: dict[str, list[Claim]] = {}
    for claim in claims:
        by_key.setdefault(claim.key, []).append(claim)
    wanted = [key for key in keys if key in by_key]
    decided: dict[str, _Decided] = {}
    waiting = list(wanted)
    while waiting:
        key = waiting.pop()
        if key in decided or key not in by_key:
            continue
        decided[key] = _decide(by_key[key], score, resolutions.get(key))
        waiting += sorted({p.key for justification in _grounds(decided[key]) for p in justification})
    grades = _grades(decided)
    return {key: _expected(key, decided, grades) for key in wanted}


def _decide(claims: Sequence[Claim], score: Score, resolution: Resolution | None) -> _Decided:
    highest = max(claim.assertion.trust for claim in claims)
    multi = any(claim.multi for claim in claims if claim.assertion.trust == highest)
    voices: dict[Stance, list[Voice]] = {}
    by_speaker: dict[str, list[Telling]] = {}
    for telling in fold(claims):
        by_speaker.setdefault(telling.speaker, []).append(telling)
    for tellings in by_speaker.values():
        for voice in opinions(tellings, multi=multi):
            voices.setdefault(voice.telling.stance, []).append(voice)
    outcome, shown = weigh(voices, score, multi=multi)
    settled = outcome in (Outcome.RESOLVED, Outcome.COMPATIBLE)
    slot = _Decided(outcome, shown, shown if settled else frozenset(), voices)
    return slot if resolution is None or outcome is not Outcome.DISPUTED else _adjudicated(slot, resolution)


def fold(claims: Iterable[Claim]) -> list[Telling]:
    """Tellings with their copies folded."""
    copies: dict[object, list[Claim]] = {}
    for claim in claims:
        copies.setdefault(claim.assertion.identity, []).append(claim)
    tellings = []
    for group in copies.values():
        trust = max(claim.assertion.trust for claim in group)
        best = sorted((c for c in group if c.assertion.trust == trust), key=lambda c: c.order)
        said = [claim.assertion for claim in best]
        first = min(said, key=lambda a: (a.seq, a.speaker))
        tellings.append(
            Telling(
                stance=Stance(first.value, first.denied),
                evidence=max(a.evidence for a in said),
                trust=trust,
                speaker=first.speaker,
                message=first.message,
                seq=first.seq,
                place=(first.block, first.start, first.end),
                histories=tuple(dict.fromkeys(a.history for a in said)),
                justifications=tuple({j for a in said for j in a.justifications}),
                claims=tuple(best),
            )
        )
    return tellings


def opinions(tellings: Sequence[Telling], *, multi: bool) -> Iterator[Voice]:
    """The opinions of one speaker."""
    _set_positions(tellings)
    for related in _related(tellings):
        yield from _opinions(related, multi=multi)


def _opinions(tellings: Sequence[Telling], *, multi: bool) -> Iterator[Voice]:
    strongest_first = sorted(tellings, key=lambda t: (t.evidence, t.position), reverse=True)
    by_stance: dict[Stance, list[Telling]] = {}
    for telling in tellings:
        by_stance.setdefault(telling.stance, []).append(telling)
    for x in tellings:
        if any(_supersedes(y, x, multi=multi) for y in strongest_first):
            continue
        earlier = [y for y in by_stance[x.stance] if y.trust >= x.trust and x.follows(y)]
        root = min([x, *earlier], key=_when)
        grounds = x.justifications
        if not grounds:
            told = [y for y in earlier if y.justifications]
            grounds = max(told, key=_when).justifications if told else ()
        yield Voice(x, root.identity, grounds or (frozenset(),))


def _related(tellings: Sequence[Telling]) -> Iterable[list[Telling]]:
    """`tellings` in groups, such that two of different groups share no chain and so cannot be compared."""
    group: dict[str, set[str]] = {t.message: {t.message} for t in tellings}
    chains = {id(h.chain): h.chain for t in tellings for h in t.histories}
    linked = {i: _shared(group.keys(), chain) for i, chain in chains.items()}
    for t in tellings:
        for h in t.histories:
            linked[id(h.chain)].append(t.message)
    for messages in linked.values():
        for message in messages[1:]:
            here, there = sorted((group[messages[0]], group[message]), key=len, reverse=True)
            if here is not there:
                here |= there
                group.update(dict.fromkeys(there, here))
    together: dict[int, list[Telling]] = {}
    for t in tellings:
        together.setdefault(id(group[t.message]), []).append(t)
    return together.values()


def _shared(messages: Set[str], chain: Chain) -> list[str]:
    """Those of `messages` that lie on `chain`, in its order."""
    smaller, larger = sorted((messages, chain.index.keys()), key=len)
    return sorted((m for m in smaller if m in larger), key=chain.index.__getitem__)


def _when(telling: Telling) -> tuple[Place, tuple[object, ...]]:
    return (telling.position, telling.identity)


def _supersedes(y: Telling, x: Telling, *, multi: bool) -> bool:
    same_value = y.stance == x.stance or y.stance.value == x.stance.value
    both_asserted = not y.stance.denied and not x.stance.denied
    if not (same_value or (both_asserted and not multi)):
        return False
    if y.trust < x.trust or y.evidence < x.evidence or not (y.follows(x) or x.follows(y)):
        return False
    if y.message == x.message:
        return (y.evidence, y.place[:2]) > (x.evidence, x.place[:2])
    return (y.evidence, y.position) > (x.evidence, x.position)


def _set_positions(tellings: Sequence[Telling]) -> None:
    """A message's place in the order that all histories make together, or its sequence number if they disagree."""
    depths = _depths(tellings)
    for t in tellings:
        t.position = (t.seq if depths is None else depths[t.message], *t.place[:2])


def _depths(tellings: Sequence[Telling]) -> Mapping[str, int] | None:
    messages = {t.message for t in tellings}
    before: dict[str, set[str]] = {message: set() for message in messages}
    chains: dict[int, Chain] = {id(h.chain): h.chain for t in tellings for h in t.histories}
    for chain in chains.values():
        for earlier, later in pairwise(_shared(messages, chain)):
            before[later].add(earlier)
    for t in tellings:
        for h in t.histories:
            if t.message in h:
                return None
            if t.message not in h.chain.index:
                before[t.message].update(m for m in _shared(messages, h.chain) if m in h)
    depths: dict[str, int] = {}
    try:
        for message in TopologicalSorter(before).static_order():
            depths[message] = max((depths[m] + 1 for m in before[message]), default=0)
    except CycleError:
        return None
    return depths


def weigh(voices: Mapping[Stance, Sequence[Voice]], score: Score, *, multi: bool) -> tuple[Outcome, frozenset[Stance]]:
    """The outcome and the stances it is about."""
    values = {stance.value for stance in voices}
    if not values:
        return Outcome.EMPTY, frozenset()
    nets = {v: _net(voices.get(Stance(v), ()), voices.get(Stance(v, True), ()), score) for v in values}
    zero = tuple(0 for _ in next(iter(nets.values())))
    standing = {v for v in values if nets[v] > zero}
    if not standing:
        balanced = {v for v in values if nets[v] == zero}
        if balanced:
            return Outcome.DISPUTED, frozenset(Stance(v, d) for v in balanced for d in (False, True))
        return Outcome.REFUTED, frozenset(Stance(v, True) for v in values)
    if not multi:
        greatest = max(nets[v] for v in standing)
        standing = {v for v in standing if nets[v] == greatest}
    stances = frozenset(Stance(v) for v in standing)
    if len(stances) == 1:
        return Outcome.RESOLVED, stances
    return (Outcome.COMPATIBLE if multi else Outcome.DISPUTED), stances


def _net(support: Sequence[Voice], denial: Sequence[Voice], score: Score) -> tuple[int, ...]:
    net: list[int] = []
    for level in (Trust.TRUSTED, Trust.EXTERNAL, Trust.UNTRUSTED):
        plus, minus = (score.total(_levels(side, level)) for side in (support, denial))
        net += [p - m for p, m in zip(plus, minus, strict=True)]
    return tuple(net)


def _levels(voices: Sequence[Voice], level: Trust) -> list[int]:
    """Evidence of the witnesses whose greatest trust is `level`: for each the greatest at that level."""
    heard: dict[tuple[object, ...], tuple[Trust, Evidence]] = {}
    for voice in voices:
        new = (voice.telling.trust, voice.telling.evidence)
        heard[voice.witness] = max(new, heard.get(voice.witness, new))
    return sorted((int(evidence) for trust, evidence in heard.values() if trust == level), reverse=True)


def _adjudicated(slot: _Decided, resolution: Resolution) -> _Decided:
    chosen = resolution.chosen
    if resolution.outcome == "unresolvable":
        return slot
    if not chosen <= slot.shown:
        raise BadResolution("a value that is not among the tied ones is chosen")
    if resolution.outcome == "choose" and len(chosen) == 1:
        return _Decided(Outcome.RESOLVED, chosen, chosen, slot.voices, adjudicated=True)
    if resolution.outcome == "both" and len(chosen) > 1:
        return _Decided(Outcome.COMPATIBLE, chosen, chosen, slot.voices, adjudicated=True)
    guards = {stance: guard for stance in chosen if (guard := resolution.guard(stance))}
    if resolution.outcome == "conditional" and chosen and guards.keys() == chosen:
        return _Decided(Outcome.CONDITIONAL, chosen, frozenset(), slot.voices, adjudicated=True, guards=guards)
    raise BadResolution(f"the outcome {resolution.outcome!r} does not fit what is chosen")


def _grounds(slot: _Decided) -> set[Justification]:
    return {j for stance in slot.shown for voice in slot.voices[stance] for j in voice.grounds}


Grades: TypeAlias = Mapping[tuple[str, Stance], int]


def _grades(decided: dict[str, _Decided]) -> Grades:
    """Least fixpoint from "nothing is supported" of max over opinions and routes of min(own trust, premises).

    A slot is looked at again when one that it rests on has changed: in a file that means harm, rounds over all of them
    can be as many as there are slots.
    """
    grades = {(key, stance): OUT for key, slot in decided.items() for stance in slot.shown}
    users: dict[str, set[str]] = {}
    for key, slot in decided.items():
        for premise in {p.key for justification in _grounds(slot) for p in justification}:
            users.setdefault(premise, set()).add(key)
    # Premises were found after what rests on them: backwards, most of it settles in the first round.
    waiting = dict.fromkeys(reversed(decided))
    while waiting:
        changed: dict[str, None] = {}
        for key in waiting:
            slot = decided[key]
            for stance in slot.shown:
                new = max(
                    min(int(voice.telling.trust), _reach(justification, decided, grades))
                    for voice in slot.voices[stance]
                    for justification in voice.grounds
                )
                if new != grades[key, stance]:
                    changed.update(dict.fromkeys(users.get(key, ())))
                grades[key, stance] = new
        waiting = changed
    return grades


def _reach(justification: Justification, decided: Mapping[str, _Decided], grades: Grades) -> int:
    return min((_holds(premise, decided, grades) for premise in justification), default=int(Trust.TRUSTED))


def _holds(premise: Premise, decided: Mapping[str, _Decided], grades: Grades) -> int:
    """The grade of a premise; OUT where its slot is not decided for it."""
    slot = decided.get(premise.key)
    if slot is None:
        return OUT
    if premise.value is not None:
        cited = {Stance(premise.value)} & slot.holding
    else:
        cited = {stance for stance in slot.holding if not stance.denied and stance.value != "no"}
    return max((grades[premise.key, stance] for stance in cited), default=OUT)


def _expected(key: str, decided: Mapping[str, _Decided], grades: Grades) -> Expected:
    slot = decided[key]
    grounds = {j: _reach(j, decided, grades) for j in _grounds(slot)}
    best = max((reach for j, reach in grounds.items() if j), default=OUT)
    retracted = bool(grounds) and all(reach == OUT for reach in grounds.values())
    return Expected(
        outcome=slot.outcome,
        sides=tuple(_side(slot, stance, grades[key, stance], retracted) for stance in sorted(slot.shown)),
        adjudicated=slot.adjudicated,
        retracted=retracted,
        routes=tuple(j for j, reach in grounds.items() if j and reach == best != OUT),
        unmet=frozenset(p for j in grounds for p in j if _holds(p, decided, grades) == OUT)
        if retracted
        else frozenset(),
    )


def _side(slot: _Decided, stance: Stance, grade: int, slot_retracted: bool) -> ExpectedSide:
    voices = slot.voices[stance]
    tellings = sorted((v.telling for v in voices), key=lambda t: (-t.trust, -t.evidence, t.claims[0].order, t.place))
    own = min(t.trust for t in tellings)
    return ExpectedSide(
        stance=stance,
        spelling=tellings[0].claims[0].spelling,
        evidence=max(t.evidence for t in tellings),
        witnesses=len({voice.witness for voice in voices}),
        trust=own if grade == OUT else Trust(grade),
        retracted=grade == OUT and not slot_retracted,
        guard=slot.guards.get(stance),
        quotes=tuple(claim.span.quote for t in tellings for claim in t.claims),
    )
