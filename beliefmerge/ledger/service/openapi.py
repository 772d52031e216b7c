"""The OpenAPI document and its page for people, both from the table of operations."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from itertools import combinations, groupby
from operator import attrgetter
from typing import Any

import msgspec

from beliefmerge.ledger.core.canonical import MAX_INT
from beliefmerge.ledger.service.operation import Operation
from beliefmerge.ledger.service.refusal import Kind
from beliefmerge.ledger.wire import Commit, Nothing, Problem, Seal

_REFERENCE = "#/components/schemas/{name}"
_TEXT = """What was observed, what was inferred and what fell, one append-only chain a tenant.

A bearer token names one role and one tenant. Requests are authenticated (401), authorised (403), parsed (400) and
validated (422), in that order; what is not there or is another tenant's is 404, always with the same body. JSON is
strict: duplicate keys, NaN, lone surrogates and more than 64 levels are malformed; floats, integers beyond 2^53 - 1 and
unknown fields or query parameters are invalid. The token's own tenant may be named in the query, the header X-Tenant
or the body (`tenant`); naming another one is 404. Every refusal is {"kind", "text"}."""
_VALUE: dict[str, Any] = {
    "title": "Value",
    "description": "JSON without floats, at most 64 levels deep.",
    "anyOf": [
        {"type": ["null", "boolean", "string"]},
        {"type": "integer", "minimum": -MAX_INT, "maximum": MAX_INT},
        {"type": "array", "items": {"$ref": "#/components/schemas/Value"}},
        {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Value"}},
    ],
}
_status = attrgetter("status")
_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key and the same request give the same answer, once done; another request is 409.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,128}$", "minLength": 1, "maxLength": 128},
}


def document(operations: Iterable[Operation], version: str) -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    table = list(operations)
    paths: dict[str, dict[str, Any]] = {}
    for operation in table:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "BeliefMerge ledger", "version": version, "description": _TEXT},
        "paths": paths,
        "components": {
            "schemas": _schemas(table),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def possible(operation: Operation) -> list[Kind]:
    """The refusals that `operation` may answer, by status."""
    kinds = {Kind.INTERNAL, *operation.refusals}
    if operation.roles is not None:
        kinds |= set(Kind) - {Kind.CONFLICT, Kind.WRONG_METHOD}
    if operation.writes:
        kinds.add(Kind.CONFLICT)
    return sorted(kinds, key=_status)


def page(operations: Iterable[Operation], version: str) -> str:
    """The same for people: one HTML page that loads nothing."""
    rows = "".join(_row(operation) for operation in operations)
    kinds = "".join(f"<tr><td>{k.status}<td><code>{k.word}</code><td>{html.escape(k.meaning)}" for k in Kind)
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>BeliefMerge ledger</title>"
        "<style>body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
        "td,th{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0}code{white-space:nowrap}</style>"
        f"<h1>BeliefMerge ledger {html.escape(version)}</h1><p>{html.escape(_TEXT).replace(chr(10) * 2, '<p>')}"
        '<p>Fields and answers in full: <a href="openapi.json">openapi.json</a>. A token: '
        "<code>python -m beliefmerge ledger token --role ROLE --tenant TENANT --data DIR</code>"
        f"<h2>Operations</h2><table><tr><th>Request<th>Roles<th>What it does{rows}</table>"
        f"<h2>Refusals</h2><table>{kinds}</table></html>\n"
    )


def _row(operation: Operation) -> str:
    roles = "anyone" if operation.roles is None else ", ".join(sorted(operation.roles))
    return (
        f"<tr><td><code>{operation.method} {html.escape(operation.path)}</code>"
        f"<td>{roles}<td>{html.escape(operation.summary)}{_fields(operation)}"
    )


def _fields(operation: Operation) -> str:
    """The names of the body's fields, those that are needed in bold."""
    if operation.body in (None, Nothing):
        return ""
    names = [
        f"<b>{field.name}</b>" if field.required else field.name
        for field in msgspec.structs.fields(operation.body)
        if field.name != "tenant"
    ]
    return f"<br><small>{', '.join(names)}</small>"


