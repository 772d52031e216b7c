"""Hypothesis strategies shared by the laws: branches with tree-shaped histories, assertions, claims, nasty text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from beliefmerge.algebra.annotation import Annotation, Assertion, Premise
from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.algebra.history import Chain
from beliefmerge.claims.claim import Claim, ClaimType, Span
from beliefmerge.session.model import Channel

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
    out = Annotation(several=frozenset(Trust) if multi else frozenset())
    for branch in branches:
        out = out.join(Annotation.of(branch.assertions()))
    return out


KEYS = ("k", "p", "q")


@dataclass(frozen=True)
class World:
    """Claims about several slots that rest on one another, cycles included, and which session is the current one."""

    claims: tuple[Claim, ...]
    current: str | None


@st.composite
def worlds(draw: st.DrawFn, max_branches: int = 4, name: Callable[[str], str] = str) -> World:
    """Branches whose messages speak of KEYS. `name`, injective, turns keys and values into what is written.

    Now and then a file numbers its messages from the end or not at all, all files call themselves one session, or one
    holds another's messages in another order: sequence numbers that say nothing of the history, places that are not
    one's own, and histories that contradict one another.
    """
    branches = draw(forests(max_branches=max_branches))
    if draw(st.integers(0, 7)) == 7:
        scrambled = draw(st.permutations(draw(st.sampled_from(branches)).utterances))
        branches.append(Branch(tuple(scrambled)))
    premises = st.builds(Premise, st.sampled_from(KEYS).map(name), st.sampled_from([None, *"abc"]))
    grounds = st.one_of(st.just(()), st.lists(st.frozensets(premises, max_size=2), max_size=2).map(tuple))
    messages = sorted({u.key: u for branch in branches for u in branch.utterances}.items())
    about = {message: draw(st.sampled_from(KEYS)) for message, _ in messages}
    because = {message: draw(grounds) for message, _ in messages}
    multi = {(key, b): draw(st.booleans()) for key in KEYS for b in range(len(branches))}
    sessions = ["s"] * len(branches) if draw(st.integers(0, 2)) == 2 else [f"s{b}" for b in range(len(branches))]
    claims = []
    for b, branch in enumerate(branches):
        renumbered = draw(st.sampled_from([1, 1, -1, 0]))
        for a in branch.assertions():
            said = name(a.value) if a.seq % 2 else name(a.value).upper()
            quote = f"It is {said}, they say in {a.message}"
            claims.append(
                Claim(
                    key=name(about[a.message]),
                    spelling=said,
                    type=ClaimType.FACT,
                    channel=_channel(a),
                    span=Span(sessions[b], a.message, renumbered * a.seq, a.block, a.start, a.end, quote),
                    assertion=replace(a, seq=renumbered * a.seq, justifications=because[a.message]),
                    multi=multi[about[a.message], b],
                )
            )
    current = next((sessions[b] for b, branch in enumerate(branches) if branch.current), None)
    return World(tuple(draw(st.permutations(claims))), current)


def _channel(a: Assertion) -> Channel:
    if a.speaker == "model" and a.evidence is Evidence.SPECULATIVE:
        return Channel.REASONING
    return Channel(a.speaker)


NASTY = (
    *("# ", "## Merged context", "＃ ", "# Merged context\n", "> External background: quoted data"),
    *("\n", "\r", "\x85", "\u2028", "\t", "\x00", "\x1b[31m", "  ", "\u3000", "\xa0"),
    *("`", "```", "~~~", '"', "'", "\\", "\\u{41}", "\\n", "[", "]", "](http://x)", "!["),
    *("<script>", "</b>", "<", ">", "＜b", "…", "“", "＂", "- ", "* ", "+ ", "1. ", "---"),
    *(" | ", " = ", "; ", ": ", ":", " if ", "not ", " derived from ", " unmet ", "(omitted 3)"),
    *("[user-stated x9, trusted]", " [inferred]", "RETRACTED ", "DISPUTED ", "UNTRUSTED"),
    *("\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\xad", "\u0301", "\ufe0f", "\ud800", "\u3164"),
    *("👩\u200d💻", "می\u200cخواهم", "クラス", "东京", "Привет", "é", "e\u0301", "[REDACTED:api-key]"),
    *("60 s", "cache_ttl", "/etc/x", "a"),
)
"""What a session may hold to pass for something of ours."""

nasty_text = st.lists(st.one_of(st.sampled_from(NASTY), st.text(max_size=3)), max_size=6).map("".join)
"""Arbitrary Unicode, lone surrogates excepted in the free part, with much of our own grammar in it."""
