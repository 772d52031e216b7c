"""What a context costs: tokens by the run's counter, contexts above the budget, and bridge answers per 100 tokens."""

from __future__ import annotations

from statistics import fmean

from mergebench.metric import Case, Column, Metric
from mergebench.metrics.local import answered
from mergebench.scenario import Kind


def measure(case: Case) -> dict[str, float | None]:
    """Mean tokens over a scenario's contexts, whether any is over the budget, and utility per token."""
    costs = [case.tokens(reading) for reading in case.distinct]
    mean = fmean(costs)
    bridges = sum(answered(case, question) for question in case.asked(Kind.BRIDGE))
    return {
        "tokens": mean,
        "over_budget": float(any(cost > case.request.budget for cost in costs)),
        "bridge_per_100_tokens": 100 * bridges / mean if mean else None,
    }


METRIC = Metric(
    (
        Column("tokens", "tokens", rate=False),
        Column("over_budget", rate=False, total=True, interval=False),
        Column("bridge_per_100_tokens", rate=False),
    ),
    measure,
)
