"""What every tool that a replay may run again has to do, whatever else it does."""

from __future__ import annotations

import pytest

from beliefmerge.errors import UsageError
from beliefmerge.ledger.service.pinned import NotAllowed, Reach
from beliefmerge.ledger.service.reacquirers import REACQUIRERS

FORBIDDEN = ["http://169.254.169.254/", "http://127.0.0.1:1/", "http://[::1]/", "file:///etc/passwd"]


@pytest.mark.parametrize("name", REACQUIRERS.names())
@pytest.mark.parametrize("url", FORBIDDEN)
def test_it_asks_no_address_that_is_not_public(name, url):
    for sealed, args in ((url, {}), (None, {"url": url}), ("https://example.com/", {"url": url})):
        with pytest.raises(NotAllowed):
            REACQUIRERS[name].acquire(sealed, args, Reach(seconds=1))


@pytest.mark.parametrize("name", REACQUIRERS.names())
@pytest.mark.parametrize("args", [{}, [], None, "http://127.0.0.1/", {"url": 5}])
def test_a_seal_without_an_address_is_refused(name, args):
    with pytest.raises(NotAllowed):
        REACQUIRERS[name].acquire(None, args, Reach(seconds=1))


def test_a_tool_that_is_not_listed_is_not_run():
    assert "shell" not in REACQUIRERS
    with pytest.raises(UsageError, match="known"):
        REACQUIRERS["shell"]
