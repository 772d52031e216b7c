"""Reading session files, beside a reader that only parses every line with the standard library.

Each file is read by a fresh process, which then goes over the messages once. The rate is judged by processor seconds:
others may be using the machine, and the files are in the page cache. ``python -m benchmarks.cases.reading 1024`` runs
it alone on files of so many MiB, of all formats or those named after it; without a number they have 48.
"""

from __future__ import annotations

import itertools
import json
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import zstandard

from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.row import Row, columns
from experiment.run import say
from experiment.tables import markdown

MEGABYTES_A_SECOND, RESIDENT_MIB = 50, 500
REDUCED = 48
"""MiB of each file, unless more is asked for."""
ROUNDS = 3
PEER = "parsing every line with json"
WORDS = ("the", "cache", "ttl", "is", "sixty", "seconds", "because", "of", 'a "quoted"', "path/to/file.py", "数据库\n")

_PEAK = "next(int(line.split()[1]) for line in open('/proc/self/status') if line.startswith('VmHWM')) / 1024"
_TIMES = """
import json, sys, time
started, used = time.perf_counter(), time.process_time()
"""
_READ = f"""
from beliefmerge.session.readers import read_session
{_TIMES}
session = read_session(sys.argv[1])
read, used = time.perf_counter() - started, time.process_time() - used
characters = sum(len(block.text) for message in session.messages for block in message.blocks)
print(json.dumps([read, used, time.perf_counter() - started, {_PEAK}]))
"""
_PLAIN = f"""
{_TIMES}
with open(sys.argv[1], "rb") as file:
    sum(len(json.loads(line)) for line in file)
read, used = time.perf_counter() - started, time.process_time() - used
print(json.dumps([read, used, read, {_PEAK}]))
"""
_INSPECT = f"""
from beliefmerge.cli import main
{_TIMES}
stdout, sys.stdout = sys.stdout, open("/dev/null", "w")
assert main(["inspect", sys.argv[1]]) == 0
read, used = time.perf_counter() - started, time.process_time() - used
print(json.dumps([read, used, read, {_PEAK}]), file=stdout)
"""


class Taken(NamedTuple):
    """What a fresh process took: seconds to read, processor seconds of that, seconds with a pass over it, MiB."""

    read: float
    used: float
    passed: float
    peak: float


def _text(choose: random.Random, words: int) -> str:
    return " ".join(choose.choices(WORDS, k=words))


def claude_code() -> Iterator[dict[str, Any]]:
    """Records of Claude Code's log, without end."""
    choose, parent = random.Random(0), None
    for i in itertools.count():
        envelope = {
            "parentUuid": parent,
            "isSidechain": False,
            "cwd": "/home/u/p",
            "sessionId": "c",
            "version": "2.0.0",
        }
        parent = f"{i:08x}-0000-4000-8000-000000000000"
        envelope |= {"uuid": parent, "timestamp": "2026-10-01T10:00:02.000Z"}
        if i % 3 == 0:
            yield envelope | {"type": "user", "message": {"role": "user", "content": _text(choose, 60)}}
        elif i % 3 == 1:
            call = {"type": "tool_use", "id": f"t{i}", "name": "Bash", "input": {"command": _text(choose, 8)}}
            content = [{"type": "text", "text": _text(choose, 60)}, call]
            message = {
                "id": f"m{i}",
                "model": "m",
                "role": "assistant",
                "content": content,
                "usage": {"input_tokens": 1},
            }
            yield envelope | {"type": "assistant", "message": message}
        else:
            result, output = {"type": "tool_result", "tool_use_id": f"t{i - 1}"}, _text(choose, 120)
            message = {"role": "user", "content": [result | {"content": output}]}
            yield envelope | {"type": "user", "message": message, "toolUseResult": {"stdout": output}}


def dsh() -> Iterator[dict[str, Any]]:
    """Records of DSH's log, without end."""
    choose = random.Random(0)
    yield {"type": "session", "version": 4, "id": "s", "createdAt": 0, "delegationDepth": 0, "isSeeded": False}
    for seq in itertools.count():
        event: dict[str, Any] = {"seq": seq, "time": 1_790_000_000_000 + seq}
        message: dict[str, Any] = {"id": f"m{seq}", "content": [{"type": "text", "text": _text(choose, 60)}]}
        if seq % 3 == 0:
            yield event | {
                "type": "user/message",
                "data": message | {"source": {"kind": "user"}},
                "surfaceOp": "append",
            }
        elif seq % 3 == 1:
            stream = [{"type": "text-chunks", "time0": 0, "index": 0, "dt": [9] * 99, "texts": ["word "] * 100}]
            data = {"turn": 1, "step": 1, "stream": stream, "message": message | {"source": {"kind": "model"}}}
            yield event | {"type": "assistant/message", "data": data, "surfaceOp": "append"}
        else:
            yield event | {"type": "tool/call", "data": {"callId": "c", "name": "bash", "arguments": _text(choose, 60)}}


