"""What stands before copied history and says that it has no authority."""

from __future__ import annotations

from beliefmerge.session.notices import BOUNDARY, MERGED_BOUNDARY, SYSTEM_RULE

__all__ = ["BOUNDARY", "MERGED_BOUNDARY", "PRODUCER", "SYSTEM_RULE"]

PRODUCER = "plugin:beliefmerge"
"""Who wrote it, as a DSH message source; readers take what it says for injected."""
