"""``http_get``: the body of a page, as sent."""

from __future__ import annotations

from typing import Any

from beliefmerge.ledger.service.pinned import NotAllowed, Reach, get


class HttpGet:
    """GET of ``args["url"]``, or of the sealed address where the arguments name none."""

    def acquire(self, url: str | None, args: Any, reach: Reach) -> bytes:
        """The body of the answer."""
        target = args.get("url", url) if isinstance(args, dict) else url
        if not isinstance(target, str):
            raise NotAllowed("the seal names no address")
        return get(target, reach)


REACQUIRER = HttpGet()
