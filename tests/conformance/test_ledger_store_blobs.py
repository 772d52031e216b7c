"""Every blob store keeps the same promises: files, and S3 over HTTP (moto's server)."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from beliefmerge.ledger.core.canonical import Malformed
from beliefmerge.ledger.store import blobs as blobs_module
from beliefmerge.ledger.store.blobs import Blobs, FileBlobs, RemoteBlobs
from beliefmerge.ledger.store.errors import BadName, BlobDamaged, StoreUnavailable, TooLarge, UnknownBlob
from beliefmerge.ledger.store.places import open_blobs

HELLO = sha256(b"hello").hexdigest()


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """The address of an S3 server on this machine."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(params=["files", "s3"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Blobs]:
    if request.param == "files":
        return lambda: open_blobs(tmp_path / "blobs")
    endpoint = request.getfixturevalue("s3")
    for name, value in {"ACCESS_KEY_ID": "x", "SECRET_ACCESS_KEY": "y", "DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    import s3fs

    bucket = f"bucket-{time.monotonic_ns()}"
    s3fs.S3FileSystem().mkdir(bucket)
    return lambda: open_blobs(f"s3://{bucket}/ledger")


@pytest.fixture
def blobs(open_store: Callable[[], Blobs]) -> Blobs:
    return open_store()


@pytest.mark.parametrize("content", [b"", b"hello", b"\x00\n" * 99, os.urandom(3 << 20)], ids=len)
def test_what_is_put_is_got_by_its_hash(open_store: Callable[[], Blobs], content: bytes):
    name = open_store().put("t", content)
    assert name == sha256(content).hexdigest()
    assert open_store().get("t", name) == content


def test_chunks_make_one_blob_and_the_same_content_is_kept_once(blobs: Blobs):
    assert blobs.put("t", iter([b"he", b"", b"llo"])) == HELLO
    assert blobs.put("t", b"hello") == HELLO
    assert blobs.get("t", HELLO) == b"hello"


def test_a_tenant_cannot_tell_anothers_blob_from_one_that_does_not_exist(blobs: Blobs):
    blobs.put("t", b"hello")
    answers = []
    for tenant, name in (("u", HELLO), ("T", HELLO), ("u", "0" * 64), ("t", "0" * 64)):
        with pytest.raises(UnknownBlob) as refusal:
            blobs.get(tenant, name)
        answers.append(str(refusal.value).replace(name, ""))
    assert len(set(answers)) == 1


BAD_HASHES = {
    "parent": "../../x",
    "encoded": "..%2f",
    "newline": HELLO + "\n",
    "uppercase": HELLO.upper(),
    "nul": "\x00",
    "nul inside": HELLO[:63] + "\x00",
    "empty": "",
    "short": HELLO[:63],
    "long": HELLO + "0",
    "slash": HELLO[:31] + "/" + HELLO[32:],
    "absolute": "/" + HELLO[1:],
    "fullwidth digits": "\uff10" * 64,
    "arabic digits": "\u0660" * 64,
}


@pytest.mark.parametrize("name", BAD_HASHES.values(), ids=BAD_HASHES)
def test_what_is_no_hash_is_malformed_and_no_file_is_touched(blobs: Blobs, name: str):
    with opened_files() as opened, pytest.raises(Malformed):
        blobs.get("t", name)
    assert opened == []


@contextlib.contextmanager
def opened_files() -> Iterator[list[str]]:
    """What any thread opens, lists, looks up or connects to meanwhile."""
    seen: list[str] = []
    _watches.append(seen)
    try:
        yield seen
    finally:
        _watches.pop()


_watches: list[list[str]] = []


def _note(event: str, args: tuple) -> None:
    if _watches and event.split(".")[0] in ("open", "os", "socket", "shutil"):
        _watches[-1].append(f"{event} {args}")


sys.addaudithook(_note)


def test_the_watch_on_files_sees_one(tmp_path: Path):
    with opened_files() as opened:
        (tmp_path / "x").write_bytes(b"")
    assert opened


def test_a_tenants_name_cannot_lead_elsewhere(blobs: Blobs):
    for name in ("..", "../u", "a/b", "", ".part"):
        with pytest.raises(BadName):
            blobs.put(name, b"hello")
        with pytest.raises(BadName):
            blobs.get(name, HELLO)


def test_a_blob_beyond_the_limit_is_refused_while_it_comes(blobs: Blobs):
    given: list[int] = []

    def endless() -> Iterator[bytes]:
        while True:
            given.append(1)
            yield b"x" * 1000

    with pytest.raises(TooLarge):
        blobs.put("t", endless(), limit=10_000)
    assert len(given) == 11
    assert blobs.put("t", b"x" * 10_000, limit=10_000)


def test_a_blob_that_is_left_before_its_end_is_not_there(blobs: Blobs):
    with blobs.open("t") as sink:
        sink.write(b"hello")
    with pytest.raises(UnknownBlob):
        blobs.get("t", HELLO)
    with contextlib.suppress(RuntimeError), blobs.open("t") as sink:
        sink.write(b"hello")
        raise RuntimeError("gone")
    with pytest.raises(UnknownBlob):
        blobs.get("t", HELLO)


def test_many_threads_may_put_the_same_blob(blobs: Blobs):
    names: list[str] = []
    threads = [threading.Thread(target=lambda: names.append(blobs.put("t", b"hello"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert names == [HELLO] * 8
    assert blobs.get("t", HELLO) == b"hello"


def files_under(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file())


def test_damage_to_a_blob_is_noticed_and_putting_it_again_heals_it(tmp_path: Path):
    blobs = FileBlobs(tmp_path)
    blobs.put("t", b"hello")
    (tmp_path / "t" / HELLO[:2] / HELLO).write_bytes(b"hellO")
    with pytest.raises(BlobDamaged):
        blobs.get("t", HELLO)
    blobs.put("t", b"hello")
    assert blobs.get("t", HELLO) == b"hello"
    assert files_under(tmp_path) == [f"t/{HELLO[:2]}/{HELLO}"]


def test_a_blob_is_durable_under_its_name_before_the_name_is_given_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    blobs = FileBlobs(tmp_path)
    assert disk_order(blobs, monkeypatch) == ["sync file", "rename", f"sync {HELLO[:2]}"]


def disk_order(blobs: FileBlobs, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens on the disk while a blob is kept whose directory is there."""
    blobs.put("t", b"hello")
    order: list[str] = []
    sync, sync_directory, replace = blobs_module.sync, blobs_module.sync_directory, Path.replace
    with monkeypatch.context() as patched:
        patched.setattr(blobs_module, "sync", lambda f: (order.append("sync file"), sync(f)))
        patched.setattr(blobs_module, "sync_directory", lambda p: (order.append(f"sync {p.name}"), sync_directory(p)))
        patched.setattr(Path, "replace", lambda a, b: (order.append("rename"), replace(a, b)))
        blobs.put("t", b"hello")
    return order


FAULTS = {"write": errno.ENOSPC, "sync": errno.EIO, "rename": errno.EIO, "directory": errno.EIO}


@pytest.mark.parametrize("place", FAULTS)
def test_a_fault_while_a_blob_is_written_gives_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str):
    def fail(*_: object) -> None:
        raise OSError(FAULTS[place], os.strerror(FAULTS[place]))

    blobs = FileBlobs(tmp_path)
    with monkeypatch.context() as broken:
        if place == "write":
            make = blobs_module.tempfile.NamedTemporaryFile

            def full(**options):
                part = make(**options)
                part.write = fail  # type: ignore[method-assign]
                return part

            broken.setattr(blobs_module.tempfile, "NamedTemporaryFile", full)
        elif place == "rename":
            broken.setattr(Path, "replace", fail)
        else:
            broken.setattr(blobs_module, {"sync": "sync", "directory": "sync_directory"}[place], fail)
        with pytest.raises(StoreUnavailable, match=os.strerror(FAULTS[place])):
            blobs.put("t", b"hello")
    if place != "directory":
        assert files_under(tmp_path) == []
        with pytest.raises(UnknownBlob):
            blobs.get("t", HELLO)
    assert blobs.put("t", b"hello") == HELLO
    assert blobs.get("t", HELLO) == b"hello"


def test_what_a_killed_process_left_is_removed_when_it_is_old(tmp_path: Path):
    FileBlobs(tmp_path)
    old, new = tmp_path / ".part" / "old", tmp_path / ".part" / "new"
    for part in (old, new):
        part.write_bytes(b"half")
    os.utime(old, (0, 0))
    FileBlobs(tmp_path)
    assert files_under(tmp_path) == [".part/new"]


def test_blobs_and_their_directories_are_their_owners_only(tmp_path: Path):
    blobs = FileBlobs(tmp_path / "blobs")
    blobs.put("t", b"hello")
    for path in (tmp_path / "blobs").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_remote_store_that_cannot_be_reached_says_so_in_one_line():
    with pytest.raises(StoreUnavailable) as refusal:
        open_blobs("nosuchscheme://x")
    assert "\n" not in str(refusal.value)
    once = {"retries": {"max_attempts": 0}}
    gone = RemoteBlobs("s3://bucket", key="x", secret="hush", endpoint_url="http://127.0.0.1:1", config_kwargs=once)
    gone._files.retries = 1
    with pytest.raises(StoreUnavailable) as refusal:
        gone.get("t", HELLO)
    assert "\n" not in str(refusal.value)
    assert "hush" not in str(refusal.value)
