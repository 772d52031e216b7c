"""The end of a connection waits for the answers to what was read before it, and for nothing else."""

from __future__ import annotations

import threading

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from beliefmerge.fusion import server
from beliefmerge.fusion.answering import Unanswered
from beliefmerge.fusion.tools import Answer, Deployment


def request(id: int | str, method: str = "ping", **params: object) -> SessionMessage:
    return SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=id, method=method, params=params or None))


def cancel(id: object) -> SessionMessage:
    params = {"requestId": id}
    return SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=params))


def answer(id: int | str) -> SessionMessage:
    return SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=id, result={}))


async def waits(unanswered: Unanswered) -> bool:
    """Whether the end would be held back now."""
    with anyio.move_on_after(0) as scope:
        await unanswered.none()
    return scope.cancelled_caught


@given(
    ids=st.lists(st.integers(0, 3) | st.sampled_from(["0", "2", "x"]), max_size=8),
    order=st.randoms(use_true_random=False),
    cancelled=st.data(),
)
def test_the_end_is_held_back_until_each_request_is_answered_or_cancelled(ids, order, cancelled):
    async def main() -> None:
        unanswered = Unanswered()
        for id in ids:
            unanswered.read(request(id))
        settled = list(ids)
        order.shuffle(settled)
        for id in settled:
            assert await waits(unanswered)
            if cancelled.draw(st.booleans()):
                unanswered.read(cancel(id))
            else:
                unanswered.written(answer(id))
        assert not await waits(unanswered)

    anyio.run(main)


@pytest.mark.parametrize("id", [None, [1], {"a": 1}, 7, "y"])
def test_a_cancellation_of_nothing_that_runs_changes_nothing(id):
    async def main() -> None:
        unanswered = Unanswered()
        unanswered.read(request(1))
        unanswered.read(cancel(id))
        unanswered.read(ValueError("no message"))
        assert await waits(unanswered)
        unanswered.written(answer(1))
        unanswered.read(request(id if isinstance(id, int | str) else 2))
        assert await waits(unanswered)

    anyio.run(main)


def test_a_slow_call_is_answered_though_the_input_has_ended(monkeypatch):
    ended = threading.Event()

    def slow(deployment: Deployment, name: str, arguments: object) -> Answer:
        ended.wait(10)
        return Answer({}, "done")

    monkeypatch.setattr(server, "call", slow)
    opening = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    sent = [
        request(1, "initialize", **opening),
        SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")),
        request(2, "tools/call", name="list_sessions", arguments={}),
    ]

    async def main() -> list[JSONRPCMessage]:
        into, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outgoing, out = anyio.create_memory_object_stream[SessionMessage](9)
        served, unanswered = server.make_server(Deployment()), Unanswered()
        async with anyio.create_task_group() as tasks:
            options = served.create_initialization_options()
            tasks.start_soon(served.run, unanswered.reading(incoming), unanswered.writing(outgoing), options)
            for message in sent:
                await into.send(message)
                await anyio.wait_all_tasks_blocked()
            into.close()
            await anyio.wait_all_tasks_blocked()
            ended.set()
        return [message.message async for message in out]

    _, answered = anyio.run(main)
    assert isinstance(answered, JSONRPCResponse), answered
    assert answered.result["content"][0]["text"] == "done"
