"""Complements of a verb or adjective: which have a type, which of them add up."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from beliefmerge.claims.reading import Frame, Reading, clause_reading, name_reading
from beliefmerge.claims.values.normalise import UNTYPED, may_be_typed, read
from beliefmerge.claims.words.lexicon import (
    EPISODIC_TENSE,
    FUNCTIONAL_VERBS,
    PREPOSITIONS,
    PRONOUNS,
    VERB_BASE,
    VERB_TENSE,
)

_CHUNK = re.compile(
    r"\b(?P<prep>" + "|".join(sorted(PREPOSITIONS - {"every", "like"}, key=len, reverse=True)) + r")\b", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_COUNT = re.compile(
    r"^(?P<number>(?:at (?:most|least) |up to |exactly |about |more than |no more than )?[\w.,-]+(?: (?:hundred|"
    r"thousand|million|dozen))?) (?P<noun>[^\W\d][\w-]*(?: [a-z][\w-]*){0,2}?)(?P<rest> (?:in|on|per|for|at|with|of|"
    r"available|left|running) ?.*)?$"
)


def counted(what: str) -> tuple[str, str, str] | None:
    """“three replicas in the cluster” as (“three”, “replicas”, “ in the cluster”); None without a counted noun."""
    match = _COUNT.match(what)
    if match is None or read(match["number"]).kind != "number":
        return None
    value = read(f"{match['number']} {match['noun']}")
    if not value.kind.startswith("count:"):
        return None
    return match["number"], match["noun"], match["rest"] or ""


def complements(stem: str, rest: str, *, negated: bool) -> list[Reading]:
    """One reading for every complement of `stem` with a type: a quantity, a day, a time, money.

    The untyped complements before it are part of its key, so that two errands at two times are two slots; of a number
    of things also those after it: seats in the barn are not the seats in the hall.
    """
    parts = [part for preposition, chunk in chunks(rest) for part in _suffix_typed(preposition, chunk)]
    if any(chunk.casefold() in PRONOUNS for _, chunk in parts):
        return []
    out: list[Reading] = []
    context = ""
    for i, (preposition, chunk) in enumerate(parts):
        kind = read(chunk).kind
        if not _typed(kind):
            context += f" {preposition} {chunk}".replace("  ", " ")
            continue
        counted_noun = counted(chunk)
        if counted_noun and counted_noun[1].split()[0].casefold() not in ("time", "times"):
            number, things, where = counted_noun
            where += _following(parts[i + 1 :])
            key = f"{stem}{context} {preposition} {things}{where}"
            out.append(name_reading(key, number, Frame.VERB, denied=negated))
        else:
            out.append(_told(f"{stem}{context}", preposition, chunk, kind, negated))
    return out


def _typed(kind: str) -> bool:
    return kind not in UNTYPED and kind not in ("boolean", "none", "address", "path")


def _following(parts: Sequence[tuple[str, str]]) -> str:
    """The untyped complements up to the next that has a type or a digit: "on port 8443" is a value of its own."""
    untyped = itertools.takewhile(lambda part: not (_typed(read(part[1]).kind) or _DIGIT.search(part[1])), parts)
    return "".join(f" {preposition} {chunk}" for preposition, chunk in untyped)


def _told(stem: str, preposition: str, value: str, kind: str, negated: bool) -> Reading:
    """A complement that names a day is the same with "on" and without."""
    reading = clause_reading(f"{stem} {preposition}".strip(), value, Frame.VERB, denied=negated)
    if preposition == "on" and kind in ("date", "weekday"):
        return reading.but(fold=clause_reading(stem, value, Frame.VERB).fold)
    return reading


def chunks(rest: str) -> list[tuple[str, str]]:
    """Complements by preposition ("" for the object), a typed run kept whole: "at 9:45 from platform 4" is two."""
    if read(rest).kind not in UNTYPED:
        return [("", rest)]
    out: list[tuple[str, str]] = []
    at, preposition = 0, ""
    for match in _CHUNK.finditer(rest):
        before = rest[at : match.start()].strip(" ,")
        if before:
            joined = read(f"{before} {rest[match.start() :]}".strip())
            if joined.kind not in UNTYPED and not joined.kind.startswith("count"):
                break
            out.append((preposition, before))
        elif preposition:
            out.append((preposition, ""))
        preposition, at = match["prep"].casefold(), match.end()
    last = rest[at:].strip(" ,")
    if last or preposition:
        out.append((preposition, last))
    return [(p, c) for p, c in out if c]


def _suffix_typed(preposition: str, chunk: str) -> list[tuple[str, str]]:
    """A chunk that ends in a typed value ("the pill twice a day") as two."""
    words = chunk.split()
    if len(words) > 1 and may_be_typed(words[-4:]) and read(chunk).kind in UNTYPED:
        for cut in range(max(1, len(words) - 5), len(words)):
            tail = " ".join(words[cut:])
            kind = read(tail).kind
            if (
                kind not in UNTYPED
                and kind not in ("boolean", "none", "number")
                and (not kind.startswith("count") or "time" in kind)
            ):
                return [(preposition, " ".join(words[:cut])), ("", tail)]
    return [(preposition, chunk)]


def has_stages(verb_form: str, preposition: str) -> bool:
    """Whether verb and preposition name a stage of a way, which has many: "leads through", "calls at"."""
    return preposition in ("through", "via", "past") or (
        preposition in ("at", "in") and VERB_BASE.get(verb_form) in ("call", "stop", "halt")
    )


def piles_up(verb_form: str, preposition: str) -> bool:
    """Whether complements of a verb add up: objects of most verbs, what once happened, "works with", "depends on"."""
    base = VERB_BASE[verb_form]
    if has_stages(verb_form, preposition):
        return True
    if base in FUNCTIONAL_VERBS or base == "be":
        return False
    if not preposition or VERB_TENSE[verb_form] == EPISODIC_TENSE:
        return True
    return preposition in ("with", "of", "about", "without") or base in (
        "depend",
        "rely",
        "look",
        "listen",
        "apply",
        "react",
    )
