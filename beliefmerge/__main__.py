"""``python -m beliefmerge``."""

import sys

from beliefmerge.cli import main

sys.exit(main())
