"""Progress: nothing but what is said where there is no terminal, a bar where there is one."""

from __future__ import annotations

import io

import pytest

from experiment import progress
from experiment.progress import Bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_without_a_terminal_only_what_is_said_is_printed(capsys):
    with Bar(3, "job") as bar:
        bar.step()
        bar.step("job 1 failed")
    assert capsys.readouterr().err == "job 1 failed\n"


@pytest.mark.parametrize("size", ["", "0"])
def test_on_a_terminal_a_bar_appears_once_it_is_slow_whatever_size_the_terminal_claims(monkeypatch, size):
    monkeypatch.setattr(progress, "SLOW", -1.0)
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setenv("COLUMNS", size)
    monkeypatch.setenv("LINES", size)
    import sys

    with Bar(4, "job") as bar:
        for said in ("", "", "job 2 failed", ""):
            bar.step(said)
            bar._bar.refresh()
        shown = sys.stderr.getvalue()
    assert "4/4" in shown
    assert "job 2 failed\n" in shown


def test_a_quick_piece_of_work_shows_no_bar(monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    import sys

    with Bar(4, "job") as bar:
        for _ in range(4):
            bar.step()
    assert "4/4" not in sys.stderr.getvalue()
