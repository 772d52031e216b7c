"""The ledger's calculus: folding a log, a cascade, one origin more among many, and verifying an export.

CPU seconds of one process, except where the note says otherwise; the log is a mix of seals, inferences, contradictions
that pass, and measured edges.
"""

from __future__ import annotations

import gc
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from hashlib import sha256

from beliefmerge.ledger.chainverify import verify
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
from beliefmerge.ledger.core.export import lines
from beliefmerge.ledger.core.fold import State, fold
from beliefmerge.ledger.core.quorum import Independence, Origin
from benchmarks.measure import Row

ENTRIES, MILLION = 100_000, 1_000_000
NODES, ORIGINS = 10_000, 10_000
WORDS = [f"word{i}" for i in range(5_000)]


def log(size: int, seed: int = 1) -> Iterator[bytes]:
    """The records of a log of `size` entries."""
    draw, digest, ids = random.Random(seed), chain.GENESIS, []
    for entry in _entries(size, draw, ids):
        record = encode(entry)
        digest = chain.link(digest, record)
        ids.append(digest.hex())
        yield record


def _entries(size: int, draw: random.Random, ids: list[str]) -> Iterator[Entry]:
    sealed: list[int] = []
    inferred: list[tuple[int, int]] = []
    while len(ids) < size:
        common = {"tenant": "bench", "seq": len(ids), "time_ms": 1_700_000_000_000 + len(ids)}
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


def _seal(draw: random.Random, common: dict[str, object]) -> Observation:
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


def _pass(draw: random.Random, common: dict[str, object], ids: list[str], sealed: list[int]) -> Iterator[Entry]:
    target, *votes = (ids[i] for i in draw.sample(sealed[-100:], 3))
    yield Contradiction(**common, target=target, origins=tuple(votes))
    common["seq"] = len(ids)
    yield Cascade(**common, contradiction=ids[-1], target=target, votes=tuple(votes), independent=2)
    common["seq"] = len(ids)
    yield Reputation(**common, source_id=f"source-{draw.randrange(500)}", alpha_delta=1, beta_delta=0, cause=ids[-1])


def _text(draw: random.Random) -> str:
    return " ".join(draw.choices(WORDS, k=12))


def cpu(work: Callable[[], object], repeat: int = 9) -> float:
    """Least CPU seconds of `work` in `repeat` runs: what else the machine does only adds to them."""
    times = []
    for _ in range(repeat):
        gc.collect()
        start = time.process_time()
        made = work()
        times.append(time.process_time() - start)
        del made
    return min(times)


def layered(size: int, weights: bool) -> tuple[State, int]:
    """A state with one seal and `size` inferences that rest on it through 40 layers; the number of the seal."""
    draw, state = random.Random(2), State()
    width, graph = size // 40, state.edges
    for node in range(1, size + 1):
        layer = (node - 1) // width
        parents = [0] if layer == 0 else [1 + (layer - 1) * width + draw.randrange(width) for _ in range(2)]
        graph.add(node, sorted(set(parents)))
        if weights:
            for parent in set(parents):
                graph.weigh(node, parent, draw.randrange(500_000, 1_000_001))
    return state, 0


def cascade_seconds(weights: bool) -> float:
    """Least CPU seconds of one cascade over ``NODES`` nodes."""
    state, seal = layered(NODES, weights)
    times = []
    for _ in range(7):
        gc.collect()
        start = time.process_time()
        state.edges.fall(seal)
        times.append(time.process_time() - start)
        assert len(state.edges.reach(NODES)) == 1
        state.edges.rise(seal)
    return min(times)


def origin_seconds() -> float:
    """CPU seconds for one origin more among ``ORIGINS`` of 100 words each, median of 20."""
    draw, found = random.Random(3), Independence()

    def origin(key: int) -> Origin:
        return Origin(key, f"s{key}", f"d{key}.com", " ".join(draw.choices(WORDS, k=100)))

    for key in range(ORIGINS):
        found.add(origin(key))
    times = []
    for key in range(ORIGINS, ORIGINS + 20):
        new = origin(key)
        start = time.process_time()
        found.add(new)
        count = len(found.chosen())
        times.append(time.process_time() - start)
        assert count == key + 1
    return statistics.median(times)


def peak_megabytes() -> dict[str, float]:
    """Peak memory and CPU seconds of a process that folds ``MILLION`` entries as they are made."""
    code = "from benchmarks import ledger_core; ledger_core.fold_a_million()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def fold_a_million() -> None:
    """Print what folding a million entries takes; the making of the records is counted in the memory, not the time."""
    bare = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    state = fold(log(MILLION))
    assert state.head.seq >= MILLION - 1
    print(json.dumps({"before": bare / 1024, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


def verify_seconds(records: list[bytes]) -> tuple[float, float, int]:
    """CPU seconds to verify an export, to hash its bytes once, and its size."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public = key.public_key().public_bytes_raw().hex()
    digests = list(chain.links(records))
    rows = zip(range(len(records)), [chain.GENESIS, *digests], digests, records, strict=False)
    whole = b"".join(lines("bench", rows, public, key.sign))
    with tempfile.TemporaryFile() as file:
        file.write(whole)

        def verified() -> None:
            file.seek(0)
            verify(file, key=public)

        return cpu(verified), cpu(lambda: sha256(whole)), len(whole)


def run() -> list[Row]:
    records = list(log(ENTRIES))
    folded = cpu(lambda: fold(records))
    rate = len(records) / folded
    rows = [Row("ledger fold", folded, None, ">= 100,000 entries/CPU-s", rate >= 100_000, f"{rate:,.0f} entries/s")]
    memory = peak_megabytes()
    held = memory["peak"] <= 1536
    rows.append(Row("ledger fold, 1 M", 0.0, None, "<= 1.5 GiB", held, f"peak {memory['peak']:,.0f} MiB"))
    for weights in (False, True):
        taken = cascade_seconds(weights)
        what = f"ledger cascade, {'measured' if weights else 'declared'}"
        rows.append(Row(what, taken, None, "<= 25 ms CPU", taken <= 0.025, f"{taken * 1e3:.1f} ms, {NODES:,} nodes"))
    taken = origin_seconds()
    rows.append(
        Row("ledger origin", taken, None, "<= 10 ms", taken <= 0.010, f"{taken * 1e3:.2f} ms, {ORIGINS:,} origins")
    )
    ours, reference, size = verify_seconds(records)
    holds = ours <= 6 * reference
    rows.append(
        Row("ledger verify", ours, reference, "<= 6x SHA-256", holds, f"{ours / reference:.1f}x, {size / 1e6:.0f} MB")
    )
    return rows
