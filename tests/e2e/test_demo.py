"""The demo's narration is what happened: its numbers are read back and compared with merges made here."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from beliefmerge import merge
from beliefmerge.demo import BUDGET, EXAMPLES
from beliefmerge.slot import Status


@pytest.fixture(scope="module")
def printed() -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "beliefmerge", "demo"], capture_output=True, text=True, timeout=120, check=True
    )
    assert not done.stderr
    return re.split(r"^── \d\. ", done.stdout, flags=re.MULTILINE)[1:]


def told(section: str) -> str:
    return " ".join(line.strip().removeprefix("→ ") for line in section.splitlines() if line.startswith("   →"))


def test_there_are_seven_and_each_prints_its_block(printed):
    assert len(printed) == len(EXAMPLES) == 7
    for section, example in zip(printed, EXAMPLES, strict=True):
        assert section.startswith(example.title)
        assert example.run().text in section
        assert told(section)


def test_evidence_decides(printed):
    assert re.search(
        r"'sixty seconds' holds on user-stated evidence \(weight 8\); 'three hundred seconds'", told(printed[0])
    )
    assert "0 disputes" in told(printed[0])


def test_the_tie_stays_a_tie(printed):
    assert "1 for kafka against 1 for rabbitmq" in told(printed[1])
    assert "disputed: all 2 sides" in told(printed[1])


def test_the_later_word_holds(printed):
    assert "PostgreSQL holds, MySQL is superseded" in told(printed[2])
    assert "(0 disputes)" in told(printed[2])


def test_copies_count_once(printed):
    assert "stands in 2 files and has 1 witness" in told(printed[3])
    assert "became Thursday; the trunk's Tuesday is superseded" in told(printed[3])


def test_nobody_outvotes_the_current_user(printed):
    assert "9 foreign voices say 900 EUR; the current user's 100 EUR holds, labelled trusted" in told(printed[4])
    assert "1 heading in the block" in told(printed[4])
    assert sum(line.startswith("#") for line in EXAMPLES[4].run().text.splitlines()) == 1


def test_the_tight_budget_really_drops(printed):
    text = told(printed[5])
    slots, budget, shown, dropped, used, loose, left, all_of_it = map(
        int,
        re.search(
            r"(\d+) slots; at (\d+) tokens (\d+) are shown and (\d+) dropped \((\d+) tokens used.*"
            r"At (\d+) tokens (\d+) are dropped \((\d+) tokens used\)",
            text,
        ).groups(),
    )
    tight, wide = EXAMPLES[5].run().report, merge(list(BUDGET), budget=2000).report
    assert (slots, budget, shown, dropped, used) == (
        tight.slots,
        tight.budget,
        tight.shown,
        tight.dropped,
        tight.tokens,
    )
    assert (loose, left, all_of_it) == (wide.budget, wide.dropped, wide.tokens)
    assert dropped > 0
    assert shown > 0
    assert left == 0
    assert used <= budget < all_of_it


def test_the_conclusion_with_a_second_route_stays(printed):
    text = told(printed[6])
    assert "release.ship is retracted: unmet migration.complete" in text
    assert "blog.publish is founded: it stands on board.approved" in text
    slots = EXAMPLES[6].run().slots
    assert f"{sum(s.status is Status.RETRACTED for s in slots)} of {len(slots)} slots retracted" in text
