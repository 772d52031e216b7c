"""``docs/ledger.md`` is run: a real service in its own process, its commands in a shell, its code against it."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> list[tuple[str, str, str | None]]:
    """(language, code, what it prints) of each block that is run."""
    found = BLOCK.findall((ROOT / "docs" / "ledger.md").read_text())
    out: list[tuple[str, str, str | None]] = []
    for language, body in found:
        if language == "text":
            out[-1] = (*out[-1][:2], body)
        else:
            out.append((language, body, None))
    return out


def matches(expected: str, printed: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, expected.split("…"))), printed) is not None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def in_shell(code: str, cwd: Path) -> str:
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "CHAINVERIFY": str(ROOT / "beliefmerge" / "ledger" / "chainverify.py"),
    }
    with (cwd / "out").open("w+") as out:  # a pipe would be held open by the service
        done = subprocess.run(["bash", "-uc", code], cwd=cwd, env=environment, stdout=out, timeout=60)
        out.seek(0)
        assert done.returncode == 0, out.read()
        return out.read()


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    pid = tmp_path / "ledger.pid"
    if pid.exists():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid.read_text()), signal.SIGKILL)


def test_the_walk_through_does_and_prints_what_it_says(place):
    port, names, ran = str(free_port()), {"__name__": "walk"}, []
    for language, code, expected in blocks():
        code, expected = (each.replace("8765", port) for each in (code, expected or ""))
        if language == "bash":
            printed = in_shell(code, place)
        else:
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(code, "docs/ledger.md", "exec"), names)
            printed = out.getvalue()
        assert matches(expected.rstrip("\n"), printed.rstrip("\n")), f"{code}\nprints\n{printed}"
        ran.append(language)
    assert ran.count("bash") == 4
    assert ran.count("python") == 6
    for each in ("seal", "commit", "contradict", "restore"):
        assert each in (ROOT / "docs" / "ledger.md").read_text()


def test_what_the_page_prints_can_be_wrong():
    assert matches("a … c", "a b c")
    assert not matches("a … c", "a b d")
    assert not matches("one\n", "one\ntwo\n")
    assert sum(expected is not None for _, _, expected in blocks()) == 9


def test_the_threat_model_cites_tests_that_exist():
    suite = (ROOT / "tests" / "conformance" / "test_poisoned_tools.py").read_text()
    defined = set(re.findall(r"^def (test_\w+)\(", suite, re.MULTILINE))
    cited = set(re.findall(r"`(test_\w+)`", (ROOT / "docs" / "threat-model.md").read_text()))
    assert cited
    assert cited == defined - {"test_mutant_is_caught"}
