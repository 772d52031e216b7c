"""The embedder that a ledger counts origins with: what it does to a quorum, and that a directory keeps its own."""

from __future__ import annotations

import pytest

from beliefmerge.errors import UsageError
from beliefmerge.ledger.service import judging
from beliefmerge.ledger.service.opening import open_ledger
from beliefmerge.ledger.wire import Contradict, Seal
from tests.doubles.ledger import Service, scratch

WORDS = [f"word{i}" for i in range(60)]
TEXTS = (" ".join(WORDS), " ".join(WORDS[i * 37 % 60] for i in range(60)))
"""The same 60 words in another order: no near-copies by shingles."""


@pytest.fixture
def data():
    with scratch() as directory:
        yield directory


def counted(data, **options):
    """How many of two origins with the same words in another order count, and what the first of them is believed."""
    service = Service(data, **options)
    try:
        sealer, verifier = service.client("sealer", "acme"), service.client("verifier", "acme")
        target, *origins = (
            sealer.seal(Seal(text=text, source_id=name, tool="search", url=f"https://{name}.com/", claim=claim)).id
            for text, name, claim in (("The target.", "t", None), (TEXTS[0], "a", "c"), (TEXTS[1], "b", "c"))
        )
        found = verifier.contradict(Contradict(target=target, origins=origins))
        return found.independent, {e.id: e.belief_ppm for e in verifier.context().entries}[origins[0]]
    finally:
        service.close()


def test_origins_that_an_embedder_calls_copies_count_once(data):
    assert counted(data, embedder="hashing") == (1, 350_000)


def test_without_an_embedder_words_alone_decide(data):
    assert counted(data) == (2, 675_000)


def opened(data, *args, **options):
    ledger = open_ledger(data, *args, **options)
    ledger._close()
    return ledger.embedder


def test_a_directory_keeps_the_embedder_it_began_with(data):
    assert opened(data, embedder="hashing") == "hashing"
    assert opened(data) == "hashing"
    with pytest.raises(UsageError, match="counted with the embedder hashing here, not with none"):
        open_ledger(data, embedder="none")
    assert opened(data) == "hashing"
    assert opened(data, embedder="none", change_embedder=True) == "none"
    assert opened(data) == "none"


def test_a_name_without_its_model_is_another_embedder(data):
    pytest.importorskip("wordllama")
    assert opened(data, embedder="wordllama") == "wordllama:l2_supercat_256"
    assert opened(data) == "wordllama:l2_supercat_256"
    (data / judging.FILE).write_text("wordllama:l3_supercat_256\n")
    with pytest.raises(UsageError, match="l3_supercat_256"):
        open_ledger(data)


def test_entries_that_were_judged_without_a_record_were_judged_without_an_embedder(data):
    assert counted(data)[0] == 2
    (data / judging.FILE).unlink()
    with pytest.raises(UsageError, match="counted with the embedder none"):
        open_ledger(data, embedder="hashing")
    assert opened(data) == "none"


def test_a_record_that_names_no_embedder_is_one_line(data):
    (data / judging.FILE).write_text("hashin\n")
    with pytest.raises(UsageError, match="hashing"):
        open_ledger(data)


def test_opening_with_another_embedder_unasked_would_be_seen(data, monkeypatch):
    """The guard can fail: a ledger that forgets what it was made with is caught by the test above."""
    monkeypatch.setattr(judging, "_recorded", lambda path, log: None)
    with pytest.raises(AssertionError):
        test_a_directory_keeps_the_embedder_it_began_with(data)
