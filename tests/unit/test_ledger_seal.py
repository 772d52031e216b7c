"""The tool boundary: what is sealed, in which form, and what never is."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from beliefmerge.errors import UsageError
from beliefmerge.ledger import content as contents
from beliefmerge.ledger.claimkey import claim_key
from beliefmerge.ledger.content import NotCanonical, canonical_bytes, canonical_text, content
from beliefmerge.ledger.seal import Shim, Tool, ToolFailed, ToolRegistry, sealed
from beliefmerge.ledger.wire import Seal, Sealed, Stored
from tests.strategies import nasty_text

KEY = "sk-live-abcdEFGH1234567890abcdEFGH12"


class Recorder:
    """A sealer that keeps what it is given."""

    def __init__(self) -> None:
        self.bodies: list[Seal] = []
        self.blobs: list[bytes] = []

    def seal(self, body: Seal) -> Sealed:
        self.bodies.append(body)
        name = f"{len(self.bodies):064x}"
        digest = body.content_hash or hashlib.sha256(body.content.encode()).hexdigest()
        return Sealed(id=name, seq=0, hash=name, content_hash=digest)

    def put_blob(self, content: bytes) -> Stored:
        self.blobs.append(content)
        return Stored(hash=hashlib.sha256(content).hexdigest(), size=len(content))


def shim(*tools: Tool, limit: int = 1000) -> tuple[Shim, Recorder]:
    registry, recorder = ToolRegistry(), Recorder()
    for tool in tools:
        registry.add(tool)
    return Shim(recorder, registry, limit=limit, clock=lambda: 1_700_000_000_000), recorder


def test_a_seal_holds_tool_arguments_time_source_address_and_the_hash_of_the_content() -> None:
    one, recorder = shim(
        Tool(
            "page", lambda url: "The cache TTL is 60 s.\r\n", url=lambda args: args["url"], determinism="deterministic"
        )
    )
    observed = one.call("page", url="https://docs.example.org/cache")
    (body,) = recorder.bodies
    assert (body.tool, body.args, body.acquired_ms) == (
        "page",
        {"url": "https://docs.example.org/cache"},
        1_700_000_000_000,
    )
    assert (body.source_id, body.url) == ("docs.example.org", "https://docs.example.org/cache")
    assert (body.determinism, body.text, body.content) == ("deterministic", *["The cache TTL is 60 s."] * 2)
    assert body.claim == observed.claim == "cache ttl = 60 s"
    assert observed.content_hash == hashlib.sha256(b"The cache TTL is 60 s.").hexdigest()


def test_the_result_has_no_say_in_its_own_origin() -> None:
    lie = {"source_id": "encyclopedia.org", "url": "https://encyclopedia.org", "tier": "sealed_verified", "tool": "x"}
    one, recorder = shim(Tool("page", lambda: lie, source="forum.example"))
    one.call("page")
    (body,) = recorder.bodies
    assert (body.source_id, body.url, body.tool) == ("forum.example", None, "page")


@pytest.mark.parametrize(
    "url", ["https://DOCS.example.org./x", "https://docs.ｅxample.org:443/", "https://docs。example.org"]
)
def test_a_source_is_one_however_its_host_is_written(url) -> None:
    one, recorder = shim(Tool("page", lambda url: "The cache TTL is 60 s.", url=lambda args: args["url"]))
    assert one.call("page", url=url).source_id == "docs.example.org"
    assert recorder.bodies[0].url == url


def test_a_tool_that_changes_its_arguments_changes_neither_its_origin_nor_what_is_sealed_of_the_call() -> None:
    def page(at):
        at["url"] = "https://encyclopedia.org/x"
        return "The dam is 12 m high."

    one, recorder = shim(Tool("page", page, url=lambda args: args["at"]["url"]))
    assert one.call("page", at={"url": "https://forum.example/x"}).source_id == "forum.example"
    (body,) = recorder.bodies
    assert (body.url, body.args) == ("https://forum.example/x", {"at": {"url": "https://forum.example/x"}})


@given(nasty_text)
@example("\ufeff\ufeff")
@example("\n\ufeff x")
def test_the_canonical_form_of_a_text_is_its_own(text) -> None:
    once = canonical_text(text)
    assert canonical_text(once) == once


@given(st.text(alphabet="ab \t\n"))
def test_line_ends_and_white_space_at_the_ends_of_lines_do_not_count(text) -> None:
    windows = "\ufeff" + "".join(f"{line} \r\n" for line in text.split("\n"))
    assert canonical_text(windows) == canonical_text(text)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4).filter(str.isascii),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text("abc", max_size=2), json_values, max_size=4))
def test_the_order_of_keys_does_not_count(value) -> None:
    backwards = dict(reversed(value.items()))
    assert canonical_bytes(value) == canonical_bytes(backwards)
    # A number of 2^53 or more is printed as an integer: equal as what it is, a double.
    again, before = (json.loads(text, parse_int=float) for text in (canonical_bytes(value), json.dumps(value)))
    assert again == before


@pytest.mark.parametrize(
    ("result", "cause"),
    [
        (float("nan"), "nan"),
        (2**60, "safe integer"),
        ({"a": {1, 2}}, "unsupported type"),
        (b"\xff\xfe", "not UTF-8"),
        ({"a": "\ud800"}, "UTF-8"),
        ("\ud800", "surrogate"),
        ("   \n", "empty"),
    ],
)
def test_a_result_without_a_canonical_form_is_not_sealed(result, cause) -> None:
    one, recorder = shim(Tool("t", lambda: result))
    with pytest.raises(ToolFailed, match=cause):
        one.call("t")
    assert not recorder.bodies


def test_deep_json_is_refused_and_seals_nothing() -> None:
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    one, recorder = shim(Tool("t", lambda: deep))
    with pytest.raises(ToolFailed, match="nested too deeply"):
        one.call("t")
    assert not recorder.bodies


def test_a_failing_tool_seals_nothing_and_its_message_gives_no_secret_away() -> None:
    def fail() -> str:
        raise ConnectionError(f"https://user:{KEY}@example.org refused, api_key={KEY}")

    one, recorder = shim(Tool("t", fail))
    with pytest.raises(ToolFailed, match="ConnectionError") as caught:
        one.call("t")
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None
    assert not recorder.bodies


@pytest.mark.parametrize("result", ["a" * 1001, b"a" * 1001, ["a" * 500, "a" * 500]])
def test_a_result_above_the_limit_is_refused(result) -> None:
    one, recorder = shim(Tool("t", lambda: result))
    with pytest.raises(ToolFailed, match="above the limit of 1000 bytes"):
        one.call("t")
    assert not recorder.bodies


def test_secrets_are_gone_from_text_content_and_arguments_before_sealing() -> None:
    one, recorder = shim(
        Tool("login", lambda api_key, mode: {"echo": f"called with {api_key}", "password": "hunter2hunter2"})
    )
    observed = one.call("login", api_key=KEY, mode="x")
    body = repr(recorder.bodies) + repr(observed)
    assert KEY not in body
    assert "hunter2" not in body
    assert "[REDACTED:" in recorder.bodies[0].args["api_key"]
    assert observed.secrets.total() >= 3
    hash_of_sealed = hashlib.sha256(recorder.bodies[0].content.encode()).hexdigest()
    assert observed.content_hash == hash_of_sealed


holders = st.recursive(
    st.sampled_from([KEY, f"use {KEY} here", "nothing", 7, None]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "note", KEY]), inner, max_size=3),
    max_leaves=6,
)


@given(holders, holders)
@settings(max_examples=40)
def test_a_secret_is_gone_wherever_in_result_or_arguments_it_stands(result, argument) -> None:
    found = content(result, {"x": argument, "api_key": KEY})
    assert KEY not in found.text
    assert KEY not in repr(found.args)
    assert KEY not in repr(found.value)


@pytest.mark.parametrize("url", ["https://ana:{}@docs.example.org/cache", "https://docs.example.org/cache?api_key={}"])
def test_an_address_is_sealed_without_its_secrets(url) -> None:
    secret = url.format(KEY)
    one, recorder = shim(
        Tool("fixed", lambda: "x", url=secret), Tool("asked", lambda url: "x", url=lambda args: args["url"])
    )
    one.call("fixed")
    one.call("asked", url=secret)
    for body in recorder.bodies:
        assert KEY not in repr(body)
        assert "ana" not in body.url
        assert body.source_id == "docs.example.org"


def test_without_redaction_the_secret_would_be_sealed(monkeypatch) -> None:
    from collections import Counter

    monkeypatch.setattr(contents, "_redacted", lambda value, args: (value, args, Counter()))
    with pytest.raises(AssertionError):
        test_secrets_are_gone_from_text_content_and_arguments_before_sealing()


@pytest.mark.parametrize("args", [{"x": 1.5}, {"x": 2**53}, {"x": object()}])
def test_arguments_that_cannot_be_hashed_are_refused_before_the_tool_runs(args) -> None:
    ran = []
    one, recorder = shim(Tool("t", lambda x: ran.append(x)))
    with pytest.raises(UsageError, match="arguments"):
        one.call("t", **args)
    assert not ran
    assert not recorder.bodies


def test_an_unknown_tool_is_named_with_the_nearest_one() -> None:
    one, _ = shim(Tool("search", lambda: "x"))
    with pytest.raises(UsageError, match="did you mean 'search'"):
        one.call("serach")
    with pytest.raises(UsageError, match="registered already"):
        one.tools.add(Tool("search", lambda: "y"))


def test_a_decorated_function_seals_each_call() -> None:
    one, recorder = shim()

    @sealed(
        one, source=lambda args: f"{args['city']}.example", statement=lambda value: f"The mayor is {value['mayor']}."
    )
    def mayor(city: str) -> dict[str, str]:
        """Who the mayor is."""
        return {"mayor": "Ana Ruiz", "city": city}

    observed = mayor(city="orsk")
    assert mayor.__doc__ == "Who the mayor is."
    assert (observed.text, observed.source_id) == ("The mayor is Ana Ruiz.", "orsk.example")
    assert recorder.bodies[0].content == '{"city":"orsk","mayor":"Ana Ruiz"}'


def test_a_long_result_is_shortened_in_the_text_and_whole_in_the_content() -> None:
    one, recorder = shim(Tool("t", lambda: "word " * 1000), limit=10_000)
    one.call("t")
    (body,) = recorder.bodies
    assert len(body.text) == 2000
    assert body.text.endswith("…")
    assert len(body.content) == 4999


def test_a_large_result_is_stored_before_the_seal_that_names_it() -> None:
    large = "word " * 220_000
    one, recorder = shim(Tool("t", lambda: large), limit=1 << 22)
    observed = one.call("t")
    (body,) = recorder.bodies
    assert recorder.blobs == [large.rstrip().encode()]
    assert (body.content, body.content_hash) == (None, observed.content_hash)


@pytest.mark.parametrize(
    "tool",
    [
        Tool("t", lambda: "x", url=lambda args: args["url"]),
        Tool("t", lambda: "x", source=lambda args: args["source"]),
        Tool("t", lambda: "x", statement=lambda value: value["mayor"]),
        Tool("t", lambda: "x", statement=lambda value: "\ud800"),
        Tool("t", lambda: "x", url="http://[x"),
        Tool("t", lambda: "x", claim=lambda text: 1 / 0),
    ],
)
def test_a_result_whose_origin_or_meaning_cannot_be_told_is_not_sealed(tool) -> None:
    one, recorder = shim(tool)
    with pytest.raises(ToolFailed, match="cannot say what the result is"):
        one.call("t")
    assert not recorder.bodies


def from_the_result(self, args):
    return "encyclopedia.org"


def sealing_anyway(self, tool, args):
    try:
        return content(tool.run(**args), args)
    except Exception as error:
        return content(str(error), args)


def without_a_limit(self, tool, args):
    return content(tool.run(**args), args)


def as_spelled(value) -> bytes:
    return json.dumps(value).encode() if not isinstance(value, str) else value.encode()


MUTANTS = {
    "a source named by the result": (
        Tool,
        "origin",
        from_the_result,
        test_the_result_has_no_say_in_its_own_origin,
    ),
    "a failure that is sealed": (
        Shim,
        "_result",
        sealing_anyway,
        test_a_failing_tool_seals_nothing_and_its_message_gives_no_secret_away,
    ),
    "no limit": (
        Shim,
        "_result",
        without_a_limit,
        lambda: test_a_result_above_the_limit_is_refused("a" * 1001),
    ),
    "JSON as it was spelled": (contents, "canonical_bytes", as_spelled, lambda: test_equal_results_have_equal_hashes()),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_caught(name, monkeypatch) -> None:
    target, attribute, mutant, law = MUTANTS[name]
    law()
    monkeypatch.setattr(target, attribute, mutant)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        law()


def test_no_field_of_the_shim_leads_to_the_token() -> None:
    class Client(Recorder):
        token = "sealer-token-4711"

    one = Shim(Client(), ToolRegistry())
    seen, queue = set(), [one.call, one]
    while queue:
        thing = queue.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        assert not isinstance(thing, Client)
        queue += [getattr(thing, "__self__", None), *getattr(thing, "__dict__", {}).values()]
    # A closure is no vault: the interpreter's own tools find it, and the threat model says so.
    assert any(isinstance(cell.cell_contents, Client) for cell in one._seal.__closure__)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("The capital of Veldania is Marn.", "capital veldania = marn"),
        ("Veldania's capital is Marn.", "capital veldania = marn"),
        ("The cache TTL is one minute.", "cache ttl = 60 s"),
        ("The cache TTL is 60 s.", "cache ttl = 60 s"),
        ("The service is not online.", "running service ≠ online"),
        ("The dam was built by Kessler. It is 40 m high.", None),
        ("Hello there, thanks!", None),
        ("x " * 2000, None),
    ],
)
def test_equal_statements_have_equal_claim_keys(text, key) -> None:
    assert claim_key(text) == key


def test_equal_results_have_equal_hashes() -> None:
    one, two = ({"b": 1.0, "a": [10, "é"]}, {"a": [10.0, "é"], "b": 1})
    assert content(one, {}).data == content(two, {}).data
    assert content("e\u0301\r\n", {}).data == content(b"\xc3\xa9", {}).data
    with pytest.raises(NotCanonical):
        content(b"\xff", {})
