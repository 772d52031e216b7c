"""What the merge arms share: the library's pipeline under a request, and its result as an arm's output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from beliefmerge.algebra.decision import Outcome
from beliefmerge.claims.claim import Extractor, Span
from beliefmerge.llm.protocol import LanguageModel
from beliefmerge.pack import Weights
from beliefmerge.pipeline import Merged, merge
from beliefmerge.slot import Slot
from mergebench.ablation import without
from mergebench.arm import Arm, Output, Request
from mergebench.scenario import Scenario

OPTIONS: Mapping[str, Any] = {"solver": "auto", "derivation": True, "trust": True}
"""What every merge arm lets one choose: how the budget is packed, and what is left out (`mergebench.ablation`)."""


def packs_for_question(arm: Arm) -> bool:
    """Whether an arm is a merge, which packs for a question when it is told one."""
    return arm.options.keys() >= OPTIONS.keys()


def merged(
    scenario: Scenario,
    request: Request,
    extract: str | Extractor,
    *,
    model: LanguageModel | None = None,
    adjudicate: bool = False,
    weights: Weights | None = None,
) -> Output:
    """Merge the scenario's sessions within the request's budget, packed for its question where there is one.

    With `adjudicate`, `model` also settles ties.
    """
    options = {**OPTIONS, **request.options}
    if not (options["derivation"] and options["trust"]):
        extract = without(extract, derivation=options["derivation"], trust=options["trust"])
    result = merge(
        scenario.sessions,
        budget=request.budget,
        score=request.score,
        extract=extract,
        current=scenario.current if options["trust"] else None,
        query=None if request.question is None else request.question.text,
        tokens=request.tokens,
        solver=options["solver"],
        weights=weights,
        llm=model,
        adjudicate=adjudicate,
    )
    return Output(
        result.text, block=True, sources=sources(result), conflicts=conflicts(result), degraded=degraded(result)
    )


def sources(result: Merged) -> dict[tuple[str, str], Span]:
    """For each value of each slot, the span of its strongest claim."""
    return {
        (slot.key, side.spelling): side.claims[0].span for slot in result.slots for side in slot.sides if side.claims
    }


def conflicts(result: Merged) -> tuple[frozenset[str], ...]:
    """The values of each slot of which the merge says that not all hold."""
    return tuple(frozenset(values) for slot in result.slots if len(values := set(_rivals(slot))) > 1)


def _rivals(slot: Slot) -> Iterator[str]:
    if slot.opposed or slot.superseded or slot.outcome is Outcome.DISPUTED:
        yield from (side.spelling for side in slot.sides)
        yield from slot.opposed
        yield from slot.superseded


def degraded(result: Merged) -> bool:
    """Whether the pipeline took a step down its ladder. Running out of budget is no such step."""
    return any("budget" not in rung for rung in result.report.rungs)
