"""Every shared merge case, through the public API and the command line, in every order of its branches."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from beliefmerge import merge, read_session
from beliefmerge.cli import main
from tests.shared import cases, needs_shared

CASES = [path for path in cases("merge") if path.suffix == ".json"]
pytestmark = needs_shared


def load(path: Path, folder: Path) -> tuple[dict[str, Any], list[Path], str | None]:
    """The case's expectation, its branches as files, and the current session's id."""
    case = json.loads(path.read_text())
    files = []
    for branch in case["branches"]:
        file = folder / f"{branch['id']}.json"
        file.write_text(json.dumps({k: v for k, v in branch.items() if k != "current"}, ensure_ascii=False))
        files.append(file)
    current = [branch["id"] for branch in case["branches"] if branch.get("current")]
    return case["expect"], files, current[0] if current else None


def orders(files: list[Path]) -> list[list[Path]]:
    """Every order of up to four branches; of more, the two ends and twenty shuffles."""
    if len(files) <= 4:
        return [list(order) for order in permutations(files)]
    rng = random.Random(len(files))
    return [files, files[::-1], *([*rng.sample(files, len(files))] for _ in range(20))]


def through_api(files: list[Path], current: str | None) -> dict[str, Any]:
    return merge([read_session(f) for f in files], budget=2000, current=current).to_json()


def arguments(files: list[Path], current: str | None) -> list[str]:
    return [
        *("merge", *map(str, files), "--json", "--budget", "2000"),
        *(("--current", current) if current else ()),
    ]


def folded(text: str) -> str:
    return " ".join(text.casefold().split())


def shows(slot: dict[str, Any], needle: str) -> bool:
    return any(folded(needle) in folded(value) for value in slot["values"])


LIVE = ("resolved", "compatible", "conditional")


def check(expect: dict[str, Any], out: dict[str, Any]) -> None:
    slots, text = out["slots"], out["text"]
    by_key = {slot["key"]: slot for slot in slots}
    live = [s for s in slots if s["outcome"] in LIVE and s["status"] != "retracted"]
    disputed = [s for s in slots if s["outcome"] == "disputed"]
    for needle in expect.get("live", []):
        assert any(shows(s, needle) for s in live), f"{needle} is not live"
        assert folded(needle) in folded(text)
    for needle in expect.get("not_live", []):
        assert not any(shows(s, needle) for s in live + disputed), f"{needle} is live"
    if "disputed" in expect:
        assert sorted(sorted(s["values"]) for s in disputed) == sorted(sorted(side) for side in expect["disputed"])
    for needle in expect.get("superseded", []):
        assert any(folded(needle) in folded(v) for s in slots for v in s["superseded"])
    for key, status in expect.get("status", {}).items():
        assert by_key[key]["status"] == status
    for key, trust in expect.get("effective_trust", {}).items():
        assert by_key[key]["trust"] == trust
    for key, values in expect.get("decision", {}).items():
        assert sorted(by_key[key]["values"]) == sorted(values)
    for value, others in expect.get("slots_with", {}).items():
        holding = [s for s in slots if any(folded(value) in folded(v) for v in s["values"] + s["opposed"])]
        assert len(holding) == 1
        for other in others:
            assert any(folded(other) in folded(v) for v in holding[0]["values"] + holding[0]["opposed"])
    if expect.get("one_slot"):
        assert len(slots) == 1
    if "live_text" in expect:
        assert folded(expect["live_text"]) in folded(text)
    for value, witnesses in expect.get("support", {}).items():
        assert any(s["witnesses"].get(value) == witnesses for s in slots)
    if "headings" in expect:
        assert sum(line.startswith("#") for line in text.splitlines()) == expect["headings"]
    for needle, label in expect.get("label_at_most", {}).items():
        ceiling = {"untrusted": 0, "external": 1, "trusted": 2}[label]
        assert all(
            s["trust"] <= ceiling for s in slots if shows(s, needle) or folded(needle) in folded(str(s["spans"]))
        )
    for needle in expect.get("nowhere", []):
        assert needle not in json.dumps(out)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_through_the_api_in_every_order(path, tmp_path):
    expect, files, current = load(path, tmp_path)
    outputs = [through_api(order, current) for order in orders(files)]
    for out in outputs:
        check(expect, out)
        assert out["text"] == outputs[0]["text"]
        assert out["slots"] == outputs[0]["slots"]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_through_the_command_line_in_every_order(path, tmp_path, capfdbinary):
    expect, files, current = load(path, tmp_path)
    texts = set()
    for order in orders(files):
        assert main(arguments(order, current)) == 0
        out = json.loads(capfdbinary.readouterr().out)
        check(expect, out)
        texts.add(out["text"])
    assert len(texts) == 1


@pytest.mark.parametrize("path", CASES[:3], ids=lambda path: path.stem)
def test_case_through_a_process_of_its_own(path, tmp_path):
    expect, files, current = load(path, tmp_path)
    command = [sys.executable, "-m", "beliefmerge", *arguments(files, current)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    check(expect, json.loads(done.stdout))
