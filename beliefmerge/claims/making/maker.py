"""Making the claims of one branch: every reading in its place, with evidence, trust, history and premises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from beliefmerge.algebra.annotation import Assertion, Justification, Premise
from beliefmerge.algebra.history import Chain
from beliefmerge.algebra.trust import own_trust
from beliefmerge.claims.claim import Claim, Span
from beliefmerge.claims.clauses.bare import without_lead
from beliefmerge.claims.making.dead_ends import dead_end
from beliefmerge.claims.making.types import claim_type
from beliefmerge.claims.reading import Frame, Parsed, Reading
from beliefmerge.claims.said import chatter
from beliefmerge.claims.said.scan import Said
from beliefmerge.claims.slots.holdings import Holdings
from beliefmerge.claims.slots.table import SlotTable
from beliefmerge.claims.values.normalise import plain
from beliefmerge.session.model import Channel, Session

_LONGEST = 160
"""Characters of a value as it is shown; what a slot compares is not cut."""


Listed = tuple[Channel, Reading]
"""A reading of one of several values that one block gives for one key, and whose block it is."""

_WORTH = {Frame.STATEMENT: 0.7, Frame.VERB: 0.9, Frame.PROPERTY: 0.9, Frame.QUESTION: 0.8}
"""What a frame that says less firmly what is claimed takes from the salience of its sentence."""


class Maker:
    """Makes the claims of one branch. `listed` are those of its readings that stand in a list, with who said them."""

    def __init__(
        self,
        session: Session,
        table: SlotTable,
        holdings: Holdings,
        *,
        is_current: bool,
        listed: frozenset[Listed] = frozenset(),
    ) -> None:
        self._session, self._table, self._holdings, self._is_current = session, table, holdings, is_current
        self._listed = listed
        self._chain = Chain(message.key for message in session.messages)
        self.held: dict[str, tuple[int, int, str]] = {}
        """Key -> (evidence, place, value) of this branch's strongest latest telling."""

    def claims(self, said: Sequence[Said], parsed: Mapping[tuple[str, str], Parsed]) -> Iterable[Claim]:
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
                rests_on = [clauses[i] for i in clause.premises] or premises
                justified = self._justified(rests_on)
                for reading in dict.fromkeys(readings):
                    claim = self.claim(sentence, reading, justified, place)
                    yield dead_end(claim) if clause.ruled_out and reading.denied else claim
            before = (sentence, clauses)

    def questions(self, asked: Iterable[tuple[Said, Reading]]) -> Iterable[Claim]:
        """Claims of the branch's open questions."""
        for said, reading in asked:
            yield self.claim(said, reading, (), 0)

    def _placed(self, reading: Reading) -> list[Reading]:
        placed = self._holdings.resolve(reading) if reading.unplaced else [reading]
        for each in placed:
            self._holdings.note(each)
        return placed

    def _justified(self, clauses: Iterable[Sequence[Reading]]) -> tuple[Justification, ...]:
        """One conjunction of what the clauses say first. What is denied or only told is no premise that can fall."""
        premises = frozenset(
            Premise(self._table.key(r), self._table.identity(r))
            for readings in clauses
            for r in readings[:1]
            if not r.denied and r.frame is not Frame.STATEMENT
        )
        return (premises,) if premises else ()

    def claim(self, said: Said, reading: Reading, justified: tuple[Justification, ...], place: int) -> Claim:
        """The claim of `reading`, the `place`-th telling of its branch; evidence and trust are those of its block."""
        message = self._session.messages[said.message]
        quote = message.blocks[said.block].text[said.start : said.end]
        key, value, channel = self._table.key(reading), self._table.identity(reading), said.channel
        if not reading.denied:
            rank = (int(channel.evidence), place, value)
            self.held[key] = max(self.held.get(key, (0, 0, "")), rank)
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
            justifications=tuple(j for j in justified if all(premise.key != key for premise in j)),
        )
        return Claim(
            key=key,
            spelling=(plain(reading.value) or reading.value)[:_LONGEST],
            type=claim_type(reading, quote),
            channel=channel,
            span=Span(self._session.id, message.key, message.seq, said.block, said.start, said.end, quote),
            assertion=assertion,
            multi=reading.multi or (channel, reading) in self._listed,
            salience=round(chatter.salience(without_lead(quote)) * _WORTH.get(reading.frame, 1.0), 3),
        )


def _adjacent(before: Said, after: Said) -> bool:
    """Whether only white space lies between two sentences of one block."""
    return before.message == after.message and before.block == after.block and 0 <= after.start - before.end <= 3
