"""Hypothesis strategies shared by the laws: branches with tree-shaped histories, assertions, derivation graphs."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from beliefmerge.algebra.annotation import Annotation, Assertion, Premise
from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.algebra.history import Chain

SPEAKERS = {
    "user": (Evidence.USER_STATED,),
    "tool": (Evidence.TOOL_VERIFIED,),
    "model": (Evidence.INFERRED, Evidence.SPECULATIVE),
    "injected": (Evidence.SPECULATIVE,),
}
VALUES = st.sampled_from(["a", "b", "c"])


@dataclass(frozen=True)
class Utterance:
    """One message: who says what of the slot (value, denied), and on what grounds."""

    key: str
    speaker: str
    evidence: Evidence
    said: tuple[tuple[str, bool], ...]
    grounds: tuple[frozenset[Premise], ...] = ()


@dataclass(frozen=True)
class Branch:
    """A linear log; `current` makes its user's words TRUSTED, `trust` caps the rest."""

    utterances: tuple[Utterance, ...]
    current: bool = False
    trust: Trust = Trust.EXTERNAL

    def assertions(self) -> list[Assertion]:
        chain = Chain(u.key for u in self.utterances)
        return [
            Assertion(
                value=value,
                denied=denied,
                evidence=u.evidence,
                trust=self._trust(u),
                speaker=u.speaker,
                message=u.key,
                history=chain.before(u.key),
                seq=i,
                start=10 * n,
                end=10 * n + 5,
                justifications=u.grounds,
            )
            for i, u in enumerate(self.utterances)
            for n, (value, denied) in enumerate(u.said)
        ]

    def _trust(self, u: Utterance) -> Trust:
        if u.speaker == "injected":
            return Trust.UNTRUSTED
        return Trust.TRUSTED if self.current and u.speaker == "user" else self.trust


@st.composite
def utterances(draw: st.DrawFn, key: str, denials: bool = True) -> Utterance:
    speaker = draw(st.sampled_from(sorted(SPEAKERS)))
    stance = st.tuples(VALUES, st.booleans() if denials else st.just(False))
    grounds = draw(st.sampled_from([(), (), (frozenset({Premise("p", "yes")}),), (frozenset({Premise("q")}),)]))
    return Utterance(
        key,
        speaker,
        draw(st.sampled_from(SPEAKERS[speaker])),
        tuple(draw(st.lists(stance, max_size=2, unique=True))),
        grounds,
    )


@st.composite
def forests(draw: st.DrawFn, max_branches: int = 4, prefix: str = "m", denials: bool = True) -> list[Branch]:
    """Branches, some forked off earlier ones at any cut; one of them may be the current session."""
    branches: list[Branch] = []
    current = draw(st.integers(-1, max_branches - 1))
    for b in range(draw(st.integers(1, max_branches))):
        trunk: tuple[Utterance, ...] = ()
        if branches and draw(st.booleans()):
            parent = draw(st.sampled_from(branches)).utterances
            trunk = parent[: draw(st.integers(0, len(parent)))]
        own = tuple(
            draw(utterances(f"{prefix}{b}.{i}", denials=denials))
            for i in range(draw(st.integers(0 if trunk else 1, 4)))
        )
        trust = draw(st.sampled_from([Trust.EXTERNAL, Trust.EXTERNAL, Trust.UNTRUSTED]))
        branches.append(Branch(trunk + own, current=b == current, trust=trust))
    return branches


def annotation(branches: list[Branch], *, multi: bool = False) -> Annotation:
    """The join of the branches' annotations."""
    out = Annotation(multi=multi)
    for branch in branches:
        out = out.join(Annotation.of(branch.assertions()))
    return out
