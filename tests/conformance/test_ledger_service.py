"""The service's own guarantees, over HTTP: the order of checks, idempotency, isolation, and a writer that stopped."""

from __future__ import annotations

import itertools
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from beliefmerge.ledger.client import LedgerClient, LedgerError
from beliefmerge.ledger.service.app import application
from beliefmerge.ledger.service.endpoints import OPERATIONS
from beliefmerge.ledger.service.inprocess import in_process
from beliefmerge.ledger.service.limits import BodyTime, Limits
from beliefmerge.ledger.service.opening import make_token, open_ledger
from beliefmerge.ledger.service.roles import Role
from beliefmerge.ledger.store.errors import StoreUnavailable
from beliefmerge.ledger.wire import Commit, Contradict, Edge, Measure, Restore, Seal
from tests.doubles.ledger import fresh, scratch, serving
from tests.postgres import new_database

NOWHERE = "0" * 64
GUARDED = [operation for operation in OPERATIONS if operation.roles]
PARSED = [operation for operation in GUARDED if operation.body is not None]
VALID = {
    "/seal": {"text": "x", "source_id": "s", "tool": "t"},
    "/entry": {"kind": "conjecture", "text": "x"},
    "/contradiction": {"target": NOWHERE, "origins": [NOWHERE]},
    "/restoration": {"cascade": NOWHERE},
    "/edges/measured": {
        "edges": [{"child": NOWHERE, "parent": NOWHERE, "weight_ppm": 1, "rho_ppm": 1}],
        "report_hash": NOWHERE,
    },
}


def named(operation):
    return f"{operation.method} {operation.path}"


@pytest.fixture(scope="module")
def service():
    with serving(limits=Limits(body_time=BodyTime(5.0), linger_seconds=0.2)) as served:
        yield served


def ask(service, operation, role, tenant, body, **more):
    """The operation with a raw body, and whatever is wrong with the rest."""
    path = operation.path.replace("{seal_id}", NOWHERE).replace("{hash}", NOWHERE)
    with service.http(role, tenant) as http:
        return http.request(operation.method, path, content=body, **more)


@pytest.mark.parametrize("operation", GUARDED, ids=named)
def test_who_asks_is_checked_before_what_is_asked(service, operation):
    everything_wrong = {
        "body": b"{",
        "params": {"tenant": "another", "tier": "x"},
        "headers": {"Idempotency-Key": "a b"},
    }
    assert ask(service, operation, None, "", **everything_wrong).status_code == 401
    for role in Role:
        answer = ask(service, operation, role, "order", **everything_wrong)
        if role not in operation.roles:
            assert answer.status_code == 403
        elif operation.body is not None:
            assert answer.status_code == 400


@pytest.mark.parametrize("operation", PARSED, ids=named)
def test_what_is_asked_is_parsed_then_validated_then_looked_for(service, operation):
    role = min(operation.roles)
    valid = VALID.get(operation.path, {})
    good, more = (json.dumps(body).encode() for body in (valid, valid | {"tier": "sealed_verified"}))
    other = {"tenant": "another"}
    assert ask(service, operation, role, "order", b'{"a":1,"a":2}', params=other).status_code == 400
    assert ask(service, operation, role, "order", b"[]", params=other).status_code == 422
    assert ask(service, operation, role, "order", b'{"x":1.5}', params=other).status_code == 422
    assert ask(service, operation, role, "order", more, params=other).status_code == 422
    assert ask(service, operation, role, "order", good, params=other | {"x": "1"}).status_code == 422
    assert ask(service, operation, role, "order", good, params=other).status_code == 404
    assert ask(service, operation, role, "order", good, headers={"X-Tenant": "another"}).status_code == 404
    own = {"params": {"tenant": "order"}, "headers": {"X-Tenant": "order"}}
    expected = ask(service, operation, role, "order", good).status_code
    assert ask(service, operation, role, "order", good, **own).status_code == expected


def test_a_path_or_method_that_is_not_there_says_so(service):
    with service.http("auditor", "paths") as http:
        for path in ("/", "/seal/", "/Seal", "/replay-audit", "/a%0Ab"):
            answer = http.get(path)
            assert (answer.status_code, answer.json()["kind"]) == (404, "not_found")
        answer = http.request("DELETE", "/entry")
        assert (answer.status_code, answer.json()["kind"], answer.headers["Allow"]) == (405, "wrong_method", "POST")


def test_a_refusal_is_heard_while_the_body_is_still_sent(service):
    """A connection that is kept takes the next request after a refused body."""
    with service.http("agent", "heard") as http:
        for _ in range(3):
            assert http.post("/seal", content=b" " * 200_000).status_code == 403
        assert http.post("/entry", json=VALID["/entry"]).status_code == 200
    with service.http(None) as http:
        assert http.post("/seal", content=itertools.repeat(b" " * 65536, 100)).status_code == 401


