"""The ledger's command line as a stranger uses it: from another directory, over a real process and its signals."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import msgspec
import pytest

from beliefmerge.ledger.client import LedgerClient, LedgerError
from beliefmerge.ledger.wire import Commit, Seal


def ledger(*args, cwd, **options):
    command = [sys.executable, "-m", "beliefmerge", "ledger", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=cwd, **options)


def token(cwd, role, tenant="acme", *more):
    done = ledger("token", "--role", role, "--tenant", tenant, *more, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


class Served:
    """``ledger serve`` in `cwd`, over its default directory."""

    def __init__(self, cwd: Path, *args: str) -> None:
        command = [sys.executable, "-m", "beliefmerge", "ledger", "serve", "--port", "0", *args]
        self.process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.welcome = []
        while not self.welcome or "stop " not in self.welcome[-1]:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            self.welcome.append(line)
        self.url = re.search(r"http://\S+", self.welcome[0])[0]

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


def test_one_command_on_an_empty_directory_serves_and_says_how_to_go_on(tmp_path):
    with Served(tmp_path) as served:
        welcome = "".join(served.welcome)
        assert "ledger token --role" in welcome
        assert re.search(r"public key\s+[0-9a-f]{64}", welcome)
        assert httpx.get(f"{served.url}/health").json()["status"] == "ok"
        assert "/seal" in httpx.get(f"{served.url}/openapi.json").json()["paths"]
        assert "<h1>" in httpx.get(f"{served.url}/docs").text
        sealer = LedgerClient(served.url, token(tmp_path, "sealer"))
        agent = LedgerClient(served.url, token(tmp_path, "agent"))
        seal = sealer.seal(Seal(text="the cache ttl is 60 s", source_id="docs", tool="search"))
        agent.commit(Commit(kind="derivation", text="it is short", parents=[seal.id]))
        assert [e.kind for e in agent.context().entries] == ["observation", "derivation"]
        exported = ledger("export", "ledger", cwd=tmp_path)
        assert exported.returncode == 0, exported.stderr
        assert [json.loads(line).get("seq") for line in exported.stdout.splitlines()] == [None, 0, 1, 1]
        code, out, err = served.stop()
    assert (code, err) == (0, "")
    assert "stopped" in out
    key = (tmp_path / "ledger" / "keys" / "ed25519").stat()
    assert key.st_mode & 0o777 == 0o600


def test_the_log_is_verified_from_a_directory_and_from_an_export(tmp_path):
    with Served(tmp_path) as served:
        public = re.search(r"[0-9a-f]{64}", "".join(served.welcome))[0]
        with LedgerClient(served.url, token(tmp_path, "agent")) as agent:
            for i in range(5):
                agent.commit(Commit(kind="conjecture", text=f"guess {i}"))
        with LedgerClient(served.url, token(tmp_path, "auditor")) as auditor:
            checkpoint = tmp_path / "checkpoint.json"
            checkpoint.write_bytes(msgspec.json.encode(auditor.checkpoint()))
            auditor.save_export(tmp_path / "log.jsonl")
        served.stop()
    for place in ("ledger", "log.jsonl"):
        plain = ledger("verify", place, cwd=tmp_path)
        assert plain.returncode == 0, plain.stderr
        assert "cut" in plain.stdout + plain.stderr
        for proof in (("--key", public), ("--checkpoint", checkpoint)):
            done = ledger("verify", place, *proof, cwd=tmp_path)
            assert done.returncode == 0, done.stderr
    lines = (tmp_path / "log.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_text("".join(lines[:-3]))
    (tmp_path / "bent.jsonl").write_text("".join(lines).replace("guess 3", "guess 4"))
    for name in ("cut.jsonl", "bent.jsonl"):
        done = ledger("verify", name, "--key", public, cwd=tmp_path)
        assert done.returncode == 2
        assert len(done.stderr.strip().splitlines()) == 1
        assert name in done.stderr
    for wrong in (("--key", "0" * 64), ("--tenant", "other")):
        done = ledger("verify", "log.jsonl", *wrong, cwd=tmp_path)
        assert done.returncode == 2
        assert not done.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_under_load_loses_nothing_that_was_acknowledged(tmp_path, number):
    acknowledged, enough = [], threading.Event()

    def load(url, bearer, name):
        with LedgerClient(url, bearer, retries=0) as agent:
            for i in range(100_000):
                try:
                    written = agent.commit(Commit(kind="conjecture", text=f"{name} {i}"))
                except LedgerError:
                    return
                acknowledged.append(written)
                if len(acknowledged) >= 300:
                    enough.set()

    with Served(tmp_path) as served, ThreadPoolExecutor(8) as pool:
        bearer = token(tmp_path, "agent")
        running = [pool.submit(load, served.url, bearer, name) for name in range(8)]
        assert enough.wait(60)
        code, _, err = served.stop(number)
        for each in running:
            each.result(60)
    assert (code, err) == (0, "")
    exported = ledger("export", "ledger", cwd=tmp_path)
    stored = [json.loads(line) for line in exported.stdout.splitlines()[1:-1]]
    assert len(stored) >= len(acknowledged) >= 300
    hashes = {row["seq"]: row["hash"] for row in stored}
    assert all(hashes[written.seq] == written.id for written in acknowledged)


def test_a_stop_at_the_first_word_is_a_clean_one(tmp_path):
    with Served(tmp_path) as served:
        code, out, err = served.stop()
    assert (code, err) == (0, "")
    assert out.startswith("stopped")


def test_an_export_runs_while_entries_are_written(tmp_path):
    with Served(tmp_path) as served, LedgerClient(served.url, token(tmp_path, "agent")) as agent:
        for i in range(20):
            agent.commit(Commit(kind="conjecture", text=str(i)))
        assert len(ledger("export", "ledger", cwd=tmp_path).stdout.splitlines()) == 22
        agent.commit(Commit(kind="conjecture", text="more"))
        token(tmp_path, "agent", "other")
        done = ledger("export", "ledger", cwd=tmp_path)
        assert done.returncode == 2
        assert "acme, other" in done.stderr
        assert len(ledger("export", "ledger", "--tenant", "acme", cwd=tmp_path).stdout.splitlines()) == 23


def test_a_second_service_cannot_write_to_the_same_log(tmp_path):
    with Served(tmp_path) as first, Served(tmp_path) as second:
        bearer = token(tmp_path, "agent")
        with LedgerClient(first.url, bearer) as one, LedgerClient(second.url, bearer, retries=0) as other:
            one.commit(Commit(kind="conjecture", text="x"))
            with pytest.raises(LedgerError) as refused:
                other.commit(Commit(kind="conjecture", text="y"))
            assert refused.value.status == 503
            assert one.head().seq == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["serve", "--port", "99999"], ["99999"]),
        (["serve", "--host", "no.such.host.invalid"], ["no.such.host.invalid"]),
        (["serve", "--data", "file"], ["file"]),
        (["serve", "--replay-host", "here"], ["--replay-host"]),
        (["token", "--role", "sealr", "--tenant", "t"], ["sealr", "sealer"]),
        (["token", "--role", "sealer", "--tenant", "../x"], ["../x"]),
        (["token", "--role", "sealer", "--tenant", "t", "--expires", "0"], ["0 days"]),
        (["export", "nowhere"], ["nowhere"]),
        (["verify", "nowhere"], ["nowhere"]),
        (["verify", "file"], ["file"]),
        (["verify", "file", "--key", "xyz"], ["--key"]),
        (["exprot", "ledger"], ["exprot", "export"]),
    ],
)
def test_bad_input_gets_one_line(tmp_path, args, words):
    (tmp_path / "file").write_text("no ledger\n")
    done = ledger(*args, cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert not done.stdout
    for word in words:
        assert word in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_port_that_is_taken_is_named(tmp_path):
    with Served(tmp_path) as served:
        port = served.url.rpartition(":")[2]
        done = ledger("serve", "--port", port, "--data", "second", cwd=tmp_path)
    assert done.returncode == 2
    assert port in done.stderr
    assert not (tmp_path / "second").exists()


def test_a_ledger_is_not_served_with_another_embedder_than_it_was_made_with(tmp_path):
    (tmp_path / "ledger").mkdir()
    (tmp_path / "ledger" / "embedder").write_text("hashing\n")
    done = ledger("serve", "--port", "0", "--embedder", "none", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) == 1
    assert "--change-embedder" in done.stderr
    with Served(tmp_path) as served:
        assert re.search(r"embedder\s+hashing\n", "".join(served.welcome))
    with Served(tmp_path, "--embedder", "none", "--change-embedder") as served:
        assert re.search(r"embedder\s+none\n", "".join(served.welcome))
