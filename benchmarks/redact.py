"""Redaction of clean text and of text with secrets, beside a loop that searches each message for any detector's signs.

Run alone with ``python -m benchmarks.redact``.
"""

from __future__ import annotations

import re
from dataclasses import replace

from beliefmerge.session.model import Block, Session
from benchmarks.measure import Row, seconds, table
from benchmarks.merge import BRANCHES, CHARACTERS, MESSAGES, sessions

ONE_IN = 64
LIMIT_SECONDS = 6.0


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


def run() -> list[Row]:
    from beliefmerge.session.redact import redact

    def timed(given: list[Session], times: int) -> float:
        return seconds(lambda: redact(given), repeat=times)

    def speed(taken: float, branches: int) -> str:
        return f"{branches * MESSAGES * CHARACTERS / taken / 1e6:.0f} MB/s"

    one = sessions(1, MESSAGES)
    ours, plain = timed(one, 3), seconds(lambda: search_each(one), repeat=1)
    note = f"{speed(ours, 1)}, reference {speed(plain, 1)}: searching each message for all detectors' signs"
    rows = [Row("redact 1 x 20,000 x 400, clean", ours, plain, "faster", ours < plain, note)]
    all_branches = sessions(BRANCHES, MESSAGES)
    for name, given in (("clean", all_branches), (f"a secret in 1 of {ONE_IN}", planted(all_branches))):
        taken = timed(given, 1)
        bar, holds = (f"< {LIMIT_SECONDS:.0f} s", taken < LIMIT_SECONDS) if name == "clean" else ("-", True)
        rows.append(Row(f"redact 16 x 20,000 x 400, {name}", taken, None, bar, holds, speed(taken, BRANCHES)))
    return rows


if __name__ == "__main__":
    print(table(run()))