def _operation(operation: Operation) -> dict[str, Any]:
    answers = {
        "200": {"description": "Done.", "content": _content(operation.answer)},
        **{str(status): _refusal(list(kinds)) for status, kinds in groupby(possible(operation), _status)},
    }
    entry: dict[str, Any] = {
        "operationId": operation.handler.__name__,
        "summary": operation.summary,
        "responses": answers,
        "security": [] if operation.roles is None else [{"token": []}],
    }
    parameters = _parameters(operation)
    if parameters:
        entry["parameters"] = parameters
    if operation.body is None and operation.method == "POST":
        binary = {"type": "string", "format": "binary"}
        entry["requestBody"] = {"required": False, "content": {"application/octet-stream": {"schema": binary}}}
    elif operation.body not in (None, Nothing):
        entry["requestBody"] = {"required": True, "content": _content(operation.body)}
    return entry


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if operation.parameter == "hash":
        schema = {"type": "string", "pattern": "^[0-9a-f]{64}$", "minLength": 64, "maxLength": 64}
        found.append({"name": "hash", "in": "path", "required": True, "schema": schema})
    elif operation.parameter:
        schema = {"type": "string", "minLength": 1}
        found.append({"name": operation.parameter, "in": "path", "required": True, "schema": schema})
    if operation.writes and operation.body is not None:
        found.append(_KEY)
    return found


def _content(what: type[msgspec.Struct] | str) -> dict[str, Any]:
    if isinstance(what, str):
        return {what: {"schema": {} if what == "application/json" else {"type": "string"}}}
    return {"application/json": {"schema": {"$ref": _REFERENCE.format(name=what.__name__)}}}


def _refusal(kinds: Sequence[Kind]) -> dict[str, Any]:
    content = _content(Problem)
    if Kind.MALFORMED in kinds:
        # What is no HTTP at all is refused by the server below, in plain text.
        content |= _content("text/plain")
    return {"description": "; or ".join(f"{kind.word}: {kind.meaning}" for kind in kinds), "content": content}


def _schemas(table: Iterable[Operation]) -> dict[str, Any]:
    types: list[type[msgspec.Struct]] = [Problem]
    for operation in table:
        if operation.body is not None and operation.body is not Nothing:
            types.append(operation.body)
        if not isinstance(operation.answer, str):
            types.append(operation.answer)
    _, schemas = msgspec.json.schema_components(types, ref_template=_REFERENCE)
    for schema in schemas.values():
        # The token's own tenant is taken wherever it is named; it is of no use to anybody who reads the document.
        schema.get("properties", {}).pop("tenant", None) if schema.get("additionalProperties") is False else None
    seal = schemas[Seal.__name__]
    seal["properties"]["args"] = {"$ref": "#/components/schemas/Value", "default": {}}
    contents = ("content", "content_base64", "content_hash")
    seal["allOf"] = [_not_both(first, second) for first, second in combinations(contents, 2)]
    schemas[Commit.__name__] = _commit(schemas[Commit.__name__])
    return {**schemas, "Value": _VALUE, "Problem": _problem(schemas["Problem"])}


def _not_both(first: str, second: str) -> dict[str, Any]:
    """At most one of two fields is given; null does not count."""
    given = {"type": "string"}
    return {"not": {"properties": {first: given, second: given}, "required": [first, second]}}


def _commit(schema: dict[str, Any]) -> dict[str, Any]:
    """A derivation has parents, a conjecture may have some."""
    fields: dict[str, Any] = schema["properties"]
    some = {**fields["parents"], "minItems": 1}
    some.pop("default", None)
    derivation = {**fields, "kind": {"const": "derivation"}, "parents": some}
    conjecture = {**fields, "kind": {"const": "conjecture"}}
    rest = {"type": "object", "additionalProperties": False}
    return {
        "title": schema["title"],
        "description": schema["description"],
        "oneOf": [
            {**rest, "properties": derivation, "required": [*schema["required"], "parents"]},
            {**rest, "properties": conjecture, "required": schema["required"]},
        ],
    }


def _problem(schema: dict[str, Any]) -> dict[str, Any]:
    schema["properties"]["kind"] = {"enum": [kind.word for kind in Kind]}
    return schema
