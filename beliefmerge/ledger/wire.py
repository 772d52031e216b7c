"""What goes over HTTP: the bodies of requests and of answers, one Struct each. Integers only: parts per million, ms."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from beliefmerge.ledger.core.entries import Hash, Natural, Ppm, SignedPpm
from beliefmerge.ledger.core.views import ContextEntry

Text = Annotated[str, Meta(min_length=1, max_length=65_536)]
Name = Annotated[str, Meta(min_length=1, max_length=256)]
Key = Annotated[str, Meta(min_length=1, max_length=512)]
Address = Annotated[str, Meta(pattern=r"^[^\x00-\x1f\x7f-\x9f]+$", min_length=1, max_length=2_048)]
Base64 = Annotated[str, Meta(pattern="^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$")]
Reference = Annotated[str, Meta(min_length=1, max_length=128, description="an entry's id: its hash, 64 hex digits")]
Verdict = Literal["match", "mismatch", "unreachable", "refused"]


class Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request's body. `tenant`, where it is given, must be the token's own: any other is not found."""

    tenant: str | None = None


class Nothing(Body, frozen=True, kw_only=True):
    """The body of a request that needs none; an empty one will do."""


class Seal(Body, frozen=True, kw_only=True):
    """What a tool returned, to be sealed.

    The content is given as `content` (text), as `content_base64`, or as `content_hash` of a blob that is stored
    already; without any of them it is `text`. `acquired_ms`, milliseconds since 1970, is now where it is not given.
    """

    kind: Literal["observation"] = "observation"
    text: Text
    source_id: Name
    tool: Name
    args: Any = {}
    url: Address | None = None
    claim: Key | None = None
    acquired_ms: Natural | None = None
    determinism: Literal["deterministic", "volatile"] = "volatile"
    content: str | None = None
    content_base64: Base64 | None = None
    content_hash: Hash | None = None


class Commit(Body, frozen=True, kw_only=True):
    """What an agent concludes (`derivation`, from its parents) or guesses (`conjecture`)."""

    kind: Literal["derivation", "conjecture"]
    text: Text
    claim: Key | None = None
    parents: Annotated[list[Reference], Meta(max_length=256)] = []


class Contradict(Body, frozen=True, kw_only=True):
    """The sealed `origins` contradict the entry `target`; `text` says how."""

    kind: Literal["contradiction"] = "contradiction"
    target: Reference
    origins: Annotated[list[Reference], Meta(min_length=1, max_length=256)]
    text: Annotated[str, Meta(max_length=65_536)] = ""


class Restore(Body, frozen=True, kw_only=True):
    """Undo the pass recorded by the entry `cascade`; `text` says why."""

    kind: Literal["restoration"] = "restoration"
    cascade: Reference
    text: Annotated[str, Meta(max_length=65_536)] = ""


class Edge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much the entry `child` depends on its declared parent, as measured: weight, its interval, stability ρ."""

    child: Reference
    parent: Reference
    weight_ppm: Ppm
    rho_ppm: SignedPpm
    low_ppm: Ppm | None = None
    high_ppm: Ppm | None = None


class Measure(Body, frozen=True, kw_only=True):
    """Measured edges and the SHA-256 of the report that they were read from; all are recorded or none."""

    kind: Literal["measured_edge"] = "measured_edge"
    edges: Annotated[list[Edge], Meta(min_length=1, max_length=1_000)]
    report_hash: Hash


class Problem(Struct, frozen=True, kw_only=True):
    """Why a request was refused: `kind` is one of a fixed few, `text` one line."""

    kind: str
    text: str


class Written(Struct, frozen=True, kw_only=True):
    """An entry is in the log, durably. Its id is its hash."""

    id: Hash
    seq: int
    hash: Hash


class Sealed(Written, frozen=True, kw_only=True):
    """An observation is sealed; its content is the blob `content_hash`."""

    content_hash: Hash


class Judged(Written, frozen=True, kw_only=True):
    """A contradiction is recorded, and what the quorum said at its sequence number.

    `independent` of the `needed` origins were independent, those in `counted`; `refused` says why the others had no
    vote. `cascade` is the id of the entry that records the pass, where it passed.
    """

    independent: int
    needed: int
    passed: bool
    counted: list[Hash] = []
    refused: dict[Hash, str] = {}
    cascade: Hash | None = None


class MeasuredEdge(Written, frozen=True, kw_only=True):
    """A measured edge is recorded; `applied` says whether it replaces the declared weight (ρ at or above the gate)."""

    applied: bool


class Measured(Struct, frozen=True, kw_only=True):
    """The measured edges, in the order of the request."""

    edges: list[MeasuredEdge]


class Found(Written, frozen=True, kw_only=True):
    """What a replay found. `method` says whether the content was acquired again or its stored blob hashed again."""

    seal: Hash
    outcome: Verdict
    method: Literal["reacquired", "rehashed"]
    observed_hash: Hash | None = None
    text: str = ""


class Stored(Struct, frozen=True, kw_only=True):
    """A blob is stored durably under its SHA-256."""

    hash: Hash
    size: int


class Place(Struct, frozen=True, kw_only=True):
    """The last entry of a chain: its sequence number (−1 when there is none) and its hash."""

    seq: int
    hash: Hash


class Head(Struct, frozen=True, kw_only=True):
    """Where a tenant's chain ends, and the key that signs its heads."""

    tenant: str
    seq: int
    hash: Hash
    public_key: Hash


class SignedHead(Struct, frozen=True, kw_only=True):
    """A head signed with Ed25519: the last line of an export, and what is kept elsewhere as a checkpoint."""

    kind: Literal["head"] = "head"
    tenant: str
    seq: int
    hash: Hash
    public_key: Hash
    signature: str


class Context(Struct, frozen=True, kw_only=True):
    """The current state of a tenant's entries, and the head that it was read at."""

    tenant: str
    head: Place
    entries: list[ContextEntry]


class Health(Struct, frozen=True, kw_only=True):
    """Whether the service takes writes."""

    status: Literal["ok", "stopped"]
    version: str
