"""Reading session files, beside a reader that only parses every line with the standard library.

Each file is read by a fresh process, which then goes over the messages once. The rate is judged by processor seconds:
others may be using the machine, and the files are in the page cache. ``python -m benchmarks.reading 1024`` runs it
alone on files of so many MiB, of all formats or those named after it; without a number they have 48.
"""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import zstandard

from benchmarks.measure import Row, table

MEGABYTES_A_SECOND, RESIDENT_MIB = 50, 500
REDUCED = 48
"""MiB of each file, unless more is asked for."""
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


def _fresh(code: str, path: Path, *, repeat: int = 1) -> Taken:
    """The fastest of `repeat` runs of `code`, each in a process of its own."""
    runs = []
    for _ in range(repeat):
        done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
        runs.append(Taken(*json.loads(done.stdout)))
    return min(runs)


def run(mib: int = REDUCED, names: Sequence[str] = ()) -> list[Row]:
    """A row for each format, or for those named, and one for ``inspect`` on Claude Code's."""
    rows: list[Row] = []
    for build in (claude_code, codex, dsh, openai):
        if names and build.__name__ not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            rows += _measure(Path(folder) / build.__name__, build, mib)
    return rows


def _measure(path: Path, build: Callable[[], Iterator[dict[str, Any]]], mib: int) -> Iterator[Row]:
    megabytes, repeat = _write(path, build(), mib), 3 if mib <= REDUCED else 1
    reference = _fresh(_PLAIN, path, repeat=repeat)
    files = {build.__name__: path} | ({"dsh, zstd": _compressed(path)} if build is dsh else {})
    for name, file in files.items():
        taken = _fresh(_READ, file, repeat=repeat)
        rate = megabytes / taken.used
        holds = rate >= MEGABYTES_A_SECOND and taken.peak <= RESIDENT_MIB
        bar = f">= {MEGABYTES_A_SECOND} MB/s, <= {RESIDENT_MIB} MiB"
        note = f"{rate:.0f} MB a processor second (reference {megabytes / reference.used:.0f}), {taken.peak:.0f} MiB, "
        note += f"{taken.passed:.1f} s with a pass over it"
        yield Row(f"read {megabytes:.0f} MB of {name}", taken.read, reference.read, bar, holds, note)
    if build is claude_code:
        taken = _fresh(_INSPECT, path)
        note = f"{megabytes / taken.read:.0f} MB/s, {taken.peak:.0f} MiB"
        holds = taken.peak <= RESIDENT_MIB
        yield Row(f"inspect {megabytes:.0f} MB of it", taken.read, None, f"<= {RESIDENT_MIB} MiB", holds, note)


if __name__ == "__main__":
    print(table(run(int(sys.argv[1]) if len(sys.argv) > 1 else REDUCED, sys.argv[2:])))
