"""The new session is made: a log of the harness, or a text."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from beliefmerge.errors import BeliefMergeError
from beliefmerge.fusion.boundary import BOUNDARY, MERGED_BOUNDARY
from beliefmerge.fusion.choice import Chosen
from beliefmerge.fusion.dsh_log import UNKNOWN, VERSION, Heading, encode, events, first_seqs
from beliefmerge.fusion.durable import NotFlushed, create, exclusive
from beliefmerge.fusion.exports import to_markdown, to_openai
from beliefmerge.fusion.manifest import manifest
from beliefmerge.fusion.material import Material
from beliefmerge.fusion.message import FusedMessage, label, milliseconds, renamed
from beliefmerge.fusion.options import Caller, FusionOptions
from beliefmerge.fusion.place import Place, at_path, check_id, default_root, project_key, under_root
from beliefmerge.fusion.readback import same_when_read
from beliefmerge.fusion.result import FusionResult


class KeptAfterFailure(BeliefMergeError):
    """The new session was created and stays, though a later step failed; `result` tells of it."""

    def __init__(self, message: str, result: FusionResult) -> None:
        super().__init__(message)
        self.result = result


def create_session(
    material: Material, chosen: Chosen, result: FusionResult, caller: Caller, options: FusionOptions
) -> FusionResult:
    """Create the session that `result` describes; with its id, its path and whether it is durable.

    Raises UsageError where it cannot be created, KeptAfterFailure where it was and a later step failed.
    """
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
    material: Material,
    chosen: Chosen,
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
    with contextlib.nullcontext() if options.out is not None else exclusive(root):
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


def _heading(name: str, title: str, material: Material, caller: Caller, options: FusionOptions) -> Heading:
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
    material: Material,
    chosen: Chosen,
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
