"""What the README shows is what its commands print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHOWN = re.compile(
    r"`python (?P<command>-m beliefmerge merge examples/[^`]+)`[^\n]*\n\n```markdown\n(?P<block>.*?)\n```.*?"
    r"stderr says `(?P<report>[^`]+)`",
    re.DOTALL,
)


def test_the_merged_block_is_what_the_command_prints():
    shown = SHOWN.search((ROOT / "README.md").read_text(encoding="utf-8"))
    words = [
        name
        for word in shlex.split(shown["command"])
        for name in (sorted(map(str, ROOT.glob(word))) if "*" in word else [word])
    ]
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.rstrip("\n") == shown["block"]
    assert done.stderr.strip() == shown["report"]
