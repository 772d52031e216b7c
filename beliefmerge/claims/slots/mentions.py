"""Where a thing is said to be something for a topic: what "no more talk of Oslo for the offsite" is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from beliefmerge.claims.reading import Frame, Reading
from beliefmerge.claims.values.normalise import plain
from beliefmerge.claims.words.keys import canonical, fold_name
from beliefmerge.claims.words.lexicon import DETERMINERS, PREPOSITIONS, VERB_TENSE

_BEFORE = PREPOSITIONS | DETERMINERS | {"out", "of", "off", "away", "up"}
"""Words of a value that stand before the name in it."""


class Mentions:
    """Readings by the name that they are about or whose value it is; made only where something is ruled out for one."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._by_name: dict[str, list[Reading]] = defaultdict(list)
        names = {_bare(reading.old) for reading in readings if reading.topic and reading.old}
        first = {name.split()[0] for name in names if name}
        for reading in readings if first else ():
            if reading.denied or reading.frame in (Frame.QUESTION, Frame.REFUTED, Frame.CHANGE):
                continue
            for name in {_bare(reading.value), *_beginnings(canonical(reading.key), first)} & names:
                self._by_name[name].append(reading)

    def of(self, refuted: Reading) -> Iterator[Reading]:
        """The readings that say of what `refuted` rules out that it is, or does, something for its topic."""
        name, wanted = _bare(refuted.old or ""), _words(refuted.topic)
        for reading in self._by_name.get(name, ()):
            is_value = _bare(reading.value) == name
            told = _words(reading.key if is_value else f"{reading.key} {reading.value}")
            if wanted <= told and (is_value or _lasts(canonical(reading.key).removeprefix(name))):
                yield reading


def _beginnings(key: str, first: Iterable[str]) -> Iterator[str]:
    """What a name at the beginning of `key` may be, where its first word is one of `first`."""
    words = key.split()
    if words and words[0] in first:
        for end in range(1, min(len(words), 7)):
            yield " ".join(words[:end])


def _lasts(predicate: str) -> bool:
    """Whether a predicate says what is so, not what once happened."""
    verb = next((word for word in predicate.split() if word in VERB_TENSE), "is")
    return VERB_TENSE[verb] in ("s", "") or verb in ("is", "are")


def _bare(text: str) -> str:
    """`text` as a key, without the prepositions and articles before it."""
    words = canonical(plain(text) or text).split()
    while len(words) > 1 and words[0] in _BEFORE:
        words = words[1:]
    return " ".join(words)


def _words(text: str) -> frozenset[str]:
    return frozenset(fold_name(text).split())
