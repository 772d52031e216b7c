"""Attribution on planted problems: quality beside ContextCite's estimator, beside the truth, and coverage. No times."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Iterator

import numpy as np

from attribution.additivity import even_share
from attribution.arrays import Masks
from attribution.attribute import Settings, attribute
from attribution.compare import measured
from attribution.design import DESIGNS
from attribution.planted import KINDS, planted_step
from attribution.scorer import Scores, silent
from attribution.scorers.planted import Planted
from attribution.step import Step
from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.row import FAILURES, Row
from experiment.seeds import seed_of

ENTRIES, ABLATIONS = 32, 64
PROBLEMS = 20
BARS = {"recall": ("top-4 recall", 0.90), "loo": ("LOO Spearman", 0.75), "lds": ("LDS", None)}
"""What is compared on mixed problems, and its bar; without one, to be better than the reference."""
GATE = 0.15
"""Even share beyond which a step is not additive."""
COVERED = 0.90, 0.98


def run() -> Iterator[Row]:
    """Mixed problems, even shares, coverage, certainty."""
    yield from _planted_mixed()
    yield from _planted_shares()
    yield _planted_coverage()
    yield _certain()


def _problems(kind: str, entries: int, noise: float, count: int = PROBLEMS) -> Iterator[Step]:
    for number in range(count):
        rng = np.random.default_rng(seed_of("benchmark", kind, entries, number))
        yield planted_step(kind, entries, rng, name=f"{kind}-{number}", noise=noise)


def _planted_mixed() -> Iterator[Row]:
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

    about = f"{PROBLEMS} problems, {ENTRIES} entries, {ABLATIONS} ablations"
    for name, (what, bar) in BARS.items():
        ours, other = mean("foldover", name), mean("bernoulli", name)
        shown, holds = (f">= {bar:.2f}", ours >= bar) if bar else ("> reference", ours > other)
        yield Row(f"planted OR+AND, {what}", (ours,), (other,), "ContextCite's estimator", shown, holds, about, unit="")


def _planted_shares() -> list[Row]:
    shares = {
        kind: [
            even_share(design, step.truth.log_odds(design.masks)) or 0.0
            for entries in (12, 32, 128)
            for number, step in enumerate(_problems(kind, entries, 0.0))
            for design in [DESIGNS["foldover"](entries, 4 * power(entries), np.random.default_rng(number))]
        ]
        for kind in ("redundant", "linear")
    }
    least, most = min(shares["redundant"]), max(shares["linear"])
    about = f"of {len(shares['linear'])} problems of either kind, 12 to 128 entries"
    bars = f"> {GATE}", f"<= {GATE}"
    return [
        Row("planted redundancy, least even share", (least,), (most,), "the largest of additive problems", bars[0],
            least > GATE, about, unit=""),
        Row("planted additive, largest even share", (most,), (least,), "the least of redundant problems", bars[1],
            most <= GATE, about, unit=""),
    ]  # fmt: skip


def power(entries: int) -> int:
    """The least power of two that is no less than `entries`."""
    return 1 << (entries - 1).bit_length()


def _planted_coverage() -> Row:
    inside: list[bool] = []
    for kind, entries in itertools.product(KINDS, (12, 32, 128)):
        for step in _problems(kind, entries, 0.2, count=6):
            found = attribute(step, Planted())
            if found.half_width is not None:
                inside += (np.abs(found.effects - step.truth.banzhaf(entries)) <= found.half_width).tolist()
    share, (low, high) = statistics.mean(inside), COVERED
    about = f"{len(inside):,} intervals, all kinds, 12 to 128 entries, noise 0.2"
    return Row("planted, coverage of 95 % intervals", (share,), (0.95,), "what the intervals claim",
               f"{low:.2f}..{high:.2f}", low <= share <= high, about, unit="")  # fmt: skip


class _Certain:
    """A response that every context makes certain, to single precision."""

    name = model = "certain"

    def __call__(self, step: Step, masks: Masks, tick: Callable[[], None] = silent) -> Scores:
        return Scores(-1e-9 * masks.sum(axis=1).astype(np.float64), 1)


def _certain() -> Row:
    (step,) = _problems("linear", 12, 0.0, count=1)
    found = attribute(step, _Certain())
    fine = bool(np.isfinite(found.effects).all())
    peer = "the bar alone; context-cite: attribution_peer"
    said = str(found.verdict)
    return Row("log p within 1e-8 of 0", (float(not fine),), (), peer, "no crash", fine, said, unit=FAILURES)


BENCHMARK = Benchmark("Attribution on planted problems, beside ContextCite's estimator and the truth", run)
