"""``python -m beliefmerge``."""

import sys

from beliefmerge.ending import in_order


def main() -> int:
    """Run the command line, which is imported once signals are taken."""
    from beliefmerge.cli import main as run

    return run()


if __name__ == "__main__":
    sys.exit(in_order(main))
