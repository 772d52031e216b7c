"""Twin clauses: the same words but for one name or value, whatever a frame made of each.

A frame may put what differs into the key ("Farida answers for the app", "Dario answers for the app": two keys), or take
it for one of many ("carries the serial number QG-1"). When everything else is said in the same words about one definite
thing, both are one slot and the difference is its value. What differs may be the subject only where one holder excludes
another: not what many can do, like or have done, and not one of several things of a kind ("Service A", "server 12").
"""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from beliefmerge.claims.alignment.align import Hole, groups, tokenise, width
from beliefmerge.claims.alignment.templates import Entry, are_two
from beliefmerge.claims.frames.complements import has_stages
from beliefmerge.claims.reading import Clause, Frame, Reading
from beliefmerge.claims.values.normalise import NOMINAL, read
from beliefmerge.claims.words.function import FUNCTION
from beliefmerge.claims.words.keys import canonical
from beliefmerge.claims.words.lexicon import ADJECTIVES, BE, MODALS, VERB_BASE, VERB_TENSE

_CONTENT = 3
"""Content words that twins share at least; one fewer with a typed value or a subject that excludes others."""
_DEFINITE = re.compile(r"\b(?:the|our|my|your|his|her|its|their)\b", re.IGNORECASE)
_SHARED_BY_MANY = frozenset(
    "like love hate know use want need prefer support understand speak read see think agree disagree work live attend "
    "join visit have play eat drink come go believe remember mean depend rely include contain help mention follow "
    "watch enjoy talk pass fail match cover touch affect call import test review run teach take make get give start "
    "finish".split()
)
_OF_MANY = frozenset("one part some among member fond fan capable proud aware native".split())
"""After a form of be: what more than one is."""
_DONE_ONCE = frozenset("build found invent design create win acquire commission sponsor".split())
"""What is done to a thing once, by one: in the past tense of others, many may have done it."""


def twins(clauses: Iterable[Clause], crowd: int) -> dict[Clause, Reading]:
    """A reading for every clause that has a twin which its own frame does not put into the same slot.

    Depends on the set of clauses only; `crowd` as in `beliefmerge.claims.alignment.templates.aligned`.
    """
    entries: dict[tuple[str, ...], Entry] = {}
    for clause in sorted({c for c in clauses if c.language == "en"}, key=lambda c: (c.text, c.negated)):
        tokens = tokenise(clause.text)
        if len(tokens) >= _CONTENT:
            texts = (*(token.text for token in tokens), f"negated {clause.negated}")
            entries.setdefault(texts, Entry([], tokens)).clauses.append(clause)
    distinct = sorted(entries)
    found: list[tuple[list[tuple[Entry, str]], str]] = []
    for group in groups(distinct):
        if len(group) <= crowd:
            found += _slots([(entries[distinct[h.clause]], h) for h in group])
    out: dict[Clause, Reading] = {}
    for members, key in sorted(found, key=lambda pair: (-len(pair[0]), pair[1])):
        free = [(entry, value) for entry, value in members if not any(c in out for c in entry.clauses)]
        if len(free) < 2:
            continue
        for entry, value in free:
            for clause in entry.clauses:
                out[clause] = Reading(key, f"w {key}", value, Frame.ALIGNED, clause.negated)
    return out | _opposites(entries.values(), out)


def _opposites(entries: Iterable[Entry], read: Mapping[Clause, Reading]) -> dict[Clause, Reading]:
    """Readings of clauses that no twin was found for, where the same words with the other sign have one."""
    signed: dict[tuple[str, ...], Reading] = {}
    for entry in entries:
        for clause in entry.clauses:
            if clause in read:
                signed.setdefault(tuple(token.text for token in entry.tokens), read[clause])
    return {
        clause: same.but(denied=clause.negated)
        for entry in entries
        for clause in entry.clauses
        if clause not in read and (same := signed.get(tuple(token.text for token in entry.tokens)))
    }


def _slots(group: Sequence[tuple[Entry, Hole]]) -> Iterable[tuple[list[tuple[Entry, str]], str]]:
    """The members of a group whose values can be compared, and the key they share; at most one such set."""
    usable = [(entry, hole) for entry, hole in group if hole.end <= len(entry.tokens) and _may_differ(entry, hole)]
    if len(usable) < 2 or _agreed(usable):
        return
    kinds = {_kind(entry, hole) for entry, hole in usable}
    entry, hole = usable[0]
    shared = [token.text for token in (*entry.tokens[: hole.start], *entry.tokens[hole.end :])]
    content = sum(word not in FUNCTION for word in shared)
    widest = max(width(each.words(h)) for each, h in usable)
    fewer = kinds != {"nominal"} or hole.start == 0
    if len(kinds) > 1 or content < _CONTENT - fewer or width(shared) < widest:
        return
    before = " ".join(token.text for token in entry.tokens[: hole.start])
    after = " ".join(token.text for token in entry.tokens[hole.end :])
    key = canonical(f"{before} … {after}".strip(" …") if not (before and after) else f"{before} … {after}")
    yield [(each, each.text(h.start, h.end)) for each, h in usable], key.replace("...", "…")


