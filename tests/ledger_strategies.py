"""Random logs: lists of moves drawn by Hypothesis and played into valid entries, whatever was drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from hypothesis import strategies as st

from beliefmerge.ledger.core.entries import (
    Cascade,
    Conjecture,
    Contradiction,
    Derivation,
    Entry,
    Finding,
    MeasuredEdge,
    Observation,
    Reputation,
    Restoration,
    decode,
    encode,
)
from beliefmerge.ledger.core.passing import consequences
from beliefmerge.ledger.core.state import State
from beliefmerge.ledger.core.validity import append

TENANT = "acme"
HOSTS = ("a.com", "www.a.com", "b.org", "c.co.uk", "d.net", "e.io", "x.github.io", "y.github.io", "10.0.0.1")
TEXTS = (
    "The bridge over the river is closed until Monday, the council said today.",
    "By Jane Doe. The bridge over the river is closed until Monday, the council said today.",
    "Police report that all traffic across the water is diverted.",
    "Engineers found cracks in the eastern pier during an inspection.",
    "Commuters took the ferry as the crossing stayed shut.",
    "A spokesman confirmed that repairs will take several weeks.",
)


@dataclass
class Log:
    """A valid log with its state, and a shorthand for adding to it."""

    state: State = field(default_factory=State)
    records: list[bytes] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    @property
    def entries(self) -> list[Entry]:
        return [decode(record) for record in self.records]

    def add(self, kind: type[Entry], **fields: object) -> str:
        """Append an entry of that kind; its id."""
        return self.append(kind(tenant=TENANT, seq=len(self.ids), time_ms=1_700_000_000_000 + len(self.ids), **fields))

    def append(self, entry: Entry) -> str:
        record, digest = append(self.state, entry)
        self.records.append(record)
        self.ids.append(digest.hex())
        return self.ids[-1]

    def seal(
        self, text: str = "It is so.", source: str = "s", host: str | None = "a.com", claim: str | None = None
    ) -> str:
        return self.add(
            Observation,
            text=text,
            source_id=source,
            tool="fetch",
            args={"n": 1},
            acquired_ms=1_700_000_000_000,
            content_hash="0" * 64,
            determinism="volatile",
            claim=claim,
            url=None if host is None else f"https://{host}/page",
        )

    def derive(self, *parents: str, text: str = "So it is.") -> str:
        return self.add(Derivation, text=text, parents=parents)

    def guess(self, *parents: str, text: str = "Maybe.") -> str:
        return self.add(Conjecture, text=text, parents=parents)

    def contradict(self, target: str, *origins: str) -> str | None:
        """Contradict `target`; the id of the pass, if it passed."""
        said = self.add(Contradiction, target=target, origins=origins)
        brought = [self.append(entry) for entry in consequences(self.state, said, 1_700_000_000_000)]
        return brought[0] if brought else None

    def restore(self, cascade: str) -> str:
        return self.add(Restoration, cascade=cascade)

    def measure(self, claim: str, parent: str, weight: int, rho: int = 900_000) -> str:
        return self.add(MeasuredEdge, claim=claim, parent=parent, weight_ppm=weight, rho_ppm=rho, report_hash="1" * 64)

    def find(self, seal: str, outcome: str) -> str:
        return self.add(Finding, seal=seal, outcome=outcome)


number = st.integers(0, 1 << 16)
ppm = st.one_of(st.sampled_from([0, 1, 250_000, 333_333, 500_000, 999_999, 1_000_000]), st.integers(0, 1_000_000))
seals = st.tuples(st.just("seal"), number, number, number, number)
inferences = st.one_of(
    st.tuples(st.just("derive"), st.lists(number, min_size=1, max_size=3)),
    st.tuples(st.just("guess"), st.lists(number, max_size=2)),
)
contradictions = st.one_of(
    st.tuples(st.just("contradict"), number, st.lists(number, min_size=2, max_size=6)),
    st.tuples(st.just("refute"), number, number),
)
trust_moves = st.one_of(
    contradictions,
    st.tuples(st.just("measure"), number, number, ppm, st.sampled_from([599_999, 600_000, 900_000])),
    st.tuples(st.just("restore"), number),
    st.tuples(st.just("find"), number, st.sampled_from(["match", "mismatch", "unreachable", "refused"])),
)
moves = st.one_of(seals, inferences, contradictions, trust_moves)


def play(log: Log, drawn: Iterable[Sequence[object]]) -> Log:
    """Make each move where it can be made, and leave it out where it cannot."""
    for name, *arguments in drawn:
        _MOVES[name](log, *arguments)
    return log


@st.composite
def logs(draw: st.DrawFn, max_moves: int = 24) -> Log:
    """A log that begins with some seals of independent origins and inferences from them, then goes on with anything."""
    log = Log()
    for i in draw(st.permutations(range(5))):
        log.seal(TEXTS[i + 1], f"s{i}", HOSTS[i + 1], draw(st.sampled_from([None, None, "bridge", "ferry"])))
    play(log, draw(st.lists(inferences, min_size=1, max_size=4)))
    return play(log, draw(st.lists(moves, min_size=4, max_size=max_moves)))


def _claims(log: Log) -> list[str]:
    return [log.ids[seq] for seq in log.state.nodes]


def _seals(log: Log) -> list[str]:
    return [log.ids[seq] for seq, node in log.state.nodes.items() if node.source is not None]


def _seal(log: Log, text: int, source: int, host: int, claim: int) -> None:
    claim_key = (None, "bridge", "ferry")[claim % 3]
    log.seal(TEXTS[text % len(TEXTS)], f"s{source % 6}", HOSTS[host % len(HOSTS)], claim_key)


def _derive(log: Log, parents: Sequence[int]) -> None:
    known = _claims(log)
    log.derive(*(known[p % min(len(known), 12)] for p in parents))


def _guess(log: Log, parents: Sequence[int]) -> None:
    known = _claims(log)
    log.guess(*(known[p % len(known)] for p in parents))


def _contradict(log: Log, target: int, origins: Sequence[int]) -> None:
    known, sealed = _claims(log), _seals(log)
    log.contradict(known[target % len(known)], *(sealed[o % len(sealed)] for o in origins))


def _refute(log: Log, target: int, honest: int) -> None:
    """By three of the honest seals; the targets are few, so that some fall twice."""
    known = _claims(log)
    log.contradict(known[target % min(len(known), 9)], *(log.ids[(honest + i) % 5] for i in range(3)))


def _measure(log: Log, claim: int, parent: int, weight: int, rho: int) -> None:
    inferred = [seq for seq, node in log.state.nodes.items() if node.parents]
    if inferred:
        child = inferred[claim % len(inferred)]
        declared = log.state.nodes[child].parents
        log.measure(log.ids[child], log.ids[declared[parent % len(declared)]], weight, rho)


def _restore(log: Log, which: int) -> None:
    active = [p.seq for p in log.state.passes.values() if p.restored is None]
    if active:
        log.restore(log.ids[active[which % len(active)]])


def _find(log: Log, seal: int, outcome: str) -> None:
    sealed = _seals(log)
    log.find(sealed[seal % len(sealed)], outcome)


_MOVES: Mapping[str, Callable[..., None]] = {
    "seal": _seal,
    "derive": _derive,
    "guess": _guess,
    "contradict": _contradict,
    "refute": _refute,
    "measure": _measure,
    "restore": _restore,
    "find": _find,
}

_REFERENCES = ("parents", "origins", "votes", "target", "contradiction", "cascade", "cause", "claim", "parent", "seal")


def replay(
    entries: Iterable[Entry],
    drop: Callable[[Entry], bool] = lambda entry: False,
    change: Callable[[Entry], Entry] = lambda entry: entry,
) -> tuple[State, dict[int, int]]:
    """The state of a log without the entries to drop, the others changed, renumbered and chained anew.

    `change` names entries by their old ids. Also gives the new number of every old one that is kept. No verdict is
    computed anew: what is recorded counts.
    """
    from beliefmerge.ledger.core import chain

    state, places, names = State(), {}, {}
    digest = chain.GENESIS
    old = chain.GENESIS
    for entry in entries:
        old = chain.link(old, encode(entry))
        if drop(entry):
            continue
        fields = {
            name: _renamed(value, names)
            for name in _REFERENCES
            if (value := getattr(changed := change(entry), name, None)) is not None
            and not (name == "claim" and not isinstance(entry, MeasuredEdge))
        }
        new = msgspec.structs.replace(changed, seq=len(places), **fields)
        digest = chain.link(digest, encode(new))
        state.apply(new, digest)
        places[entry.seq] = new.seq
        names[old.hex()] = digest.hex()
    return state, places


def _renamed(value: object, names: Mapping[str, str]) -> object:
    return names[value] if isinstance(value, str) else tuple(names[v] for v in value)


def without(entries: Sequence[Entry], cascade: int) -> Callable[[Entry], bool]:
    """What a log never has when the pass at `cascade` never was: it, what it changed, and its undoing."""
    from beliefmerge.ledger.core import chain

    ids = [digest.hex() for digest in chain.links(map(encode, entries))]
    return lambda entry: (
        (isinstance(entry, Cascade) and entry.seq == cascade)
        or (isinstance(entry, Reputation) and entry.cause == ids[cascade])
        or (isinstance(entry, Restoration) and entry.cascade == ids[cascade])
    )


def standing(state: State, places: Mapping[int, int] | None = None) -> dict[int, tuple[object, ...]]:
    """All that a state says of each claim, by number; by the old numbers when `places` gives the new ones."""
    numbers = {seq: seq for seq in state.nodes} if places is None else places
    return {
        old: (
            state.belief_at(new),
            state.founding_ppm(state.id(new)),
            state.tier_at(new),
            state.corroborated_at(new),
            state.status_at(new),
        )
        for old, new in numbers.items()
        if new in state.nodes
    }