def test_who_waits_for_leave_to_send_is_refused_without_being_asked_to(service):
    place = urlsplit(service.url)
    with socket.create_connection((place.hostname, place.port), timeout=10) as raw:
        raw.sendall(b"POST /seal HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        assert raw.recv(65536).startswith(b"HTTP/1.1 401 ")


def test_a_blob_that_was_changed_is_not_handed_out_and_said_to_be(service, caplog):
    tenant = fresh()
    with service.client("sealer", tenant) as sealer, service.http("sealer", tenant) as http:
        digest = sealer.seal(Seal(text="x", source_id="s", tool="t", content="as it was")).content_hash
        (kept,) = service.data.glob(f"blobs/*/*/{digest}")
        kept.write_bytes(b"as it is now")
        for answer in (http.get(f"/blob/{digest}"), http.post("/seal", json=VALID["/seal"] | {"content_hash": digest})):
            assert answer.status_code == 500
            assert answer.json() == {"kind": "internal", "text": f"blob {digest}: its content has another hash"}
        assert sealer.head().seq == 0
    assert not caplog.records


def test_tokens_that_cannot_be_looked_up_make_a_request_come_again_later(service, monkeypatch):
    def unreachable(digest):
        raise StoreUnavailable("the server is away")

    http = service.http("agent", fresh())
    monkeypatch.setattr(service.ledger.log, "token_get", unreachable)
    found = http.get("/head")
    assert (found.status_code, found.json()["kind"]) == (503, "unavailable")
    assert found.headers["retry-after"] == "1"


def test_one_key_at_once_gives_one_entry(service):
    tenant = fresh()
    with service.client("agent", tenant) as agent, ThreadPoolExecutor(16) as pool:
        body = Commit(kind="conjecture", text="x")
        written = list(pool.map(lambda _: agent.commit(body, key="k"), range(64)))
        assert len({one.id for one in written}) == 1
        assert agent.head().seq == 0

        def other(i):
            try:
                return agent.commit(Commit(kind="conjecture", text=str(i)), key="l").id
            except LedgerError as error:
                return error.kind

        answers = list(pool.map(other, range(16)))
        assert answers.count("conflict") == 15
        assert agent.head().seq == 1


@pytest.fixture(params=["a directory", "postgresql and fsspec"])
def place(request, tmp_path):
    """Where a ledger is: wholly in a directory, or but for its key elsewhere."""
    if request.param == "a directory":
        return (tmp_path,)
    server = request.getfixturevalue("postgres")
    return tmp_path, new_database(server), f"memory://{fresh()}"


def test_a_key_is_remembered_by_operation_tenant_and_over_a_restart(place):
    body = Commit(kind="conjecture", text="x")
    with Running(*place) as run:
        first = run.client("agent", "a").commit(body, key="k")
        assert run.client("agent", "b").commit(body, key="k").id != first.id
        with pytest.raises(LedgerError) as refused:
            run.client("auditor", "a").checkpoint(key="k")
        assert refused.value.status == 409
    with Running(*place) as run:
        assert run.client("agent", "a").commit(body, key="k") == first


class Running:
    """A ledger served in this process, without a socket."""

    def __init__(self, data, store=None, blobs=None):
        self.ledger = open_ledger(data, store=store, blobs=blobs)
        self._served = in_process(application(self.ledger))

    def client(self, role, tenant):
        token = make_token(self.ledger.log, role, tenant, days=1)
        return LedgerClient("http://ledger", token, transport=self.transport)

    def __enter__(self):
        self.transport = self._served.__enter__()
        return self

    def __exit__(self, *error):
        self._served.__exit__(*error)


def test_two_hundred_tenants_do_not_see_one_another():
    with scratch() as data, Running(data) as run, ThreadPoolExecutor(8) as pool:
        names = [f"tenant-{i:03}" for i in range(200)]

        def fill(name):
            seal = run.client("sealer", name).seal(Seal(text=f"of {name}", source_id="s", tool="t"))
            return name, seal, run.client("agent", name)

        filled = list(pool.map(fill, names))
        assert len({seal.id for _, seal, _ in filled}) == 200

        def look(place):
            (name, seal, agent), (_, other, _) = place
            assert [entry.text for entry in agent.context().entries] == [f"of {name}"]
            agent.commit(Commit(kind="derivation", text="x", parents=[seal.id]))
            return [missing(agent, call) for call in foreign(other)]

        neighbours = zip(filled, [*filled[1:], filled[0]], strict=True)
        answers = [answer for found in pool.map(look, neighbours) for answer in found]
        assert set(answers) == {(404, "not_found", "not found")}
        assert len(answers) == 200 * 3
        assert all(agent.head().seq == 1 for _, _, agent in filled[::20])


def foreign(other):
    yield lambda agent: agent.commit(Commit(kind="derivation", text="x", parents=[other.id]))
    yield lambda agent: agent.commit(Commit(kind="conjecture", text="x", parents=[NOWHERE]))
    yield lambda agent: agent.blob(other.content_hash)


def missing(agent, call):
    with pytest.raises(LedgerError) as refused:
        call(agent)
    return refused.value.status, refused.value.kind, refused.value.text


def test_a_client_can_do_all_that_the_service_does(place, tmp_path):
    with Running(*place) as run:
        sealer, agent, verifier, attributor, auditor = (run.client(role, "t") for role in Role)
        blob = sealer.put_blob(b"\x00\xff" * 1000)
        assert agent.blob(blob.hash) == b"\x00\xff" * 1000
        hosts = ["target.org", "one.com", "two.net"]
        texts = ["the ttl is 60 s", "the manual says ninety seconds", "measured on the wire: a minute and a half"]
        target, one, two = (
            sealer.seal(Seal(text=text, source_id=host, tool="t", url=f"https://{host}/", content_hash=blob.hash))
            for text, host in zip(texts, hosts, strict=True)
        )
        child = agent.commit(Commit(kind="derivation", text="so it is short", parents=[target.id]))
        measured = attributor.measure(
            Measure(
                edges=[Edge(child=child.id, parent=target.id, weight_ppm=500_000, rho_ppm=700_000)],
                report_hash=blob.hash,
            )
        )
        assert [edge.applied for edge in measured.edges] == [True]
        before = {entry.id: entry for entry in agent.context().entries}
        judged = verifier.contradict(Contradict(target=target.id, origins=[one.id, two.id], text="no"))
        assert (judged.passed, judged.independent, judged.needed) == (True, 2, 2)
        fallen = {entry.id: entry for entry in agent.context().entries}
        assert fallen[child.id].belief_ppm < before[child.id].belief_ppm
        assert [record.id for record in auditor.audit().passes] == [judged.cascade]
        verifier.restore(Restore(cascade=judged.cascade))
        assert {entry.id: entry for entry in agent.context().entries} == before
        assert auditor.replay_audit(one.id).outcome == "match"
        signed = auditor.checkpoint()
        lines = list(auditor.export())
        assert json.loads(lines[-1])["seq"] == auditor.head().seq == signed.seq + 1
        auditor.save_export(tmp_path / "log.jsonl")
        assert (tmp_path / "log.jsonl").read_bytes() == b"".join(lines)
        assert sealer.health().status == "ok"
        with pytest.raises(LedgerError, match="forbidden"):
            list(agent.export())


def test_a_writer_that_stopped_takes_nothing_and_still_answers(tmp_path, monkeypatch):
    with Running(tmp_path) as run:
        agent, auditor = run.client("agent", "t"), run.client("auditor", "t")
        written = agent.commit(Commit(kind="conjecture", text="x"))
        (writer,) = run.ledger._writers.running()

        def fail(*_):
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(writer._pen, "append", fail)
        for _ in range(2):
            with pytest.raises(LedgerError) as refused:
                agent.commit(Commit(kind="conjecture", text="y"))
            assert (refused.value.status, refused.value.kind) == (503, "stopped")
            assert "Input/output error" in refused.value.text
        with pytest.raises(LedgerError) as refused:
            auditor.health()
        assert refused.value.status == 503
        assert agent.head().hash == written.id
        assert [entry.id for entry in agent.context().entries] == [written.id]
        assert len(list(auditor.export())) == 3
        assert run.client("agent", "u").commit(Commit(kind="conjecture", text="z")).seq == 0


def test_an_answer_that_was_lost_is_asked_for_again_and_nothing_is_done_twice(tmp_path):
    import httpx

    class Lossy(httpx.BaseTransport):
        lost = 0

        def __init__(self, inner):
            self.inner = inner

        def handle_request(self, request):
            response = self.inner.handle_request(request)
            if self.lost < 2:
                self.lost += 1
                raise httpx.ReadError("the answer was lost")
            return response

    with Running(tmp_path) as run:
        token = make_token(run.ledger.log, "agent", "t", days=1)
        agent = LedgerClient("http://ledger", token, transport=Lossy(run.transport))
        written = agent.commit(Commit(kind="conjecture", text="x"))
        assert (written.seq, agent.head().seq) == (0, 0)
        strict = LedgerClient("http://ledger", token, transport=Lossy(run.transport), retries=1)
        with pytest.raises(LedgerError, match="unreachable: the answer was lost"):
            strict.head()


def test_nobody_there_is_one_line():
    with LedgerClient("http://127.0.0.1:9", retries=0) as client, pytest.raises(LedgerError) as refused:
        client.head()
    assert (refused.value.kind, refused.value.status) == ("unreachable", None)
    assert "\n" not in str(refused.value)


def test_a_token_is_kept_as_a_digest_and_works_at_once(tmp_path):
    with Running(tmp_path) as run:
        token = make_token(run.ledger.log, "agent", "t", days=1)
        assert LedgerClient("http://ledger", token, transport=run.transport).head().seq == -1
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert token.encode() not in stored
