"""What a change means in its branch: which slot "we moved to PostgreSQL" or "no longer Jenkins" is about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from beliefmerge.claims.reading import Frame, Reading, clause_reading, name_reading
from beliefmerge.claims.slots.mentions import Mentions
from beliefmerge.claims.slots.table import SlotTable, kind_class
from beliefmerge.claims.values.normalise import normalise

Place = tuple[str, str]
_OURS = re.compile(r"(?:we|i) (?:use|live|stay|work|run|rely|deploy|host|build|bank)\b")
"""What "we moved to …" may leave when nothing else is named: "we use MySQL", "I live in Berlin"."""
_TELLING = (Frame.EXPLICIT, Frame.COPULA, Frame.ALIGNED)


class Holdings:
    """Which slots hold which values, anywhere, and in the branch being read so far."""

    def __init__(self, table: SlotTable, readings: Iterable[Reading]) -> None:
        readings = list(readings)
        self._table = table
        self._mentions = Mentions(readings)
        self._anywhere: dict[str, dict[Place, Reading]] = defaultdict(dict)
        self._here: dict[Place, Reading] = {}
        self._ours: dict[Place, Reading] = {}
        for reading in readings:
            if reading.frame in _TELLING and not reading.denied and kind_class(reading) == "nominal":
                best = self._anywhere[table.identity(reading)]
                place = table.place(reading)
                best[place] = min(best.get(place, reading), reading, key=lambda r: (len(r.key), r.key, r.fold))

    def enter(self) -> None:
        """A new branch begins."""
        self._here, self._ours = {}, {}

    def note(self, reading: Reading) -> None:
        """The branch now holds `reading`."""
        if reading.frame is Frame.VERB and not reading.denied and _OURS.match(reading.key):
            self._ours[self._table.place(reading)] = reading
        if reading.frame in _TELLING and kind_class(reading) == "nominal":
            place = self._table.place(reading)
            if not reading.denied:
                self._here[place] = reading
            elif place in self._here and self._table.identity(self._here[place]) == self._table.identity(reading):
                del self._here[place]

    def resolve(self, reading: Reading) -> list[Reading]:
        """The readings that `reading`, a change or refutation without a slot, stands for here."""
        if reading.topic:
            told = {self._table.place(r): r for r in self._mentions.of(reading)}
            only = _only(list(told.values()))
            return own_slot(reading) if only is None else [only.but(denied=True, role=None, frame=Frame.REFUTED)]
        slot = self._about(reading)
        if slot is None:
            return own_slot(reading)
        made = slot.but(role=None, multi=False)
        if reading.frame is Frame.REFUTED:
            return [made.but(value=reading.old or "", denied=True, frame=Frame.REFUTED)]
        out = []
        if reading.value:
            out.append(made.but(value=reading.value, denied=reading.denied))
            place = self._table.place(slot)
            if (
                not reading.old
                and slot in (self._here.get(place), self._ours.get(place))
                and slot.value != reading.value
            ):
                out.append(made.but(denied=not reading.denied))
        if reading.old:
            out.append(made.but(value=reading.old, denied=not reading.denied))
        return out

    def _about(self, reading: Reading) -> Reading | None:
        """The one slot that holds the old value, here or else anywhere; without one, the one that is plausible."""
        if reading.old:
            old = normalise(reading.old)
            here = [r for r in self._here.values() if self._table.identity(r) == old]
            return _only(here) or (None if here else _only(list(self._anywhere.get(old, {}).values())))
        if not reading.value:
            return None
        elsewhere = _only(list(self._anywhere.get(normalise(reading.value), {}).values()))
        if elsewhere is not None:
            return self._here.get(self._table.place(elsewhere), elsewhere)
        return _only([r for r in self._here.values() if r.frame is Frame.EXPLICIT]) or _only(list(self._ours.values()))


def _only(readings: list[Reading]) -> Reading | None:
    return readings[0] if len(readings) == 1 else None


def own_slot(reading: Reading) -> list[Reading]:
    """Where a change or refutation goes whose slot nothing in its branch tells: a slot of its own."""
    if reading.frame is Frame.REFUTED:
        thing = reading.old or reading.value
        if reading.topic:
            return [name_reading(reading.topic, thing, Frame.REFUTED, denied=True).but(old=thing, topic=reading.topic)]
        return [clause_reading(f"use {thing}", thing, Frame.REFUTED, denied=True)]
    out = []
    if reading.value:
        out.append(clause_reading("we moved to", reading.value, Frame.CHANGE, multi=True, denied=reading.denied))
    if reading.old:
        out.append(clause_reading("we use", reading.old, Frame.CHANGE, multi=True, denied=not reading.denied))
    return out
