"""Made-up credentials of many kinds. They are drawn when a scenario is generated, so that no file holds one."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"


def _chars(rng: random.Random, alphabet: str, count: int) -> str:
    """Drawn characters with a digit and two letters at least where the alphabet has them: never a plain word."""
    while True:
        text = "".join(rng.choice(alphabet) for _ in range(count))
        if len(set(text)) >= min(6, count // 2) and any(c.isdigit() for c in text) and any(c.isalpha() for c in text):
            return text


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _web_token(rng: random.Random) -> str:
    parts = [{"alg": "HS256", "kid": _chars(rng, _HEX, 8)}, {"sub": _chars(rng, _ALNUM, 10)}]
    return ".".join([*(_encoded(json.dumps(part).encode()) for part in parts), _encoded(rng.randbytes(32))])


def _key_line(rng: random.Random) -> str:
    return base64.b64encode(rng.randbytes(48)).decode()


KINDS: dict[str, tuple[Callable[[random.Random], str], str]] = {
    "password": (lambda rng: _chars(rng, _ALNUM, 14), "password: {v}"),
    "api-key": (lambda rng: _chars(rng, _ALNUM, 36), "API_KEY={v}"),
    "token": (lambda rng: _chars(rng, _HEX, 40), "export DEPLOY_TOKEN={v}"),
    "hosting": (lambda rng: "gh" + "p_" + _chars(rng, _ALNUM, 36), "{v}"),
    "model": (lambda rng: "s" + "k-" + _chars(rng, _ALNUM, 48), "the one that works: {v}"),
    "chat": (lambda rng: "xo" + f"xb-{rng.randrange(10**11, 10**12)}-" + _chars(rng, _ALNUM, 24), "hook uses {v}"),
    "cloud": (lambda rng: _chars(rng, _ALNUM, 40), "aws_secret_access_key = {v}"),
    "web-token": (_web_token, "{v}"),
    "bearer": (lambda rng: _chars(rng, _ALNUM, 40), "curl -H 'Authorization: Bearer {v}'"),
    "address": (lambda rng: _chars(rng, _ALNUM, 16), "postgres://keeper:{v}@db.example.org/shelf"),
    "cookie": (lambda rng: _chars(rng, _HEX, 32), "Cookie: sessionid={v}"),
    "private-key": (_key_line, "-----BEGIN " + "PRIVATE KEY-----\n{v}\n-----END " + "PRIVATE KEY-----"),
    "chinese": (lambda rng: _chars(rng, _ALNUM, 12), "密码是{v}。"),
}
"""By kind: how a value is drawn, and a text that holds it."""


def draw(rng: random.Random, kind: str) -> tuple[str, str]:
    """A value of this kind, and a text that holds it."""
    make, frame = KINDS[kind]
    value = make(rng)
    return value, frame.format(v=value)