def codex() -> Iterator[dict[str, Any]]:
    """Records of Codex' log, without end."""
    choose, stamp = random.Random(0), "2026-10-01T10:00:02.000Z"
    yield {"timestamp": stamp, "type": "session_meta", "payload": {"id": "k", "cwd": "/home/u/p"}}
    for i in itertools.count():
        if i % 3 == 2:
            payload: dict[str, Any] = {"type": "function_call_output", "call_id": "c", "output": _text(choose, 120)}
        else:
            content = [{"type": "output_text" if i % 3 else "input_text", "text": _text(choose, 80)}]
            payload = {"type": "message", "role": "assistant" if i % 3 else "user", "content": content}
        yield {"timestamp": stamp, "type": "response_item", "payload": payload}


def openai() -> Iterator[dict[str, Any]]:
    """Records of OpenAI messages, without end."""
    choose = random.Random(0)
    for i in itertools.count():
        yield {"role": ("user", "assistant", "tool")[i % 3], "content": _text(choose, 120)}


def _write(path: Path, records: Iterator[dict[str, Any]], mib: int) -> float:
    """Write so many MiB of records, a line each; the megabytes written."""
    left = mib << 20
    with path.open("wb") as out:
        while left > 0:
            left -= out.write(json.dumps(next(records), ensure_ascii=False).encode() + b"\n")
    return path.stat().st_size / 1e6


def _compressed(path: Path) -> Path:
    compressor, packed = zstandard.ZstdCompressor(), path.with_suffix(".zstd")
    with path.open("rb") as lines, packed.open("wb") as out:
        out.write(compressor.compress(lines.readline()))
        while batch := b"".join(itertools.islice(lines, 50)):
            out.write(compressor.compress(batch))
    return packed


def _fresh(code: str, path: Path) -> Taken:
    """What `code` takes in a process of its own."""
    done = subprocess.run([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True, check=True)
    return Taken(*json.loads(done.stdout))


def run(mib: int = REDUCED, names: Sequence[str] = ()) -> Iterator[Row]:
    """A row for each format, or for those named, and one for ``inspect`` on Claude Code's."""
    for build in (claude_code, codex, dsh, openai):
        if names and build.__name__ not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            yield from _measure(Path(folder) / build.__name__, build, mib)


def _measure(path: Path, build: Callable[[], Iterator[dict[str, Any]]], mib: int) -> Iterator[Row]:
    megabytes, name = _write(path, build(), mib), build.__name__
    ways = {f"read {megabytes:.0f} MB of {name}": (_READ, path)}
    if build is dsh:
        ways[f"read {megabytes:.0f} MB of dsh, zstd"] = (_READ, _compressed(path))
    if build is claude_code:
        ways[f"inspect {megabytes:.0f} MB of {name}"] = (_INSPECT, path)
    taken: dict[str, list[Taken]] = {what: [] for what in ways}
    plain: list[Taken] = []
    for _ in range(ROUNDS if mib <= REDUCED else 1):
        plain.append(_fresh(_PLAIN, path))
        for what, way in ways.items():
            taken[what].append(_fresh(*way))
    for what, rounds in taken.items():
        yield _row(what, megabytes, rounds, plain, judged=not what.startswith("inspect"))


def _row(what: str, megabytes: float, ours: Sequence[Taken], plain: Sequence[Taken], *, judged: bool) -> Row:
    """A row for one way of reading a file; `judged` by its rate too, not by its memory alone."""
    rate, reference = (megabytes / statistics.median(each.used for each in way) for way in (ours, plain))
    peak, passed = max(each.peak for each in ours), statistics.median(each.passed for each in ours)
    holds = peak <= RESIDENT_MIB and (rate >= MEGABYTES_A_SECOND or not judged)
    bar = f">= {MEGABYTES_A_SECOND} MB/s, " * judged + f"<= {RESIDENT_MIB} MiB"
    note = f"{rate:.0f} MB a processor second (reference {reference:.0f}), {peak:.0f} MiB"
    note += f", {passed:.1f} s with a pass over it" * judged
    return Row(what, tuple(t.read for t in ours), tuple(t.read for t in plain), PEER, bar, holds, note)


BENCHMARK = Benchmark("Reading session files, beside parsing every line with the standard library", run)

if __name__ == "__main__":
    size, *named = sys.argv[1:] or [str(REDUCED)]
    say(markdown([row.plain("reading") for row in run(int(size), named)], columns()))
