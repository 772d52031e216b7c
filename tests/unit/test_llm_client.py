"""The client, against a server that speaks real HTTP: what it sends, what it tries again, how it fails."""

from __future__ import annotations

import threading
import time

import pytest

from beliefmerge.errors import UsageError
from beliefmerge.llm.client import LONGEST_WAIT_S, Client
from beliefmerge.llm.faults import retry_after
from beliefmerge.llm.open import open_model
from beliefmerge.llm.protocol import Cause, ChatMessage, ModelError
from beliefmerge.llm.settings import LlmSettings, settings_from
from tests.doubles.clock import FakeClock
from tests.doubles.server import SILENCE, MockServer, Request, Response, garbage, half, refused, say, status

HELLO = [ChatMessage("user", "hello")]
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
KEY = "sk-live-0123456789abcdefABCDEF"


def client(url: str, clock: FakeClock | None = None, cancel: threading.Event | None = None, **settings) -> Client:
    given = LlmSettings("vllm", base_url=url, model="m", **settings)
    return Client(given, clock=clock or FakeClock(), cancel=cancel, jitter=lambda: 1.0)


def failure(*steps, **settings) -> tuple[ModelError, MockServer, FakeClock]:
    clock = FakeClock()
    with MockServer(*steps) as server, pytest.raises(ModelError) as caught:
        client(server.base_url, clock, **settings).complete(HELLO)
    return caught.value, server, clock


def test_a_reply_comes_with_its_tokens_and_what_they_cost():
    with MockServer(say("hi there")) as server:
        reply = client(server.base_url, price_prompt=1.0, price_completion=2.0).complete(HELLO, max_tokens=5, seed=3)
    assert (reply.text, reply.finish_reason, reply.model, reply.cached) == ("hi there", "stop", "double-1", False)
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.attempts) == (7, 3, 1)
    assert reply.usage.cost == pytest.approx(13e-6)
    sent = server.requests[0]
    assert sent.path == "/v1/chat/completions"
    assert (sent.body["max_tokens"], sent.body["seed"], sent.body["temperature"]) == (5, 3, 0.0)
    assert "response_format" not in sent.body


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        (status(429), Cause.RATE_LIMITED),
        (status(500), Cause.SERVER),
        (status(503), Cause.SERVER),
        (half(say("hello")), Cause.BROKEN),
    ],
)
def test_what_may_pass_is_tried_again_and_then_given_up(fault, cause):
    error, server, clock = failure(fault, retries=3)
    assert error.cause is cause
    assert len(server.requests) == 4
    assert clock.waits == [0.5, 1.0, 2.0]


@pytest.mark.parametrize("fault", [status(429), status(500), half(say("hello"))])
def test_what_has_passed_is_forgotten(fault):
    with MockServer(fault, fault, say("at last")) as server:
        reply = client(server.base_url).complete(HELLO)
    assert (reply.text, reply.usage.attempts) == ("at last", 3)


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        (status(401), Cause.UNAUTHORIZED),
        (status(403), Cause.UNAUTHORIZED),
        (status(404), Cause.NOT_FOUND),
        (status(400, "too many tokens in all"), Cause.REJECTED),
        (garbage(), Cause.BROKEN),
        (garbage("[]"), Cause.BROKEN),
        (garbage('{"choices": [{"message": {"content": 5}}]}'), Cause.BROKEN),
        (say("  "), Cause.EMPTY),
    ],
)
def test_what_will_not_pass_fails_at_once(fault, cause):
    error, server, clock = failure(fault)
    assert error.cause is cause
    assert len(server.requests) == 1
    assert not clock.waits
    assert "\n" not in str(error)


def test_a_reply_that_was_cut_off_before_it_began_is_given_back_as_such():
    with MockServer(say("", finish="length")) as server:
        reply = client(server.base_url).complete(HELLO)
    assert (reply.text, reply.finish_reason) == ("", "length")


def test_a_refused_connection_is_tried_again():
    clock = FakeClock()
    with pytest.raises(ModelError) as caught:
        client(refused(), clock, retries=2).complete(HELLO)
    assert caught.value.cause is Cause.REFUSED
    assert len(clock.waits) == 2


