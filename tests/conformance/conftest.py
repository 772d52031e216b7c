"""Every log store, as a parameter of the tests that take `place` or `log`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from beliefmerge.ledger.store.log import Log
from tests.ledger_stores import Place, postgres_place, sqlite_place
from tests.scratch import fast_directory


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    if request.param == "postgres":
        yield postgres_place(request.getfixturevalue("postgres"))
    else:
        with tempfile.TemporaryDirectory(dir=fast_directory()) as directory:
            yield sqlite_place(Path(directory))


@pytest.fixture
def log(place: Place) -> Iterator[Log]:
    log = place.open()
    yield log
    log.close()
