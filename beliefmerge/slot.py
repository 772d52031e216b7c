"""Slots: what the merge says of one key, with everything that packing, rendering and verifying need."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from beliefmerge.algebra.annotation import Premise
from beliefmerge.algebra.decision import Decision, Outcome, Stance
from beliefmerge.algebra.derivation import Status
from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.claims.claim import Claim, ClaimType, Span

__all__ = ["Resolution", "Side", "Slot", "Status"]


@dataclass(frozen=True, slots=True)
class Side:
    """One value (or denial) of a slot that is shown, with its support."""

    stance: Stance
    spelling: str
    """As the strongest opinion wrote it; ties go to the least (seq, session id)."""
    witnesses: int
    evidence: Evidence
    """The strongest among its opinions."""
    trust: Trust
    """Effective trust: max over its founded opinions of min(own, best satisfied route)."""
    claims: tuple[Claim, ...]
    """Its current opinions, strongest first; the first one's span is the quote."""
    retracted: bool = False
    """None of its opinions has a satisfied route, be the slot's other sides as they may."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What an adjudicator said of a tie. The annotation is never touched."""

    outcome: str
    """`choose`, `both`, `conditional` or `unresolvable`."""
    chosen: frozenset[Stance] = frozenset()
    guards: tuple[tuple[str, str], ...] = ()
    """(value or ``not v``, condition under which it holds), for `conditional`."""
    reason: str = ""
    order_sensitive: bool = False

    def guard(self, stance: Stance) -> str | None:
        """The condition under which `stance` holds, where there is one."""
        return dict(self.guards).get(self.guard_name(stance))

    @staticmethod
    def guard_name(stance: Stance) -> str:
        """What `guards` call `stance`."""
        return f"not {stance.value}" if stance.denied else stance.value

    def to_json(self) -> dict[str, Any]:
        """Plain data for `merge --json`."""
        return {
            "outcome": self.outcome,
            "chosen": sorted(self.guard_name(stance) for stance in self.chosen),
            "guards": dict(self.guards),
            "reason": self.reason,
            "order_sensitive": self.order_sensitive,
        }


@dataclass(frozen=True, slots=True)
class Slot:
    """Everything the merge has to say of one key.

    `sides` are what is shown: the winner, all tied sides, every standing value of a multi-valued slot, or the refuted
    value as a denied side. `opposed` and `superseded` are spellings of values that are known and not live.
    """

    key: str
    type: ClaimType
    decision: Decision
    sides: tuple[Side, ...]
    status: Status
    opposed: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    multi: bool = False
    unmet: tuple[Premise, ...] = ()
    """For a retracted slot: the premises that do not hold, sorted."""
    derived_from: tuple[Premise, ...] = ()
    """For a founded slot: the premises of its best satisfied route, sorted."""
    resolution: Resolution | None = None
    heard: tuple[tuple[str, int], ...] = ()
    """Distinct witnesses of every current value, shown or opposed, by spelling."""

    @property
    def values(self) -> tuple[str, ...]:
        """Spellings of the values shown as live or as sides of a dispute; a denied side reads ``not v``."""
        if self.outcome is Outcome.REFUTED:
            return ()
        return tuple(f"not {side.spelling}" if side.stance.denied else side.spelling for side in self.sides)

    @property
    def witnesses(self) -> dict[str, int]:
        """Distinct witnesses of every current value, shown or opposed, by spelling."""
        return dict(self.heard)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where the values shown were said, strongest first."""
        return tuple(claim.span for side in self.sides for claim in side.claims)

    def to_json(self) -> dict[str, Any]:
        """The slot as `merge --json` prints it: an interface."""
        return {
            "key": self.key,
            "type": self.type.value,
            "outcome": self.outcome.value,
            "values": list(self.values),
            "opposed": list(self.opposed),
            "superseded": list(self.superseded),
            "witnesses": self.witnesses,
            "evidence": int(self.evidence),
            "trust": int(self.trust),
            "status": self.status.value,
            "multi": self.multi,
            "derived_from": [premise._asdict() for premise in self.derived_from],
            "unmet": [premise._asdict() for premise in self.unmet],
            "resolution": None if self.resolution is None else self.resolution.to_json(),
            "spans": [asdict(span) | {"message": span.message.split("\x1f")[0]} for span in self.spans],
        }

    @property
    def outcome(self) -> Outcome:
        """The decision's outcome, or the adjudicated one where a tie was settled."""
        if self.resolution is None or self.decision.outcome is not Outcome.DISPUTED:
            return self.decision.outcome
        return _ADJUDICATED[self.resolution.outcome]

    @property
    def trust(self) -> Trust:
        """The lowest trust among the sides shown."""
        return min((side.trust for side in self.sides), default=Trust.UNTRUSTED)

    @property
    def evidence(self) -> Evidence:
        """The strongest evidence among the sides shown."""
        return max((side.evidence for side in self.sides), default=Evidence.SPECULATIVE)


_ADJUDICATED = {
    "choose": Outcome.RESOLVED,
    "both": Outcome.COMPATIBLE,
    "conditional": Outcome.CONDITIONAL,
    "unresolvable": Outcome.DISPUTED,
}
