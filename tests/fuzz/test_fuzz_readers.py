"""A short run of the fuzz harness in this process; ``python -m tests.fuzz.readers`` is the long one."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefmerge.session.readers import READERS, read_sessions
from tests.fuzz.check import report, same_on_every_way
from tests.fuzz.mutate import corpus, mutated

FILES = corpus()


def test_the_corpus_is_valid_and_has_every_format(tmp_path):
    found = set()
    for i, raw in enumerate(FILES):
        path = tmp_path / f"{i}"
        path.write_bytes(raw)
        found |= {session.format for session in read_sessions(path)}
    assert found == set(READERS)


@settings(max_examples=250)
@given(st.randoms(use_true_random=False))
def test_mutated_files_are_read_or_refused(tmp_path_factory, choose):
    path = tmp_path_factory.getbasetemp() / "fuzzed"
    path.write_bytes(mutated(choose, FILES))
    same_on_every_way(path)


def test_mutated_files_can_be_inspected(tmp_path):
    path, outcomes = tmp_path / "fuzzed", set()
    for number in range(60):
        path.write_bytes(mutated(random.Random(number), FILES))
        outcomes.add(report(path).startswith(str(path)))
    assert outcomes == {True, False}


def test_a_run_counts_what_became_of_its_inputs_and_keeps_what_it_finds(tmp_path):
    """A reader that crashes, hangs, or takes all memory is found, its input is kept, and the exit code is 1."""
    finds = {
        "raise KeyError('x')": "find KeyError",
        "__import__('time').sleep(60)": "find hang",
        "bytearray(1 << 32)": "find MemoryError",
        "__import__('os').kill(__import__('os').getpid(), 9)": "find killed",
    }
    for broken, said in finds.items():
        code = (
            "import sys, tests.fuzz.readers as fuzz\n"
            f"def read(path):\n    {broken}\n"
            "fuzz.same_on_every_way = read\n"
            "sys.exit(fuzz.main(['--minutes', '0.01', '--seconds', '1', '--keep', sys.argv[1]]))\n"
        )
        keep = tmp_path / said.replace(" ", "-")
        done = subprocess.run([sys.executable, "-c", code, str(keep)], capture_output=True, text=True, check=False)
        assert done.returncode == 1, done
        assert said in done.stdout
        assert list(keep.glob(f"{said.replace(' ', '-')}*"))


@pytest.mark.slow
def test_a_minute_of_mutated_files_finds_nothing(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.readers", "--minutes", "1", "--keep", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
