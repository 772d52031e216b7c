"""Slots from readings: which readings of all branches are about one thing, and whether their values can oppose.

Readings with one folded key are one slot as far as their values can be compared: an office that is in Tokyo and an
office that is closed do not dispute. Where a key was written out (``key: value``) all its values compete.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from beliefmerge.claims.reading import Frame, Reading
from beliefmerge.claims.slots.likeness import representatives
from beliefmerge.claims.values.normalise import NOMINAL, Value, plain, read
from beliefmerge.claims.words.keys import canonical, fold_clause, fold_name

_SAID_FULLY = frozenset({"name", "word", "identifier", "date", "weekday"})


@dataclass
class _Group:
    """Readings of one fold and one class of values."""

    keys: set[str] = field(default_factory=set)
    united: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    spelled: dict[str, str] = field(default_factory=dict)
    alike: dict[str, str] = field(default_factory=dict)


class SlotTable:
    """The slots that a set of readings falls into. Depends on the set only, not on order or repetition."""

    def __init__(self, readings: Iterable[Reading], data_keys: Iterable[str] = ()) -> None:
        distinct = sorted(set(readings), key=_order)
        self._data = _data_folds(data_keys)
        self._classes = self._unite(distinct)
        self._groups: dict[tuple[str, str], _Group] = defaultdict(_Group)
        for reading in distinct:
            group = self._groups[self._place(reading)]
            group.keys.add(reading.key)
            _note_unit(group, reading)
            value = comparable(reading)
            if value.kind in _SAID_FULLY:
                group.spelled.setdefault(value.identity, reading.value)
        for group in self._groups.values():
            group.alike = representatives(group.spelled)
        self._keys = self._named()

    def _fold(self, reading: Reading) -> str:
        return self._data.get(reading.fold, reading.fold)

    def _unite(self, readings: Sequence[Reading]) -> dict[str, dict[str, str]]:
        """For every fold, the class that stands for each class of values: those of written pairs are one."""
        classes: dict[str, set[str]] = defaultdict(set)
        explicit: dict[tuple[str, str], set[str]] = defaultdict(set)
        for reading in readings:
            fold, label = self._fold(reading), kind_class(reading)
            classes[fold].add(label)
            if reading.frame is Frame.EXPLICIT or fold.startswith("d "):
                explicit[fold, reading.key].add(label)
        written: dict[str, list[set[str]]] = defaultdict(list)
        for (fold, _), labels in sorted(explicit.items()):
            written[fold].append(labels)
        return {fold: _merged(found, written[fold]) for fold, found in classes.items()}

    def _place(self, reading: Reading) -> tuple[str, str]:
        fold = self._fold(reading)
        return fold, self._classes[fold].get(kind_class(reading), kind_class(reading))

    def _named(self) -> dict[tuple[str, str], str]:
        """A shown key for every slot: the shortest wording, told apart by kind, then by number, where two are equal."""
        per_fold: dict[str, list[str]] = defaultdict(list)
        for fold, label in self._groups:
            per_fold[fold].append(label)
        taken: set[str] = set()
        out: dict[tuple[str, str], str] = {}
        for fold, label in sorted(self._groups, key=lambda place: (not place[0].startswith("d "), place)):
            group = self._groups[fold, label]
            base = fold[2:] if fold.startswith("d ") else min(group.keys, key=lambda key: (len(key), key))
            key = base
            if len(per_fold[fold]) > 1 and label != "nominal":
                key = canonical(f"{base} {label.split(':')[0] if label.startswith('count') else label}")
            number = 2
            while key in taken:
                key, number = f"{base} {number}", number + 1
            taken.add(key)
            out[fold, label] = key
        return out

    def key(self, reading: Reading) -> str:
        """The shown key of the slot of a reading that the table was made from."""
        return self._keys[self._place(reading)]

    def identity(self, reading: Reading) -> str:
        """The normalised value of `reading` in its slot.

        A counted noun that the key names is its number ("replicas: 3", "3 replicas"); a bare number takes the unit
        that the same number has elsewhere in the slot, when that is one unit. A name that a fuller one of the slot
        begins with is that one, when only one does.
        """
        value = comparable(reading)
        if value.kind != "number":
            return self._groups[self._place(reading)].alike.get(value.identity, value.identity)
        written = self._groups[self._place(reading)].united.get(value.identity, set())
        return next(iter(written)) if len(written) == 1 else value.identity

    def said(self, key: str, value: str) -> str:
        """The normalised `value` in the slot of a key given as data, which need not have been told of."""
        reading = data_reading(key, value, denied=False, multi=False)
        return (
            self.identity(reading)
            if reading.fold in self._classes and self._place(reading) in self._groups
            else read(value).identity
        )

    def place(self, reading: Reading) -> tuple[str, str]:
        """What identifies the slot of `reading`: its fold and class of values."""
        return self._place(reading)


def comparable(reading: Reading) -> Value:
    """Identity and kind of a reading's value, given its key."""
    value = read(reading.value)
    if value.kind.startswith("count:"):
        nouns = value.kind.removeprefix("count:").split()
        if nouns and nouns[-1] in reading.fold.split():
            return Value(value.identity.split(" ")[0], "number") if value.identity[0].isdigit() else value
    return value


def kind_class(reading: Reading) -> str:
    """The class of values that a reading's value can be compared with."""
    if reading.frame is Frame.PROPERTY:
        return "boolean"
    kind = comparable(reading).kind
    return "nominal" if kind in NOMINAL else kind


def _merged(found: set[str], written: Sequence[set[str]]) -> dict[str, str]:
    """Representative of every class: those written under one key are one, numbers and wildcards join the only other."""
    stands = {label: label for label in found}
    for labels in written:
        joined = {label for label in found if stands[label] in {stands[each] for each in labels}}
        head = "nominal" if "nominal" in joined else min(joined)
        stands.update(dict.fromkeys(joined, head))
    loose = {"number": {"number", "none", "nominal", "boolean"}, "none": {"none"}}
    for label, barred in loose.items():
        others = {stands[each] for each in found if each not in loose} - barred
        if stands.get(label) == label and len(others) == 1:
            stands[label] = next(iter(others))
    return stands


def _note_unit(group: _Group, reading: Reading) -> None:
    """Remember which united values are written with which bare number."""
    value = read(reading.value)
    spelled = plain(reading.value).split()
    if value.kind in ("number", *NOMINAL) or not spelled:
        return
    number = read("".join(c for c in spelled[0] if c.isdigit() or c in ".,") or "?")
    if number.kind == "number":
        group.united[number.identity].add(comparable(reading).identity)


def _data_folds(keys: Iterable[str]) -> dict[str, str]:
    """Which folds of text are meant by a key that was given as data: those that only one such key folds to."""
    meant: dict[str, set[str]] = defaultdict(set)
    for key in keys:
        meant[f"n {fold_name(key)}"].add(key)
        meant[f"c {fold_clause(key)}"].add(key)
    return {fold: f"d {min(found)}" for fold, found in meant.items() if len(found) == 1}


def data_reading(key: str, value: str, *, denied: bool, multi: bool) -> Reading:
    """The reading of a claim given as data; its key is kept."""
    kept = canonical(key)
    return Reading(kept, f"d {kept}", value, Frame.EXPLICIT, denied, multi)


def _order(reading: Reading) -> tuple[str, str, str, bool, bool, str, str, str]:
    return (
        reading.fold,
        reading.key,
        reading.value,
        reading.denied,
        reading.multi,
        reading.frame,
        reading.old or "",
        reading.topic,
    )
