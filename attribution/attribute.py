"""One step from ablations to weights: repeats over designs of their own, held-out contexts, leave-one-out, the gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from attribution.additivity import TOP, Pair, even_share, extra_masks, pairs
from attribution.arrays import Floats, Masks
from attribution.design import DESIGNS, Design, room_for
from attribution.gate import Gate, Stability, Verdict
from attribution.scorer import Scorer, Tick, score_once, silent
from attribution.stability import concordance, false_pass_rate, mean_pairwise, pearson, spearman
from attribution.step import Step
from attribution.surrogate import Surrogate, fit
from attribution.target import log_odds_per_token
from experiment.seeds import seed_of

EXACT = 10
"""Rounding: weights of a repeat are compared to this many decimal digits of the whole effect."""

WORTH_SAYING = 0.1
"""Pairwise terms below this share of the effects' sum are noise to a reader."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a step is measured. ``ablations=0``: the least fold-over that leaves room for intervals."""

    design: str = "foldover"
    ablations: int = 0
    repeats: int = 3
    held_out: int = 32
    top: tuple[int, ...] = (1, 3, 5)
    confidence: float = 0.95
    gate: Gate = field(default_factory=Gate)
    seed: int = 0

    def size(self, entries: int) -> int:
        """N for a step of `entries`: never more than there are contexts where all can be tried."""
        wanted = self.ablations or room_for(entries)
        return min(wanted, 1 << entries) if entries < 20 else wanted

    def contexts(self, entries: int) -> int:
        """About how many contexts a step takes."""
        return self.repeats * self.size(entries) + self.held_out + entries + 2 + len(self.top)


@dataclass(frozen=True, eq=False)
class Attribution:
    """What was found for one step. Effects, intervals and drops are in log-odds of the response per token."""

    step: Step
    design: str
    ablations: int
    """N of one repeat."""
    scored: int
    """Contexts whose likelihood was asked for, all together."""
    repeats: Floats
    """[R, D]: each repeat's effects."""
    effects: Floats
    """[D]: their mean."""
    half_width: float | None
    """Of every effect's interval; None where the design leaves no degrees of freedom."""
    degrees: int
    loo: Floats
    """[D]: what dropping only this entry costs."""
    top_drop: dict[int, float]
    """By k: how much the response's log-probability falls, in nats, without the k strongest entries."""
    shared: tuple[Pair, ...]
    """Pairwise terms among the strongest entries, those worth saying; only for a step flagged as not additive."""
    stability: Stability
    agreement: float
    """The one of `stability` that the gate decides by."""
    verdict: Verdict
    scorer: str
    model: str

    @property
    def weights(self) -> Floats:
        """[D]: effects as shares of the whole context's effect, not clipped; zeros where that is not positive."""
        return self.effects / self.stability.whole if self.stability.whole > 0.0 else np.zeros(len(self.effects))

    @property
    def margin(self) -> float | None:
        """`half_width` as a share of the whole effect."""
        if self.half_width is None or self.stability.whole <= 0.0:
            return None
        return self.half_width / self.stability.whole

    @property
    def loo_top_agrees(self) -> bool:
        """Whether the strongest entry is the one whose loss costs most."""
        return int(np.argmax(self.effects)) == int(np.argmax(self.loo))

    @property
    def loo_pearson(self) -> float:
        """Pearson correlation of the effects with leave-one-out drops."""
        return pearson(self.effects, self.loo)


class _Book:
    """The scores of one step: a mask is scored once, whoever asks."""

    def __init__(self, step: Step, scorer: Scorer, tick: Tick) -> None:
        self._step, self._scorer, self._tick = step, scorer, tick
        self._known: dict[bytes, float] = {}
        self.tokens = 1

    def log_p(self, masks: Masks) -> Floats:
        """[N]: natural log-probabilities of the response."""
        keys = [np.packbits(mask).tobytes() for mask in masks]
        fresh = [i for i, key in enumerate(keys) if key not in self._known]
        if fresh:
            scores = score_once(self._scorer, self._step, masks[fresh], self._tick)
            self.tokens = scores.tokens
            self._known.update(zip((keys[i] for i in fresh), scores.log_p.tolist(), strict=True))
        return np.array([self._known[key] for key in keys])

    def log_odds(self, masks: Masks) -> Floats:
        """[N]: log-odds of the response per token."""
        return log_odds_per_token(self.log_p(masks), self.tokens)

    def __len__(self) -> int:
        return len(self._known)


def draw_designs(step: Step, settings: Settings) -> list[Design]:
    """The repeats' designs, each from a seed of its own; a fold-over that is too small becomes `bernoulli`."""
    entries = len(step.entries)
    size = settings.size(entries)
    name = settings.design
    if name == "foldover" and not fits(entries, size):
        name = "bernoulli"
    return [
        DESIGNS[name](entries, size, np.random.default_rng(seed_of("attribution", step.step_id, settings.seed, repeat)))
        for repeat in range(settings.repeats)
    ]


def fits(entries: int, ablations: int) -> bool:
    """Whether a fold-over of this many ablations holds this many entries."""
    return ablations >= max(2, 2 * entries) and ablations & (ablations - 1) == 0


