"""One scorer in several processes: the same numbers, the same errors, and nothing left running."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from subprocess import PIPE

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.llm.local.parallel import ParallelScorer, shared_out
from beliefmerge.llm.local.prefixes import common
from beliefmerge.llm.local.scorer import LocalScorer
from beliefmerge.llm.protocol import Cause, ModelError
from tests.tiny_gguf import CONTEXT, write

EXACT = 1e-5
"""What single precision leaves between two orders of summation."""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture(scope="module")
def parallel(path):
    with ParallelScorer(path, "tiny", processes=2) as scorer:
        yield scorer


def test_the_numbers_are_those_of_one_process(path, parallel):
    draw = random.Random(1)
    prompts = ["hello " + " ".join(draw.choices(["the", "cat", "at", "12"], k=draw.randint(1, 20))) for _ in range(13)]
    prompts += prompts[:3]
    one = LocalScorer(path).score_many(prompts, " in the")
    for ours, theirs in zip(parallel.score_many(prompts, " in the"), one, strict=True):
        assert ours == pytest.approx(theirs, abs=EXACT)
    assert parallel.score(prompts[0], " in the") == pytest.approx(one[0], abs=EXACT)
    assert parallel.score_many([], " in the") == []


def test_what_one_process_refuses_is_refused_and_the_next_question_answered(parallel):
    for prompts in ([""], ["fine", "the " * (CONTEXT + 1)]):
        with pytest.raises(ModelError) as caught:
            parallel.score_many(prompts, " in the")
        assert caught.value.cause is Cause.REJECTED
        assert str(caught.value).count(str(Cause.REJECTED)) == 1
    assert len(parallel.score_many(["fine", "well"], " in the")) == 2


def test_a_file_that_is_no_model_is_named_and_leaves_no_process(tmp_path):
    (tmp_path / "broken.gguf").write_bytes(b"no model")
    with ParallelScorer(tmp_path / "broken.gguf", "broken") as scorer:
        with pytest.raises(ModelError, match="broken"):
            scorer.score("a", "b")
        processes = [worker._process for worker in scorer._workers]
    assert all(process.returncode is not None for process in processes)


def test_a_process_that_is_killed_is_an_error_and_no_wait(path):
    with ParallelScorer(path, "tiny", processes=1) as scorer:
        scorer.start()
        scorer._workers[0]._process.send_signal(signal.SIGKILL)
        with pytest.raises(ModelError, match="ended early"):
            scorer.score("a", "b")


def test_a_process_whose_starter_is_gone_says_nothing(path):
    started = [sys.executable, "-m", "beliefmerge.llm.local.worker", str(path)]
    process = subprocess.Popen(started, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True)
    assert process.stdout.readline() == "{}\n"
    process.stdout.close()
    process.stdin.write(json.dumps({"prompts": ["hello"], "continuation": "the"}) + "\n")
    process.stdin.close()
    assert (process.wait(timeout=60), process.stderr.read()) == (0, "")
    process.stderr.close()


@given(st.lists(st.text("ab", max_size=12), max_size=30), st.integers(1, 4))
def test_shares_are_the_distinct_prompts_in_order_and_about_equal_work(prompts, count):
    shares = shared_out(prompts, count)
    assert [prompt for share in shares for prompt in share] == sorted(set(prompts))
    assert len(shares) == count

    def work(share):
        return sum(len(b) - common(a, b) + 1 for a, b in zip(["", *share], share, strict=False))

    most = max(map(work, shares), default=0)
    assert most <= work(sorted(set(prompts))) / count + 2 * 13