def test_the_wait_is_what_the_server_asks_for():
    _, _, clock = failure(status(429, Retry_After="7"), retries=2)
    assert clock.waits == [7.0, 7.0]


def test_a_server_that_asks_for_more_time_than_there_is_is_not_waited_for():
    error, server, clock = failure(status(429, Retry_After="3600"), timeout_s=60.0)
    assert (error.cause, len(server.requests), clock.waits) == (Cause.RATE_LIMITED, 1, [])


def test_waits_double_with_jitter_up_to_a_limit():
    clock = FakeClock()
    with MockServer(status(500)) as server:
        model = Client(LlmSettings("vllm", base_url=server.base_url, model="m", retries=9), clock=clock, jitter=float)
        with pytest.raises(ModelError):
            model.complete(HELLO)
    assert clock.waits[:3] == [0.25, 0.5, 1.0]
    assert max(clock.waits) == LONGEST_WAIT_S / 2


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("12", 12.0),
        ("0.5", 0.5),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 40.0),
        ("Thu, 01 Jan 1970 00:00:01 GMT", 0.0),
        ("-3", 0.0),
        ("soon", None),
        ("inf", None),
        ("", None),
    ],
)
def test_retry_after_is_a_number_or_a_date(given, seconds):
    assert retry_after({"retry-after": given}, now=60.0) == seconds


def test_silence_ends_at_the_read_timeout_and_is_not_asked_for_again():
    error, server, _ = failure(SILENCE, read_timeout_s=0.1)
    assert (error.cause, len(server.requests)) == (Cause.TIMEOUT, 1)


def test_a_server_that_trickles_for_ever_is_left_at_the_time_limit_of_the_call():
    trickle = Response(b'{"choices": ' + b" " * 10_000, pause=0.02)
    started = time.monotonic()
    error, _, _ = failure(trickle, retries=3, timeout_s=0.2)
    assert error.cause is Cause.TIMEOUT
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(("code", "cause"), [(500, Cause.SERVER), (401, Cause.UNAUTHORIZED), (302, Cause.REJECTED)])
def test_of_a_refusal_without_end_only_the_beginning_is_read(code, cause):
    error, server, _ = failure(Response(b"x" * (8 << 20), code, length=1 << 40), retries=1)
    assert error.cause is cause
    assert "more than 64 KiB" in str(error)
    assert len(server.requests) == 1 + (cause is Cause.SERVER)


def test_a_call_can_be_cancelled_while_the_server_is_silent():
    cancel = threading.Event()

    def silence(request: Request) -> Response:
        cancel.set()
        return SILENCE

    with MockServer(silence) as server, pytest.raises(ModelError) as caught:
        client(server.base_url, cancel=cancel).complete(HELLO)
    assert caught.value.cause is Cause.CANCELLED


def test_a_call_can_be_cancelled_while_it_waits_to_try_again():
    cancel = threading.Event()

    class Impatient(FakeClock):
        def wait(self, seconds: float, cancel: threading.Event) -> bool:
            cancel.set()
            return super().wait(seconds, cancel)

    with MockServer(status(503)) as server, pytest.raises(ModelError) as caught:
        client(server.base_url, Impatient(), cancel).complete(HELLO)
    assert (caught.value.cause, len(server.requests)) == (Cause.CANCELLED, 1)


def refusing(parameter: str, by_name: bool = True):
    """A server that takes everything but one parameter."""

    def answer(request: Request) -> Response:
        if parameter not in request.body:
            return say("{}")
        if by_name:
            return status(400, "Unsupported parameter", param=parameter)
        return status(422, f"extra fields not permitted: {parameter}")

    return answer


