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
from benchmarks.suite.measure import in_turn, scaled
from benchmarks.suite.row import Rounds, Row

ONE_IN = 64
LIMIT_SECONDS = 6.0
PEER = "searching each message for all detectors' signs"


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
    """One branch, all branches, and all with secrets; the plain search goes through one branch of either kind."""
    from beliefmerge.session.redact import redact

    clean = sessions(BRANCHES, MESSAGES)
    one, every, each = in_turn(lambda: redact(clean[:1]), lambda: redact(clean), lambda: search_each(clean[:1]))
    yield _row(1, "clean", one, each, PEER, "faster", statistics.median(one) < statistics.median(each))
    part, holds = f"{PEER}, on one branch, times {BRANCHES}", statistics.median(every) < LIMIT_SECONDS
    yield _row(BRANCHES, "clean", every, scaled(each, BRANCHES), part, f"< {LIMIT_SECONDS:.0f} s", holds)
    secret = planted(clean)
    every, each = in_turn(lambda: redact(secret), lambda: search_each(secret[:1]), rounds=2)
    yield _row(BRANCHES, f"a secret in 1 of {ONE_IN}", every, scaled(each, BRANCHES), part)


def _row(
    branches: int, kind: str, ours: Rounds, reference: Rounds, peer: str, bar: str = "", holds: bool | None = None
) -> Row:
    speed, plain = (f"{branches * MESSAGES * CHARACTERS / statistics.median(t) / 1e6:.0f}" for t in (ours, reference))
    note = f"{speed} MB/s, reference {plain} MB/s"
    return Row(f"redact {branches} x {MESSAGES:,} x {CHARACTERS}, {kind}", ours, reference, peer, bar, holds, note)


BENCHMARK = Benchmark("Redacting clean text and text with secrets, beside a search of every message for any sign", run)
