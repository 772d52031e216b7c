"""What a connection may do before it has said what it wants, and how it may say where a body ends."""

from __future__ import annotations

import contextlib
import gc
import itertools
import socket
import threading
import time
from urllib.parse import urlsplit

import pytest

from beliefmerge.ledger.core import canonical
from beliefmerge.ledger.service import body, checks, serve
from beliefmerge.ledger.service.limits import Limits
from beliefmerge.ledger.store.log import Row
from tests.doubles.ledger import Service, fresh, scratch, serving

PATIENCE = 0.4


@pytest.fixture(scope="module")
def service():
    with serving(limits=Limits(head_seconds=PATIENCE)) as served:
        yield served


@contextlib.contextmanager
def connected(service):
    place = urlsplit(service.url)
    with socket.create_connection((place.hostname, place.port), timeout=10 * PATIENCE) as raw:
        yield raw


def ended(raw, trickle=b""):
    """Seconds until the service closes the connection."""
    started = time.monotonic()
    raw.settimeout(PATIENCE / 8)
    while time.monotonic() - started < 8 * PATIENCE:
        with contextlib.suppress(ConnectionError, TimeoutError):
            if trickle:
                raw.sendall(trickle)
            if not raw.recv(65536):
                return time.monotonic() - started
    pytest.fail("the connection stays open")


def test_who_says_nothing_is_not_waited_for(service):
    with connected(service) as raw:
        assert ended(raw) >= PATIENCE / 2


def test_a_head_that_never_ends_is_given_up(service):
    with connected(service) as raw:
        raw.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n")
        assert ended(raw, b"X: y\r\n") >= PATIENCE / 2


def test_the_second_head_of_a_connection_is_not_waited_for_either(service):
    with connected(service) as raw:
        raw.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert raw.recv(65536).startswith(b"HTTP/1.1 200 ")
        raw.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n")
        ended(raw, b"X: y\r\n")


def test_a_slow_body_has_longer_than_a_head(service):
    with connected(service) as raw:
        head = f"POST /entry HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {service.token('agent', fresh())}\r\n"
        content = b'{"kind":"conjecture","text":"x"}'
        raw.sendall(f"{head}Content-Length: {len(content)}\r\n\r\n".encode())
        time.sleep(2 * PATIENCE)
        raw.sendall(content)
        assert raw.recv(65536).startswith(b"HTTP/1.1 200 ")


def test_a_body_that_ends_in_two_ways_is_malformed(service):
    tenant = fresh()
    head = f"POST /entry HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {service.token('agent', tenant)}\r\n"
    content = b'{"kind":"conjecture","text":"x"}'
    with connected(service) as raw:
        raw.sendall(f"{head}Content-Length: {len(content)}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        raw.sendall(b"%x\r\n%s\r\n0\r\n\r\n" % (len(content), content))
        assert raw.recv(65536).startswith(b"HTTP/1.1 400 ")
        assert ended(raw) < PATIENCE / 2
    assert service.head(tenant)["seq"] == -1


def test_an_export_that_is_cut_off_lets_go_of_what_it_was_read_from(service, monkeypatch):
    held, let_go = threading.Event(), threading.Event()

    def endless(tenant, start=0):
        try:
            for seq in itertools.count():
                held.set()
                yield Row(seq, bytes(32), bytes(32), b"x" * 10_000)
        finally:
            let_go.set()

    tenant = fresh()
    bearer = service.token("auditor", tenant)
    monkeypatch.setattr(service.ledger.log, "read", endless)
    gc.disable()  # which would let go too, some time
    try:
        with connected(service) as raw:
            raw.sendall(f"GET /export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {bearer}\r\n\r\n".encode())
            assert held.wait(5)
            assert raw.recv(1000)
        assert let_go.wait(5)
    finally:
        gc.enable()


def test_a_large_body_is_not_read_where_everybody_is_answered(service, monkeypatch):
    readers = []

    def reading(raw):
        readers.append(threading.get_ident())
        return canonical.parse(raw)

    monkeypatch.setattr(checks, "parse", reading)
    agent = service.http("agent", fresh())
    for size in (1, 1, 65_536, 65_536):
        agent.post("/entry", json={"kind": "conjecture", "text": "x" * size}).raise_for_status()
    assert readers[0] == readers[1]
    assert readers[0] not in readers[2:]


def test_who_is_cut_off_by_a_stop_is_told_so():
    with scratch() as data:
        stopping = Service(data, limits=Limits(drain_seconds=1))
        with connected(stopping) as raw:
            head = f"POST /blob HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {stopping.token('sealer', fresh())}\r\n"
            raw.sendall(f"{head}Content-Length: 100\r\n\r\nsome".encode())
            time.sleep(PATIENCE)
            stopping.close()
            answer = raw.recv(65536)
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b'"kind":"unavailable"' in answer


def test_an_unending_patience_is_caught(monkeypatch):
    from uvicorn.protocols.http.h11_impl import H11Protocol

    monkeypatch.setattr(serve, "patient", lambda seconds: H11Protocol)
    with serving(limits=Limits(head_seconds=PATIENCE)) as plain:
        for law in (test_who_says_nothing_is_not_waited_for, test_a_head_that_never_ends_is_given_up):
            with pytest.raises(pytest.fail.Exception):
                law(plain)


def test_two_ends_of_a_body_unseen_are_caught(service, monkeypatch):
    monkeypatch.setattr(body, "framed_twice", lambda request: False)
    with pytest.raises(AssertionError):
        test_a_body_that_ends_in_two_ways_is_malformed(service)
