"""A merged block as a step: what is asked with all of it, and without a line of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from attribution.blocks import step_of_block
from attribution.step import BadStep, read_steps
from beliefmerge.render import BANNER, HEADING, MalformedBlock, parse

BLOCK = (Path(__file__).parents[1] / "golden" / "block.md").read_text(encoding="utf-8")


def step(block=BLOCK, **more):
    return step_of_block(block, "Which database?", "PostgreSQL.", step_id="next", **more)


def test_with_all_items_the_prompt_is_the_block_and_the_query():
    found = step(declared=["database"])
    assert found.prompt([True] * len(found.entries)) == f"{BLOCK}\nWhich database?"
    assert [entry.entry_id for entry in found.entries] == [item.key for item in parse(BLOCK).items]
    assert found.declared == ("database",)
    assert {entry.tier for entry in found.entries} <= {"speculative", "inferred", "tool-verified", "user-stated"}


def test_an_item_that_is_left_out_takes_only_its_own_line():
    found = step()
    for index, entry in enumerate(found.entries):
        kept = [i != index for i in range(len(found.entries))]
        assert found.prompt(kept) == f"{BLOCK}\nWhich database?".replace(f"{entry.text}\n", "", 1)


def test_heading_banner_and_footer_stay_when_nothing_is_kept():
    asked = step().prompt([False] * len(step().entries))
    assert asked.startswith(f"{HEADING}\n{BANNER}\n\n")
    assert BLOCK.rstrip("\n").split("\n")[-1] in asked


def test_a_line_with_a_brace_in_it_stays_text():
    block = f'{HEADING}\n- note: "{{query}} {{context}}" [inferred]\n'
    assert "{query} {context}" in step(block).prompt([True])


@pytest.mark.parametrize(("block", "error"), [("", BadStep), ("no block\n", MalformedBlock), (f"{HEADING}\n", BadStep)])
def test_what_is_no_block_or_has_no_item_is_refused(block, error):
    with pytest.raises(error):
        step(block)


def test_a_declared_key_must_be_in_the_block():
    with pytest.raises(BadStep, match="'nowhere' is not among"):
        step(declared=["nowhere"])


def test_the_command_prints_a_step_that_can_be_read(tmp_path):
    (tmp_path / "block.md").write_text(BLOCK, encoding="utf-8")
    asked = ["--query", "Which database?", "--response", "PostgreSQL.", "--step-id", "next"]
    done = command(tmp_path, "block.md", *asked, "--declared", "database")
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "steps.jsonl").write_text(done.stdout, encoding="utf-8")
    assert read_steps(tmp_path / "steps.jsonl") == [step(declared=["database"])]
    assert json.loads(done.stdout).keys() == {
        *("step_id", "tenant", "claim_id", "entries", "template", "query", "response", "declared")
    }
    refused = command(tmp_path, "none.md", *asked)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "attribution.blocks: error: none.md: No such file or directory\n"


def command(place, *arguments):
    started = [sys.executable, "-m", "attribution.blocks", *arguments]
    return subprocess.run(started, cwd=place, capture_output=True, text=True, timeout=60, check=False)
