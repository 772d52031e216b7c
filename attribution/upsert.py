"""``python -m attribution.upsert RUN --ledger URL``: measured edges to a running ledger, as often as it takes.

Only edges that passed the gate are sent: for the others the ledger's declared edge stays as it is. Each claim's edges
go in one call whose idempotency key is a hash of what is sent, so that sending them again changes nothing, and a run
that was cut short is resumed by running it again.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from attribution.gate import Verdict
from beliefmerge.errors import BeliefMergeError, UsageError
from experiment.tables import Row, read_parquet

MOST = 1000
"""Edges in one call."""
TOKEN_ENV = "BELIEFMERGE_LEDGER_TOKEN"


@dataclass(frozen=True, slots=True)
class Sent:
    """What reached the ledger, and what ended it."""

    edges: int
    of: int
    url: str
    failure: str | None = None

    def lines(self) -> list[str]:
        """For the end of a run."""
        said = [f"{self.edges} of {self.of} measured edges are in the ledger at {self.url}"]
        if self.failure is not None:
            said.append(f"  {self.failure}; nothing is lost: python -m attribution.upsert RUN --ledger {self.url}")
        return said


def upsert(edges: Sequence[Row], report: bytes, *, url: str, token_env: str = TOKEN_ENV) -> Sent:
    """Send the measured ones of `edges`, claim by claim, with the hash of the stability `report`.

    Raises UsageError where there is no token. A ledger that goes away or refuses ends it, and is said.
    """
    from msgspec import convert

    from beliefmerge.ledger.client import LedgerClient, LedgerError
    from beliefmerge.ledger.wire import Edge, Measure

    token = token_of(token_env)
    measured = [edge for edge in edges if edge["verdict"] == Verdict.MEASURED]
    digest = hashlib.sha256(report).hexdigest()
    sent = 0
    with LedgerClient(url, token) as client:
        try:
            for batch in batches(measured):
                body = Measure(edges=[convert(wire(edge), Edge) for edge in batch], report_hash=digest)
                client.measure(body, key=key_of(batch, digest))
                sent += len(batch)
        except LedgerError as error:
            return Sent(sent, len(measured), url, str(error))
    return Sent(sent, len(measured), url)


def token_of(variable: str) -> str:
    """The attributor's token in an environment variable. Raises UsageError where there is none."""
    token = os.environ.get(variable)
    if not token:
        raise UsageError(f"no token: set {variable} to one that `python -m beliefmerge ledger token` made")
    return token


def batches(edges: Sequence[Row]) -> Iterator[list[Row]]:
    """Edges claim by claim, at most `MOST` together."""
    for claim in dict.fromkeys(edge["claim_id"] for edge in edges):
        own = [edge for edge in edges if edge["claim_id"] == claim]
        for start in range(0, len(own), MOST):
            yield own[start : start + MOST]


def wire(edge: Row) -> dict[str, int | str | None]:
    """An edge as the ledger takes it."""
    return {
        "child": edge["claim_id"],
        "parent": edge["entry_id"],
        "weight_ppm": edge["weight_ppm"],
        "rho_ppm": round(1_000_000 * edge["agreement"]),
        "low_ppm": edge["low_ppm"],
        "high_ppm": edge["high_ppm"],
    }


def key_of(batch: Sequence[Row], digest: str) -> str:
    """The idempotency key of a call: a hash of all that it says."""
    said = "\n".join(repr(sorted(wire(edge).items())) for edge in batch)
    return hashlib.sha256(f"{digest}\n{said}".encode()).hexdigest()


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m attribution.upsert",
        description="Send a run's measured edges to a running ledger. Sending them twice changes nothing.",
    )
    parser.add_argument("run", type=Path, help="directory of an attribution run: edges.parquet and stability.md")
    parser.add_argument("--ledger", required=True, metavar="URL", help="address of the ledger")
    parser.add_argument("--token-env", default=TOKEN_ENV, help="variable that holds its token (default: %(default)s)")
    given = parser.parse_args(arguments)
    try:
        sent = _send(given.run, given.ledger, given.token_env)
    except BeliefMergeError as error:
        sys.stderr.write(f"attribution.upsert: error: {error}\n")
        return error.exit_code
    sys.stdout.write("\n".join(sent.lines()) + "\n")
    return 0 if sent.failure is None else 1


def _send(run: Path, url: str, token_env: str) -> Sent:
    edges, report = run / "edges.parquet", run / "stability.md"
    for file in (edges, report):
        if not file.is_file():
            raise UsageError(f"{file}: no such file; is {run} the directory of an attribution run?")
    return upsert(read_parquet(edges), report.read_bytes(), url=url, token_env=token_env)


if __name__ == "__main__":
    sys.exit(main())
