"""Attribution on planted problems and, on request, on the real local model beside the `context-cite` package.

``BELIEFMERGE_CONTEXT_CITE=PYTHON python -m benchmarks attribution``, PYTHON an interpreter with what
``benchmarks/peers/context-cite.txt`` lists, makes the comparison; docs/attribution.md has the commands that set it up.
Without it only planted problems are measured. Both sides load the same GGUF file and get two cores: the peer two
threads, ours two processes. What both sides' surrogates are fitted to at equal budgets is scored by ours and kept on
record (the likelihoods are compared first, on identical masks); what is timed is not.
"""

from __future__ import annotations

import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from attribution.additivity import even_share
from attribution.arrays import Floats, Masks
from attribution.attribute import Settings, attribute
from attribution.compare import measured
from attribution.design import DESIGNS, Design
from attribution.planted import KINDS, planted_step
from attribution.run import SHIPPED_STEPS
from attribution.scorer import SCORERS, Scorer, Scores, score_once, silent
from attribution.scorers.planted import Planted
from attribution.stability import mean_pairwise, spearman
from attribution.step import Entry, Step, read_steps
from attribution.surrogate import fit
from attribution.target import log_odds_per_token
from benchmarks.measure import Row, table
from experiment.seeds import seed_of

PEER = "BELIEFMERGE_CONTEXT_CITE"
SCRIPT = Path(__file__).parent / "peers" / "peer.py"
THREADS = 2
TIMED = 3
"""Times that each side is timed, in turn."""
ENTRIES, ABLATIONS = 32, 64
SEEDS, HELD_OUT = 4, 64
TOP = (1, 3, 5)
REDUNDANT, WITHOUT_EFFECT = {"kiln"}, {"kitchen"}
"""Shipped steps in which leave-one-out has no entry to agree on."""
PROBLEMS = 20


def run() -> list[Row]:
    rows = [*_planted_mixed(), *_planted_shares(), _planted_coverage(), _certain()]
    interpreter = os.environ.get(PEER)
    if not interpreter:
        print(f"attribution: {PEER} names no interpreter with context-cite: planted problems only", file=sys.stderr)
        return rows
    from beliefmerge.llm.local.store import locate

    with _peer(interpreter, locate()) as ask:
        return [*rows, *_timed(ask), *_equal_budget(ask), _peer_certain(ask)]


# planted problems


def _problems(kind: str, entries: int, noise: float, count: int = PROBLEMS) -> Iterator[Step]:
    for number in range(count):
        rng = np.random.default_rng(seed_of("benchmark", kind, entries, number))
        yield planted_step(kind, entries, rng, name=f"{kind}-{number}", noise=noise)


def _planted_mixed() -> list[Row]:
    """A group of which nearly any one is enough beside one of which all are needed."""
    found = {
        design: [
            measured(attribute(step, Planted(), Settings(design=design, ablations=ABLATIONS)))
            for step in _problems("mixed", ENTRIES, 0.0)
        ]
        for design in ("foldover", "bernoulli")
    }

    def mean(design: str, name: str) -> float:
        return statistics.mean(row[name] or 0.0 for row in found[design])

    about = f"{PROBLEMS} problems, {ENTRIES} entries, {ABLATIONS} ablations; reference: ContextCite's estimator"
    lds, other = mean("foldover", "lds"), mean("bernoulli", "lds")
    bars = {"recall": ("top-4 recall", 0.90), "loo": ("LOO Spearman", 0.75)}
    return [
        *(
            Row(f"planted OR+AND, {what}", ours, mean("bernoulli", name), f">= {bar:.2f}", ours >= bar, about, unit="")
            for name, (what, bar) in bars.items()
            for ours in [mean("foldover", name)]
        ),
        Row("planted OR+AND, LDS", lds, other, "> reference", lds > other, about, unit=""),
    ]


