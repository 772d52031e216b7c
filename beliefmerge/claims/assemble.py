"""From what was said to claims: slots are formed over all branches, then every saying gets its claim."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from beliefmerge.claims.alignment.together import together
from beliefmerge.claims.claim import Claim
from beliefmerge.claims.languages.anaphora import resolved
from beliefmerge.claims.languages.parse import parse
from beliefmerge.claims.making.data import data_claims
from beliefmerge.claims.making.maker import Listed, Maker
from beliefmerge.claims.making.questions import open_questions
from beliefmerge.claims.parallel import both
from beliefmerge.claims.reading import Clause, Frame, Parsed, Reading
from beliefmerge.claims.said import chatter
from beliefmerge.claims.said.scan import Said
from beliefmerge.claims.slots.holdings import Holdings, own_slot
from beliefmerge.claims.slots.table import SlotTable, data_reading
from beliefmerge.claims.values.normalise import plain, read
from beliefmerge.session.model import Session

Branch = tuple[Session, Sequence[Said]]
Text = tuple[str, str]
"""A sentence and the kind of line it was found on: what determines how it is read."""

REPEATED = 32
"""Tellings of one sentence by one channel that are kept at either end of a branch."""
_MANY = 5_000
"""Sentences whose parsing a second process is worth."""
_SECRET = re.compile(r"\[REDACTED:[^\]]*\]")


def assemble(
    branches: Sequence[Branch],
    *,
    current: str | None,
    crowd: int,
    dropped: Counter[str],
    floor: float = chatter.FLOOR,
) -> tuple[Claim, ...]:
    """The claims of all branches, in `Claim.order`. More than `crowd` clauses of one template are no slot.

    Slots of which nothing is said whose salience reaches `floor` are dropped. What a merge printed before is read only
    of slots that nobody speaks of in his own words.
    """
    own = [(session, [s for s in said if s.kind != "echo"]) for session, said in branches]
    counted: Counter[str] = Counter()
    claims = _assembled(own, current, crowd, counted, floor)
    told = {claim.key for claim in claims}
    news = [(session, [s for s in said if s.kind != "echo" or _echoed(s) not in told]) for session, said in branches]
    if news != own:
        counted.clear()
        claims = _assembled(news, current, crowd, counted, floor)
    dropped.update(counted)
    dropped["merged"] += sum(len(said) - len(kept) for (_, said), (_, kept) in zip(branches, news, strict=True))
    return claims


def _echoed(said: Said) -> str:
    """The slot of a printed item."""
    return said.text.partition(": ")[0]


def _assembled(
    branches: Sequence[Branch], current: str | None, crowd: int, dropped: Counter[str], floor: float
) -> tuple[Claim, ...]:
    branches = [(session, resolved(_unrepeated(said, dropped))) for session, said in branches]
    parsed = _read(branches, crowd, dropped)
    questions = _unanswered(branches)
    dropped["answered"] += sum(s.kind == "question" for _, said in branches for s in said) - sum(
        map(len, questions.values())
    )
    placed = [own for reading in _all(parsed) for own in (own_slot(reading) if reading.unplaced else [reading])]
    asked = [reading for found in questions.values() for _, reading in found]
    given = [
        data_reading(claim.key, claim.value, denied=claim.denied, multi=claim.multi)
        for session, _ in branches
        for claim in session.claims
    ]
    table = SlotTable([*placed, *asked, *given], {reading.key for reading in given})
    holdings = Holdings(table, placed)
    claims: list[Claim] = []
    for session, said in branches:
        listed = frozenset(_listed(said, parsed))
        maker = Maker(session, table, holdings, is_current=session.id == current, listed=listed)
        claims.extend(maker.claims(said, parsed))
        claims.extend(maker.questions(questions[id(session)]))
        claims.extend(data_claims(session, table, maker.held, is_current=session.id == current))
    claims = _worth_keeping(claims, floor, dropped)
    if len({session.id for session, _ in branches}) < len(branches):
        # Two recordings under one id may share messages.
        claims = list(set(claims))
    return tuple(sorted(claims, key=lambda c: (c.order, c.key, c.assertion.value, c.assertion.denied, c.span.message)))


def _unanswered(branches: Sequence[Branch]) -> dict[int, list[tuple[Said, Reading]]]:
    """The open questions of each branch: those that no branch which holds the same message answers."""
    found = {id(session): open_questions(session, said) for session, said in branches}
    asked: Counter[tuple[str, int, int]] = Counter()
    left_open: Counter[tuple[str, int, int]] = Counter()
    for session, said in branches:
        asked.update({_place(session, s) for s in said if s.kind == "question"})
        left_open.update({_place(session, s) for s, _ in found[id(session)]})
    return {
        id(session): [
            (s, r) for s, r in found[id(session)] if left_open[_place(session, s)] == asked[_place(session, s)]
        ]
        for session, _ in branches
    }


def _place(session: Session, said: Said) -> tuple[str, int, int]:
    return session.messages[said.message].key, said.block, said.start


def _worth_keeping(claims: Sequence[Claim], floor: float, dropped: Counter[str]) -> list[Claim]:
    """`claims` without the slots of which nothing salient is said and on which nothing rests."""
    salience: dict[str, float] = defaultdict(float)
    cited: set[str] = set()
    for claim in claims:
        salience[claim.key] = max(salience[claim.key], claim.salience)
        cited.update(premise.key for route in claim.assertion.justifications for premise in route)
    talk = {key for key, most in salience.items() if most < floor} - cited
    dropped["chatter"] += sum(claim.key in talk for claim in claims)
    return [claim for claim in claims if claim.key not in talk]


def _unrepeated(said: Sequence[Said], dropped: Counter[str]) -> list[Said]:
    """`said` without the middle of what one channel repeats endlessly; the first and the last tellings decide."""
    places: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for i, sentence in enumerate(said):
        places[sentence.text, sentence.kind, sentence.channel].append(i)
    gone = {i for found in places.values() for i in found[REPEATED:-REPEATED]}
    dropped["repeated"] += len(gone)
    return [sentence for i, sentence in enumerate(said) if i not in gone]


def _read(branches: Sequence[Branch], crowd: int, dropped: Counter[str]) -> dict[Text, Parsed]:
    """Every distinct sentence read, clauses that align read by their template, roles decided."""
    texts = sorted({(s.text, s.kind) for _, said in branches for s in said if s.kind != "question"})
    parsed = dict(zip(texts, (_unredacted(found, dropped) for found in _parsed(texts)), strict=True))
    holders = _holders(parsed)
    clauses = [clause for found in parsed.values() for clause in found.clauses]
    templates = together(clauses, crowd)
    return {
        text: replace(found, clauses=tuple(_read_again(clause, holders, templates) for clause in found.clauses))
        for text, found in parsed.items()
    }


def _parsed(texts: Sequence[Text]) -> list[Parsed]:
    """Every text parsed, by two processes when there are many."""
    if len(texts) < _MANY:
        return [parse(*text) for text in texts]
    half = len(texts) // 2
    first, second = both(
        lambda: [parse(*text) for text in texts[:half]],
        lambda: [parse(*text) for text in texts[half:]],
    )
    return first + second


def _all(parsed: Mapping[Text, Parsed]) -> Iterator[Reading]:
    for found in parsed.values():
        for clause in found.clauses:
            yield from clause.readings


def _unredacted(parsed: Parsed, dropped: Counter[str]) -> Parsed:
    """`parsed` without readings whose value is nothing but a removed secret."""
    if not any(_SECRET.fullmatch(plain(r.value)) for c in parsed.clauses for r in c.readings):
        return parsed
    clauses = []
    for clause in parsed.clauses:
        kept = tuple(r for r in clause.readings if not _SECRET.fullmatch(plain(r.value)))
        dropped["redacted"] += len(clause.readings) - len(kept)
        clauses.append(replace(clause, readings=kept, alignable=clause.alignable and bool(kept)))
    return replace(parsed, clauses=tuple(clauses))


def _holders(parsed: Mapping[Text, Parsed]) -> dict[str, set[tuple[bool, str]]]:
    """For every key, the values told of it, and whether as such or as a role that somebody has."""
    holders: dict[str, set[tuple[bool, str]]] = defaultdict(set)
    for reading in _all(parsed):
        told = reading.role or reading
        holders[told.fold].add((reading.role is None, read(told.value).identity))
    return holders


def _read_again(
    clause: Clause, holders: Mapping[str, set[tuple[bool, str]]], templates: Mapping[Clause, Reading]
) -> Clause:
    """`clause` by its template where it has one; “X is the ROLE” read of the role where that is told of elsewhere."""
    template = templates.get(clause)
    if template is not None:
        passing = tuple(template.but(value=r.value, denied=not template.denied) for r in clause.readings[1:])
        return replace(clause, readings=(template, *passing))
    return replace(clause, readings=tuple(_of_role(reading, holders) for reading in clause.readings))


def _of_role(reading: Reading, holders: Mapping[str, set[tuple[bool, str]]]) -> Reading:
    if reading.role is None:
        return reading
    return reading.role if len(holders[reading.role.fold]) > 1 else reading.but(role=None)


def _listed(said: Sequence[Said], parsed: Mapping[Text, Parsed]) -> Iterator[Listed]:
    """Readings that say of their slot that it is multi-valued: one key with several values in one block is a list."""
    before: dict[str, Reading] = {}
    where: tuple[int, int] | None = None
    for sentence in said:
        found = parsed.get((sentence.text, sentence.kind))
        if found is None or sentence.kind not in ("item", "done", "row", "code", "json"):
            continue
        if where != (sentence.message, sentence.block):
            before, where = {}, (sentence.message, sentence.block)
        for reading in (r for c in found.clauses for r in c.readings if r.frame is Frame.EXPLICIT and not r.denied):
            other = before.setdefault(reading.fold, reading)
            if read(other.value) != read(reading.value):
                yield sentence.channel, reading
                yield sentence.channel, other
