"""Redaction of clean text and of text with secrets, beside a loop that searches each message for any detector's signs.

The loop only searches: it replaces nothing, and finds no second place of a value.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator
from dataclasses import replace

from beliefmerge.session.model import Block, Session
from benchmarks.cases.merge import BRANCHES, CHARACTERS, MESSAGES, sessions
from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.measure import in_turn
from benchmarks.suite.row import Row

ONE_IN = 64
LIMIT_SECONDS = 6.0
PEER = "one branch: searching each message for all detectors' signs"


def planted(branches: list[Session]) -> list[Session]:
    """The same sessions with a labelled secret of its own in one message of 64, and it again in the next."""
    out = []
    for b, branch in enumerate(branches):
        messages = list(branch.messages)
        for i in range(0, len(messages) - 1, ONE_IN):
            secret = f"zz_test_{b:02x}{i:06x}{(b * 7919 + i * 104729) % 16**8:08x}"
            for at, text in ((i, f"export API_TOKEN={secret}\n"), (i + 1, f"I used {secret} to log in. ")):
                block = messages[at].blocks[0]
                messages[at] = replace(messages[at], blocks=(Block(block.channel, text + block.text[len(text) :]),))
        out.append(replace(branch, messages=tuple(messages)))
    return out


def search_each(branches: list[Session]) -> int:
    """The plain way: one `re` expression of all detectors' signs, searched for in every message."""
    from beliefmerge.session.redaction.detect import FAMILIES

    union = re.compile("|".join(family.gate for family in FAMILIES))
    return sum(union.search(m.text) is not None for branch in branches for m in branch.messages)


def run() -> Iterator[Row]:
    """Clean text, and text with secrets; compared on one branch."""
    clean = sessions(BRANCHES, MESSAGES)
    yield _row("clean", clean, rounds=3, limit=LIMIT_SECONDS)
    yield _row(f"a secret in 1 of {ONE_IN}", planted(clean), rounds=2)


def _row(kind: str, branches: list[Session], *, rounds: int, limit: float | None = None) -> Row:
    from beliefmerge.session.redact import redact

    one = branches[:1]
    ours, reference, whole = in_turn(
        lambda: redact(one), lambda: search_each(one), lambda: redact(branches), rounds=rounds
    )
    what = f"redact {BRANCHES} x {MESSAGES:,} x {CHARACTERS}, {kind}"
    note = f"{len(branches) * MESSAGES * CHARACTERS / statistics.median(whole) / 1e6:.0f} MB/s"
    bar, holds = "", None
    if limit is not None:
        bar = f"faster, whole < {limit:.0f} s"
        holds = statistics.median(ours) < statistics.median(reference) and statistics.median(whole) < limit
    return Row(what, ours, reference, PEER, bar, holds, note, whole=whole)


BENCHMARK = Benchmark("Redacting clean text and text with secrets, beside a search of every message for any sign", run)
