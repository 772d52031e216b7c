"""``python -m attribution.blocks BLOCK --query … --response …``: a merged block as a step, a line of JSON.

The rendered items are the entries, the next answer is the response: what of the merge did it really rest on?
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from attribution.step import BadStep, Step, step_of
from beliefmerge.errors import BeliefMergeError
from beliefmerge.render import ParsedItem, parse


def step_of_block(block: str, query: str, response: str, *, step_id: str, declared: Sequence[str] = ()) -> Step:
    """The step in which `response` was given to `query` after `block`, what `render` gave; entries are named by key.

    Heading, banner and footer stay where they are in every context. Raises MalformedBlock, and BadStep where the block
    has no item, `declared` names none of them, or a text is empty.
    """
    items = parse(block).items
    if not items:
        raise BadStep(f"{step_id}: a block without items: nothing can be left out of it")
    lines = block.split("\n")
    begin = next(i for i, line in enumerate(lines) if line.startswith("- "))
    shown, after = lines[begin : begin + len(items)], lines[begin + len(items) :]
    template = "\n".join([*lines[:begin], "{context}", *after, "{query}"])
    entries = [
        {"entry_id": item.key, "text": text, "tier": _tier(item)} for item, text in zip(items, shown, strict=True)
    ]
    return step_of(
        {
            "step_id": step_id,
            "claim_id": step_id,
            "entries": entries,
            "template": template,
            "query": query,
            "response": response,
            "declared": list(declared),
        },
        step_id,
    )


def _tier(item: ParsedItem) -> str:
    """The strongest evidence among an item's sides."""
    return max((side.evidence for side in item.sides), key=int).label


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m attribution.blocks",
        description="Print a merged block, a question and its answer as a step for attribution.run, a line of JSON.",
        epilog="example: python -m attribution.blocks block.md --query 'Which database?' --response 'PostgreSQL.' "
        ">> steps.jsonl",
    )
    parser.add_argument("block", type=Path, help="file with the block that `beliefmerge merge` printed")
    parser.add_argument("--query", required=True, help="what was asked after the block")
    parser.add_argument("--response", required=True, help="what was answered")
    parser.add_argument("--step-id", help="name of the step and of its claim (default: the file's name)")
    parser.add_argument("--declared", nargs="*", default=[], metavar="KEY", help="keys the answer says it used")
    given = parser.parse_args(arguments)
    try:
        step = step_of_block(
            _read(given.block),
            given.query,
            given.response,
            step_id=given.step_id or given.block.stem,
            declared=given.declared,
        )
    except BeliefMergeError as error:
        sys.stderr.write(f"attribution.blocks: error: {given.block}: {error}\n")
        return error.exit_code
    sys.stdout.write(json.dumps(step.data(), ensure_ascii=False) + "\n")
    return 0


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadStep(error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise BadStep("not UTF-8") from None


if __name__ == "__main__":
    sys.exit(main())
