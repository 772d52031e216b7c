"""A sentence in English: its clauses with their readings, and which follow from which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from beliefmerge.claims.clauses.bare import bare, coordinated, without_lead
from beliefmerge.claims.clauses.reasons import argument, opening
from beliefmerge.claims.clauses.scope import PREDICATE, order
from beliefmerge.claims.clauses.succession import succession
from beliefmerge.claims.frames.clause import read_clause
from beliefmerge.claims.frames.denials import denial
from beliefmerge.claims.frames.refuted import refuted
from beliefmerge.claims.frames.verbs import DONE, TO_DO
from beliefmerge.claims.languages.anaphora import object_of, subject_of, with_subject
from beliefmerge.claims.reading import Clause, Frame, Parsed, is_weak, turned, yes_no
from beliefmerge.claims.words.completeness import complete
from beliefmerge.claims.words.gate import first_word
from beliefmerge.claims.words.lexicon import PRONOUNS

_MARKUP = re.compile(r"\*\*|__(?=\S)|(?<=\S)__|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)|`|~~")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


_CONTRACTION = re.compile(
    r"\b(?P<who>we|i|you|they|he|she|it|that|there|what|who|here)['’](?P<verb>ve|re|ll|m|d|s)\b", re.IGNORECASE
)
_FULL = {"ve": "have", "re": "are", "ll": "will", "m": "am", "d": "would", "s": "is"}


def without_contractions(text: str) -> str:
    """“we've” as “we have”, “it's” as “it is”."""
    if "'" not in text and "’" not in text:
        return text
    return _CONTRACTION.sub(lambda m: f"{m['who']} {_FULL[m['verb'].casefold()]}", text)


def without_markup(text: str) -> str:
    """`text` on one line without Markdown emphasis, code ticks and link targets."""
    if "[" in text:
        text = _LINK.sub(r"\1", text)
    if "*" in text or "`" in text or "_" in text or "~" in text:
        text = _MARKUP.sub("", text)
    return " ".join(text.split())


def parse(text: str, kind: str = "prose") -> Parsed:
    """Clauses of one sentence. A premise comes before what rests on it."""
    text = without_contractions(without_markup(text))
    stripped = without_lead(text)
    if denied := _denial(text, stripped, kind):
        return Parsed(denied)
    ruled_out = _refutation(stripped.rstrip(" .!"))
    if ruled_out:
        return Parsed((ruled_out,))
    text = stripped if not opening(text) else text
    cut = opening(text)
    follows, text = cut > 0, text[cut:]
    reason = argument(text)
    if reason is None:
        return Parsed(tuple(_clauses(text, kind, None)), follows)
    premise_first = text.startswith(reason.premise) or not text.startswith(reason.conclusion)
    if premise_first:
        premises = _clauses(reason.premise, kind, None)
        conclusions = _clauses(reason.conclusion, kind, subject_of(reason.premise))
    else:
        conclusions = _clauses(reason.conclusion, kind, None)
        premises = _clauses(reason.premise, kind, _chosen(conclusions) or subject_of(reason.conclusion))
    usable = tuple(i for i, premise in enumerate(premises) if _founds(premise))
    return Parsed((*premises, *(replace(c, premises=usable) for c in conclusions)), follows)


def _clauses(text: str, kind: str, subject: str | None) -> list[Clause]:
    """The clauses that `text` joins; `subject` is what a pronoun at its beginning stands for."""
    out, doer = [], None
    parts = succession(text) or coordinated(text)
    for part in parts:
        whole = with_subject(part, doer if doer and PREDICATE.match(part) and not order(part) else subject)
        ruled_out = _refutation(whole) if len(parts) > 1 else None
        out.append(ruled_out or _clause(whole, kind))
        first = first_word(whole)
        doer = first if first in ("we", "i", "you", "they") else None
        subject = object_of(whole) or subject_of(whole) or subject
    return out


def _chosen(clauses: Sequence[Clause]) -> str | None:
    """The value that a choice is about: in "we chose Kafka because it is fast" it is Kafka."""
    first = next((r for c in clauses for r in c.readings), None)
    if (
        first is None
        or first.denied
        or first.frame not in (Frame.EXPLICIT, Frame.CHANGE, Frame.VERB)
        or not first.value
    ):
        return None
    return first.value if first.frame is not Frame.VERB or first.multi else None


def _clause(text: str, kind: str) -> Clause:
    stripped = bare(text)
    readings, positive_text, negated = read_clause(stripped, kind)
    found = tuple(r.but(value=DONE) if kind == "done" and r.value == TO_DO else r for r in readings)
    return Clause(
        found,
        positive_text,
        negated,
        alignable=is_weak(found),
        condition=stripped.condition,
        additive=stripped.additive,
    )


def _refutation(stripped: str) -> Clause | None:
    """The sentence as one that rules something out: in what it concludes, in the reason it gives, or as a whole."""
    reason = argument(stripped)
    for part in (reason.conclusion, reason.premise) if reason else (stripped,):
        readings = refuted(part)
        if readings:
            return Clause(tuple(readings), stripped, True, ruled_out=True)
    return None


def _denial(text: str, stripped: str, kind: str) -> tuple[Clause, ...]:
    """The clause that the sentence denies as a whole, read and turned round, and what it says instead."""
    found = denial(text) or (denial(stripped) if stripped != text else None)
    if found is None:
        return ()
    parts = coordinated(found.clause)
    clause = bare(found.clause)
    readings, positive_text, negated = read_clause(clause, kind) if len(parts) == 1 else ([], "", False)
    if not readings or readings[0].unplaced:
        readings = [yes_no(found.clause, negated=False)]
    denied = tuple(turned(reading) for reading in readings if reading.denied == readings[0].denied)
    made = Clause(
        denied,
        positive_text,
        not negated,
        alignable=is_weak(denied),
        ruled_out=True,
        condition=clause.condition,
    )
    instead = _clauses(found.instead, kind, subject_of(found.clause)) if complete(found.instead) else []
    return (made, *instead)


def _founds(clause: Clause) -> bool:
    """Whether a conclusion may hang on a premise; one that is only told must still find its slot by alignment."""
    if first_word(clause.text) in PRONOUNS:
        return False
    return any(r.frame not in (Frame.CHANGE, Frame.REFUTED) for r in clause.readings)
