"""The command line: ``python -m beliefmerge COMMAND``, one file a command."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from beliefmerge.cli.output import remark
from beliefmerge.ending import Ended
from beliefmerge.errors import BeliefMergeError, UsageError, nearest

_DESCRIPTION = "Merge conversation branches into one budgeted, labelled context. Offline, no key needed."
_EPILOG = """examples:
  python -m beliefmerge merge a.jsonl b.jsonl --budget 800
  python -m beliefmerge merge a.jsonl b.jsonl --current b --query "which database?" -o context.md
  python -m beliefmerge inspect a.jsonl --json
  python -m beliefmerge fuse a.jsonl b.jsonl --strategy by-source --title "Both"
  python -m beliefmerge demo
"""


_COMMANDS = ("merge", "inspect", "demo", "sessions", "fuse", "mcp", "ledger", "model")
"""In the order that ``--help`` shows them; each is a module here with ``add(commands)``."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, with the nearest option or command."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage."""
        raise UsageError(message)

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse; an argument that nothing takes is an unknown option."""
        parsed, extra = self.parse_known_args(args, namespace)
        if extra and not extra[0].startswith("-"):
            raise UsageError(f"{parsed.command} takes no further argument {extra[0]!r}")
        if extra:
            match = nearest(extra[0].split("=")[0], _options(self, parsed.command))
            raise UsageError(f"unknown option {extra[0]!r}" + (f"; did you mean {match!r}?" if match else ""))
        return parsed

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(choice) for choice in action.choices]
            match = nearest(str(value), names)
            hint = f"; did you mean {match!r}?" if match else ""
            what = "/".join(action.option_strings) or "command"
            raise UsageError(f"{what}: unknown {value!r}{hint} (known: {', '.join(names)})")


def _options(parser: argparse.ArgumentParser, command: str) -> list[str]:
    """The options of `command`."""
    found: list[str] = []
    for action in parser._actions:
        found += action.option_strings
        if isinstance(action, argparse._SubParsersAction) and command in action.choices:
            found += [option for each in action.choices[command]._actions for option in each.option_strings]
    return found


def parser() -> Parser:
    """The whole command line."""
    from beliefmerge import __version__

    top = Parser(
        prog="python -m beliefmerge",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"beliefmerge {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    for name in _COMMANDS:
        importlib.import_module(f"beliefmerge.cli.{name}").add(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code: 0, 2 for bad input, 3 when the trust check refuses; 130 after SIGINT, 143
    after SIGTERM, 141 where nobody reads what is printed.
    """
    try:
        args = parser().parse_args(argv)
        return int(args.run(args))
    except BeliefMergeError as error:
        remark(f"beliefmerge: {_one_line(str(error))}")
        return error.exit_code
    except BrokenPipeError:
        _detach_stdout()
        return 141
    except OSError as error:
        _detach_stdout()
        remark(f"beliefmerge: {_one_line(str(error))}")
        return 2
    except Ended as end:
        remark(f"beliefmerge: {end}")
        return end.exit_code
    except KeyboardInterrupt:
        remark("beliefmerge: interrupted")
        return 130


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _detach_stdout() -> None:
    """Point stdout at nothing, so that the interpreter's last flush cannot fail again."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