@pytest.mark.parametrize("by_name", [True, False])
@pytest.mark.parametrize("parameter", ["response_format", "reasoning_effort", "seed", "temperature", "max_tokens"])
def test_a_parameter_that_is_refused_is_done_without_and_the_server_remembered(parameter, by_name):
    with MockServer(refusing(parameter, by_name)) as server:
        model = client(server.base_url)
        model.complete(HELLO, schema=SCHEMA)
        asked = len(server.requests)
        model.complete(HELLO, schema=SCHEMA)
    assert len(server.requests) == asked + 1
    assert parameter not in server.requests[-1].body


def test_the_response_format_goes_from_schema_to_object_to_none():
    def answer(request: Request) -> Response:
        form = request.body.get("response_format", {}).get("type")
        return say("{}") if form is None else status(400, f"response_format {form} is not supported")

    with MockServer(answer) as server:
        client(server.base_url).complete(HELLO, schema=SCHEMA)
    forms = [request.body.get("response_format", {}).get("type") for request in server.requests]
    assert forms == ["json_schema", "json_object", None]
    assert server.requests[0].body["response_format"]["json_schema"]["schema"] == SCHEMA


def test_a_newer_server_is_given_the_newer_name_of_the_length_limit():
    with MockServer(refusing("max_tokens")) as server:
        client(server.base_url).complete(HELLO, max_tokens=9)
    assert server.requests[-1].body["max_completion_tokens"] == 9


def test_a_server_that_refuses_whatever_is_left_out_is_given_up():
    error, server, _ = failure(status(400, "seed, temperature, max_tokens, reasoning and response_format are wrong"))
    assert error.cause is Cause.REJECTED
    assert len(server.requests) < 12


def test_the_key_goes_to_the_server_and_into_no_message(monkeypatch):
    monkeypatch.setenv("SOME_KEY", KEY)
    echo = status(401, f"Incorrect API key provided: {KEY}. Also {KEY[::-1]}.")
    with MockServer(echo) as server, pytest.raises(ModelError) as caught:
        client(server.base_url, key_env="SOME_KEY").complete(HELLO)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in str(caught.value)
    assert caught.value.__context__ is caught.value.__cause__ is None
    assert KEY not in repr(LlmSettings("openai", key_env="SOME_KEY").to_json())


@pytest.mark.parametrize("key", ["sk-abc\ndef-secret", "sk-abc\rdef-secret", "sk-ключ-secret"])
def test_a_key_that_no_header_can_carry_is_not_sent_and_not_shown(monkeypatch, key):
    monkeypatch.setenv("SOME_KEY", key)
    with MockServer(say("x")) as server, pytest.raises(ModelError, match="SOME_KEY holds characters") as caught:
        client(server.base_url, key_env="SOME_KEY").complete(HELLO)
    assert "secret" not in str(caught.value)
    assert server.requests == []


@pytest.mark.parametrize("count", ["1e999", "-1e999", "1" + "0" * 4000, "-5", "NaN", "null", "[]", '"7"', "true"])
def test_a_count_of_tokens_that_is_none_breaks_nothing(count):
    spoiled = Response(say("hi").body.replace(b'"prompt_tokens": 7', f'"prompt_tokens": {count}'.encode()))
    with MockServer(spoiled) as server:
        reply = client(server.base_url, price_prompt=1.0, price_completion=1.0).complete(HELLO)
    assert (reply.text, reply.usage.completion_tokens) == ("hi", 3)
    assert reply.usage.prompt_tokens in (0, 1)


def test_a_finish_reason_is_shown_on_one_line_without_control_characters_and_the_key(monkeypatch):
    monkeypatch.setenv("SOME_KEY", KEY)
    with MockServer(say("", f"\x1b[31m\n{KEY}")) as server, pytest.raises(ModelError) as caught:
        client(server.base_url, key_env="SOME_KEY").complete(HELLO)
    assert str(caught.value).isprintable()
    assert KEY not in str(caught.value)


def test_an_address_that_the_http_library_refuses_is_no_traceback():
    with pytest.raises(ModelError) as caught:
        client("http://256.1.1.1/v1").complete(HELLO)
    assert caught.value.cause is Cause.NOT_FOUND


