"""SIGINT and SIGTERM, at the moments at which an exception alone would not end a command in order."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import build

ROOT = Path(__file__).parents[2]
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
both = pytest.mark.parametrize("number", CODES)


def run(body: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    script = f"import os, signal, sys, time\nfrom beliefmerge.ending import in_order\n{body}"
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )


@both
def test_a_signal_that_falls_into_a_finaliser_is_not_lost(number):
    done = run(
        f"""
class Finaliser:
    def __del__(self):
        signal.raise_signal({int(number)})
        for _ in range(1000): pass
def command():
    Finaliser()
    time.sleep(50)
    return 0
sys.exit(in_order(command))"""
    )
    assert (done.returncode, done.stderr) == (CODES[number], "")


@both
def test_a_signal_while_the_interpreter_takes_itself_down_leaves_no_traceback(number):
    done = run(
        f"""
import atexit
atexit.register(lambda: (signal.raise_signal({int(number)}), time.sleep(50)))
sys.exit(in_order(lambda: 0))"""
    )
    assert (done.returncode, done.stderr) == (-number, "")


@both
def test_a_forked_child_dies_of_a_signal_without_a_word(number):
    done = run(
        f"""
def command():
    child = os.fork()
    if child == 0:
        signal.raise_signal({int(number)})
        os._exit(0)
    return 7 if os.waitpid(child, 0)[1] == {int(number)} else 1
sys.exit(in_order(command))"""
    )
    assert (done.returncode, done.stderr) == (7, "")


def test_a_signal_that_was_ignored_from_the_start_stays_so():
    done = run(
        """
def command():
    signal.raise_signal(signal.SIGINT)
    return 0
signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.exit(in_order(command))"""
    )
    assert (done.returncode, done.stderr) == (0, "")


@both
@pytest.mark.parametrize("command", ["merge", "fuse"])
def test_a_command_that_is_ended_while_it_writes_leaves_nothing(tmp_path, number, command):
    sources, out = [tmp_path / "a.json", tmp_path / "b.json"], tmp_path / "out"
    for source in sources:
        source.write_bytes(build("plain", session=source.stem))
    out.mkdir()
    done = run(
        f"""
from beliefmerge.cli import main
os.fsync = lambda handle: (signal.raise_signal({int(number)}), time.sleep(50))
sys.exit(in_order(lambda: main(sys.argv[1:])))""",
        command,
        *sources,
        *(["-o", out / "block.md"] if command == "merge" else ["--root", out]),
    )
    word = "interrupted" if number == signal.SIGINT else "terminated"
    assert (done.returncode, done.stderr) == (CODES[number], f"beliefmerge: {word}\n")
    assert not list(out.iterdir())


def test_a_command_that_waits_for_its_other_half_waits_no_longer():
    done = run(
        """
from beliefmerge.claims import parallel
parallel._can_fork = lambda: True
def half():
    os.kill(os.getppid(), signal.SIGTERM)
    time.sleep(500)
sys.exit(in_order(lambda: parallel.both(lambda: None, half) and 0))"""
    )
    assert (done.returncode, done.stderr) == (143, "")


def test_a_signal_right_after_a_fork_leaves_no_other_half_behind():
    done = run(
        """
from beliefmerge.claims import parallel
parallel._can_fork = lambda: True
fork = os.fork
def forked():
    child = fork()
    if child:
        signal.raise_signal(signal.SIGTERM)
    return child
os.fork = forked
sys.exit(in_order(lambda: parallel.both(lambda: None, lambda: time.sleep(500)) and 0))"""
    )
    assert (done.returncode, done.stderr) == (143, "")
