"""JSON files, whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from beliefmerge.files import write_atomically


def write_json(path: Path, value: Any) -> None:
    """Write `value` as indented JSON with sorted keys. Raises UsageError when it cannot be written."""
    write_atomically(path, json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, default=str) + "\n")
