"""Joint extraction: the question asked, the reply checked line by line, claims made as the heuristic makes them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from beliefmerge.algebra.annotation import Justification, Premise
from beliefmerge.algebra.trust import own_trust
from beliefmerge.claims.claim import Claim, ClaimType, Extraction
from beliefmerge.claims.heuristic import distinct
from beliefmerge.claims.joint import ground
from beliefmerge.claims.joint.lines import Excerpt, excerpt
from beliefmerge.claims.joint.prompt import again, messages, schema
from beliefmerge.claims.joint.reply import Opinion, Proposal, Unusable, fenced, proposals
from beliefmerge.claims.joint.vocabulary import Vocabulary, touches
from beliefmerge.claims.making.data import data_claims
from beliefmerge.claims.making.maker import Maker
from beliefmerge.claims.reading import Reading
from beliefmerge.claims.said.scan import Said
from beliefmerge.claims.slots.holdings import Holdings
from beliefmerge.claims.slots.table import SlotTable, data_reading
from beliefmerge.claims.values.normalise import plain, read
from beliefmerge.claims.words.keys import canonical
from beliefmerge.errors import BeliefMergeError
from beliefmerge.llm.protocol import ChatMessage, Completion, LanguageModel
from beliefmerge.session.model import Message, Session
from beliefmerge.tokens import counter

_LONGEST_KEY, _MOST_WORDS, _MOST_CJK = 60, 6, 16
_SECRET = re.compile(r"\[REDACTED:[^\]]*\]")


class JointError(BeliefMergeError):
    """Two replies could not be used."""


@dataclass(frozen=True, slots=True)
class _Told:
    """An opinion that the text bears out: in which branch and where, what it says, what it rests on."""

    branch: int
    said: Said
    reading: Reading
    type: ClaimType | None
    premises: tuple[tuple[str, str | None], ...]

    @property
    def order(self) -> tuple[int, int, int, int, int, str, str, bool]:
        said, reading = self.said, self.reading
        return (
            *(self.branch, said.message, said.block, said.start, said.end),
            *(reading.key, reading.value, reading.denied),
        )


@dataclass(frozen=True, slots=True)
class _Reply:
    """A reply that can be used."""

    told: tuple[_Told, ...]
    dropped: Counter[str]
    fenced: bool


class JointExtractor:
    """Asks a model about all branches at once. Whatever the order of the sessions, the prompt is the same."""

    name = "joint"

    def __init__(
        self, model: LanguageModel, *, max_slots: int, branch_tokens: int, max_tokens: int, tokens: str
    ) -> None:
        self._model, self._max_slots, self._max_tokens = model, max_slots, max_tokens
        self._branch_tokens, self._count = branch_tokens, counter(tokens)

    def __call__(self, sessions: Sequence[Session], *, current: str | None = None) -> Extraction:
        """Claims of all (redacted) branches; what was dropped, by cause. Raises ModelError and JointError."""
        branches = _in_order(sessions)
        excerpts = [
            excerpt(f"b{i}", session, self._branch_tokens, self._count) for i, session in enumerate(branches, 1)
        ]
        notes: list[str] = []
        told: tuple[_Told, ...] = ()
        dropped: Counter[str] = Counter()
        if any(each.lines for each in excerpts):
            reply = self._ask(excerpts, current, notes)
            told, dropped = reply.told, reply.dropped
            if reply.fenced:
                notes.append("joint reply: JSON in a code fence, taken out of it")
        claims = _claims(branches, told, current, dropped)
        return Extraction(claims, +dropped, tuple(notes))

    def _ask(self, excerpts: Sequence[Excerpt], current: str | None, notes: list[str]) -> _Reply:
        """The first reply that can be used, of two."""
        prompt = messages(excerpts, max_slots=self._max_slots)
        wanted = schema(excerpts, max_slots=self._max_slots)
        vocabulary = ground.vocabulary(excerpts, current)

        def ask(asked: Sequence[ChatMessage]) -> Completion:
            return self._model.complete(asked, schema=wanted, max_tokens=self._max_tokens)

        first = ask(prompt)
        try:
            return self._read(first, excerpts, vocabulary, current)
        except Unusable as error:
            wrong = str(error)
        second = ask(again(prompt, first.text, wrong))
        try:
            reply = self._read(second, excerpts, vocabulary, current)
        except Unusable as error:
            raise JointError(f"the reply could not be used ({wrong}), nor the one after it ({error})") from None
        notes.append(f"joint reply repaired by asking again: {wrong}")
        return reply

    def _read(
        self, completion: Completion, excerpts: Sequence[Excerpt], vocabulary: Vocabulary, current: str | None
    ) -> _Reply:
        dropped: Counter[str] = Counter()
        truncated = completion.finish_reason == "length"
        found = proposals(completion.text, truncated=truncated, max_slots=self._max_slots, dropped=dropped)
        told = tuple(_grounded(found, excerpts, vocabulary, current, dropped))
        if not told:
            causes = ", ".join(f"{cause} {n}" for cause, n in sorted((+dropped).items()))
            raise Unusable(f"it claims nothing that the text bears out ({causes or 'no slots'})")
        return _Reply(told, dropped, fenced(completion.text))


def _in_order(sessions: Sequence[Session]) -> list[Session]:
    """`sessions` without repetitions, by id; those of one id by what they hold."""
    return sorted(
        distinct(sessions),
        key=lambda s: (s.id, [message.key for message in s.messages], repr(s.claims), repr(s.trust)),
    )


def _grounded(
    found: Iterable[Proposal],
    excerpts: Sequence[Excerpt],
    vocabulary: Vocabulary,
    current: str | None,
    dropped: Counter[str],
) -> Iterable[_Told]:
    """The opinions of `found` that the text bears out; the others are counted in `dropped`."""
    named = {each.name: (i, each) for i, each in enumerate(excerpts)}
    given = {_dotted(claim.key): claim.key for each in excerpts for claim in each.session.claims}
    taken: set[str] = set()
    for slot in found:
        try:
            key = _key(slot.key)
            if key in taken:
                raise ground.Ungrounded("duplicate key")
        except ground.Ungrounded as cause:
            dropped[str(cause)] += 1
            continue
        taken.add(key)
        for opinion in slot.opinions:
            try:
                if opinion.branch not in named:
                    raise ground.Ungrounded("unknown branch")
                number, branch = named[opinion.branch]
                yield _told(number, branch, given.get(key, key), slot.type, opinion, vocabulary, current)
            except ground.Ungrounded as cause:
                dropped[str(cause)] += 1


def _told(
    number: int,
    branch: Excerpt,
    key: str,
    kind: ClaimType | None,
    opinion: Opinion,
    vocabulary: Vocabulary,
    current: str | None,
) -> _Told:
    """`opinion` as told by its branch. Raises Ungrounded."""
    if not plain(opinion.value):
        raise ground.Ungrounded("empty value")
    if ground.is_sentence(opinion.value):
        raise ground.Ungrounded("sentence as value")
    said = ground.locate(opinion.quote, opinion.line, branch)
    value = ground.spelling(opinion.value, said)
    if read(value).kind == "boolean" and not touches(key, said.text):
        raise ground.Ungrounded("value not in its quote")
    if _SECRET.fullmatch(value):
        raise ground.Ungrounded("redacted")
    session = branch.session
    trust = own_trust(said.channel, is_current=session.id == current, declared=session.trust)
    if not vocabulary.covers(key, said.channel.evidence, trust):
        raise ground.Ungrounded("key not in the text")
    reading = data_reading(key, value, denied=opinion.denied, multi=False)
    return _Told(number, said, reading, kind, opinion.premises)


def _key(key: str) -> str:
    """`key` in canonical form, dotted lower case. Raises Ungrounded where it is none."""
    dotted = _dotted(key)
    words = dotted.split(".")
    if not dotted or not any(c.isalnum() for c in dotted):
        raise ground.Ungrounded("empty key")
    if len(dotted) > _LONGEST_KEY or len(words) > _MOST_WORDS or sum(not c.isascii() for c in dotted) > _MOST_CJK:
        raise ground.Ungrounded("sentence as key")
    return dotted


def _dotted(key: str) -> str:
    kept = canonical(key) if key.strip() else ""
    return ".".join(word for word in re.split(r"[\s.]+", kept) if word)


def _claims(
    branches: Sequence[Session], told: Iterable[_Told], current: str | None, dropped: Counter[str]
) -> tuple[Claim, ...]:
    """The claims of what was told, and those that sessions give as data."""
    by_branch: dict[int, list[_Told]] = defaultdict(list)
    for each in sorted(set(told), key=lambda t: (t.order, repr(t.premises), t.type or "")):
        by_branch[each.branch].append(each)
    given = [
        data_reading(claim.key, claim.value, denied=claim.denied, multi=claim.multi)
        for session in branches
        for claim in session.claims
    ]
    readings = [each.reading for found in by_branch.values() for each in found]
    table = SlotTable([*readings, *given], {reading.key for reading in given})
    values: dict[str, set[str]] = defaultdict(set)
    for reading in (*readings, *given):
        values[table.key(reading)].add(table.identity(reading))
    holdings = Holdings(table, [])
    claims: list[Claim] = []
    for number, session in enumerate(branches):
        maker = Maker(session, table, holdings, is_current=session.id == current)
        for place, each in enumerate(by_branch[number]):
            message = session.messages[each.said.message]
            premises = _premises(each, message, table, values, maker.held, dropped)
            claims.append(_typed(maker.claim(each.said, each.reading, premises, place), each))
        claims.extend(data_claims(session, table, maker.held, is_current=session.id == current))
    return tuple(
        sorted(set(claims), key=lambda c: (c.order, c.key, c.assertion.value, c.assertion.denied, c.span.message))
    )


def _premises(
    told: _Told,
    message: Message,
    table: SlotTable,
    values: Mapping[str, set[str]],
    held: Mapping[str, tuple[int, int, str]],
    dropped: Counter[str],
) -> tuple[Justification, ...]:
    """One conjunction. A premise of an unknown slot or value, of the claim's own slot, or of one that the claim's
    `message` does not mention, is dropped: a model cannot make a claim fall by what its speaker never named.

    Without a value, a premise is the one that the branch held when it concluded.
    """
    found: set[Premise] = set()
    for key, value in told.premises:
        slot = next((known for known in (canonical(key), _dotted(key)) if known in values), None)
        latest = held.get(slot or "")
        meant = latest[2] if value is None and latest else table.said(slot, value) if slot and value else None
        if slot is None or slot == table.key(told.reading) or meant not in values[slot]:
            dropped["bogus premise"] += 1
        elif not ground.mentions(message, slot, value or meant or ""):
            dropped["premise not in the text"] += 1
        else:
            found.add(Premise(slot, meant))
    return (frozenset(found),) if found else ()


def _typed(claim: Claim, told: _Told) -> Claim:
    """`claim` with the type that the model gave it; only what is denied can be ruled out."""
    if told.type is None or (told.type is ClaimType.REFUTED) != told.reading.denied:
        return claim
    return replace(claim, type=told.type)
