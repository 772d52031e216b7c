"""Fusion: several sessions become one new session, and stay as they are."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from beliefmerge.errors import BeliefMergeError, UsageError, unknown
from beliefmerge.fusion.boundary import BOUNDARY, MERGED_BOUNDARY
from beliefmerge.fusion.config import FusionConfig
from beliefmerge.fusion.dedup import deduplicate
from beliefmerge.fusion.dsh_log import UNKNOWN, VERSION, Heading, encode, events, first_seqs
from beliefmerge.fusion.durable import NotFlushed, create, exclusive
from beliefmerge.fusion.exports import to_markdown, to_openai
from beliefmerge.fusion.limits import latest, shorten
from beliefmerge.fusion.manifest import manifest
from beliefmerge.fusion.message import FusedMessage, FusedSource, label, milliseconds, project, renamed
from beliefmerge.fusion.order import STRATEGIES, by_source, chronological
from beliefmerge.fusion.place import Place, at_path, check_id, default_root, project_key, under_root
from beliefmerge.fusion.plan import Plan, ask
from beliefmerge.fusion.readback import same_when_read
from beliefmerge.fusion.result import FusionResult
from beliefmerge.fusion.snapshot import size, snapshot
from beliefmerge.fusion.sources import Source, check_workspace, open_sources
from beliefmerge.fusion.title import choose_title, source_title
from beliefmerge.llm.protocol import LanguageModel
from beliefmerge.session.model import Session

if TYPE_CHECKING:
    from beliefmerge.session.redact import Known

FORMATS = ("dsh", "openai", "markdown")
CONTENTS = ("messages", "merged")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: whose workspace counts, and whose settings the new session inherits. It is not a source itself."""

    cwd: str = field(default_factory=os.getcwd)
    session: Session | None = None


class KeptAfterFailure(BeliefMergeError):
    """The new session was created and stays, though a later step failed; `result` tells of it."""

    def __init__(self, message: str, result: FusionResult) -> None:
        super().__init__(message)
        self.result = result


@dataclass(frozen=True, slots=True)
class FusionOptions:
    """How sessions are fused. Raises UsageError for an unknown name or options that exclude one another."""

    strategy: str = STRATEGIES[0]
    """`chronological`, or `by-source`: in the order in which the sources are given."""
    deduplicate: bool = True
    """Whether messages that forks share, by their ids, are kept once."""
    title: str | None = None
    target: str | None = None
    """Id of the new session; ``fusion-<uuid>`` by default."""
    planner: LanguageModel | None = None
    """Asked whether and how to fuse; none by default."""
    allow_cross_workspace: bool = False
    content: str = CONTENTS[0]
    """`messages`, or `merged`: the block that ``beliefmerge.merge`` makes of the sources in place of their messages."""
    budget: int = 1200
    """Tokens of the merged block."""
    out: Path | None = None
    """The file to create; by default, a DSH session under `root` and any other format as text only."""
    out_format: str = FORMATS[0]
    root: Path | None = None
    """Where ids are looked up and DSH sessions are created; by default the tools' usual places and DSH's."""
    config: FusionConfig = field(default_factory=FusionConfig)
    clock: Callable[[], float] = time.time
    new_id: Callable[[], str] = lambda: f"fusion-{uuid.uuid4()}"

    def __post_init__(self) -> None:
        for what, value, known in (
            ("strategy", self.strategy, STRATEGIES),
            ("output format", self.out_format, FORMATS),
            ("content", self.content, CONTENTS),
        ):
            if value not in known:
                raise unknown(what, value, known)
        if self.planner is not None:
            self.config.check_planning()
        if self.planner is not None and self.content == "merged":
            raise UsageError("a plan chooses messages: it cannot be had with merged content")


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
    if options.target is not None:
        check_id(options.target)
    sessions = open_sources(sources, options.root, options.config)
    if not (options.allow_cross_workspace or options.config.allow_cross_workspace):
        check_workspace(sessions, caller.cwd)
    material = _material(sessions, options)
    chosen = _choose(material, options)
    title = choose_title(
        material.safe(options.title),
        chosen.plan.title if chosen.plan else None,
        material.titles,
        options.config.max_title_bytes,
    )
    result = _result(material, chosen, title)
    if chosen.plan is not None and chosen.plan.verdict == "skip":
        return result
    return _create(material, chosen, result, caller, options)


