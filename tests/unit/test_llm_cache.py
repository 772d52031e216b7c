"""The record of model calls: what is kept where, what a replay gives, what damage does, who may write at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.errors import UsageError
from beliefmerge.llm.cache import Cache, pack
from beliefmerge.llm.entry import CorruptEntry, Entry, address, canonical, chat_request, decode
from beliefmerge.llm.open import open_model
from beliefmerge.llm.protocol import Cause, ChatMessage, Completion, LanguageModel, ModelError, Usage
from beliefmerge.llm.recorded import BATCH, Record, RecordedModel, RecordedScorer
from beliefmerge.llm.settings import LlmSettings
from tests.doubles.server import MockServer, say

HELLO = [ChatMessage("user", "hello")]
GITHUB_TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


class Counting(LanguageModel):
    """Replies with how often it was asked, after a text of its own."""

    name = "counting"

    def __init__(self, text: str = "reply") -> None:
        self.text, self.asked = text, list[Sequence[ChatMessage]]()
        self._lock = threading.Lock()

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 2048,
        temperature: float = 0.0,
        seed: int | None = 0,
    ) -> Completion:
        with self._lock:
            self.asked.append(messages)
            return Completion(f"{self.text} {len(self.asked)}", "stop", "counting-1", Usage(5, 2, 1, 0.1234567, 0.5))


class Sums:
    """A scorer that gives lengths."""

    name = "sums"

    def __init__(self) -> None:
        self.asked = 0

    def score(self, prompt: str, continuation: str) -> tuple[float, ...]:
        self.asked += 1
        return (-len(prompt) / 3, -len(continuation) / 7)

    def score_many(self, prompts, continuation):
        return [self.score(prompt, continuation) for prompt in prompts]


def model(path: Path, mode: str, inner: LanguageModel) -> RecordedModel:
    return RecordedModel("m", lambda: inner, Record(Cache(path), mode))


def files(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*") if file.is_file())


def test_off_asks_every_time_and_keeps_nothing(tmp_path):
    inner = Counting()
    asked = model(tmp_path, "off", inner)
    assert [asked.complete(HELLO).text for _ in range(2)] == ["reply 1", "reply 2"]
    assert files(tmp_path) == []


def test_auto_asks_once_and_a_replay_gives_the_same_without_asking(tmp_path):
    first = model(tmp_path, "auto", Counting())
    live, again = first.complete(HELLO), first.complete(HELLO)
    assert (live.text, live.cached, again.text, again.cached) == ("reply 1", False, "reply 1", True)
    nobody = Counting()
    replayed = model(tmp_path, "replay", nobody).complete(HELLO)
    assert (replayed.text, replayed.finish_reason, replayed.model) == (live.text, live.finish_reason, live.model)
    assert replayed.usage.prompt_tokens == 5
    assert not nobody.asked


def test_record_asks_anew_but_one_request_once_a_run(tmp_path):
    model(tmp_path, "record", Counting("old")).complete(HELLO)
    fresh = model(tmp_path, "record", Counting("new"))
    assert [fresh.complete(HELLO).text for _ in range(2)] == ["new 1", "new 1"]
    assert model(tmp_path, "replay", Counting()).complete(HELLO).text == "new 1"


def test_a_replay_of_what_was_never_asked_is_an_error(tmp_path):
    with pytest.raises(ModelError) as caught:
        model(tmp_path, "replay", Counting()).complete(HELLO)
    assert caught.value.cause is Cause.REPLAY_MISS


@pytest.mark.parametrize(
    "other",
    [{"max_tokens": 9}, {"temperature": 0.5}, {"seed": 1}, {"seed": None}, {"schema": {"type": "object"}}],
)
def test_every_parameter_is_part_of_the_address(tmp_path, other):
    asked = model(tmp_path, "auto", Counting())
    assert asked.complete(HELLO).text != asked.complete(HELLO, **other).text


def test_the_model_is_part_of_the_address_and_the_server_is_not(tmp_path):
    def ask(name: str, base_url: str, mode: str) -> Completion:
        settings = LlmSettings("vllm", base_url=base_url, model=name, cache=mode, cache_dir=str(tmp_path), retries=0)
        with open_model(settings) as opened:
            return opened.complete(HELLO)

    with MockServer(say("one"), say("two")) as server:
        ask("m", server.base_url, "auto")
        assert ask("other", server.base_url, "auto").text == "two"
    assert ask("m", "http://elsewhere.invalid/v1", "replay").text == "one"


def test_an_address_does_not_depend_on_the_order_of_names_nor_on_how_a_number_is_written():
    one = chat_request("m", HELLO, schema={"a": 1, "b": 2}, max_tokens=1, temperature=0, seed=0)
    other = chat_request("m", HELLO, schema={"b": 2, "a": 1}, max_tokens=1, temperature=0.0, seed=0)
    assert address("complete", one) == address("complete", other)


DAMAGE = {
    "empty": lambda raw: b"",
    "torn": lambda raw: raw[: len(raw) // 2],
    "flipped": lambda raw: raw[:-6] + bytes([raw[-6] ^ 1]) + raw[-5:],
    "no zstd": lambda raw: b"{}",
    "no entry": lambda raw: zstandard.compress(b'{"kind": 1}'),
    "not JSON": lambda raw: zstandard.compress(b"\xff{"),
    "nested": lambda raw: zstandard.compress(b"[" * 100_000),
    "no number": lambda raw: zstandard.compress(
        b'{"kind":"complete","request":{"a":NaN},"reply":{},"usage":{},"time":"t"}'
    ),
    "boundless": lambda raw: b"\x28\xb5\x2f\xfd\xe0" + (1 << 50).to_bytes(8, "little") + b"\1\0\0",
    "another": lambda raw: zstandard.compress(Entry("complete", {"a": 1}, {}, {}, "t").encode()),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_corrupt_entry_is_asked_for_again_and_in_a_replay_an_error(tmp_path, damage):
    model(tmp_path, "auto", Counting("old")).complete(HELLO)
    (file,) = files(tmp_path)
    file.write_bytes(DAMAGE[damage](file.read_bytes()))
    with pytest.raises(ModelError, match=file.name):
        model(tmp_path, "replay", Counting()).complete(HELLO)
    assert model(tmp_path, "auto", Counting("new")).complete(HELLO).text == "new 1"
    assert model(tmp_path, "replay", Counting()).complete(HELLO).text == "new 1"


def test_a_pipe_in_the_place_of_an_entry_is_an_error_in_a_replay(tmp_path):
    model(tmp_path, "auto", Counting()).complete(HELLO)
    (file,) = files(tmp_path)
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(ModelError, match="not a regular file"):
        model(tmp_path, "replay", Counting()).complete(HELLO)


def test_the_record_is_as_private_as_the_user_has_files_made(tmp_path):
    before = os.umask(0o077)
    try:
        model(tmp_path, "auto", Counting()).complete(HELLO)
    finally:
        os.umask(before)
    (file,) = files(tmp_path)
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_is_kept_is_small_and_the_same_for_the_same_call(tmp_path):
    for side in ("a", "b"):
        model(tmp_path / side, "auto", Counting()).complete([ChatMessage("user", "word " * 4000)])
    (one,), (other,) = files(tmp_path / "a"), files(tmp_path / "b")
    assert one.name == other.name
    assert one.stat().st_size < 1000
    entries = [decode(zstandard.decompress(file.read_bytes())) for file in (one, other)]
    assert entries[0].reply == entries[1].reply


@pytest.mark.parametrize("place", ["prompt", "reply", "both"])
def test_no_secret_is_kept_and_a_replay_gives_what_the_recording_gave(tmp_path, place):
    prompt = f"the token is {GITHUB_TOKEN}" if place != "reply" else "the token?"
    inner = Counting(f"use {GITHUB_TOKEN} here" if place != "prompt" else "ok")
    live = model(tmp_path, "auto", inner).complete([ChatMessage("user", prompt)])
    replayed = model(tmp_path, "replay", Counting()).complete([ChatMessage("user", prompt)])
    assert live.text == replayed.text
    assert GITHUB_TOKEN not in live.text
    assert GITHUB_TOKEN not in inner.asked[0][0].content
    for file in files(tmp_path):
        assert GITHUB_TOKEN.encode() not in zstandard.decompress(file.read_bytes())


def test_the_key_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("SOME_KEY", GITHUB_TOKEN)
    with MockServer(say(f"your key is {GITHUB_TOKEN}")) as server:
        settings = LlmSettings("vllm", server.base_url, "m", "SOME_KEY", cache="record", cache_dir=str(tmp_path))
        with open_model(settings) as opened:
            assert GITHUB_TOKEN not in opened.complete(HELLO).text
    (file,) = files(tmp_path)
    assert GITHUB_TOKEN.encode() not in zstandard.decompress(file.read_bytes())


def test_scores_are_kept_exactly_and_texts_with_a_secret_are_not(tmp_path):
    scorer = Sums()
    recorded = RecordedScorer("sums", lambda: scorer, Record(Cache(tmp_path), "auto"))
    live = recorded.score("a prompt", "and on")
    assert recorded.score("a prompt", "and on") == live
    assert scorer.asked == 1
    replayed = RecordedScorer("sums", lambda: scorer, Record(Cache(tmp_path), "replay"))
    assert replayed.score("a prompt", "and on") == live
    recorded.score(f"token {GITHUB_TOKEN}", "x")
    assert len(files(tmp_path)) == 1
    with pytest.raises(ModelError):
        replayed.score("another", "text")


def test_many_prompts_are_asked_once_each_and_kept_batch_by_batch(tmp_path):
    scorer = Sums()
    prompts = [f"{'a' * (i % 50)}." for i in range(120)]
    steps = []
    recorded = RecordedScorer("sums", lambda: scorer, Record(Cache(tmp_path), "auto"))
    found = recorded.score_many(prompts, "on", step=lambda: steps.append(1))
    assert found == [scorer.score(prompt, "on") for prompt in prompts]
    assert (scorer.asked - len(prompts), len(steps)) == (50, 50)
    assert RecordedScorer("sums", Sums, Record(Cache(tmp_path), "replay")).score_many(prompts, "on") == found


def test_a_scorer_that_fails_in_the_middle_loses_no_finished_batch(tmp_path):
    class Failing(Sums):
        def score_many(self, prompts, continuation):
            if self.asked:
                raise ModelError(Cause.SERVER, "gone")
            return super().score_many(prompts, continuation)

    failing = Failing()
    recorded = RecordedScorer("sums", lambda: failing, Record(Cache(tmp_path), "auto"))
    with pytest.raises(ModelError, match="gone"):
        recorded.score_many([str(i) for i in range(BATCH + 8)], "on")
    assert len(files(tmp_path)) == BATCH


def test_a_pack_replays_what_its_directory_does(tmp_path):
    asked = model(tmp_path / "dir", "auto", Counting())
    prompts = [[ChatMessage("user", f"number {i}")] for i in range(7)]
    replies = [asked.complete(prompt).text for prompt in prompts]
    assert pack(tmp_path / "dir", tmp_path / "calls.jsonl.zst") == 7
    for source in (tmp_path / "calls.jsonl.zst", tmp_path):  # the pack itself, and a directory that holds one
        replay = model(source, "replay", Counting())
        assert [replay.complete(prompt).text for prompt in prompts] == replies


def test_packing_depends_on_the_entries_alone(tmp_path):
    asked = model(tmp_path / "dir", "auto", Counting())
    for i in range(5):
        asked.complete([ChatMessage("user", f"number {i}")])
    pack(tmp_path / "dir", tmp_path / "one.jsonl.zst")
    pack(tmp_path / "one.jsonl.zst", tmp_path / "two.jsonl.zst")
    assert (tmp_path / "one.jsonl.zst").read_bytes() == (tmp_path / "two.jsonl.zst").read_bytes()
    lines = zstandard.decompress((tmp_path / "one.jsonl.zst").read_bytes()).splitlines()
    addresses = [decode(line).address for line in lines]
    assert addresses == sorted(addresses)


def test_a_pack_is_never_written_to(tmp_path):
    model(tmp_path / "dir", "auto", Counting()).complete(HELLO)
    target = tmp_path / "calls.jsonl.zst"
    pack(tmp_path / "dir", target)
    before = target.read_bytes()
    with pytest.raises(UsageError, match="only replayed"):
        model(target, "auto", Counting()).complete([ChatMessage("user", "new")])
    assert target.read_bytes() == before


def test_a_corrupt_pack_names_its_line(tmp_path):
    target = tmp_path / "calls.jsonl.zst"
    good = Entry("complete", {"a": 1}, {}, {}, "t").encode()
    target.write_bytes(zstandard.compress(good + b"\n{}\n"))
    with pytest.raises(ModelError, match=r"calls\.jsonl\.zst: line 2: not an entry"):
        model(target, "replay", Counting()).complete(HELLO)
    with pytest.raises(UsageError, match="line 2"):
        pack(target, tmp_path / "other.jsonl.zst")


@pytest.mark.parametrize(("target", "message"), [("calls.zst", "is named"), ("calls.jsonl.zst", "no recorded calls")])
def test_packing_nothing_or_into_something_else_is_refused(tmp_path, target, message):
    with pytest.raises(UsageError, match=message):
        pack(tmp_path, tmp_path / target)
    assert files(tmp_path) == []


def test_threads_that_ask_the_same_go_on_with_the_same_reply(tmp_path):
    inner = Counting()
    with ThreadPoolExecutor(8) as pool:
        models = [model(tmp_path, "auto", inner) for _ in range(24)]
        replies = {reply.text for reply in pool.map(lambda each: each.complete(HELLO), models)}
    assert len(replies) == 1
    assert model(tmp_path, "replay", Counting()).complete(HELLO).text in replies
    assert len(files(tmp_path)) == 1


WRITER = """
import sys
from beliefmerge.llm.cache import Cache
from beliefmerge.llm.entry import Entry
cache = Cache(sys.argv[1])
for i in range(60):
    kept = cache.put(Entry("complete", {"n": i}, {"by": sys.argv[2]}, {}, "t"))
    assert cache.get(kept.address) == kept, i
    print(kept.reply["by"], end="")
"""


def test_processes_that_write_at_once_believe_one_another(tmp_path):
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in "abc"]
    told = [writer.communicate(timeout=60)[0] for writer in writers]
    assert all(writer.returncode == 0 for writer in writers)
    assert told[0] == told[1] == told[2]
    assert len(list(Cache(tmp_path).entries())) == 60
    assert not [file for file in files(tmp_path) if file.suffix == ".tmp"]


requests = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), requests, max_size=4))
def test_an_entry_survives_its_own_bytes(request):
    entry = Entry("complete", request, {"text": "…\ud800"}, {}, "t")
    back = decode(entry.encode(), entry.address)
    assert back.encode() == entry.encode()
    assert json.loads(canonical(request)) == request


def test_the_entry_of_another_address_is_corrupt():
    entry = Entry("complete", {"a": 1}, {}, {}, "t")
    with pytest.raises(CorruptEntry, match="another request"):
        decode(entry.encode(), "0" * 64)