def _planted_shares() -> list[Row]:
    shares = {
        kind: [
            even_share(design, step.truth.log_odds(design.masks)) or 0.0
            for entries in (12, 32, 128)
            for number, step in enumerate(_problems(kind, entries, 0.0))
            for design in [DESIGNS["foldover"](entries, 4 * _power(entries), np.random.default_rng(number))]
        ]
        for kind in ("redundant", "linear")
    }
    least, most = min(shares["redundant"]), max(shares["linear"])
    about = f"of {len(shares['linear'])} problems, 12 to 128 entries"
    return [
        Row("planted redundancy, least even share", least, None, "> 0.15", least > 0.15, about, unit=""),
        Row("planted additive, largest even share", most, None, "<= 0.15", most <= 0.15, about, unit=""),
    ]


def _power(entries: int) -> int:
    return 1 << (entries - 1).bit_length()


def _planted_coverage() -> Row:
    inside: list[bool] = []
    for kind, entries in itertools.product(KINDS, (12, 32, 128)):
        for step in _problems(kind, entries, 0.2, count=6):
            found = attribute(step, Planted())
            if found.half_width is not None:
                inside += (np.abs(found.effects - step.truth.banzhaf(entries)) <= found.half_width).tolist()
    share = statistics.mean(inside)
    return Row("planted, coverage of 95 % intervals", share, None, "0.90..0.98", 0.90 <= share <= 0.98,
               f"{len(inside):,} intervals, all kinds, 12 to 128 entries, noise 0.2", unit="")  # fmt: skip


class _Certain:
    """A response that every context makes certain, to single precision."""

    name = model = "certain"

    def __call__(self, step: Step, masks: Masks, tick: Callable[[], None] = silent) -> Scores:
        return Scores(-1e-9 * masks.sum(axis=1).astype(np.float64), 1)


def _certain() -> Row:
    (step,) = _problems("linear", 12, 0.0, count=1)
    found = attribute(step, _Certain())
    fine = bool(np.isfinite(found.effects).all())
    return Row("log p within 1e-8 of 0", float(not fine), None, "no crash", fine, str(found.verdict), unit="failures")


# beside context-cite

Ask = Callable[..., dict[str, Any]]


@contextmanager
def _peer(interpreter: str, gguf: Path) -> Iterator[Ask]:
    started = [interpreter, "-P", str(SCRIPT), str(gguf), str(THREADS)]
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(started, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, text=True)
        sending, hearing = process.stdin, process.stdout
        assert sending is not None
        assert hearing is not None

        def answer() -> dict[str, Any]:
            line = hearing.readline()
            if not line:
                complaints.seek(0)
                last = complaints.read().decode("utf-8", "replace").rstrip().rpartition("\n")[2]
                raise SystemExit(f"attribution: {interpreter}: context-cite ended early ({process.wait()}): {last}")
            said: dict[str, Any] = json.loads(line)
            return said

        def ask(op: str, **given: Any) -> dict[str, Any]:
            sending.write(json.dumps({"op": op, **given}) + "\n")
            sending.flush()
            return answer()

        try:
            print(f"attribution: {answer()}", file=sys.stderr)
            yield ask
        finally:
            sending.close()
            process.wait()


def _long_step() -> Step:
    """32 entries that say as much as 781 tokens of prompt hold."""
    about = "the service restarts every {} minutes, keeps its log on volume {}"
    texts = [f"In room {7 * i}, {about.format(i + 3, i % 9)}." for i in range(ENTRIES)]
    entries = tuple(Entry(f"room-{i}", text) for i, text in enumerate(texts))
    return Step(
        "rooms", "rooms", entries, "How often does the service in room 140 restart?", "It restarts every 23 minutes."
    )


def _texts(step: Step) -> dict[str, Any]:
    return {"entries": [entry.text for entry in step.entries], "query": step.query, "response": step.response}


