"""From what was said to claims: slots are formed over all branches, then every saying gets its claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from beliefmerge.algebra.annotation import Assertion, Justification, Premise
from beliefmerge.algebra.history import Chain
from beliefmerge.algebra.trust import own_trust
from beliefmerge.claims import chatter
from beliefmerge.claims.changes import own_slot
from beliefmerge.claims.claim import Claim, Span
from beliefmerge.claims.context import Holdings
from beliefmerge.claims.data import data_claims
from beliefmerge.claims.normalise import plain
from beliefmerge.claims.parse import parse
from beliefmerge.claims.reading import Clause, Frame, Parsed, Reading
from beliefmerge.claims.scan import Said
from beliefmerge.claims.slots import SlotTable, data_reading
from beliefmerge.claims.templates import aligned
from beliefmerge.claims.types import claim_type
from beliefmerge.session.model import Session

Branch = tuple[Session, Sequence[Said]]
_UNPLACED = (Frame.CHANGE, Frame.REFUTED)


def assemble(branches: Sequence[Branch], *, current: str | None, dropped: Counter[str]) -> tuple[Claim, ...]:
    """The claims of all branches, in their order (`Claim.order`, then key and value)."""
    texts = sorted({(s.text, s.kind) for _, said in branches for s in said if s.kind != "question"})
    parsed = {text: parse(*text) for text in texts}
    clauses = _settled(parsed)
    data = [claim for session, _ in branches for claim in session.claims]
    readings = [r for found in clauses.values() for c in found.clauses for r in c.readings]
    given = [data_reading(c.key, c.value, denied=c.denied, multi=c.multi) for c in data]
    placed = [own for r in readings for own in (own_slot(r) if _unplaced(r) else [r])]
    table = SlotTable([*placed, *given], {reading.key for reading in given})
    holdings = Holdings(table, placed)
    claims: set[Claim] = set()
    for session, said in branches:
        maker = _Maker(session, table, holdings, is_current=session.id == current)
        claims.update(maker.claims(said, clauses))
        claims.update(data_claims(session, table, maker.held, is_current=session.id == current))
    return tuple(sorted(claims, key=lambda c: (c.order, c.key, c.assertion.value, c.assertion.denied, c.span.message)))


def _unplaced(reading: Reading) -> bool:
    return reading.frame in _UNPLACED and not reading.fold


def _settled(parsed: dict[tuple[str, str], Parsed]) -> dict[tuple[str, str], Parsed]:
    """Clauses with "X is the ROLE" read of the role where the role is a slot: it has another holder or another telling."""
    holders: dict[str, set[str]] = {}
    for found in parsed.values():
        for clause in found.clauses:
            for reading in clause.readings:
                told = reading.role or reading
                holders.setdefault(told.fold, set()).add(f"{reading.role is None} {told.value}")
    templates = aligned(c for found in parsed.values() for c in found.clauses if c.alignable)
    out = {}
    for text, found in parsed.items():
        clauses = tuple(_read_again(clause, holders, templates) for clause in found.clauses)
        out[text] = Parsed(clauses, found.follows, found.question)
    return out


def _read_again(clause: Clause, holders: dict[str, set[str]], templates: dict[Clause, Reading]) -> Clause:
    template = templates.get(clause)
    if template is None:
        return replace(clause, readings=tuple(_of_role(r, holders) for r in clause.readings))
    passing = tuple(template.but(value=r.value, denied=not template.denied) for r in clause.readings[1:])
    return replace(clause, readings=(template, *passing))


def _of_role(reading: Reading, holders: dict[str, set[str]]) -> Reading:
    if reading.role is None:
        return reading
    return reading.role if len(holders[reading.role.fold]) > 1 else reading.but(role=None)


class _Maker:
    """Makes the claims of one branch."""

    def __init__(self, session: Session, table: SlotTable, holdings: Holdings, *, is_current: bool) -> None:
        self._session, self._table, self._holdings, self._is_current = session, table, holdings, is_current
        self._chain = Chain(message.key for message in session.messages)
        self.held: dict[str, tuple[int, int, str]] = {}
        """Key -> (evidence, place, value) of this branch's strongest latest telling."""

    def claims(self, said: Sequence[Said], parsed: dict[tuple[str, str], Parsed]) -> Iterable[Claim]:
        """Claims of everything the branch said, in order."""
        self._holdings.enter()
        before: tuple[Said, list[list[Reading]]] | None = None
        for place, sentence in enumerate(said):
            found = parsed.get((sentence.text, sentence.kind))
            if found is None:
                continue
            clauses = [[placed for r in c.readings for placed in self._placed(r)] for c in found.clauses]
            premises = before[1] if found.follows and before and _adjacent(before[0], sentence) else []
            for clause, readings in zip(found.clauses, clauses, strict=True):
                rests_on = [clauses[i] for i in clause.premises] + (premises if not clause.premises else [])
                yield from self._made(sentence, readings, self._justified(rests_on), place)
            before = (sentence, clauses)

    def _placed(self, reading: Reading) -> list[Reading]:
        placed = self._holdings.resolve(reading) if _unplaced(reading) else [reading]
        for each in placed:
            self._holdings.note(each)
        return placed

    def _justified(self, clauses: list[list[Reading]]) -> tuple[Justification, ...]:
        premises = frozenset(
            Premise(self._table.slot(r).key, self._table.identity(r))
            for readings in clauses
            for r in readings[:1]
            if not r.denied and r.frame is not Frame.STATEMENT
        )
        return (premises,) if premises else ()

    def _made(
        self, said: Said, readings: Sequence[Reading], justified: tuple[Justification, ...], place: int
    ) -> Iterable[Claim]:
        message = self._session.messages[said.message]
        text = message.blocks[said.block].text[said.start : said.end]
        channel = said.channel
        for reading in readings:
            slot = self._table.slot(reading)
            value = self._table.identity(reading)
            own = tuple(j for j in justified if all(p.key != slot.key for p in j))
            if not reading.denied:
                rank = (int(channel.evidence), place)
                self.held[slot.key] = max(self.held.get(slot.key, (0, 0, "")), (*rank, value))
            assertion = Assertion(
                value=value,
                evidence=channel.evidence,
                trust=own_trust(channel, is_current=self._is_current, declared=self._session.trust),
                speaker=channel.speaker,
                message=message.key,
                history=self._chain.before(message.key),
                seq=message.seq,
                block=said.block,
                start=said.start,
                end=said.end,
                denied=reading.denied,
                justifications=own,
            )
            span = Span(self._session.id, message.key, message.seq, said.block, said.start, said.end, text)
            yield Claim(
                key=slot.key,
                spelling=plain(reading.value) or reading.value,
                type=claim_type(reading, text),
                channel=channel,
                span=span,
                assertion=assertion,
                multi=slot.multi,
                salience=chatter.salience(text),
            )


def _adjacent(before: Said, after: Said) -> bool:
    return before.message == after.message and before.block == after.block
