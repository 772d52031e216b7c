"""Fusion: several sessions become one new session, and stay as they are."""

from __future__ import annotations

from collections.abc import Iterable

from beliefmerge.fusion.choice import Chosen, choose
from beliefmerge.fusion.creation import create_session
from beliefmerge.fusion.material import Material, gather
from beliefmerge.fusion.options import Caller, FusionOptions
from beliefmerge.fusion.place import check_free, check_id, default_root
from beliefmerge.fusion.result import FusionResult
from beliefmerge.fusion.snapshot import size, snapshot
from beliefmerge.fusion.sources import Source, check_workspace, open_sources
from beliefmerge.fusion.title import choose_title


def fuse(sources: Iterable[Source], caller: Caller | None = None, options: FusionOptions | None = None) -> FusionResult:
    """Make one new session of 2 to 32 others, which are only read.

    `sources` are sessions, paths or ids; repeats keep the first. Secrets in their texts are replaced before anything
    else is done with them. All must be of the caller's workspace unless the options or the deployment say otherwise. A
    plan that advises against it creates nothing and is no error.

    Raises:
        UnreadableSession: a source cannot be read.
        UsageError: too few or too many sources, a foreign workspace, a target that exists, nothing left to keep.
        PlanError, ModelError: the planner gave no usable plan; nothing was created.
        KeptAfterFailure: the session was created, and is kept, but a later step failed.
    """
    caller, options = caller or Caller(), options or FusionOptions()
    _check_target(options)
    sessions = open_sources(sources, options.root, options.config)
    if not (options.allow_cross_workspace or options.config.allow_cross_workspace):
        check_workspace(sessions, caller.cwd)
    material = gather(sessions, options)
    chosen = choose(material, options)
    title = choose_title(
        material.safe(options.title),
        chosen.plan.title if chosen.plan else None,
        material.titles,
        options.config.max_title_bytes,
    )
    result = _result(material, chosen, title)
    if chosen.plan is not None and chosen.plan.verdict == "skip":
        return result
    return create_session(material, chosen, result, caller, options)


def _check_target(options: FusionOptions) -> None:
    """Before a model is asked for nothing; what happens meanwhile is found out on creation."""
    if options.target is None:
        return
    check_id(options.target)
    if options.out_format == "dsh" and options.out is None:
        check_free(options.root or default_root(), options.target)


def _result(material: Material, chosen: Chosen, title: str) -> FusionResult:
    plan, kept = chosen.plan, [material.messages[i] for i in chosen.kept]
    shown = snapshot(material.sources, kept, material.titles)
    return FusionResult(
        session_id=None,
        title=title,
        path=None,
        source_count=len(material.sources),
        original_messages=len(material.messages) + material.copies,
        kept_messages=len(kept),
        deduplicated_messages=material.copies,
        omitted_messages=chosen.omitted,
        truncated_messages=sum(message.cut > 0 for message in kept),
        pruned_messages=chosen.pruned,
        topics=tuple(topic.title for topic in plan.topics) if plan else (),
        reason=plan.reason if plan else "",
        kept_bytes=size(chosen.block) if chosen.block else size(shown),
        strategy=chosen.strategy,
        durable=False,
        warnings=material.warnings,
        redacted=material.kinds,
    )
