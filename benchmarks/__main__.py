"""``python -m benchmarks [NAME ...]``: all of them, or those named; exit code 1 when a promise fails."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks
from benchmarks.measure import table

HELPERS = {"measure", "__main__"}


def main(names: list[str]) -> int:
    known = sorted(m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name not in HELPERS)
    wrong = [name for name in names if name not in known]
    if wrong:
        print(f"no benchmark {wrong[0]!r} (known: {', '.join(known)})", file=sys.stderr)
        return 2
    rows = []
    for name in names or known:
        print(f"{name} ...", file=sys.stderr)
        rows += importlib.import_module(f"benchmarks.{name}").run()
    print(table(rows))
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