def _timed(ask: Ask) -> list[Row]:
    """Step to weights on both sides, models loaded; then the same masks."""
    step = _long_step()
    ours: list[float] = []
    theirs: list[dict[str, Any]] = []
    with SCORERS["local"]({"cache": "off", "processes": THREADS}) as scorer:
        score_once(scorer, step, np.ones((1, ENTRIES), bool))  # loads the weights
        for number in range(TIMED):
            theirs.append(ask("attribute", **_texts(step), ablations=ABLATIONS))
            ours.append(_ours(scorer, step, number))
            print(f"attribution: ours {ours[-1]:.1f} s, context-cite {theirs[-1]['seconds']:.1f} s", file=sys.stderr)
        masks, log_p = np.array(theirs[0]["masks"]), np.array(theirs[0]["log_p"])
        same = score_once(scorer, step, masks)
    one, other = statistics.median(ours), statistics.median(each["seconds"] for each in theirs)
    apart = float(np.max(np.abs(same.log_p - log_p)))
    rank = spearman(same.log_p, log_p)
    load = os.getloadavg()[0]
    about = f"{ENTRIES} entries, {ABLATIONS} ablations, {theirs[0]['prompt_tokens']} tokens; median of {TIMED}"
    note = f"{one / other:.2f}x the time; {about}; load {load:.1f}"
    tokens = f"{same.tokens} and {theirs[0]['tokens']} response tokens"
    return [
        Row("beside context-cite, time", one, other, "<= 0.60x", one <= 0.60 * other, note),
        Row("identical masks, Spearman", rank, None, ">= 0.999", rank >= 0.999, f"{ABLATIONS} masks", unit=""),
        Row("identical masks, |Δ log p|", apart, None, "<= 0.001", apart <= 1e-3, tokens, unit="nats"),
    ]


def _ours(scorer: Scorer, step: Step, seed: int) -> float:
    begun = time.perf_counter()
    design = DESIGNS["foldover"](ENTRIES, ABLATIONS, np.random.default_rng(seed))
    scores = score_once(scorer, step, design.masks)
    fit(design, log_odds_per_token(scores.log_p, scores.tokens))
    return time.perf_counter() - begun


def _equal_budget(ask: Ask) -> list[Row]:
    """Both estimators on the shipped steps, as many ablations each, several seeds."""
    figures: list[dict[str, Any]] = []
    with SCORERS["local"]({"cache": "auto", "processes": THREADS}) as scorer:
        for step in read_steps(SHIPPED_STEPS):
            figures += _of_step(ask, scorer, step)
            print(f"attribution: {step.step_id} done", file=sys.stderr)
    return _summed(figures)


def _of_step(ask: Ask, scorer: Scorer, step: Step) -> Iterator[dict[str, Any]]:
    entries = len(step.entries)
    size = 2 * _power(entries)
    rng = np.random.default_rng(seed_of("benchmark", step.step_id, "held out"))
    held = rng.random((HELD_OUT, entries)) < 0.5
    plain = np.vstack([np.ones((1, entries), bool), ~np.eye(entries, dtype=bool)])
    scores = score_once(scorer, step, np.vstack([plain, held]))
    odds = log_odds_per_token(scores.log_p, scores.tokens)
    loo, actual = odds[0] - odds[1 : entries + 1], odds[entries + 1 :]
    for side in ("ours", "peer"):
        for seed in range(SEEDS):
            weights = _weights(ask, scorer, step, side, size, seed)
            yield {
                "step": step.step_id,
                "side": side,
                "weights": weights,
                "lds": spearman(np.round(held @ weights, 10), actual),
                "drop": _drop(scorer, step, weights, float(scores.log_p[0])),
                "top": int(np.argmax(weights)) == int(np.argmax(loo)),
            }


