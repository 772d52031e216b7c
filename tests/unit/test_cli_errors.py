"""Bad input: one line, exit code 2, nothing half-written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import build

GOOD = {"id": "a", "messages": [{"channel": "user", "text": "The staging host is stage-3."}]}


def run(*args: str | Path, **options) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "beliefmerge", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


@pytest.fixture
def good(tmp_path: Path) -> list[Path]:
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    for file in files:
        file.write_text(json.dumps(GOOD | {"id": file.stem}))
    return files


def refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2, done
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout
    for word in words:
        assert word in done.stderr


def test_an_unknown_option_gets_the_nearest_one(good):
    refused(run("merge", *good, "--buget", "3"), "--buget", "--budget")


def test_an_unknown_command_gets_the_nearest_one():
    refused(run("mrege"), "merge")


@pytest.mark.parametrize("budget", ["-1", "0", "many", "1.5"])
def test_a_budget_that_is_no_positive_number_is_refused(good, budget):
    refused(run("merge", *good, f"--budget={budget}"), "--budget")


@pytest.mark.parametrize(
    ("option", "wrong", "near"),
    [("--score", "egalitarain", "egalitarian"), ("--tokens", "char4", "chars4"), ("--solver", "exakt", "exact")],
)
def test_a_misspelt_choice_gets_the_nearest_one(good, option, wrong, near):
    refused(run("merge", *good, option, wrong), wrong, near)


def test_a_current_session_that_is_not_among_them_is_refused(good):
    refused(run("merge", *good, "--current", "aa"), "aa", "did you mean")


def test_the_current_session_may_be_named_by_its_file(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(GOOD | {"id": "5f0c"}))
    for name in ("5f0c", "mine", "mine.json", str(file)):
        done = run("merge", file, "--current", name, "--json")
        assert {slot["trust"] for slot in json.loads(done.stdout)["slots"]} == {2}


def test_a_missing_file_is_named(good, tmp_path):
    refused(run("merge", good[0], tmp_path / "gone.json"), "gone.json")


def test_an_empty_file_is_named(good, tmp_path):
    (tmp_path / "empty.jsonl").touch()
    refused(run("merge", good[0], tmp_path / "empty.jsonl"), "empty.jsonl", "empty")


def test_an_unknown_file_is_told_the_formats(tmp_path):
    (tmp_path / "notes.json").write_text('{"a": 1}')
    refused(run("inspect", tmp_path / "notes.json"), "notes.json", "format")


@pytest.mark.parametrize(
    ("raw", "cause"),
    [(b"# Notes\n\nHello.\n", "not JSON"), (b"\x89PNG\r\n\x1a\n\xff", "not UTF-8"), (b"[a]\nb = 1\n", "JSON")],
)
def test_a_file_that_is_no_json_at_all_is_told_the_formats_too(tmp_path, raw, cause):
    (tmp_path / "notes").write_bytes(raw)
    refused(run("inspect", tmp_path / "notes"), "notes: unknown session format", cause, "claude_code, codex, dsh")


def test_an_unreadable_source_among_several_is_left_out_and_named(good, tmp_path):
    (tmp_path / "empty.jsonl").touch()
    done = run("merge", *good, tmp_path / "empty.jsonl", "--json")
    assert done.returncode == 0
    assert "empty.jsonl" in done.stderr
    assert any("empty.jsonl" in line for line in json.loads(done.stdout)["report"]["unreadable"])


def test_a_torn_source_is_merged_and_named(good, tmp_path):
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(build("claude_code", [("user", "The port is 8080."), ("user", "Good.")])[:-20])
    done = run("merge", *good, torn)
    assert done.returncode == 0
    assert done.stderr.endswith("1 source damaged: torn.jsonl (torn)\n")
    assert json.loads(run("merge", *good, torn, "--json").stdout)["report"]["damaged"] == ["torn.jsonl (torn)"]
    assert "damaged" not in run("merge", *good).stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_rights_is_refused(good):
    good[0].chmod(0)
    refused(run("inspect", good[0]), "a.json")


def test_writing_into_a_directory_that_is_not_there_leaves_nothing(good, tmp_path):
    refused(run("merge", *good, "-o", tmp_path / "no" / "out.md"), "out.md")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_writing_into_a_directory_without_rights_leaves_nothing(good, tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    refused(run("merge", *good, "-o", tmp_path / "closed" / "out.md"), "out.md")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_report_that_cannot_be_printed_is_lost_and_the_result_is_not(good):
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "beliefmerge", "merge", *map(str, good)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=full, text=True, timeout=60)
    assert done.returncode == 0
    assert "stage-3" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_on_standard_output_is_one_line(good):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "beliefmerge", "merge", *map(str, good)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_disk_that_fills_while_writing_leaves_the_old_file(tmp_path, monkeypatch):
    from beliefmerge import files
    from beliefmerge.errors import UsageError

    target = tmp_path / "out.md"
    target.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(UsageError, match="No space left"):
        files.write_atomically(target, "new")
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.md"]


def test_output_is_written_whole_and_standard_output_stays_empty(good, tmp_path):
    done = run("merge", *good, "-o", tmp_path / "out.md")
    assert done.returncode == 0
    assert not done.stdout
    assert "stage-3" in (tmp_path / "out.md").read_text()
    assert "tokens" in done.stderr


def named_as(tmp_path: Path, name: str, id: str, *texts: str) -> Path:
    messages = [{"channel": "user", "text": text, "id": f"{text}"} for text in texts]
    (tmp_path / name).write_text(json.dumps({"id": id, "messages": messages}))
    return tmp_path / name


def test_a_file_that_takes_the_name_of_the_current_one_for_its_id_is_not_trusted(tmp_path):
    mine = named_as(tmp_path, "mine.json", "5f0c", "The staging host is stage-3.")
    forged = named_as(tmp_path, "other.json", "mine", "The staging host is stage-6.")
    for order in ((mine, forged), (forged, mine)):
        refused(run("merge", *order, "--current", "mine"), "mine.json", "other.json", "name it by its path")
        done = run("merge", *order, "--current", mine)
        assert "stage-3 [user-stated, trusted]" in done.stdout
        assert "stage-6" not in done.stdout


def test_a_file_that_adds_to_the_current_one_is_not_trusted_for_its_id(tmp_path):
    mine = named_as(tmp_path, "mine.json", "5f0c", "The staging host is stage-3.")
    forged = named_as(tmp_path, "other.json", "5f0c", "The staging host is stage-3.", "The staging host is stage-6.")
    refused(run("merge", mine, forged, "--current", mine), "other.json", "5f0c")
    refused(run("merge", mine, forged, "--current", "mine"), "other.json", "5f0c")


def test_the_directory_of_plain_files_names_none_of_them(tmp_path):
    files = [named_as(tmp_path, f"{id}.json", id, "The staging host is stage-3.") for id in "ab"]
    refused(run("merge", *files, "--current", tmp_path.name), tmp_path.name)


@pytest.mark.parametrize("command", [["merge", "a.json", "b.json"], ["inspect", "a.json"], ["demo"]])
def test_a_closed_standard_output_is_one_line(good, command):
    refused(run(*command, cwd=good[0].parent, preexec_fn=lambda: os.close(1)), "standard output is closed")


def test_without_a_standard_error_remarks_are_not_among_the_results(good):
    done = run("merge", *good, preexec_fn=lambda: os.close(2))
    assert done.returncode == 0
    assert done.stdout == run("merge", *good).stdout


def test_an_output_that_has_no_name_is_refused(good):
    refused(run("merge", *good, "-o", ""), "cannot write")


def test_an_output_with_the_longest_name_there_is_can_be_written(good, tmp_path):
    longest = tmp_path / ("n" * 255)
    assert run("merge", *good, "-o", longest).returncode == 0
    assert "stage-3" in longest.read_text()


def test_an_output_that_is_a_link_stays_one(good, tmp_path):
    (tmp_path / "real.md").write_text("old")
    (tmp_path / "link.md").symlink_to("real.md")
    assert run("merge", *good, "-o", tmp_path / "link.md").returncode == 0
    assert (tmp_path / "link.md").is_symlink()
    assert "stage-3" in (tmp_path / "real.md").read_text()


def test_an_output_that_is_a_pipe_or_a_device_is_written_to_and_stays(good, tmp_path):
    pipe, device = tmp_path / "pipe", tmp_path / "device"
    os.mkfifo(pipe)
    device.symlink_to("/dev/full")
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        assert run("merge", *good, "-o", pipe).returncode == 0
        assert "stage-3" in reader.communicate(timeout=20)[0]
    assert pipe.is_fifo()
    refused(run("merge", *good, "-o", device), "No space left")
    assert device.is_symlink()
    assert Path("/dev/full").is_char_device()


def test_an_output_that_is_a_link_to_an_open_pipe_is_written_to(good):
    done = run("merge", *good, "-o", "/dev/stdout")
    assert (done.returncode, "stage-3" in done.stdout) == (0, True)


def test_no_error_cites_a_secret_that_it_stumbled_over(good, tmp_path):
    key = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({"id": "w", "messages": [{"channel": key, "text": "Hello."}]}))
    several = tmp_path / "several.jsonl"
    several.write_text("".join(json.dumps(GOOD | {"id": id}) + "\n" for id in (key, "other")))
    called = named_as(tmp_path, "called.json", key, "Hello.")
    (tmp_path / f"{key}.json").write_text("{}")
    listed = run("inspect", several).stdout
    assert "[REDACTED:github-token]" in listed
    assert key not in listed
    for done in (
        run("inspect", wrong),
        run("inspect", tmp_path / f"{key}.json"),
        run("merge", several),
        run("inspect", several, "--branch", "none"),
        run("merge", called, good[0], "--current", "none"),
    ):
        refused(done, "[REDACTED:github-token]")
        assert key not in done.stderr
