"""The ledger's fold: a log of mixed entries in time and in memory, beside parsing and keeping its records.

The log is a mix of seals, inferences, contradictions that pass, and measured edges. CPU seconds of one process.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from beliefmerge.ledger.core import chain
from beliefmerge.ledger.core.entries import (
    Cascade,
    Conjecture,
    Contradiction,
    Derivation,
    Entry,
    MeasuredEdge,
    Observation,
    Reputation,
    encode,
)
from beliefmerge.ledger.core.fold import fold
from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.measure import agree, in_turn
from benchmarks.suite.row import MEBIBYTES, Row

ENTRIES, MILLION = 100_000, 1_000_000
RATE, MOST_MIB = 100_000, 1536
ROUNDS = 7
WORDS = [f"word{i}" for i in range(5_000)]


def log(size: int, seed: int = 1) -> Iterator[bytes]:
    """The records of a log of `size` entries."""
    draw, digest = random.Random(seed), chain.GENESIS
    ids: list[str] = []
    for entry in _entries(size, draw, ids):
        record = encode(entry)
        digest = chain.link(digest, record)
        ids.append(digest.hex())
        yield record


def _entries(size: int, draw: random.Random, ids: list[str]) -> Iterator[Entry]:
    sealed: list[int] = []
    inferred: list[tuple[int, int]] = []
    while len(ids) < size:
        common: dict[str, Any] = {"tenant": "bench", "seq": len(ids), "time_ms": 1_700_000_000_000 + len(ids)}
        kind = draw.random()
        if kind < 0.5 or len(sealed) < 10:
            sealed.append(len(ids))
            yield _seal(draw, common)
        elif kind < 0.9:
            parents = {sealed[-1 - int(draw.random() * 8)], draw.choice(sealed)}
            inferred.append((len(ids), min(parents)))
            yield Derivation(**common, text=_text(draw), parents=tuple(ids[p] for p in sorted(parents)))
        elif kind < 0.97 or not inferred:
            yield Conjecture(**common, text=_text(draw), parents=(ids[draw.choice(sealed)],))
        elif kind < 0.99:
            child, parent = draw.choice(inferred)
            weight = draw.randrange(1_000_001)
            yield MeasuredEdge(
                **common, claim=ids[child], parent=ids[parent], weight_ppm=weight, rho_ppm=700_000, report_hash="1" * 64
            )
        else:
            yield from _pass(draw, common, ids, sealed)


def _seal(draw: random.Random, common: dict[str, Any]) -> Observation:
    source = int(draw.random() * 500)
    return Observation(
        **common,
        text=_text(draw),
        source_id=f"source-{source}",
        tool="fetch",
        args={"url": f"https://site{source}.com/news", "page": 1},
        acquired_ms=1_700_000_000_000,
        content_hash=f"{draw.getrandbits(256):064x}",
        determinism="volatile",
        claim=f"claim {draw.getrandbits(17)}" if draw.random() < 0.3 else None,
        url=f"https://site{source}.com/news/{draw.getrandbits(20)}",
    )


def _pass(draw: random.Random, common: dict[str, Any], ids: list[str], sealed: list[int]) -> Iterator[Entry]:
    target, *votes = (ids[i] for i in draw.sample(sealed[-100:], 3))
    yield Contradiction(**common, target=target, origins=tuple(votes))
    common["seq"] = len(ids)
    yield Cascade(**common, contradiction=ids[-1], target=target, votes=tuple(votes), independent=2)
    common["seq"] = len(ids)
    yield Reputation(**common, source_id=f"source-{draw.randrange(500)}", alpha_delta=1, beta_delta=0, cause=ids[-1])


def _text(draw: random.Random) -> str:
    return " ".join(draw.choices(WORDS, k=12))


def parse(records: Sequence[bytes]) -> bytes:
    """The plain way to go through a log: parse each record and chain the hashes; the last hash."""
    digest = chain.GENESIS
    for record in records:
        digest = chain.link(digest, record)
        json.loads(record)
    return digest


def fold_made(size: int) -> object:
    """A fold of entries as they are made."""
    return fold(log(size))


def keep_parsed(size: int) -> object:
    """The plain way to hold a log: a list of the parsed records."""
    return [json.loads(record) for record in log(size)]


def memory(work: str, size: int) -> tuple[float, float]:
    """MiB by which a fresh process grows while it does `work`, a function of this module, and its most in all."""
    load = f"from benchmarks.suite.measure import peak_mib as peak; from {__name__} import {work}"
    code = f"{load}; before = peak(); made = {work}({size}); print(peak() - before, peak())"
    said = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout
    grown, most = map(float, said.split())
    return grown, most


def run() -> Iterator[Row]:
    """The time of a fold, and its memory."""
    records = list(log(ENTRIES))
    agree(fold(records).head.hash, parse(records), "the fold")
    clock = time.process_time
    ours, reference = in_turn(lambda: fold(records), lambda: parse(records), rounds=ROUNDS, clock=clock)
    rate = len(records) / statistics.median(ours)
    peer, note = "parsing each record and chaining its hash", f"{rate:,.0f} entries/s"
    yield Row("ledger fold", ours, reference, peer, f">= {RATE:,} entries/CPU-s", rate >= RATE, note)
    (own, _), (plain, _) = memory("fold_made", ENTRIES), memory("keep_parsed", ENTRIES)
    _, whole = memory("fold_made", MILLION)
    peer, holds = f"{ENTRIES:,} entries: a list of the parsed records", whole <= MOST_MIB
    what, bar, note = (
        "ledger fold, 1 M entries, memory",
        f"whole <= {MOST_MIB / 1024} GiB",
        "growth of a fresh process; whole: all it held",
    )
    yield Row(what, (own,), (plain,), peer, bar, holds, note, MEBIBYTES, (whole,))


BENCHMARK = Benchmark("Folding a log, beside parsing and keeping its records", run)