def _weights(ask: Ask, scorer: Scorer, step: Step, side: str, size: int, seed: int) -> Floats:
    entries = len(step.entries)
    if side == "ours":
        rng = np.random.default_rng(seed_of("benchmark", step.step_id, seed))
        design = DESIGNS["foldover"](entries, size, rng)
        scores = score_once(scorer, step, design.masks)
        return fit(design, log_odds_per_token(scores.log_p, scores.tokens)).effects
    masks = np.array(ask("masks", entries=entries, ablations=size, seed=seed * size)["masks"])
    scores = score_once(scorer, step, masks)
    found = ask("fit", masks=masks.tolist(), log_p=scores.log_p.tolist(), tokens=scores.tokens)
    return np.array(found["weights"])


def _drop(scorer: Scorer, step: Step, weights: Floats, whole: float) -> list[float]:
    """Nats that the response loses without the k strongest entries, for each k of `TOP`."""
    order = np.argsort(-weights, kind="stable")
    masks = np.ones((len(TOP), len(weights)), bool)
    for row, k in zip(masks, TOP, strict=True):
        row[order[:k]] = False
    return [whole - float(after) for after in score_once(scorer, step, masks).log_p]


def _summed(figures: list[dict[str, Any]]) -> list[Row]:
    def of(side: str, name: str, step: str | None = None) -> list[Any]:
        return [each[name] for each in figures if each["side"] == side and step in (None, each["step"])]

    steps = list(dict.fromkeys(each["step"] for each in figures))
    lds = {side: {step: statistics.mean(of(side, "lds", step)) for step in steps} for side in ("ours", "peer")}
    gain = {step: lds["ours"][step] - lds["peer"][step] for step in steps}
    worst = min(gain, key=lambda step: gain[step])
    mean = {side: statistics.mean(lds[side].values()) for side in lds}
    seeds = {
        side: statistics.mean(mean_pairwise(np.vstack(of(side, "weights", step)), spearman) for step in steps)
        for side in lds
    }
    drops = {side: np.mean(of(side, "drop"), axis=0) for side in lds}
    left_out = sorted(REDUNDANT | WITHOUT_EFFECT)
    plain = [step for step in steps if step not in left_out]
    top = statistics.mean(itertools.chain.from_iterable(of("ours", "top", step) for step in plain))
    peer_top = statistics.mean(itertools.chain.from_iterable(of("peer", "top", step) for step in plain))
    about = f"{len(steps)} shipped steps, {SEEDS} seeds, N = 2 D rounded up"
    by_step = ", ".join(f"{step} {lds['ours'][step]:.2f}/{lds['peer'][step]:.2f}" for step in steps)
    return [
        Row("equal budget, LDS", mean["ours"], mean["peer"], ">= +0.01", mean["ours"] >= mean["peer"] + 0.01,
            f"{about}: {by_step}", unit=""),
        Row("equal budget, worst step's gain in LDS", gain[worst], None, ">= 0", gain[worst] >= 0.0, worst, unit=""),
        Row("across seeds, Spearman", seeds["ours"], seeds["peer"], ">= 0.70", seeds["ours"] >= 0.70, about, unit=""),
        *(
            Row(f"top-{k} drop", float(drops["ours"][i]), float(drops["peer"][i]), "-", True, "mean", unit="nats")
            for i, k in enumerate(TOP)
        ),
        Row("LOO top-1 agreement", top, peer_top, ">= 0.95", top >= 0.95, f"without {', '.join(left_out)}", unit=""),
    ]  # fmt: skip


def _peer_certain(ask: Ask) -> Row:
    """What the peer's surrogate does with the likelihoods of `_certain`."""
    design: Design = DESIGNS["bernoulli"](12, 32, np.random.default_rng(0))
    found = ask("fit", masks=design.masks.tolist(), log_p=[0.0] * 32, tokens=1)
    return Row("log p = 0, context-cite", float("error" in found), None, "-", True, found.get("error", "no error"),
               unit="failures")  # fmt: skip


if __name__ == "__main__":
    print(table(run()))
