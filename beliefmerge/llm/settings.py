"""Which model is asked, where and how: plain data that can be printed and recorded, for it holds no secret."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from beliefmerge.errors import UsageError, unknown

_LONGEST_S = 1_000_000
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
CACHE_MODES = ("off", "record", "replay", "auto")
PREFIX = "BELIEFMERGE_LLM"
"""Environment variables: ``BELIEFMERGE_LLM`` is the back end's name, ``BELIEFMERGE_LLM_MODEL`` its model, and so on."""


@dataclass(frozen=True, slots=True)
class Backend:
    """What is usual for a kind of server: its address, its model where it has a usual one, the variable of its key."""

    base_url: str = ""
    model: str = ""
    key_env: str = ""


BACKENDS: dict[str, Backend] = {
    "none": Backend(),
    "openai": Backend("https://api.openai.com/v1", "gpt-4.1-mini", "OPENAI_API_KEY"),
    "deepseek": Backend("https://api.deepseek.com/v1", "deepseek-chat", "DEEPSEEK_API_KEY"),
    "vllm": Backend("http://127.0.0.1:8000/v1"),
    "ollama": Backend("http://127.0.0.1:11434/v1"),
    "llamacpp": Backend("http://127.0.0.1:8080/v1"),
    "local": Backend(model="smollm2-135m-instruct-q4_1"),
}
"""Known back ends. Any other OpenAI-compatible server is one of these with another `base_url`."""


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """A model and how it is called. `key_env` names the environment variable of the key; the key itself is nowhere.

    The cache address of a call has the model's name in it and neither the base URL nor the key.
    """

    name: str = "none"
    """One of `BACKENDS`; `none` is no model."""
    base_url: str = ""
    model: str = ""
    key_env: str = ""
    cache: str = "off"
    """`off`; `record`: ask and write; `replay`: read, a miss is an error; `auto`: read, else ask and write."""
    cache_dir: str = ""
    """Directory of entries and packs, or one pack; by default in the user's cache directory."""
    connect_timeout_s: float = 10.0
    read_timeout_s: float = 600.0
    """Seconds of silence; a server says nothing before its whole reply is there."""
    timeout_s: float = 600.0
    """Seconds that a call may take in all, attempts and waits included."""
    retries: int = 3
    """Attempts after the first, on 429, 5xx and broken connections."""
    max_tokens: int = 4096
    """Most tokens of a reply, whatever a caller asks for."""
    seed: int = 0
    """Added to the seed of every call."""
    price_prompt: float | None = None
    """US dollars per million tokens of prompts."""
    price_completion: float | None = None
    """US dollars per million tokens of replies."""

    def __post_init__(self) -> None:
        if self.name not in BACKENDS:
            raise unknown("model back end", self.name, BACKENDS)
        if self.cache not in CACHE_MODES:
            raise unknown("cache mode", self.cache, CACHE_MODES)
        _check_url(self.base_url)
        if self.key_env and not _VARIABLE.fullmatch(self.key_env):
            raise UsageError("the key variable is the name of an environment variable, not the key itself")
        limits = (self.connect_timeout_s, self.read_timeout_s, self.timeout_s)
        if not all(0 < seconds <= _LONGEST_S for seconds in limits):
            raise UsageError(f"a model's time limits are above 0 seconds and at most {_LONGEST_S:,}")
        prices = (self.price_prompt or 0.0, self.price_completion or 0.0)
        if not all(0 <= price < math.inf for price in prices):
            raise UsageError("a model's prices are at least 0")
        if self.retries < 0 or self.max_tokens < 1:
            raise UsageError("a model has at least 0 retries and 1 token to reply with")

    @property
    def configured(self) -> bool:
        """Whether there is a model to ask."""
        return self.name != "none"

    def resolved(self) -> LlmSettings:
        """With the back end's usual values where none are given.

        Raises UsageError for a back end that needs a model's name and has none.
        """
        usual = BACKENDS[self.name]
        full = replace(
            self,
            base_url=(self.base_url or usual.base_url).rstrip("/"),
            model=self.model or usual.model,
            key_env=self.key_env or usual.key_env,
            cache_dir=self.cache_dir or str(default_cache_dir()),
        )
        if full.configured and not full.model:
            raise UsageError(f"which model? set --llm-model or {PREFIX}_MODEL to one that {self.name} serves")
        return full

    def to_json(self) -> dict[str, Any]:
        """Plain data, for records."""
        return asdict(self)


def _check_url(url: str) -> None:
    """Refuse what is no address, and what would put a secret into records. Raises UsageError."""
    from beliefmerge.session.redact import secrets_in

    try:
        where = urlsplit(url)
        usable = not url or (where.scheme in ("http", "https") and bool(where.hostname) and where.port != 0)
    except ValueError:
        where, usable = urlsplit(""), False
    if "@" in where.netloc:
        raise UsageError("the base URL has a user or password in it, and would be recorded: use a key variable")
    if "?" in url or "#" in url:
        raise UsageError("the base URL has a query or fragment in it, and ends with a path such as /v1")
    if secrets_in(url):
        raise UsageError("the base URL has a secret in it, and would be recorded: use a key variable")
    if not usable or not url.isprintable() or " " in url:
        raise UsageError(f"the base URL {url!r} is not http:// or https:// and a host")


def default_cache_dir() -> Path:
    """Where replies are kept unless a directory is named: ``$XDG_CACHE_HOME/beliefmerge/llm``."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return Path(base) / "beliefmerge" / "llm"


_FROM_ENVIRONMENT: Mapping[str, str] = {
    "base_url": "BASE_URL",
    "model": "MODEL",
    "key_env": "KEY_ENV",
    "cache": "CACHE",
    "cache_dir": "CACHE_DIR",
}
_NUMBERS: Mapping[str, Callable[[str], float]] = {
    "timeout_s": float,
    "read_timeout_s": float,
    "retries": int,
    "max_tokens": int,
    "price_prompt": float,
    "price_completion": float,
}
"""Read from the variable of the field's name in capitals."""


def settings_from(environment: Mapping[str, str] | None = None, **given: Any) -> LlmSettings:
    """Settings from what is `given`, then from ``BELIEFMERGE_LLM…`` variables. None and empty text give nothing.

    A base URL or model named in the environment belongs to the back end named there, and is not used for another.
    Raises UsageError.
    """
    env = os.environ if environment is None else environment
    chosen = {key: value for key, value in given.items() if value not in (None, "")}
    named = env.get(PREFIX, "")
    name = chosen.setdefault("name", named or "none")
    for field, suffix in _FROM_ENVIRONMENT.items():
        own = field in ("cache", "cache_dir") or not named or named == name
        if own and (value := env.get(f"{PREFIX}_{suffix}", "")):
            chosen.setdefault(field, value)
    for field, number in _NUMBERS.items():
        variable = f"{PREFIX}_{field.upper()}"
        if value := env.get(variable, ""):
            try:
                chosen.setdefault(field, number(value))
            except ValueError:
                raise UsageError(f"{variable}={value!r} is not a number") from None
    return LlmSettings(**chosen)
