"""A replay asks public addresses only, and the very address that was checked."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.ledger.service.pinned import NotAllowed, NotReached, Reach, check, get, public


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append((self.headers["Host"], self.path))
        if self.path == "/slow":
            self.send_response(200)
            self.end_headers()
            for _ in range(100):
                time.sleep(0.05)
                self.wfile.write(b"x")
                self.wfile.flush()
            return
        self.send_response(404 if self.path == "/gone" else 200)
        self.end_headers()
        self.wfile.write(b"the page")

    def log_message(self, *args):
        pass


@pytest.fixture
def web():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def names(monkeypatch):
    """A resolver: the next answer for a name each time it is asked."""
    answers, asked, real = {}, [], socket.getaddrinfo

    def resolve(host, port, *args, **kwargs):
        if host not in answers:
            return real(host, port, *args, **kwargs)
        asked.append(host)
        found = answers[host].pop(0)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    answers["asked"] = asked
    return answers


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://localhost/",
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/",
        "http://192.0.0.192/",
        "http://192.88.99.1/",
        "http://168.63.129.16/",
        "http://0.0.0.0/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://[::1]/",
        "http://[::]/",
        "http://[fe80::1]/",
        "http://[fd00::1]/",
        "http://[::ffff:169.254.169.254]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[2002:7f00:1::]/",
        "https://user:secret@example.com/",
        "file:///etc/passwd",
        "ftp://example.com/",
        "gopher://example.com/",
        "//example.com/",
        "example.com",
        "http://",
        "http://exam\0ple.com/",
    ],
)
def test_what_may_not_be_asked(url):
    with pytest.raises(NotAllowed):
        check(url, Reach())


@given(st.ip_addresses(v=4))
def test_an_address_is_public_in_all_its_disguises_or_in_none(address):
    mapped = ipaddress.IPv6Address(f"::ffff:{address}")
    assert public(mapped) == public(address)
    assert not public(ipaddress.IPv6Address(int(ipaddress.IPv6Address("64:ff9b::")) + int(address)))
    assert not public(ipaddress.IPv6Address((0x2002 << 112) + (int(address) << 80)))
    if address.is_private or address.is_loopback or address.is_link_local or address.is_multicast:
        assert not public(address)


def test_a_name_is_resolved_once_and_the_checked_address_is_the_one_asked(names, monkeypatch):
    """A second answer of the name server, for loopback, is never asked for."""
    names["rebound.example.com"] = [["93.184.216.34"], ["127.0.0.1"]]
    reached = []

    def connect(address, *args, **kwargs):
        reached.append(address)
        raise OSError("no network in tests")

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(NotReached):
        get("http://rebound.example.com/", Reach(seconds=1))
    assert names["asked"] == ["rebound.example.com"]
    assert [address[:2] for address in reached] == [("93.184.216.34", 80)]


def test_one_private_address_among_several_is_enough_to_refuse(names):
    names["mixed.example.com"] = [["93.184.216.34", "10.0.0.7"]]
    with pytest.raises(NotAllowed, match="not public") as refused:
        get("http://mixed.example.com/", Reach())
    assert "10.0.0.7" not in str(refused.value)


def test_an_allowed_host_is_asked_under_its_own_name(web, names):
    port = web.server_port
    names["intranet.test"] = [["127.0.0.1"]]
    reach = Reach(frozenset({f"intranet.test:{port}"}))
    assert get(f"http://intranet.test:{port}/a?b=c", reach) == b"the page"
    assert web.asked == [(f"intranet.test:{port}", "/a?b=c")]
    with pytest.raises(NotAllowed):
        get(f"http://127.0.0.1:{port}/", reach)


def test_what_comes_back_is_bounded(web):
    port = web.server_port
    hosts = frozenset({f"127.0.0.1:{port}"})
    with pytest.raises(NotAllowed, match="over 3 bytes"):
        get(f"http://127.0.0.1:{port}/", Reach(hosts, max_bytes=3))
    with pytest.raises(NotReached, match="404"):
        get(f"http://127.0.0.1:{port}/gone", Reach(hosts))
    started = time.monotonic()
    with pytest.raises(NotReached, match="in time"):
        get(f"http://127.0.0.1:{port}/slow", Reach(hosts, seconds=0.3))
    assert time.monotonic() - started < 3


def test_a_proxy_of_the_environment_is_not_used(web, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    port = web.server_port
    assert get(f"http://127.0.0.1:{port}/", Reach(frozenset({f"127.0.0.1:{port}"}))) == b"the page"
