"""An OpenAI-compatible server that speaks real HTTP on loopback and says what it is told to, faults included."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Request:
    """What was asked. Header names are in lower case, `body` is the JSON of the request."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        """The last message."""
        return self.body["messages"][-1]["content"]


@dataclass(frozen=True)
class Response:
    """What is sent: `length` is announced in place of the true length, `pause` waits before each byte but the first."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    pause: float = 0.0
    silent: bool = False


Step = Response | Callable[[Request], "Step"]


def say(text: str, finish: str = "stop", model: str = "double-1") -> Response:
    """A chat completion."""
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    reply = {"id": "c", "object": "chat.completion", "created": 0, "model": model, "choices": [choice], "usage": usage}
    return Response(json.dumps(reply).encode())


def say_json(value: Any) -> Response:
    return say(json.dumps(value, ensure_ascii=False))


def status(code: int, message: str = "no", param: str | None = None, **headers: str) -> Response:
    """An error as OpenAI words it; headers are written with underscores."""
    error = {"error": {"message": message, "type": "error", "param": param, "code": None}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(json.dumps(error).encode(), code, named)


def half(response: Response) -> Response:
    """The first half of a body whose whole length is announced."""
    whole = response.body
    return Response(whole[: len(whole) // 2], length=len(whole))


def garbage(text: str = '{"choices": [') -> Response:
    return Response(text.encode())


SILENCE = Response(b"", silent=True)
"""The request is taken and nothing comes."""


class MockServer:
    """Serves `steps` in order, the last one for ever. A context manager; `requests` is what it was asked."""

    def __init__(self, *steps: Step) -> None:
        self.steps, self.requests = list(steps), list[Request]()
        self._lock, self._closing = threading.Lock(), threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> MockServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def _next(self, request: Request) -> Response:
        with self._lock:
            self.requests.append(request)
            step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        while not isinstance(step, Response):
            step = step(request)
        return step

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        double = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                double._send(self, double._next(Request(self.path, headers, json.loads(body))))

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def _send(self, handler: BaseHTTPRequestHandler, response: Response) -> None:
        if response.silent:
            self._closing.wait()
            handler.close_connection = True
            return
        handler.send_response(response.status)
        handler.send_header("Content-Type", "application/json")
        for name, value in response.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(response.length or len(response.body)))
        handler.end_headers()
        try:
            if response.pause:
                for i in range(len(response.body)):
                    handler.wfile.write(response.body[i : i + 1])
                    handler.wfile.flush()
                    if self._closing.wait(response.pause):
                        break
            else:
                handler.wfile.write(response.body)
        except OSError:  # the client has gone
            pass
        if response.length is not None or response.pause:
            handler.close_connection = True


def refused() -> str:
    """The base URL of a port on which nobody listens."""
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        return f"http://127.0.0.1:{server.server_address[1]}/v1"
