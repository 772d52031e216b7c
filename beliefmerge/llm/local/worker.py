"""A scorer in a process of its own: ``python -m beliefmerge.llm.local.worker MODEL``.

It says ``{}`` once it is ready, then reads requests from standard input, ``{"prompts": [...], "continuation": "..."}``
a line, and answers each with a line, ``{"scores": [[...], ...]}`` or ``{"cause": "...", "error": "..."}``. It ends when
its standard input does, as it does when whoever started it is gone, or when nobody reads its answer.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from beliefmerge.errors import BeliefMergeError
from beliefmerge.llm.local.scorer import LocalScorer
from beliefmerge.llm.protocol import Cause


def main(model: str) -> None:
    """Serve until standard input ends. An interrupt from the keyboard is the starter's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        scorer = LocalScorer(Path(model))
        _say({})
        for line in sys.stdin:
            _say(_answer(scorer, json.loads(line)))
    except BeliefMergeError as error:
        _say(_refusal(error))
    except BrokenPipeError:
        os._exit(0)  # at once: what is left in the buffer would be written again


def _answer(scorer: LocalScorer, asked: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"scores": [values.tolist() for values in scorer.score_many(asked["prompts"], asked["continuation"])]}
    except BeliefMergeError as error:
        return _refusal(error)


def _refusal(error: BeliefMergeError) -> dict[str, Any]:
    cause = getattr(error, "cause", Cause.UNAVAILABLE)
    return {"cause": cause.value, "error": str(error).removeprefix(f"{cause}: ")}


def _say(what: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
