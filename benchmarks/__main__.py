"""``python -m benchmarks [NAME ...]``: all of them, or those named; exit code 1 when a promise fails.

``ledger`` names ``ledger_core`` and ``ledger_store``.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks
from benchmarks.measure import table

HELPERS = {"measure", "__main__"}


def main(names: list[str]) -> int:
    known = sorted(m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name not in HELPERS)
    chosen = [k for name in names or known for k in known if k == name or k.startswith(f"{name}_")]
    wrong = [name for name in names if not any(k == name or k.startswith(f"{name}_") for k in known)]
    if wrong:
        print(f"no benchmark {wrong[0]!r} (known: {', '.join(known)})", file=sys.stderr)
        return 2
    rows = []
    for name in dict.fromkeys(chosen):
        print(f"{name} ...", file=sys.stderr)
        rows += importlib.import_module(f"benchmarks.{name}").run()
    print(table(rows))
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