def attribute(step: Step, scorer: Scorer, settings: Settings | None = None, *, tick: Tick = silent) -> Attribution:
    """Measure what `step` rested on; `tick` is called as contexts are scored. Raises what the scorer raises."""
    settings = settings or Settings()
    entries = len(step.entries)
    designs = draw_designs(step, settings)
    rng = np.random.default_rng(seed_of("attribution", step.step_id, settings.seed, "held out"))
    held = rng.random((settings.held_out, entries)) < 0.5
    plain = np.vstack([np.ones((1, entries), bool), np.zeros((1, entries), bool), ~np.eye(entries, dtype=bool)])

    book = _Book(step, scorer, tick)
    book.log_p(np.vstack([*(design.masks for design in designs), held, plain]))
    measured = [book.log_odds(design.masks) for design in designs]
    fitted = [fit(design, y) for design, y in zip(designs, measured, strict=True)]
    whole, *_ = book.log_odds(plain[:1]) - book.log_odds(plain[1:2])
    repeats = np.vstack([surrogate.effects for surrogate in fitted])
    effects = repeats.mean(axis=0)
    half, degrees = _half_width(fitted, designs, settings)
    stability = _stability(repeats, float(whole), settings, designs, measured, _lds(fitted, held, book.log_odds(held)))
    flagged = stability.even_share is not None and stability.even_share > settings.gate.even_share
    return Attribution(
        step=step,
        design=designs[0].name,
        ablations=len(designs[0].masks),
        repeats=repeats,
        effects=effects,
        half_width=half,
        degrees=degrees,
        loo=book.log_odds(plain[:1]) - book.log_odds(plain[2:]),
        top_drop=_top_drop(book, effects, settings.top),
        shared=_shared(book, designs, effects, rng) if flagged else (),
        stability=stability,
        agreement=settings.gate.agreement(stability),
        verdict=settings.gate.verdict(stability),
        scored=len(book),
        scorer=scorer.name,
        model=scorer.model,
    )


def _half_width(fitted: Sequence[Surrogate], designs: Sequence[Design], settings: Settings) -> tuple[float | None, int]:
    """Student's half width of the mean effect from the idle contrasts, pooled over repeats; 0 where every context was
    tried; None below N = 4 D.
    """
    size, entries = designs[0].masks.shape
    if not designs[0].paired:
        return None, 0
    if entries < 20 and size == 1 << entries:
        return 0.0, 0
    squares = [s.squares for s in fitted if s.squares is not None]
    degrees = sum(map(len, squares))
    if size < 4 * entries or degrees == 0:
        return None, 0
    from scipy.special import stdtrit

    error = float(np.sqrt(np.concatenate(squares).mean() / len(fitted)))
    return float(stdtrit(degrees, 0.5 + settings.confidence / 2.0)) * error, degrees


def _lds(fitted: Sequence[Surrogate], masks: Masks, y: Floats) -> float:
    """Linear datamodelling score (Park et al., 2023): Spearman of predicted and measured on held-out masks."""
    predicted = np.mean([surrogate.predict(masks) for surrogate in fitted], axis=0)
    return spearman(_rounded(predicted, 1.0), y)


def _rounded(values: Floats, scale: float) -> Floats:
    """Without the last digits, so that ranks do not order rounding errors."""
    return np.round(values / (abs(scale) or 1.0), EXACT)


def _stability(
    repeats: Floats,
    whole: float,
    settings: Settings,
    designs: Sequence[Design],
    measured: Sequence[Floats],
    lds: float,
) -> Stability:
    shares = [s for design, y in zip(designs, measured, strict=True) if (s := even_share(design, y)) is not None]
    compared = _rounded(repeats, whole)
    rng = np.random.default_rng(seed_of("attribution", "null", settings.seed))
    threshold = settings.gate.threshold
    alone = len(repeats) < 2
    return Stability(
        rho=0.0 if alone else mean_pairwise(compared, spearman),
        concordance=0.0 if alone else mean_pairwise(compared, concordance),
        rho_null=1.0 if alone else false_pass_rate(compared, spearman, threshold, rng),
        concordance_null=1.0 if alone else false_pass_rate(compared, concordance, threshold, rng),
        lds=lds,
        even_share=float(np.mean(shares)) if shares else None,
        whole=whole,
    )


def _top_drop(book: _Book, effects: Floats, sizes: Sequence[int]) -> dict[int, float]:
    order = np.argsort(-effects, kind="stable")
    sizes = [k for k in sizes if k <= len(effects)]
    masks = np.ones((len(sizes) + 1, len(effects)), bool)
    for row, k in zip(masks[1:], sizes, strict=True):
        row[order[:k]] = False
    log_p = book.log_p(masks)
    return {k: float(log_p[0] - after) for k, after in zip(sizes, log_p[1:], strict=True)}


def _shared(book: _Book, designs: Sequence[Design], effects: Floats, rng: np.random.Generator) -> tuple[Pair, ...]:
    """Pairwise terms among the strongest entries, from extra masks: in the designs themselves they are aliased."""
    top = [int(i) for i in np.argsort(-np.abs(effects), kind="stable")[:TOP]]
    extra = extra_masks(len(effects), top, max(2 << len(top), len(designs[0].masks)), rng)
    masks = np.vstack([*(design.masks for design in designs), extra])
    floor = WORTH_SAYING * abs(float(np.sum(effects)))
    return tuple(pair for pair in pairs(masks, book.log_odds(masks), sorted(top)) if abs(pair.joint) >= floor)
