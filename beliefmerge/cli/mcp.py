"""``python -m beliefmerge mcp``: tools for an agent, over the Model Context Protocol on standard input and output."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
from pathlib import Path
from typing import Any

from beliefmerge.cli.fuse import open_planner, working_directory
from beliefmerge.cli.model_options import add_model_options, model_settings


def add(commands: Any) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "mcp",
        help="serve merging and fusing as tools for an agent (MCP over stdio)",
        description="Serve the tools merge_sessions, conversation_fuse, inspect_session and list_sessions over the "
        "Model Context Protocol on standard input and output, until the input ends, or SIGTERM or Ctrl-C comes.",
        allow_abbrev=False,
    )
    command.add_argument("--cwd", metavar="DIR", help="the agent's working directory (default: the current one)")
    command.add_argument("--root", type=Path, metavar="DIR", help="where ids are looked up and sessions are created")
    command.add_argument("--config", type=Path, metavar="FILE", help="limits and permissions of this deployment, JSON")
    command.add_argument(
        "--allow-cross-workspace", action="store_true", help="allow sessions of another working directory"
    )
    add_model_options(command)
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until the input ends or a signal says so."""
    from beliefmerge.fusion import Caller, FusionConfig
    from beliefmerge.fusion.server import serve
    from beliefmerge.fusion.tools import Deployment

    config = FusionConfig() if args.config is None else FusionConfig.load(args.config)
    if args.allow_cross_workspace:
        config = dataclasses.replace(config, allow_cross_workspace=True)

    planner = open_planner(args, config) if model_settings(args).configured else None
    with planner or contextlib.nullcontext():
        serve(Deployment(Caller(working_directory(args.cwd)), args.root, config, planner))
    return 0
