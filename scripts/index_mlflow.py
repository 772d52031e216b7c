"""Make the MLflow index anew from the runs' records. ``--help`` explains."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from experiment.reindex import main

if __name__ == "__main__":
    sys.exit(main())
