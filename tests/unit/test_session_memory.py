"""A large log is read, and inspected, in a fraction of its size."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.cases import reading

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="resident memory is read from /proc")


def test_texts_beyond_the_limit_are_not_in_memory(tmp_path):
    path = tmp_path / "log"
    reading._write(path, reading.codex(), 24)
    limited = "from beliefmerge.session import shelf\nshelf.HELD = 1 << "
    spilled, held = (reading._fresh(f"{limited}{bits}\n{reading._READ}", path).peak for bits in (20, 40))
    assert held - spilled > 12, (held, spilled)


@pytest.mark.slow
@pytest.mark.parametrize("build", [reading.claude_code, reading.codex, reading.dsh, reading.openai])
def test_a_gibibyte_is_read_and_inspected_in_500_mib(build, tmp_path):
    path = tmp_path / "log"
    reading._write(path, build(), 1024)
    for file in [path, *([reading._compressed(path)] if build is reading.dsh else [])]:
        for code in (reading._READ, reading._INSPECT):
            assert reading._fresh(code, file).peak <= reading.RESIDENT_MIB
