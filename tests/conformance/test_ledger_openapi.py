"""The service answers what its OpenAPI document says and nothing else, whatever it is asked."""

from __future__ import annotations

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from openapi_spec_validator import validate
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup

from beliefmerge import __version__
from beliefmerge.ledger.service.endpoints import OPERATIONS
from beliefmerge.ledger.service.limits import BodyTime, Limits
from beliefmerge.ledger.service.openapi import document
from beliefmerge.ledger.service.refusal import Kind
from beliefmerge.ledger.service.roles import Role
from tests.doubles.ledger import serving

DOCUMENT = document(OPERATIONS, __version__)
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
CALLS = [(operation.method, operation.path) for operation in OPERATIONS]
MODES = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]


@pytest.fixture(scope="module")
def service():
    with serving(limits=Limits(body_time=BodyTime(5.0))) as served:
        yield served


@pytest.fixture(scope="module")
def rights(service):
    """Headers of a role that may make each call."""
    sealed = service.http("sealer", "fuzz").post("/seal", json={"text": "x", "source_id": "s", "tool": "t"})
    assert sealed.status_code == 200
    by_role = {role: {"Authorization": f"Bearer {service.token(role, 'fuzz')}"} for role in Role}
    return {(o.method, o.path): by_role[min(o.roles)] if o.roles else {} for o in OPERATIONS}


def fuzz(service, headers, call, mode, examples):
    method, path = call

    @given(case=SCHEMA[path][method].as_strategy(generation_mode=mode))
    @settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def ask(case):
        if mode is GenerationMode.POSITIVE:
            case.body = integers(case.body)
        case.call_and_validate(base_url=service.url, headers=headers)

    ask()


def integers(value):
    """`value` with 1 for 1.0: JSON Schema takes both for an integer; in a record the second is a float, and refused."""
    if isinstance(value, dict):
        return {key: integers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [integers(item) for item in value]
    return int(value) if isinstance(value, float) else value


def modes(call):
    """There is no invalid way to make a call without parts."""
    described = DOCUMENT["paths"][call[1]][call[0].lower()]
    return MODES if {"requestBody", "parameters"} & set(described) else MODES[:1]


FUZZED = [pytest.param(call, mode, id=f"{' '.join(call)} {mode.value}") for call in CALLS for mode in modes(call)]


@pytest.mark.parametrize(("call", "mode"), FUZZED)
def test_no_answer_is_undocumented(service, rights, call, mode):
    fuzz(service, rights[call], call, mode, 8)


@pytest.mark.slow
@pytest.mark.parametrize(("call", "mode"), FUZZED)
def test_no_answer_is_undocumented_however_long_one_asks(service, rights, call, mode):
    fuzz(service, rights[call], call, mode, 200)


def test_an_undocumented_answer_is_seen(service, rights, monkeypatch):
    monkeypatch.setattr(Kind.INVALID, "status", 418)
    with pytest.raises(FailureGroup):
        fuzz(service, rights["POST", "/seal"], ("POST", "/seal"), GenerationMode.NEGATIVE, 30)


def test_the_document_is_openapi_and_is_what_is_served(service):
    validate(DOCUMENT)
    assert httpx.get(f"{service.url}/openapi.json").json() == DOCUMENT
