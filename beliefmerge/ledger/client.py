"""The typed client of the ledger's service: one method an operation, retries where they are safe."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

import msgspec

from beliefmerge.errors import BeliefMergeError
from beliefmerge.ledger.core.views import Audit
from beliefmerge.ledger.wire import (
    Body,
    Commit,
    Context,
    Contradict,
    Found,
    Head,
    Health,
    Judged,
    Measure,
    Measured,
    Nothing,
    Problem,
    Restore,
    Seal,
    Sealed,
    SignedHead,
    Stored,
    Written,
)

if TYPE_CHECKING:
    import httpx

T = TypeVar("T", bound=msgspec.Struct)

_LATER = "unavailable"
_FIRST_PAUSE = 0.1


class LedgerError(BeliefMergeError):
    """A call failed. `kind` is the service's word for it, or ``unreachable``; then there is no `status`."""

    def __init__(self, kind: str, text: str, status: int | None = None) -> None:
        super().__init__(f"ledger: {kind}: {text}")
        self.kind, self.text, self.status = kind, text, status


class LedgerClient:
    """Speaks to the service at `url` with the rights of `token`. Use it as a context manager, or ``close`` it.

    A call that changes something carries an idempotency key of its own (or `key`), so that trying it again after a lost
    answer cannot do it twice. `retries` is how often a call is tried again when nothing answered or the service
    could not take it now. Every method raises LedgerError. `transport` stands in the place of the network in tests.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int = 3,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        import httpx

        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._retries = retries
        try:
            # Certificates are read only where there will be one to check: reading them takes longer than most calls.
            secure = not url.startswith("http://")
            self._http = httpx.Client(
                base_url=url, headers=headers, timeout=timeout, transport=transport, verify=secure
            )
        except (httpx.InvalidURL, UnicodeEncodeError) as error:
            raise LedgerError("unreachable", f"{url!r}: {error}") from None

    def __enter__(self) -> LedgerClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def seal(self, body: Seal, *, key: str | None = None) -> Sealed:
        """Seal what a tool returned (role sealer)."""
        return self._write("/seal", body, Sealed, key)

    def commit(self, body: Commit, *, key: str | None = None) -> Written:
        """Record a derivation or a conjecture (role agent)."""
        return self._write("/entry", body, Written, key)

    def contradict(self, body: Contradict, *, key: str | None = None) -> Judged:
        """Record that sealed origins contradict an entry, and have the quorum decide (role verifier)."""
        return self._write("/contradiction", body, Judged, key)

    def restore(self, body: Restore, *, key: str | None = None) -> Written:
        """Undo a pass (role verifier)."""
        return self._write("/restoration", body, Written, key)

    def measure(self, body: Measure, *, key: str | None = None) -> Measured:
        """Record measured edges (role attributor)."""
        return self._write("/edges/measured", body, Measured, key)

    def checkpoint(self, *, key: str | None = None) -> SignedHead:
        """Have the head signed, to be kept elsewhere (role auditor)."""
        return self._write("/checkpoint", Nothing(), SignedHead, key)

    def replay_audit(self, seal: str, *, key: str | None = None) -> Found:
        """Have a seal replayed (roles auditor and verifier)."""
        return self._write(f"/replay-audit/{seal}", Nothing(), Found, key)

    def put_blob(self, content: bytes) -> Stored:
        """Store a content that is too large to go into a seal (roles sealer and attributor)."""
        return _decoded(self._try("POST", "/blob", content, {"Content-Type": "application/octet-stream"}), Stored)

    def blob(self, digest: str) -> bytes:
        """The content of that hash."""
        return self._try("GET", f"/blob/{digest}").content

    def context(self) -> Context:
        """The current state of the entries, for rendering."""
        return self._read("/context", Context)

    def audit(self) -> Audit:
        """What stands behind the state (roles auditor and verifier)."""
        return self._read("/audit", Audit)

    def head(self) -> Head:
        """Where the chain ends."""
        return self._read("/head", Head)

    def health(self) -> Health:
        """Whether the service takes writes. Needs no token."""
        return self._read("/health", Health)

    def export(self) -> Iterator[bytes]:
        """The export's lines as they come (roles auditor and verifier)."""
        import httpx

        try:
            with self._http.stream("GET", "/export") as response:
                _check(response)
                rest = b""
                for chunk in response.iter_bytes():
                    *lines, rest = (rest + chunk).split(b"\n")
                    yield from (line + b"\n" for line in lines)
        except httpx.HTTPError as error:
            raise LedgerError("unreachable", _cause(error)) from None

    def save_export(self, path: Path) -> None:
        """Write the export to `path`, whole or not at all."""
        from beliefmerge.files import write_atomically

        write_atomically(path, b"".join(self.export()))

    def _read(self, path: str, answer: type[T]) -> T:
        return _decoded(self._try("GET", path), answer)

    def _write(self, path: str, body: Body, answer: type[T], key: str | None) -> T:
        fields = {name: value for name, value in msgspec.to_builtins(body).items() if value is not None}
        headers = {"Idempotency-Key": key or uuid.uuid4().hex, "Content-Type": "application/json"}
        return _decoded(self._try("POST", path, msgspec.json.encode(fields), headers), answer)

    def _try(
        self, method: str, path: str, content: bytes | None = None, headers: dict[str, str] | None = None
    ) -> httpx.Response:
        """The answer to a request that may be made more than once; pauses double from a tenth of a second."""
        pause = _FIRST_PAUSE
        for left in range(self._retries, -1, -1):
            try:
                return self._once(method, path, content, headers)
            except LedgerError as error:
                if left == 0 or (error.status is not None and error.kind != _LATER):
                    raise
            time.sleep(pause)
            pause *= 2
        raise AssertionError("the last try returns or raises")

    def _once(self, method: str, path: str, content: bytes | None, headers: dict[str, str] | None) -> httpx.Response:
        import httpx

        try:
            response = self._http.request(method, path, content=content, headers=headers)
        except httpx.HTTPError as error:
            raise LedgerError("unreachable", _cause(error)) from None
        _check(response)
        return response


def _check(response: httpx.Response) -> None:
    if response.is_success:
        return
    response.read()
    try:
        problem = msgspec.json.decode(response.content, type=Problem)
    except msgspec.DecodeError:
        problem = Problem(kind="unexpected", text=f"an answer that is not the service's, status {response.status_code}")
    raise LedgerError(problem.kind, problem.text, response.status_code)


def _decoded(response: httpx.Response, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(response.content, type=kind)
    except msgspec.DecodeError as error:
        raise LedgerError("unexpected", f"an answer of another shape: {error}", response.status_code) from None


def _cause(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
