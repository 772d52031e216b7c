"""``python -m tests.fuzz.readers --minutes 10 [--seed N]``: mutated files through every reader, for as long as asked.

Each input is read by a child process whose memory is limited, and must be done within its processor time. An exception
other than the clear error, a hang, a broken promise (`tests.fuzz.check`) or too much memory is a find: its input is
kept and the exit code is 1. Needs Linux.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

from tests.fuzz.check import report, same_on_every_way
from tests.fuzz.mutate import corpus, mutated
from tests.shared import cases

MEMORY = 1 << 30
"""Bytes of address space a child may take beyond what it has at its start."""
BATCH = 2000
"""Inputs a child reads before a fresh one takes over, so that no find hides in what was read before."""


def seeds() -> list[bytes]:
    """The valid files, and the shared nasty ones where they are at hand."""
    shared = [path for case in cases("sessions") if case.is_dir() for path in case.rglob("*") if path.is_file()]
    return corpus() + [path.read_bytes() for path in shared if path.name != "expect.json" and path.stat().st_size]


def child(seed: int, first: int, files: list[bytes], path: Path, out: int) -> None:
    """Read inputs `first` and up; a line to `out` after each says what became of it."""
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    for number in range(first, first + BATCH):
        path.write_bytes(mutated(Random(f"{seed}/{number}"), files))
        try:
            sessions, refusal = same_on_every_way(path)
            if number % 10 == 0:
                report(path)
            said = "refused" if refusal else sessions[0].format
        except BaseException as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            said = f"find {type(error).__name__} {Path(place.filename).name}:{place.lineno}"
            path.with_name(f"trace-{number}").write_text(traceback.format_exc(), errors="backslashreplace")
        os.write(out, f"{number} {said}\n".encode())
        if said.startswith("find"):
            return


def run(seed: int, minutes: float, seconds: float, keep: Path) -> Counter[str]:
    """Read inputs until the time is over; what became of them, by outcome."""
    files, outcomes, number = seeds(), Counter[str](), 0
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        number = _batch(seed, number, files, outcomes, end, seconds, keep)
    return outcomes


def _batch(
    seed: int, first: int, files: list[bytes], outcomes: Counter[str], end: float, seconds: float, keep: Path
) -> int:
    """One child's inputs; the number of the next one."""
    path = keep / "input"
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            child(seed, first, files, path, write)
        finally:
            os._exit(0)
    os.close(write)
    number, waiting = first, b""
    find, used = "", 0.0
    while number < first + BATCH:
        ready, _, _ = select.select([read], [], [], seconds)
        running, total = _processor(pid)
        if not ready and running and total - used < seconds:
            continue
        used = total
        chunk = os.read(read, 1 << 16) if ready else b""
        if not chunk:
            find = "find hang" if not ready else find or "find killed"
            break
        *told, waiting = (waiting + chunk).split(b"\n")
        for line in told:
            said = line.decode().split(" ", 1)[1]
            find = said if said.startswith("find") else ""
            outcomes[said] += not find
            number += 1
        if find or time.monotonic() >= end:
            break
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(read)
    if find:
        number += find in ("find hang", "find killed")
        outcomes[find] += 1
        _keep(path, keep, find)
    return number


def _processor(pid: int) -> tuple[bool, float]:
    """Whether a process is running or waits for a processor, and the processor seconds it has used."""
    state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return state == "R", (int(fields[10]) + int(fields[11])) / os.sysconf("SC_CLK_TCK")


def _keep(path: Path, keep: Path, find: str) -> None:
    raw = path.read_bytes()
    kept = keep / f"{find.replace(' ', '-').replace(':', '-')}-{hashlib.sha256(raw).hexdigest()[:8]}"
    shutil.copyfile(path, kept)
    print(f"{find}: {kept}", file=sys.stderr, flush=True)


def main(argv: list[str] | None = None) -> int:
    """Run and print the outcomes; 1 when something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.readers", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--seconds", type=float, default=20, help="processor seconds an input may take (default: %(default)s)"
    )
    parser.add_argument("--keep", type=Path, help="where finds are kept (default: a new temporary directory)")
    args = parser.parse_args(argv)
    keep = args.keep or Path(tempfile.mkdtemp(prefix="fuzz-"))
    keep.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    outcomes = run(args.seed, args.minutes, args.seconds, keep)
    print(f"{sum(outcomes.values())} inputs in {time.monotonic() - began:.0f} s, seed {args.seed}")
    for outcome, count in sorted(outcomes.items()):
        print(f"{count:>9}  {outcome}")
    return int(any(outcome.startswith("find") for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
