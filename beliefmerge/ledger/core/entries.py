"""The kinds of entry a log holds, as records. References are entry ids: the hash of the record named, lowercase hex."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from beliefmerge.errors import BeliefMergeError
from beliefmerge.ledger.core.canonical import MAX_INT, canonical

HEX64 = "^[0-9a-f]{64}$"
Id = Annotated[str, Meta(pattern=HEX64, min_length=64, max_length=64)]
Hash = Annotated[str, Meta(pattern=HEX64, min_length=64, max_length=64)]
Ppm = Annotated[int, Meta(ge=0, le=1_000_000)]
"""Parts per million, in [0, 1]."""
SignedPpm = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Natural = Annotated[int, Meta(ge=0, le=MAX_INT)]
Delta = Annotated[int, Meta(ge=0, le=1_000_000)]
Text = Annotated[str, Meta(min_length=1)]
Name = Annotated[str, Meta(min_length=1, max_length=512)]
Tenant = Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._-]*$", min_length=1, max_length=63)]
Ids = tuple[Id, ...]


class Unreadable(BeliefMergeError):
    """A stored record is no entry of a known kind."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """What every entry carries."""

    tenant: Tenant
    seq: Natural
    """Place in the tenant's log, dense from 0."""
    time_ms: Natural
    """When it was recorded, milliseconds since 1970; informative, decides nothing."""
    v: Literal[1] = 1


class Observation(Record, frozen=True, kw_only=True, tag="observation"):
    """A sealed tool result, with the procedure that acquires it again. Attests its origin, not that it is true."""

    text: str
    source_id: Name
    tool: Name
    args: Any
    """Canonical JSON arguments of the tool."""
    acquired_ms: Natural
    content_hash: Hash
    """SHA-256 of the blob the tool returned."""
    determinism: Literal["deterministic", "volatile"]
    claim: Name | None = None
    """Normalised key of what it says: origins of one claim corroborate each other."""
    url: str | None = None
    """Where it was found; without one it counts nothing in a quorum."""


class Derivation(Record, frozen=True, kw_only=True, tag="derivation"):
    """An inference from parents, by declared edges."""

    text: Text
    parents: Annotated[Ids, Meta(min_length=1)]
    claim: Name | None = None


class Conjecture(Record, frozen=True, kw_only=True, tag="conjecture"):
    """A guess. It may name parents: it falls with them and gains nothing from them."""

    text: Text
    parents: Ids = ()
    claim: Name | None = None


class Contradiction(Record, frozen=True, kw_only=True, tag="contradiction"):
    """Origins said to contradict a target. It alone changes nothing."""

    target: Id
    origins: Ids
    reason: str = ""


class Cascade(Record, frozen=True, kw_only=True, tag="cascade"):
    """A contradiction passed: the verdict at its sequence number, recorded."""

    contradiction: Id
    target: Id
    votes: Ids
    """The origins counted, a maximum independent set."""
    independent: Natural


class Restoration(Record, frozen=True, kw_only=True, tag="restoration"):
    """A pass is undone, with all that carries its id."""

    cascade: Id
    reason: str = ""


class Reputation(Record, frozen=True, kw_only=True, tag="reputation"):
    """A change of a source's Beta counts by a pass, in effect from the next sequence number."""

    source_id: Name
    alpha_delta: Delta
    beta_delta: Delta
    cause: Id
    """The cascade."""


class MeasuredEdge(Record, frozen=True, kw_only=True, tag="measured_edge"):
    """A measured weight of the declared edge from `parent` to `claim`."""

    claim: Id
    """The entry that depends."""
    parent: Id
    weight_ppm: Ppm
    rho_ppm: SignedPpm
    """Stability of the measurement across runs, a rank correlation."""
    report_hash: Hash
    low_ppm: Ppm | None = None
    high_ppm: Ppm | None = None


class Finding(Record, frozen=True, kw_only=True, tag="finding"):
    """What a replay of a seal found."""

    seal: Id
    outcome: Literal["match", "mismatch", "unreachable", "refused"]
    observed_hash: Hash | None = None
    detail: str = ""


class Checkpoint(Record, frozen=True, kw_only=True, tag="checkpoint"):
    """A signed head of what precedes it was issued."""

    head_seq: Natural
    head_hash: Hash
    public_key: Hash
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$", min_length=128, max_length=128)]


Entry: TypeAlias = (
    Observation
    | Derivation
    | Conjecture
    | Contradiction
    | Cascade
    | Restoration
    | Reputation
    | MeasuredEdge
    | Finding
    | Checkpoint
)
Claim: TypeAlias = Observation | Derivation | Conjecture
"""The kinds that say something and so have a tier and a belief."""

_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def kind(entry: Entry) -> str:
    """The kind of an entry, as its record says it."""
    return str(entry.__struct_config__.tag)


def encode(entry: Entry) -> bytes:
    """The canonical bytes of an entry, which are what is hashed and stored. Raises NotHashable."""
    return canonical(msgspec.to_builtins(entry))


def decode(record: bytes) -> Entry:
    """The entry of stored bytes. Raises Unreadable."""
    try:
        return _decoder.decode(record)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"not a ledger record: {error}") from error
