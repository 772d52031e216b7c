"""Attribution by the local model, beside the package ``context-cite`` on the same weights.

``BELIEFMERGE_CONTEXT_CITE=PYTHON python -m benchmarks attribution_peer``, PYTHON an interpreter with what
``benchmarks/peers/context-cite.txt`` lists; docs/attribution.md has the commands that set it up. Both sides load the
same GGUF file and get two cores: the peer two threads, ours two processes. What both sides' surrogates are fitted to at
equal budgets is scored by ours and kept on record (the likelihoods are compared first, on identical masks); what is
timed is not.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from attribution.arrays import Floats
from attribution.design import DESIGNS, Design
from attribution.run import SHIPPED_STEPS
from attribution.scorer import SCORERS, Scorer, score_once
from attribution.stability import mean_pairwise, spearman
from attribution.step import Entry, Step, read_steps
from attribution.surrogate import fit
from attribution.target import log_odds_per_token
from benchmarks.cases import local_scorer
from benchmarks.cases.attribution import ABLATIONS, ENTRIES, power
from benchmarks.peers.context_cite import Ask, context_cite
from benchmarks.peers.context_cite import lacks as lacks_package
from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.row import FAILURES, Row
from experiment.seeds import seed_of

PACKAGE = "context-cite"
THREADS = 2
TIMED = 3
"""Times that each side is timed, in turn."""
SEEDS, HELD_OUT = 4, 64
TOP = (1, 3, 5)
REDUNDANT, WITHOUT_EFFECT = {"kiln"}, {"kitchen"}
"""Shipped steps in which leave-one-out has no entry to agree on."""
SHARE, AGREE, APART, GAIN, STABLE, TOP_1 = 0.60, 0.999, 0.001, 0.01, 0.70, 0.95
"""Bars: share of the time, Spearman and nats on identical masks, LDS gained, Spearman across seeds, agreement."""


def lacks() -> str:
    """The package or the weights, where one of them is missing."""
    return lacks_package() or local_scorer.lacks()


def run() -> Iterator[Row]:
    """Time, identical masks, equal budgets, certainty."""
    from beliefmerge.llm.local.store import locate

    with context_cite(locate(), THREADS) as ask:
        yield from _timed(ask)
        yield from _equal_budget(ask)
        yield _peer_certain(ask)


def _say(text: str) -> None:
    sys.stderr.write(f"attribution_peer: {text}\n")


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
            _say(f"ours {ours[-1]:.1f} s, context-cite {theirs[-1]['seconds']:.1f} s")
        masks, log_p = np.array(theirs[0]["masks"]), np.array(theirs[0]["log_p"])
        same = score_once(scorer, step, masks)
    apart, rank = float(np.max(np.abs(same.log_p - log_p))), spearman(same.log_p, log_p)
    note = f"{ENTRIES} entries, {ABLATIONS} ablations, {theirs[0]['prompt_tokens']} tokens"
    tokens = f"{same.tokens} and {theirs[0]['tokens']} response tokens"
    taken = tuple(each["seconds"] for each in theirs)
    holds = statistics.median(ours) <= SHARE * statistics.median(taken)
    masked, nats = f"the package's likelihoods of the same {ABLATIONS} contexts", f"<= {APART}"
    return [
        Row("beside context-cite, time", tuple(ours), taken, PACKAGE, f"<= {SHARE:.2f} of its time", holds, note),
        Row("identical masks, Spearman", (rank,), (), masked, f">= {AGREE}", rank >= AGREE, unit=""),
        Row("identical masks, |Δ log p|", (apart,), (), masked, nats, apart <= APART, tokens, unit="nats"),
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
            _say(f"{step.step_id} done")
    return _summed(figures)


def _of_step(ask: Ask, scorer: Scorer, step: Step) -> Iterator[dict[str, Any]]:
    entries = len(step.entries)
    size = 2 * power(entries)
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

    def row(what: str, ours: float, theirs: float, bar: str, holds: bool | None, note: str, unit: str = "") -> Row:
        return Row(what, (ours,), (theirs,), PACKAGE, bar, holds, note, unit)

    better = mean["ours"] >= mean["peer"] + GAIN
    return [
        row("equal budget, LDS", mean["ours"], mean["peer"], f">= +{GAIN}", better, f"{about}: {by_step}"),
        row("equal budget, worst step's LDS", lds["ours"][worst], lds["peer"][worst], ">= +0", gain[worst] >= 0, worst),
        row("across seeds, Spearman", seeds["ours"], seeds["peer"], f">= {STABLE:.2f}", seeds["ours"] >= STABLE, about),
        *(
            row(f"top-{k} drop", float(drops["ours"][i]), float(drops["peer"][i]), "", None, "mean", "nats")
            for i, k in enumerate(TOP)
        ),
        row("LOO top-1 agreement", top, peer_top, f">= {TOP_1}", top >= TOP_1, f"without {', '.join(left_out)}"),
    ]


def _peer_certain(ask: Ask) -> Row:
    """What the package's surrogate does where every likelihood is 1; ours goes on (`benchmarks.cases.attribution`)."""
    design: Design = DESIGNS["bernoulli"](12, 32, np.random.default_rng(0))
    found = ask("fit", masks=design.masks.tolist(), log_p=[0.0] * 32, tokens=1)
    error = found.get("error")
    return Row("log p = 0", (0.0,), (float(error is not None),), PACKAGE, note=error or "no error", unit=FAILURES)


BENCHMARK = Benchmark("Attribution by the local model, beside the package context-cite", run, lacks)
