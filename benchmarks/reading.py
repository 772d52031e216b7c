"""Reading session files of some 50 MB, beside a reader that only parses every line with the standard library."""

from __future__ import annotations

import itertools
import json
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import zstandard

from beliefmerge.session.readers import read_session
from benchmarks.measure import Row, seconds

MEGABYTES_A_SECOND = 50
RECORDS = 50_000
WORDS = ("the", "cache", "ttl", "is", "sixty", "seconds", "because", "of", 'a "quoted"', "path/to/file.py", "数据库\n")


def _text(choose: random.Random, words: int) -> str:
    return " ".join(choose.choices(WORDS, k=words))


def claude_code() -> Iterator[dict[str, Any]]:
    choose, parent = random.Random(0), None
    for i in range(RECORDS):
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
    for seq in range(RECORDS):
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


def _plainly(path: Path) -> int:
    with path.open("rb") as file:
        return sum(len(json.loads(line)) for line in file)


def _write(path: Path, records: Iterator[dict[str, Any]]) -> int:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path.stat().st_size


def _compressed(path: Path) -> Path:
    compressor, packed = zstandard.ZstdCompressor(), path.with_suffix(".zstd")
    with path.open("rb") as lines, packed.open("wb") as out:
        out.write(compressor.compress(lines.readline()))
        while batch := b"".join(itertools.islice(lines, 50)):
            out.write(compressor.compress(batch))
    return packed


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return [row for build in (claude_code, dsh) for row in _measure(Path(folder) / build.__name__, build)]


def _measure(path: Path, build: Callable[[], Iterator[dict[str, Any]]]) -> Iterator[Row]:
    megabytes = _write(path, build()) / 1e6
    reference = seconds(lambda: _plainly(path), repeat=1)
    files = {build.__name__: path} | ({"dsh, zstd": _compressed(path)} if build is dsh else {})
    for name, file in files.items():
        ours = seconds(lambda file=file: read_session(file), repeat=3)  # type: ignore[misc]
        rate = megabytes / ours
        bar = f">= {MEGABYTES_A_SECOND} MB/s"
        holds = rate >= MEGABYTES_A_SECOND
        yield Row(f"read {megabytes:.0f} MB of {name}", ours, reference, bar, holds, f"{rate:.0f} MB/s")
