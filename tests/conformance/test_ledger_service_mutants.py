"""Each of the service's guarantees can fail: a mutant of what keeps it makes its test fail."""

from __future__ import annotations

import dataclasses

import pytest

from beliefmerge.ledger.service import app, body, checks, ledger, pinned, replay, writes
from beliefmerge.ledger.service.refusal import Kind, Refusal
from beliefmerge.ledger.service.roles import EVERY
from tests.conformance import test_ledger_attacks as attacks
from tests.conformance.test_ledger_attacks import Tenant
from tests.doubles.ledger import serving


@pytest.fixture(scope="module")
def service():
    with serving() as served:
        yield served


whole_checked, whole_validated = checks.checked, checks._validated
whole_receive = body.receive
whole_write, whole_consequences = ledger.Ledger.write, writes.consequences


async def anybody(operation, *rest):
    """A role is not asked for."""
    return await whole_checked(dataclasses.replace(operation, roles=EVERY), *rest)


def lenient(kind, value):
    """What is unknown is ignored."""
    known = kind.__struct_fields__
    return whole_validated(kind, {name: value[name] for name in value if name in known})


def last_wins(raw, *, optional):
    """Any JSON reader in the place of the strict one."""
    import json

    return json.loads(raw or b"{}")


async def forgetful(self, tenant, work, key, digest):
    """An idempotency key is not remembered."""
    return await whole_write(self, tenant, work, None, digest)


def telling():
    """What is not there is told from what is not yours."""
    return Refusal(Kind.NOT_FOUND, "another tenant's")


def no_tenant_check(request, fields, own):
    """Whoever is named is let pass."""


async def boundless(request, sink, limit, time):
    """Only what is declared is compared with the limit."""
    return await whole_receive(request, sink, 1 << 30, time)


def always_due(state, contradiction, time_ms):
    """A pass on what has fallen already debits again."""
    for entry in whole_consequences(state, contradiction, time_ms):
        yield entry
        if state.head.seq in state.passes:
            found = state.passes[state.head.seq]
            found.due = state._due(found.target, found.votes)


MUTANTS = {
    "any role may do anything": (app, "checked", anybody, attacks.test_1_an_agent_cannot_seal),
    "unknown fields are ignored": (
        checks,
        "_validated",
        lenient,
        lambda tenant: attacks.test_2_an_agent_cannot_say_what_it_is_trusted_with(tenant, {"tier": "sealed_verified"}),
    ),
    "the last of two keys counts": (checks, "_parsed", last_wins, attacks.test_3_a_duplicate_key_is_malformed),
    "a key is forgotten": (
        ledger.Ledger,
        "write",
        forgetful,
        attacks.test_9_an_idempotency_key_gives_the_same_entry_and_no_other,
    ),
    "a tenant may be named": (
        checks,
        "_check_tenant",
        no_tenant_check,
        lambda tenant: attacks.test_10_another_tenant_is_not_to_be_found(tenant.service, tenant),
    ),
    "two ways of not being there": (
        ledger,
        "not_found",
        telling,
        lambda tenant: attacks.test_10_another_tenant_is_not_to_be_found(tenant.service, tenant),
    ),
    "a pass debits again": (writes, "consequences", always_due, attacks.test_12_two_contradictions_at_once_debit_once),
    "an address that is not asked is not judged": (
        replay,
        "check",
        lambda *_: None,
        lambda tenant: a_replay_is_refused(tenant, "http://169.254.169.254/", tool="search", determinism="volatile"),
    ),
    "every address is public": (
        pinned,
        "public",
        lambda _: True,
        lambda tenant: a_replay_is_refused(tenant, f"{tenant.service.url}/health", **REPLAYED),
    ),
    "a body may be any size": (body, "receive", boundless, lambda tenant: five_mebibytes_are_too_many(tenant)),
}
REPLAYED = {"tool": "http_get", "determinism": "deterministic"}


def five_mebibytes_are_too_many(tenant):
    assert tenant.sealer.post("/seal", content=iter([b" " * (1 << 20)] * 5)).status_code == 413


def a_replay_is_refused(tenant, url, **how):
    seal = tenant.seal(url=url, **how)
    assert tenant.auditor.post(f"/replay-audit/{seal}").json()["outcome"] == "refused"


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_caught(service, monkeypatch, name):
    target, attribute, mutant, law = MUTANTS[name]
    law(Tenant(service))
    monkeypatch.setattr(target, attribute, mutant)
    with pytest.raises(AssertionError):
        law(Tenant(service))
