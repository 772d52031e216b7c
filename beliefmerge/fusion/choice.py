"""Which messages go into the new session and in which order: the limits, then the strategy, then a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from beliefmerge.errors import UsageError
from beliefmerge.fusion.limits import latest
from beliefmerge.fusion.material import Material
from beliefmerge.fusion.options import FusionOptions
from beliefmerge.fusion.order import STRATEGIES, by_source, chronological
from beliefmerge.fusion.plan import Plan, ask
from beliefmerge.fusion.snapshot import size, snapshot


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which messages go into the new session, in their order, and what was left out."""

    kept: Sequence[int]
    omitted: int
    pruned: int
    strategy: str
    plan: Plan | None = None
    block: str = ""
    """The merged block, in place of messages."""


def choose(material: Material, options: FusionOptions) -> Chosen:
    """What is kept of `material`. Raises UsageError where nothing is, PlanError and ModelError as ``plan.ask``."""
    messages, sequences, config = material.messages, material.sequences, options.config
    by_time = chronological(messages, sequences)
    if options.content == "merged":
        return Chosen(by_time, 0, 0, "merged", block=_merged(material, options))
    if not by_time:
        raise UsageError("the sources hold no text of user or assistant")
    frame = size(snapshot(material.sources, (), material.titles))
    fitting = latest(messages, by_time, config, frame)
    if not fitting:
        raise UsageError(f"not one message fits into maxFusedBytes {config.max_fused_bytes}")
    omitted = len(by_time) - len(fitting)

    def arranged(chosen: Iterable[int], strategy: str) -> list[int]:
        wanted = set(chosen)
        return [i for i in (by_time if strategy == STRATEGIES[0] else by_source(sequences)) if i in wanted]

    kept = arranged(fitting, options.strategy)
    if options.planner is None:
        return Chosen(kept, omitted, 0, options.strategy)
    seen = {i: messages[i] for i in kept}
    shown = snapshot(material.sources, seen.values(), material.titles)
    plan = _without_secrets(ask(options.planner, shown, seen, max_tokens=config.planner_max_tokens), material)
    planned = [i for topic in plan.topics for i in arranged(topic.messages, plan.strategy)]
    return Chosen(planned, omitted, len(kept) - len(planned), plan.strategy, plan)


def _without_secrets(plan: Plan, material: Material) -> Plan:
    topics = tuple(replace(topic, title=material.safe(topic.title) or "") for topic in plan.topics)
    return replace(plan, title=material.safe(plan.title) or "", reason=material.safe(plan.reason) or "", topics=topics)


def _merged(material: Material, options: FusionOptions) -> str:
    from beliefmerge.pipeline import merge

    block = merge(material.sessions, budget=options.budget).text
    if not block:
        raise UsageError(f"nothing of the sources fits into a merged block of {options.budget} tokens")
    if size(block) > options.config.max_fused_bytes:
        raise UsageError(f"the merged block is larger than maxFusedBytes {options.config.max_fused_bytes}")
    return block