@dataclass(frozen=True, slots=True)
class _Material:
    """The sources without secrets: their messages, cut to size, each source's order of them, what was found."""

    sessions: Sequence[Session]
    sources: Sequence[FusedSource]
    titles: Sequence[str]
    messages: Sequence[FusedMessage]
    sequences: Sequence[Sequence[int]]
    copies: int
    warnings: tuple[str, ...]
    secrets: Known
    kinds: dict[str, int]

    def safe(self, text: str | None) -> str | None:
        """`text` without secrets, those of the sources included."""
        from beliefmerge.session.redact import redact_text

        return None if text is None else redact_text(text, self.secrets)[0]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Which messages go into the new session, in their order, and what was left out."""

    kept: Sequence[int]
    omitted: int
    pruned: int
    strategy: str
    plan: Plan | None = None
    block: str = ""
    """The merged block, in place of messages."""


def _material(sessions: Sequence[Session], options: FusionOptions) -> _Material:
    from beliefmerge.session.lineage import resolve
    from beliefmerge.session.redact import redact_and_learn

    redacted, kinds, secrets = redact_and_learn(resolve(sessions))
    sources = project(redacted)
    unique = deduplicate(sources, active=options.deduplicate)
    config = options.config
    return _Material(
        sessions=redacted,
        sources=sources,
        titles=[source_title(source, config.max_title_bytes) for source in sources],
        messages=[shorten(message, config.max_message_bytes) for message in unique.messages],
        sequences=unique.sequences,
        copies=unique.removed,
        warnings=tuple(_warnings(sources, unique.conflicts)),
        secrets=secrets,
        kinds=dict(sorted(kinds.items())),
    )


def _warnings(sources: Sequence[FusedSource], conflicts: Sequence[str]) -> Iterable[str]:
    if conflicts:
        shown = ", ".join(conflicts[:3]) + (", …" if len(conflicts) > 3 else "")
        ids = "message id stands" if len(conflicts) == 1 else "message ids stand"
        yield f"{len(conflicts)} {ids} for different texts ({shown}); each is kept"
    for source in sources:
        if source.name != source.session.id:
            yield f"two sources call themselves session {source.session.id!r}; the later one is {source.name!r} here"
        if source.session.flags:
            yield f"session {source.name!r}: {', '.join(source.session.flags)}"


def _choose(material: _Material, options: FusionOptions) -> _Chosen:
    messages, sequences, config = material.messages, material.sequences, options.config
    by_time = chronological(messages, sequences)
    if options.content == "merged":
        return _Chosen(by_time, 0, 0, "merged", block=_merged(material, options))
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
        return _Chosen(kept, omitted, 0, options.strategy)
    seen = {i: messages[i] for i in kept}
    shown = snapshot(material.sources, seen.values(), material.titles)
    plan = _without_secrets(ask(options.planner, shown, seen, max_tokens=config.planner_max_tokens), material)
    planned = [i for topic in plan.topics for i in arranged(topic.messages, plan.strategy)]
    return _Chosen(planned, omitted, len(kept) - len(planned), plan.strategy, plan)


def _without_secrets(plan: Plan, material: _Material) -> Plan:
    topics = tuple(replace(topic, title=material.safe(topic.title) or "") for topic in plan.topics)
    return replace(plan, title=material.safe(plan.title) or "", reason=material.safe(plan.reason) or "", topics=topics)


def _merged(material: _Material, options: FusionOptions) -> str:
    from beliefmerge.pipeline import merge

    block = merge(material.sessions, budget=options.budget).text
    if not block:
        raise UsageError(f"nothing of the sources fits into a merged block of {options.budget} tokens")
    if size(block) > options.config.max_fused_bytes:
        raise UsageError(f"the merged block is larger than maxFusedBytes {options.config.max_fused_bytes}")
    return block


def _result(material: _Material, chosen: _Chosen, title: str) -> FusionResult:
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


def _create(
    material: _Material, chosen: _Chosen, result: FusionResult, caller: Caller, options: FusionOptions
) -> FusionResult:
    result = replace(result, session_id=options.target or check_id(options.new_id()))
    kept = [] if chosen.block else renamed([material.messages[i] for i in chosen.kept])
    if options.out_format == "dsh":
        return _create_log(material, chosen, result, kept, caller, options)
    write = to_openai if options.out_format == "openai" else to_markdown
    boundary = MERGED_BOUNDARY if chosen.block else BOUNDARY
    text = write(result.title, boundary, chosen.block, kept)
    result = replace(result, text=text)
    if options.out is None:
        return result
    return _write(replace(result, path=str(options.out)), text.encode(), None)


def _create_log(
    material: _Material,
    chosen: _Chosen,
    result: FusionResult,
    kept: Sequence[FusedMessage],
    caller: Caller,
    options: FusionOptions,
) -> FusionResult:
    name = result.session_id or ""
    heading = _heading(name, result.title, material, caller, options)
    boundary = f"{MERGED_BOUNDARY}\n\n{chosen.block}" if chosen.block else BOUNDARY
    told = _manifest(material, chosen, result, kept, heading, options)
    root = options.root or default_root()
    with exclusive(root):
        place: Place = (
            under_root(root, heading.cwd, name, VERSION) if options.out is None else at_path(options.out, name, VERSION)
        )
        raw = encode(events(heading, boundary, told, kept), compressed=place.compressed)
        return _write(replace(result, path=str(place.path)), raw, same_when_read(heading, kept))


def _write(result: FusionResult, raw: bytes, check: Callable[[Path], None] | None) -> FusionResult:
    try:
        return replace(result, durable=create(Path(result.path or ""), raw, check))
    except NotFlushed as error:
        raise KeptAfterFailure(
            f"session {result.session_id!r} was created and is kept at {result.path}, but {error}", result
        ) from error


def _heading(name: str, title: str, material: _Material, caller: Caller, options: FusionOptions) -> Heading:
    """Provider, model and preset of the caller's session or else the first source; both or neither of a route."""
    origin = caller.session if caller.session is not None else material.sessions[0]
    route = (label(origin, "provider"), label(origin, "model"))
    told = None not in route and UNKNOWN not in route
    return Heading(
        id=name,
        created=milliseconds(options.clock()) or 0,
        cwd=os.path.abspath(caller.cwd),  # noqa: PTH100 (a path's own `..` and links stay as the caller has them)
        title=title,
        provider=route[0] if told else None,
        model=route[1] if told else None,
        agent_preset=label(origin, "agent_preset"),
    )


def _manifest(
    material: _Material,
    chosen: _Chosen,
    result: FusionResult,
    kept: Sequence[FusedMessage],
    heading: Heading,
    options: FusionOptions,
) -> dict[str, object]:
    counts = {
        "sources": result.source_count,
        "original": result.original_messages,
        "kept": result.kept_messages,
        "deduplicated": result.deduplicated_messages,
        "omitted": result.omitted_messages,
        "truncated": result.truncated_messages,
        "pruned": result.pruned_messages,
        "bytes": result.kept_bytes,
    }
    return manifest(
        material.sources,
        list(zip(first_seqs(kept), kept, strict=True)),
        chosen.plan,
        counts,
        strategy=chosen.strategy,
        deduplicate=options.deduplicate,
        content=options.content,
        workspace={"cwd": heading.cwd, "group": project_key(heading.cwd)},
    )