def _kind(entry: Entry, hole: Hole) -> str:
    kind = read(entry.text(hole.start, hole.end)).kind
    return "nominal" if kind in NOMINAL else kind


def _agreed(usable: Sequence[tuple[Entry, Hole]]) -> bool:
    """Whether the frames put all of them into one slot of one value already."""
    told = [reading.role or reading for entry, _ in usable for reading in entry.clause.readings[:1]]
    if len(told) < len(usable) or any(reading.multi for reading in told):
        return False
    return len({reading.fold for reading in told}) == 1 and told[0].frame is not Frame.STATEMENT


def _may_differ(entry: Entry, hole: Hole) -> bool:
    """Whether what stands in the hole can be the value of what the rest says."""
    words, text = entry.words(hole), entry.text(hole.start, hole.end)
    if all(word in FUNCTION for word in words) or VERB_TENSE.get(words[0]) in ("s", "ed") or words[0] in MODALS:
        return False
    if are_two(words) or _is_stage(entry, hole) or _names_attribute(entry, hole):
        return False
    typed = read(text).kind not in (*NOMINAL, "number", "boolean", "none") or _is_count(entry, hole)
    if hole.start == 0:
        return (typed or _is_name(text)) and _excludes_others(entry, hole, typed=typed)
    if typed:
        return hole.start > 1 or bool(_DEFINITE.search(entry.clause.text[entry.tokens[hole.end - 1].end :]))
    if not _specific(text):
        return _is_result(entry, hole)
    designator = len(words) == 1 and (len(words[0]) == 1 or words[0].isdigit())
    anchored = bool(_DEFINITE.search(entry.clause.text[: entry.tokens[hole.start].start]))
    in_predicate = any(
        token.text in BE or token.text in MODALS or VERB_TENSE.get(token.text) in ("s", "ed", "")
        for token in entry.tokens[1 : hole.start]
    )
    return anchored and in_predicate and not (designator and hole.end < len(entry.tokens))


def _is_count(entry: Entry, hole: Hole) -> bool:
    """How many there are of what follows: "53 chairs"."""
    text = entry.text(hole.start, hole.end)
    return (
        hole.end < len(entry.tokens)
        and read(text).kind == "number"
        and read(entry.text(hole.start, hole.end + 1)).kind.startswith("count:")
        and entry.tokens[hole.end].text.endswith("s")
    )


def _names_attribute(entry: Entry, hole: Hole) -> bool:
    """“plate KX-2214”: the noun says what the code is, and another one is about something else."""
    words = entry.text(hole.start, hole.end).split()
    return len(words) > 1 and words[0].islower() and words[0] not in FUNCTION and any(map(str.isdigit, words[-1]))


def _is_stage(entry: Entry, hole: Hole) -> bool:
    """One of the places that a way leads through."""
    told = [token.text for token in entry.tokens[: hole.start]]
    verb = next((word for word in reversed(told[1:-1]) if word in VERB_TENSE), "")
    return len(told) > 1 and has_stages(verb, told[-1])


def _is_result(entry: Entry, hole: Hole) -> bool:
    """What a definite thing was made: "the barn gets painted red"."""
    told = [token.text for token in entry.tokens[: hole.start]]
    made = (
        len(told) > 2 and VERB_TENSE.get(told[-1]) == "ed" and VERB_BASE.get(told[-2], told[-2]) in ("get", "is", "be")
    )
    return (
        (made or told[-2:-1] == ["gets"]) and hole.end == len(entry.tokens) and bool(_DEFINITE.match(entry.clause.text))
    )


def _is_name(text: str) -> bool:
    """Every content word begins with a capital letter, or one has a digit inside."""
    words = [word for word in text.split() if word.casefold() not in FUNCTION]
    return bool(words) and all(word[:1].isupper() or word[:1].isdigit() for word in words) and len(text) > 1


def _specific(text: str) -> bool:
    """A name, a code, an identifier: not a common noun that could stand for anything."""
    return _is_name(text) or any(not c.isalpha() and not c.isspace() for c in text)


def _excludes_others(entry: Entry, hole: Hole, *, typed: bool) -> bool:
    """Whether only one subject can have this predicate: of a definite thing, and not open to many."""
    rest = entry.tokens[hole.end :]
    at = next((i for i, token in enumerate(rest[:3]) if token.text in BE or token.text in VERB_TENSE), None)
    if at is None or not _DEFINITE.search(entry.clause.text[rest[at].end :]):
        return False
    verb = rest[at].text
    if verb in BE and at + 1 < len(rest) and (rest[at + 1].text in ADJECTIVES or rest[at + 1].text in _OF_MANY):
        return False
    base = VERB_BASE.get(verb, verb)
    if VERB_TENSE.get(verb) in ("ed", "ing") and verb not in BE:
        return base in _DONE_ONCE
    return typed or base not in _SHARED_BY_MANY
