"""``python -m beliefmerge fuse``: several sessions into one new session."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beliefmerge.cli.model_options import add_model_options, model_settings
from beliefmerge.cli.output import emit, remark
from beliefmerge.errors import UsageError

if TYPE_CHECKING:
    from beliefmerge.fusion.config import FusionConfig
    from beliefmerge.llm.open import OpenModel


def add(commands: Any) -> None:
    """Add the command to the command line."""
    from beliefmerge.fusion.order import STRATEGIES

    command = commands.add_parser(
        "fuse",
        help="make one new session of several; the sources stay as they are",
        description="Make one new session of 2 to 32 others: the texts of user and assistant, what forks share once, "
        "within hard limits, secrets replaced. By default it is a DeepSeek Harness session under its usual root.",
        epilog="exit codes: 0 fused, or nothing created because a plan advises against it; 2 bad input or failure",
        allow_abbrev=False,
    )
    command.add_argument(
        "sources", nargs="+", metavar="SESSION", help="a session file or directory, FILE#BRANCH, or a session id"
    )
    command.add_argument("--strategy", choices=STRATEGIES, default=STRATEGIES[0], help="order (default: %(default)s)")
    command.add_argument("--title", help="title of the new session (default: made from the sources' titles)")
    command.add_argument("--target", metavar="ID", help="id of the new session (default: fusion-<uuid>)")
    command.add_argument("--no-dedup", action="store_true", help="keep every copy of messages that forks share")
    command.add_argument(
        "--allow-cross-workspace", action="store_true", help="allow sources of another working directory"
    )
    command.add_argument("--cwd", metavar="DIR", help="the caller's working directory (default: the current one)")
    command.add_argument("--root", type=Path, metavar="DIR", help="where ids are looked up and the session is created")
    command.add_argument(
        "--out", metavar="PATH", help="create this file, or a session in this directory if it is there"
    )
    command.add_argument("--out-format", choices=["dsh", "openai", "markdown"], default="dsh", help="default: dsh")
    command.add_argument(
        "--content", choices=["messages", "merged"], default="messages", help="messages, or one merged block"
    )
    command.add_argument("--config", type=Path, metavar="FILE", help="limits and permissions of this deployment, JSON")
    command.add_argument("--plan", action="store_true", help="ask a model whether and how to fuse: one call, no tools")
    add_model_options(command)
    command.add_argument("--json", action="store_true", help="print what was done as JSON")
    command.set_defaults(run=run)


def open_planner(args: argparse.Namespace, config: FusionConfig) -> OpenModel:
    """The model that the options name, with as many tokens as a plan may have. Raises UsageError where none is."""
    from beliefmerge.llm.open import open_model

    return open_model(dataclasses.replace(model_settings(args), max_tokens=config.planner_max_tokens))


def run(args: argparse.Namespace) -> int:
    """Fuse, print or write, report."""
    from beliefmerge.fusion import Caller, FusionConfig, FusionOptions, fuse

    to_stdout = args.out_format != "dsh" and args.out is None
    if args.json and to_stdout:
        raise UsageError(f"--json and {args.out_format} both go to standard output: name a file with --out")
    config = FusionConfig() if args.config is None else FusionConfig.load(args.config)
    if args.plan:
        config.check_planning()
    with contextlib.ExitStack() as stack:
        options = FusionOptions(
            strategy=args.strategy,
            deduplicate=not args.no_dedup,
            title=args.title,
            target=args.target,
            planner=stack.enter_context(open_planner(args, config)) if args.plan else None,
            allow_cross_workspace=args.allow_cross_workspace,
            content=args.content,
            out=_out(args.out),
            out_format=args.out_format,
            root=args.root,
            config=config,
        )
        result = fuse(args.sources, Caller(working_directory(args.cwd)), options)
    for warning in result.warnings:
        remark(f"beliefmerge: {warning}")
    if args.json:
        emit(json.dumps(result.to_json(), ensure_ascii=False, indent=2) + "\n")
    elif to_stdout:
        emit(result.text)
    elif result.path is not None:
        emit(f"{result.path}\n")
    remark(result.line())
    return 0


def _out(named: str | None) -> Path | None:
    """Where to write. Raises UsageError for what can be no file's name and is no directory either."""
    if named is None:
        return None
    if not named or (named.endswith(os.sep) and not Path(named).is_dir()):
        raise UsageError(f"--out {named!r}: not a directory")
    return Path(named)


def working_directory(named: str | None) -> str:
    """The caller's directory, absolute. Raises UsageError for one that is not there."""
    if named is None:
        return os.getcwd()  # noqa: PTH109 (as it is called, links and all)
    if not Path(named).is_dir():
        raise UsageError(f"--cwd {named}: not a directory")
    return os.path.abspath(named)  # noqa: PTH100
