"""``python -m mergebench``: run the benchmark. ``--help`` explains."""

from __future__ import annotations

import sys

from experiment.entry import main
from mergebench.command import EXPERIMENT

if __name__ == "__main__":
    sys.exit(main(EXPERIMENT))
