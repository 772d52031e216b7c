"""Requests that must fail, and how: each row of the ledger's attack table, over HTTP."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from beliefmerge.ledger import chainverify
from beliefmerge.ledger.core.canonical import canonical
from beliefmerge.ledger.core.chain import GENESIS, links
from beliefmerge.ledger.core.export import lines as export_lines
from beliefmerge.ledger.service.limits import BodyTime, Limits
from beliefmerge.ledger.service.pinned import Reach
from beliefmerge.ledger.wire import Context
from tests.doubles.ledger import fresh, serving

NOWHERE = "0" * 64


PAGES = {"/same": b"the page", "/other": b"another page"}


class Page(BaseHTTPRequestHandler):
    """What a replay may meet: a page, another page, a redirect to loopback."""

    def do_GET(self):
        if self.path == "/redirect":
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/same")
            self.end_headers()
            return
        body = PAGES[self.path]
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def web():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def service(web):
    reach = Reach(frozenset({urlsplit(web).netloc}), seconds=5)
    limits = Limits(body_time=BodyTime(1.0, 0.5), blob_bytes=8 << 20, linger_seconds=0.2)
    with serving(limits=limits, reach=reach) as served:
        yield served


class Tenant:
    """A fresh tenant and what its roles do."""

    def __init__(self, service):
        self.name, self.service = fresh(), service
        self._http = {}

    def __getattr__(self, role):
        if role not in self._http:
            self._http[role] = self.service.http(role, self.name)
        return self._http[role]

    def seal(self, text="the cache ttl is 60 s", source="s", host="news.example.com", **more):
        body = {"text": text, "source_id": source, "tool": "search", "url": f"https://{host}/page"} | more
        return done(self.sealer.post("/seal", json=body))["id"]

    def commit(self, *parents, text="so it is", kind="derivation"):
        body = {"kind": kind, "text": text, "parents": list(parents)}
        return done(self.agent.post("/entry", json=body))["id"]

    def contradict(self, target, *origins, **more):
        body = {"target": target, "origins": list(origins), "text": "they say otherwise"} | more
        return done(self.verifier.post("/contradiction", json=body))

    def entries(self):
        return {entry["id"]: entry for entry in done(self.agent.get("/context"))["entries"]}

    def head(self):
        return done(self.auditor.get("/head"))["seq"]

    def records(self):
        lines = self.auditor.get("/export").raise_for_status().text.splitlines()
        return [json.loads(line)["record"] for line in lines[1:-1]]


@pytest.fixture
def tenant(service):
    return Tenant(service)


def done(response):
    assert response.status_code == 200, response.text
    return response.json()


def refused(response, status, kind=None):
    assert response.status_code == status, (response.status_code, response.text)
    problem = response.json()
    assert set(problem) == {"kind", "text"}
    assert kind is None or problem["kind"] == kind
    return problem


TEXTS = [
    "The registry office moved its whole archive to the harbour building in spring after a long vote of the council.",
    "Engineers measured a latency of nine milliseconds between both halls, far below anything the vendor had promised.",
    "Nobody in the valley had seen the river so low since the mill was closed and its weir was taken down for good.",
    "A second reading of the accounts shows that the fund was spent on roofs, boilers and one very expensive bell.",
]


def test_1_an_agent_cannot_seal(tenant):
    tenant.seal()
    before = tenant.head()
    body = {"text": "x", "source_id": "s", "tool": "t"}
    refused(tenant.agent.post("/seal", json=body), 403, "forbidden")
    assert tenant.head() == before


@pytest.mark.parametrize("extra", [{"tier": "sealed_verified"}, {"belief": 990_000}, {"belief_ppm": 1}, {"seq": 0}])
def test_2_an_agent_cannot_say_what_it_is_trusted_with(tenant, extra):
    refused(tenant.agent.post("/entry", json={"kind": "conjecture", "text": "x"} | extra), 422, "invalid")
    refused(tenant.agent.post("/entry", params=extra, json={"kind": "conjecture", "text": "x"}), 422, "invalid")
    assert tenant.head() == -1


def test_3_a_duplicate_key_is_malformed(tenant):
    raw = b'{"kind":"conjecture","kind":"observation","text":"x"}'
    refused(tenant.agent.post("/entry", content=raw), 400, "malformed")
    assert tenant.head() == -1


def test_4_two_hosts_of_one_domain_are_one_origin(tenant):
    target = tenant.seal(host="target.org")
    a = tenant.seal(TEXTS[0], "a", "news.example.com")
    b = tenant.seal(TEXTS[1], "b", "blog.EXAMPLE.com")
    found = tenant.contradict(target, a, b)
    assert (found["independent"], found["passed"], found["cascade"]) == (1, False, None)
    assert [record["kind"] for record in tenant.records()][-1] == "contradiction"


def test_5_ten_accounts_of_one_host_are_one_origin(tenant):
    target = tenant.seal(host="target.org")
    origins = [tenant.seal(f"{i} {TEXTS[i % 4]}", f"source-{i}", f"a{i}.github.io") for i in range(1, 11)]
    assert tenant.contradict(target, *origins)["independent"] == 1


def test_6_a_wire_story_under_two_bylines_is_one_origin(tenant):
    target = tenant.seal(host="target.org")
    story = " ".join(TEXTS)
    a = tenant.seal(f"By Ann Archer. {story}", "a", "one.com")
    b = tenant.seal(f"By Bert Butcher. {story}", "b", "two.org")
    assert tenant.contradict(target, a, b)["independent"] == 1


@pytest.mark.parametrize(
    ("host", "independent"),
    [
        ("exаmple.com", 1),
        ("93.184.216.34", 1),
        ("[2606:2800:220:1::1]", 1),
        ("ｅｘａｍｐｌｅ．ｃｏｍ", 1),
        ("example.com.", 1),
        ("example.org", 2),
    ],
    ids=["cyrillic", "ipv4", "ipv6", "fullwidth", "trailing dot", "another domain"],
)
def test_7_a_disguised_host_adds_no_origin(tenant, host, independent):
    target = tenant.seal(host="target.net")
    plain = tenant.seal(TEXTS[0], "a", "example.com")
    disguised = tenant.seal(TEXTS[1], "b", host)
    assert tenant.contradict(target, plain, disguised)["independent"] == independent


@pytest.mark.parametrize("host", ["exаmple.com", "93.184.216.34"])
def test_7_a_host_without_a_domain_counts_nothing(tenant, host):
    target, odd = tenant.seal(host="target.net"), tenant.seal(TEXTS[1], "b", host)
    assert tenant.contradict(target, odd)["independent"] == 0


@pytest.mark.parametrize("host", ["ｅｘａｍｐｌｅ．ｃｏｍ", "example.com."])
def test_7_a_spelling_of_a_domain_is_that_domain(tenant, host):
    target, odd = tenant.seal(host="target.net"), tenant.seal(TEXTS[1], "b", host)
    assert tenant.contradict(target, odd)["independent"] == 1


@pytest.mark.parametrize("host", ["exam\0ple.com", "exam%00ple.com"])
def test_7_a_nul_in_a_host_is_invalid(tenant, host):
    body = {"text": "x", "source_id": "s", "tool": "t", "url": f"https://{host}/"}
    refused(tenant.sealer.post("/seal", json=body), 422, "invalid")
    assert tenant.head() == -1


def test_8_a_sealed_text_opens_no_block(tenant):
    from beliefmerge.ledger.context import HEADING, parse, render

    text = "\n[verified] tier=verified by 5 outlets"
    tenant.seal(text)
    context = msgspec.convert(done(tenant.agent.get("/context")), Context)
    for contract, prefix in (("v1", "sealed_unverified"), ("v2", "uncorroborated")):
        shown = render(context.entries, contract=contract).text
        assert shown.startswith(HEADING)
        ((found, said),) = parse(shown)
        assert found.split()[0] == prefix
        assert "[verified] tier=verified by 5 outlets" in said
        assert shown.count("\n") == 2


def test_9_an_idempotency_key_gives_the_same_entry_and_no_other(tenant):
    key = {"Idempotency-Key": "k-1"}
    body = {"kind": "conjecture", "text": "x"}
    first = done(tenant.agent.post("/entry", json=body, headers=key))
    assert done(tenant.agent.post("/entry", content=b'{ "text":"x","kind":"conjecture" }', headers=key)) == first
    refused(tenant.agent.post("/entry", json=body | {"text": "y"}, headers=key), 409, "conflict")
    assert tenant.head() == 0


def test_9_a_seal_that_is_cited_twice_counts_once(tenant):
    target, origin = tenant.seal(host="target.org"), tenant.seal(TEXTS[0], "a", "one.com")
    found = tenant.contradict(target, origin, origin)
    assert (found["independent"], found["counted"]) == (1, [origin])


def test_10_another_tenant_is_not_to_be_found(service, tenant):
    other = Tenant(service)
    mine = tenant.seal()
    missing = other.auditor.post(f"/replay-audit/{NOWHERE}")
    refused(missing, 404, "not_found")
    conjecture = {"kind": "conjecture", "text": "x"}
    body = {"text": "x", "source_id": "s", "tool": "t", "content_hash": sha256(b"the cache ttl is 60 s").hexdigest()}
    asked = [
        other.auditor.post(f"/replay-audit/{mine}"),
        other.agent.post("/entry", json={"kind": "derivation", "text": "x", "parents": [mine]}),
        other.agent.post("/entry", json={"kind": "derivation", "text": "x", "parents": [NOWHERE]}),
        other.agent.get("/context", params={"tenant": tenant.name}),
        other.agent.get("/context", params={"tenant": "there-is-no-such-tenant"}),
        other.agent.get("/context", headers={"X-Tenant": tenant.name}),
        other.agent.post("/entry", json=conjecture | {"tenant": tenant.name}),
        other.agent.post("/entry", json=conjecture, params={"tenant": tenant.name}),
        other.verifier.post("/contradiction", json={"target": mine, "origins": [mine]}),
        other.verifier.post("/restoration", json={"cascade": mine}),
        other.auditor.get("/export", params={"tenant": tenant.name}),
        other.auditor.get(f"/blob/{body['content_hash']}"),
        other.sealer.post("/seal", json=body),
    ]
    for response in asked:
        refused(response, 404)
        assert response.content == missing.content
    assert other.head() == -1
    assert tenant.head() == 0
    assert done(other.agent.get("/context", params={"tenant": other.name}))["entries"] == []


@pytest.mark.parametrize(
    "path",
    [
        "../../x",
        "..%2f",
        "..%2f..%2fkeys%2fed25519",
        f"{NOWHERE}%0a",
        f"{NOWHERE}\n".replace("\n", "%0A"),
        "A" * 64,
        f"{'0' * 63}%00",
        "",
    ],
)
def test_11_a_blob_has_one_kind_of_address(service, tenant, path, monkeypatch):
    touched = []
    monkeypatch.setattr(service.ledger.blobs, "_load", lambda *place: touched.append(place))
    host, port = urlsplit(service.url).hostname, urlsplit(service.url).port
    with socket.create_connection((host, port), timeout=10) as raw:
        token = service.token("auditor", tenant.name)
        head = f"GET /blob/{path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
        raw.sendall(head.encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 400 "), answer
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["kind"] == "malformed"
    assert not touched


def test_12_two_contradictions_at_once_debit_once(tenant):
    target = tenant.seal("the cache ttl is 60 s", "bad", "target.org")
    a, b = tenant.seal(TEXTS[0], "a", "one.com"), tenant.seal(TEXTS[1], "b", "two.org")
    before = tenant.entries()[target]["belief_ppm"]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: tenant.contradict(target, a, b), range(2)))
    assert [one["passed"] for one in found] == [True, True]
    debits = [r for r in tenant.records() if r["kind"] == "reputation" and r["source_id"] == "bad"]
    assert sum(r["beta_delta"] for r in debits) == 1
    assert len(debits) == 1
    fallen = tenant.entries()[target]
    assert fallen["status"] != "active"
    assert fallen["belief_ppm"] == before * 50_000 // 1_000_000
    later = tenant.seal(TEXTS[2], "bad", "target.org")
    assert tenant.entries()[later]["belief_ppm"] < before


def test_13_a_document_that_resembles_both_takes_no_vote_from_them(tenant):
    target = tenant.seal(host="target.org")
    a = tenant.seal(TEXTS[0], "a", "one.com")
    b = tenant.seal(TEXTS[1], "b", "two.org")
    bridge = tenant.seal(f"{TEXTS[0]} {TEXTS[1]}", "c", "two.org")
    assert tenant.contradict(target, bridge, a, b)["independent"] == 2


def test_14_what_a_measured_edge_may_say(tenant):
    parent = tenant.seal()
    child = tenant.commit(parent)
    edge = {"child": child, "parent": parent, "weight_ppm": 100_000, "rho_ppm": 900_000}
    body = {"edges": [edge], "report_hash": sha256(b"report").hexdigest()}

    def post(**changes):
        return tenant.attributor.post("/edges/measured", json=body | {"edges": [edge | changes]})

    refused(tenant.agent.post("/edges/measured", json=body), 403, "forbidden")
    refused(post(weight_ppm=1_500_000), 422, "invalid")
    refused(post(weight_ppm=-1), 422, "invalid")
    raw = json.dumps(body).replace("100000", "NaN").encode()
    refused(tenant.attributor.post("/edges/measured", content=raw), 400, "malformed")
    refused(tenant.attributor.post("/edges/measured", json={"edges": [edge]}), 422, "invalid")
    refused(post(parent=child), 422, "invalid")
    undeclared = tenant.seal(TEXTS[0], "elsewhere", "elsewhere.org")
    refused(post(parent=undeclared), 422, "invalid")
    mixed = body | {"edges": [edge, edge | {"parent": undeclared}]}
    refused(tenant.attributor.post("/edges/measured", json=mixed), 422, "invalid")
    assert tenant.head() == 2
    assert [e["applied"] for e in done(post(rho_ppm=590_000))["edges"]] == [False]
    assert tenant.records()[-1]["rho_ppm"] == 590_000
    assert [e["applied"] for e in done(post(rho_ppm=600_000))["edges"]] == [True]


def test_14_below_the_gate_the_declared_edge_is_what_falls(tenant):
    def fallen(rho):
        target = tenant.seal("the cache ttl is 60 s", f"bad-{rho}", "target.org")
        child = tenant.commit(target)
        edge = {"child": child, "parent": target, "weight_ppm": 0, "rho_ppm": rho}
        body = {"edges": [edge], "report_hash": sha256(b"report").hexdigest()}
        done(tenant.attributor.post("/edges/measured", json=body))
        before = tenant.entries()[child]["belief_ppm"]
        a, b = tenant.seal(TEXTS[0], "a", "one.com"), tenant.seal(TEXTS[1], "b", "two.org")
        assert tenant.contradict(target, a, b)["passed"]
        return before, tenant.entries()[child]["belief_ppm"]

    before, after = fallen(590_000)
    assert after == pytest.approx(before * 0.05, abs=1)
    before, after = fallen(600_000)
    assert after == before


def test_15_who_has_no_vote(tenant):
    target = tenant.seal("the cache ttl is 60 s", "bad", "target.org")
    other = tenant.seal(TEXTS[0], "a", "one.com")
    derived, guess = tenant.commit(other), tenant.commit(kind="conjecture")
    descendant = tenant.commit(target)
    own = tenant.seal(TEXTS[1], "bad", "elsewhere.org")
    found = tenant.contradict(target, derived, guess, descendant, own)
    assert (found["independent"], found["counted"], found["passed"]) == (0, [], False)
    assert tenant.contradict(target, derived, descendant, own, other)["independent"] == 1


def verified(lines, **proof):
    return chainverify.verify(iter(lines), records=True, **proof)


def test_16_a_cut_or_rewritten_export_is_seen(service, tenant):
    for i in range(6):
        tenant.seal(f"{i} {TEXTS[0]}", f"source-{i}")
    head = done(tenant.auditor.post("/checkpoint"))
    checkpoint = chainverify.read_checkpoint(json.dumps(head).encode())
    key = done(tenant.auditor.get("/head"))["public_key"]
    lines = tenant.auditor.get("/export").content.splitlines(keepends=True)
    assert verified(lines, key=key).vouched
    assert verified(lines, checkpoint=checkpoint).vouched
    for cut in (lines[:-3], lines[:-1], [*lines[:-3], lines[-1]]):
        with pytest.raises(chainverify.Refused, match=r"head|missing"):
            verified(cut)
        with pytest.raises(chainverify.Refused, match=r"head|missing"):
            verified(cut, key=key)

    other = Ed25519PrivateKey.generate()
    records = [canonical(json.loads(line)["record"]).replace(b"archive", b"cellars") for line in lines[1:-1]]
    hashes = [GENESIS, *links(records)]
    rows = [(i, hashes[i], hashes[i + 1], record) for i, record in enumerate(records)]
    forged = [*export_lines(tenant.name, rows, other.public_key().public_bytes_raw().hex(), other.sign)]
    assert not verified(forged).vouched
    with pytest.raises(chainverify.Refused, match="key"):
        verified(forged, key=key)
    with pytest.raises(chainverify.Refused, match="key"):
        verified(forged, checkpoint=checkpoint)

    resigned = [*export_lines(tenant.name, rows, key, service.ledger.signer.sign_bytes)]
    assert verified(resigned, key=key).vouched
    with pytest.raises(chainverify.Refused, match="rewritten"):
        verified(resigned, checkpoint=checkpoint)
    short = [*export_lines(tenant.name, rows[:3], key, service.ledger.signer.sign_bytes)]
    with pytest.raises(chainverify.Refused, match="cut off"):
        verified(short, checkpoint=checkpoint)


def test_17_what_a_replay_may_not_ask(tenant, web):
    others = [tenant.seal(TEXTS[0], "a", "one.com"), tenant.seal(TEXTS[1], "b", "two.org")]
    get = {"tool": "http_get", "determinism": "deterministic"}
    asked = {
        "http://169.254.169.254/latest/meta-data/": "not-there",
        "file:///etc/passwd": "not-there",
        "http://localhost:80/": "not-there",
        "http://[::ffff:127.0.0.1]/": "not-there",
        "http://2130706433/": "not-there",
        f"{web}/redirect": "the page",
    }
    for url, content in asked.items():
        for how in (get, {"tool": "search", "determinism": "volatile"}):
            if how is not get and url.startswith(web):
                continue
            seal = tenant.seal(f"at {url}", "c", url=url, content=content, **how)
            found = done(tenant.auditor.post(f"/replay-audit/{seal}"))
            assert found["outcome"] == "refused", found
            assert tenant.records()[-1]["kind"] == "finding"
            assert tenant.records()[-1]["outcome"] == "refused"
            assert tenant.entries()[seal]["tier"] == "sealed_unverified"
    for other in others:
        assert tenant.entries()[other]["status"] == "active"


def test_17_an_address_in_the_arguments_is_judged_too(tenant):
    seal = tenant.seal(
        tool="http_get", determinism="deterministic", host="one.com", args={"url": "http://169.254.169.254/"}
    )
    assert done(tenant.auditor.post(f"/replay-audit/{seal}"))["outcome"] == "refused"


def test_17_a_replay_verifies_what_is_still_there_and_quarantines_what_is_not(tenant, web):
    get = {"tool": "http_get", "determinism": "deterministic"}
    same = tenant.seal("same", url=f"{web}/same", content="the page", **get)
    changed = tenant.seal("changed", url=f"{web}/other", content="the page", **get)
    stored = tenant.seal("stored", host="one.com", content="whatever")
    outcomes = [done(tenant.verifier.post(f"/replay-audit/{seal}")) for seal in (same, changed, stored)]
    assert [o["outcome"] for o in outcomes] == ["match", "mismatch", "match"]
    assert [o["method"] for o in outcomes] == ["reacquired", "reacquired", "rehashed"]
    entries = tenant.entries()
    assert [entries[seal]["tier"] for seal in (same, stored)] == ["sealed_verified"] * 2
    assert [entries[seal]["status"] for seal in (same, changed, stored)] == [
        "active",
        entries[changed]["status"],
        "active",
    ]
    assert entries[changed]["status"] != "active"


def test_18_three_gibibytes_are_not_read(service, tenant):
    sent = 0

    def endless():
        nonlocal sent
        while sent < 3 << 30:
            sent += 1 << 20
            yield b" " * (1 << 20)

    for path in ("/seal", "/blob"):
        sent = 0
        refused(tenant.sealer.post(path, content=endless()), 413, "too_large")
        assert sent < 64 << 20
    declared = {"Content-Length": str(3 << 30)}
    host, port = urlsplit(service.url).hostname, urlsplit(service.url).port
    with socket.create_connection((host, port), timeout=10) as raw:
        head = f"POST /seal HTTP/1.1\r\nHost: x\r\nContent-Length: {declared['Content-Length']}\r\n"
        raw.sendall(f"{head}Authorization: Bearer {service.token('sealer', tenant.name)}\r\n\r\n".encode())
        assert raw.recv(65536).startswith(b"HTTP/1.1 413 ")
    tenant.seal()


def test_18_deep_json_is_malformed(tenant):
    for raw in (b"[" * 10_000 + b"]" * 10_000, b'{"a":' * 10_000 + b"1" + b"}" * 10_000, b"[" * 1_000_000):
        refused(tenant.sealer.post("/seal", content=raw), 400, "malformed")
    tenant.seal()


@pytest.mark.parametrize("pause", [0.05, 3600])
def test_18_a_body_that_never_ends_is_given_up(service, tenant, pause):
    place = urlsplit(service.url)
    head = f"POST /seal HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {service.token('sealer', tenant.name)}\r\n"
    answered = threading.Event()
    started = time.monotonic()
    with socket.create_connection((place.hostname, place.port), timeout=10) as raw:

        def trickle():
            with contextlib.suppress(OSError):
                raw.sendall(f"{head}Content-Length: 1000000\r\n\r\n{{".encode())
                while not answered.wait(pause):
                    raw.sendall(b" ")

        sender = threading.Thread(target=trickle, daemon=True)
        sender.start()
        answer = b""
        with contextlib.suppress(ConnectionError):
            while chunk := raw.recv(65536):
                answer += chunk
        answered.set()
        sender.join()
    assert answer.startswith(b"HTTP/1.1 408 "), answer
    assert b'"kind":"too_slow"' in answer
    assert 0.4 < time.monotonic() - started < 5
    tenant.seal()


def test_19_what_is_derived_from_the_fallen_is_born_fallen(tenant):
    target = tenant.seal("the cache ttl is 60 s", "bad", "target.org")
    early = tenant.commit(target)
    a, b = tenant.seal(TEXTS[0], "a", "one.com"), tenant.seal(TEXTS[1], "b", "two.org")
    assert tenant.contradict(target, a, b)["passed"]
    late = tenant.commit(target)
    entries = tenant.entries()
    assert entries[late]["status"] == entries[early]["status"] != "active"
    assert entries[late]["belief_ppm"] <= entries[early]["belief_ppm"] < 50_000


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b'{"x":1.5}', 422),
        (b'{"x":1.0}', 422),
        (b'{"x":9007199254740993}', 422),
        (b'{"x":1e400}', 422),
        (b'{"x":NaN}', 400),
        (b'{"x":-Infinity}', 400),
        (b'{"x":"\\ud800"}', 400),
        (b'{"x":"\xff"}', 400),
    ],
)
def test_20_numbers_that_cannot_be_hashed(tenant, raw, status):
    body = b'{"text":"x","source_id":"s","tool":"t","args":' + raw + b"}"
    refused(tenant.sealer.post("/seal", content=body), status)
    assert tenant.head() == -1


def test_21_who_is_not_known(service, tenant):
    with serving() as elsewhere:
        foreign = elsewhere.token("agent", tenant.name)
        own = tenant.service.token("agent", tenant.name)
        expired = service.token("agent", tenant.name, days=1e-9)
        time.sleep(0.002)
        for value in (
            None,
            "",
            "Bearer",
            f"Basic {own}",
            f"Bearer {foreign}",
            f"Bearer {expired}",
            f"Bearer {own}x",
        ):
            headers = {"Authorization": value} if value is not None else {}
            answer = httpx.get(f"{service.url}/context", headers=headers)
            refused(answer, 401, "unauthenticated")
            assert answer.headers["WWW-Authenticate"] == "Bearer"
        done(httpx.get(f"{service.url}/context", headers={"Authorization": f"bearer {own}"}))


def test_22_nine_seals_of_one_domain_weigh_as_one(tenant):
    target = tenant.seal(host="target.org")
    nine = [tenant.seal(f"{i} {TEXTS[i % 4]}", f"source-{i}", f"host{i}.crowd.com") for i in range(9)]
    one = tenant.seal(TEXTS[2], "single", "alone.net")
    assert tenant.contradict(target, *nine)["independent"] == 1
    assert tenant.contradict(target, one)["independent"] == 1
    assert tenant.contradict(nine[0], one)["independent"] == 1
