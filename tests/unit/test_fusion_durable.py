"""Files are created whole, once, and with a true word on whether they are on the disk."""

from __future__ import annotations

import errno
import multiprocessing
import os
from pathlib import Path

import pytest

from beliefmerge.errors import UsageError
from beliefmerge.fusion import Caller, KeptAfterFailure, durable, fuse
from beliefmerge.session.readers import read_session
from tests.fusing import fused, options, said, session

SESSIONS = [session("a", said("user", "One.", "m1", 1.0)), session("b", said("model", "Two.", "m2", 2.0))]


def failing_fsync(monkeypatch, number: int, *, for_directories: bool):
    """os.fsync fails with `number`, for directories or for files."""
    real = os.fsync

    def fsync(handle: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{handle}") == for_directories:  # noqa: PTH112
            raise OSError(number, os.strerror(number))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)


def files(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file())


def test_file_and_every_new_directory_are_flushed_before_durable_is_said(tmp_path, monkeypatch):
    flushed: list[str] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        flushed.append(os.readlink(f"/proc/self/fd/{handle}"))  # noqa: PTH115
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    result = fused(tmp_path / "root", SESSIONS)
    assert result.durable
    path = Path(result.path)
    assert flushed[0] == str(tmp_path)
    assert flushed[1].startswith(f"{path.parent}/.beliefmerge-")
    assert flushed[2:] == [str(path.parent), str(path.parent.parent), str(tmp_path / "root")]
    assert files(tmp_path) == [path]


@pytest.mark.parametrize("for_directories", [True, False])
def test_a_disk_that_cannot_flush_gives_a_session_that_is_not_called_durable(tmp_path, monkeypatch, for_directories):
    failing_fsync(monkeypatch, errno.EINVAL, for_directories=for_directories)
    result = fused(tmp_path, SESSIONS)
    assert not result.durable
    assert "not certain to be on the disk" in result.line()
    assert len(read_session(result.path).messages) == 4


def test_a_flush_that_fails_before_creation_creates_nothing(tmp_path, monkeypatch):
    failing_fsync(monkeypatch, errno.EIO, for_directories=False)
    with pytest.raises(UsageError, match="cannot write: Input/output error"):
        fused(tmp_path / "root", SESSIONS)
    assert list(tmp_path.iterdir()) == []


def test_a_flush_that_fails_after_creation_keeps_the_session_and_says_so(tmp_path, monkeypatch):
    failing_fsync(monkeypatch, errno.EIO, for_directories=True)
    with pytest.raises(
        KeptAfterFailure, match=r"session 'fused' was created and is kept at .*, but .*cannot flush"
    ) as e:
        fused(tmp_path, SESSIONS)
    assert files(tmp_path) == [Path(e.value.result.path)]
    assert not e.value.result.durable
    assert len(read_session(e.value.result.path).messages) == 4


def test_a_file_that_is_there_is_never_replaced(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"old")
    with pytest.raises(UsageError, match="already exists"):
        durable.create(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_without_hard_links_it_is_never_replaced_either(tmp_path, monkeypatch):
    def link(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", link)
    path = tmp_path / "x"
    assert durable.create(path, b"new")
    with pytest.raises(UsageError, match="already exists"):
        durable.create(path, b"newer")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_that_cannot_be_written_is_one_line(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UsageError, match="Permission denied"):
            durable.create(tmp_path / "d" / "x", b"new")
    finally:
        tmp_path.chmod(0o700)


def test_a_path_below_a_file_is_one_line(tmp_path):
    (tmp_path / "f").write_bytes(b"")
    with pytest.raises(UsageError, match="cannot write"):
        durable.create(tmp_path / "f" / "d" / "x", b"new")


def test_directories_made_before_one_that_cannot_be_made_go_again(tmp_path):
    with pytest.raises(UsageError, match="File name too long"):
        durable.create(tmp_path / "d" / ("n" * 300) / "x", b"new")
    assert not list(tmp_path.iterdir())


def test_a_root_that_was_made_for_a_fusion_goes_again_when_it_fails(tmp_path):
    with pytest.raises(UsageError), durable.exclusive(tmp_path / "a" / "sessions"):
        raise UsageError("not this time")
    assert not list(tmp_path.iterdir())


def contend(barrier, root: str, n: int, cwd: str, answers) -> None:
    sessions = [*SESSIONS, session("c", said("user", f"From {n}.", f"own{n}", 3.0))]
    barrier.wait()
    try:
        made = fuse(sessions, Caller(cwd), options(Path(root), allow_cross_workspace=True))
        answers.put((n, made.session_id))
    except UsageError as error:
        answers.put((n, str(error)))


@pytest.mark.parametrize("workspaces", [("/home/u/p", "/home/u/p"), ("/home/u/p", "/home/u/q")])
def test_of_two_fusions_at_once_to_one_target_one_wins(tmp_path, workspaces):
    context = multiprocessing.get_context("fork")
    for attempt in range(4):
        root = tmp_path / str(attempt) / "sessions"
        barrier, answers = context.Barrier(2), context.Queue()
        both = [context.Process(target=contend, args=(barrier, str(root), n, workspaces[n], answers)) for n in range(2)]
        for process in both:
            process.start()
        told = dict(answers.get(timeout=60) for _ in both)
        for process in both:
            process.join()
        winners = [n for n, answer in told.items() if answer == "fused"]
        assert len(winners) == 1
        assert "already exists" in told[1 - winners[0]]
        (log,) = files(root)
        assert read_session(log).messages[-1].text == f"From {winners[0]}."


def test_two_targets_at_once_both_win(tmp_path):
    first, second = (fused(tmp_path, SESSIONS, target=name) for name in ("x", "y"))
    assert (first.session_id, second.session_id) == ("x", "y")
    assert len(files(tmp_path)) == 2