def test_without_its_key_a_back_end_is_not_asked(monkeypatch):
    monkeypatch.delenv("SOME_KEY", raising=False)
    with MockServer(say("x")) as server, pytest.raises(ModelError, match="set SOME_KEY") as caught:
        client(server.base_url, key_env="SOME_KEY").complete(HELLO)
    assert (caught.value.cause, server.requests) == (Cause.UNAVAILABLE, [])


def test_an_open_model_counts_what_it_has_spent():
    given = {"price_prompt": 1.0, "price_completion": 1.0}
    with MockServer(status(500), say("a"), say("b")) as server:
        settings = LlmSettings("vllm", base_url=server.base_url, model="m", max_tokens=50, seed=4, **given)
        with open_model(settings, clock=FakeClock()) as model:
            model.complete(HELLO)
            model.complete(HELLO, seed=1)
        totals = model.account.totals
    assert (totals.calls, totals.attempts, totals.cached) == (2, 3, 0)
    assert (totals.prompt_tokens, totals.completion_tokens) == (14, 6)
    assert totals.cost == pytest.approx(20e-6)
    assert [request.body["seed"] for request in server.requests[1:]] == [4, 5]
    assert server.requests[-1].body["max_tokens"] == 50


def test_settings_come_from_the_command_line_then_the_environment():
    env = {
        "BELIEFMERGE_LLM": "vllm",
        "BELIEFMERGE_LLM_MODEL": "qwen",
        "BELIEFMERGE_LLM_BASE_URL": "http://h/v1/",
        "BELIEFMERGE_LLM_CACHE": "auto",
        "BELIEFMERGE_LLM_TIMEOUT_S": "5",
    }
    settings = settings_from(env).resolved()
    assert (settings.name, settings.model, settings.base_url) == ("vllm", "qwen", "http://h/v1")
    assert (settings.cache, settings.timeout_s) == ("auto", 5.0)
    other = settings_from(env, name="deepseek", cache="off").resolved()
    assert (other.model, other.key_env, other.cache) == ("deepseek-chat", "DEEPSEEK_API_KEY", "off")
    assert not settings_from({}).configured


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"name": "opnai"}, "did you mean 'openai'"),
        ({"name": "openai", "cache": "recrod"}, "did you mean 'record'"),
        ({"name": "openai", "timeout_s": 0.0}, "above 0"),
        ({"name": "vllm", "base_url": "localhost:8000"}, "is not http"),
        ({"name": "vllm", "base_url": "http://["}, "is not http"),
        ({"name": "vllm", "base_url": "http://"}, "is not http"),
        ({"name": "vllm", "base_url": "https://me:secret@h/v1"}, "would be recorded"),
        ({"name": "vllm", "base_url": "http://127.0.0.1:abc/v1"}, "is not http"),
        ({"name": "vllm", "base_url": "http://127.0.0.1:99999/v1"}, "is not http"),
        ({"name": "vllm", "base_url": "http://h\n/v1"}, "is not http"),
        ({"name": "vllm", "base_url": "http://exa mple/v1"}, "is not http"),
        ({"name": "vllm", "base_url": "http://h/v1?api_key=abc"}, "has a query"),
        ({"name": "vllm", "base_url": f"http://h/{KEY}/v1"}, "has a secret in it"),
        ({"name": "vllm", "key_env": KEY}, "not the key itself$"),
        ({"name": "openai", "retries": -1}, "at least 0"),
        ({"name": "openai", "timeout_s": float("nan")}, "above 0"),
        ({"name": "openai", "read_timeout_s": 1e30}, "at most 1,000,000"),
        ({"name": "openai", "price_prompt": float("nan")}, "prices"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        LlmSettings(**settings)


def test_a_number_in_the_environment_is_one():
    with pytest.raises(UsageError, match="BELIEFMERGE_LLM_RETRIES='many' is not a number"):
        settings_from({"BELIEFMERGE_LLM_RETRIES": "many"})


def test_a_back_end_without_a_usual_model_asks_which():
    with pytest.raises(UsageError, match="--llm-model"):
        LlmSettings("ollama").resolved()
    with pytest.raises(UsageError, match="no model is configured"):
        open_model(LlmSettings())
