"""From what a client library raises to a `ModelError`: one line, with its cause, without the key."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping
from typing import Any

from beliefmerge.llm.protocol import Cause, ModelError
from beliefmerge.session.redact import redact_text
from beliefmerge.session.text import one_line

_STATUS = {401: Cause.UNAUTHORIZED, 403: Cause.UNAUTHORIZED, 404: Cause.NOT_FOUND, 408: Cause.TIMEOUT}
RETRIED = frozenset({Cause.RATE_LIMITED, Cause.SERVER, Cause.REFUSED, Cause.BROKEN})
"""Causes that may pass. A server that was silent for too long may still be at work on the first request."""
_LONGEST = 240


def safe(text: str, key: str) -> str:
    """`text` on one line without `key` and without what looks like a secret."""
    without = text.replace(key, "[REDACTED:api-key]") if len(key) > 3 else text
    return one_line(redact_text(without)[0], _LONGEST)


def fault(error: Exception, *, key: str, url: str) -> ModelError:
    """What `error`, raised by the ``openai`` package or the HTTP library below it, means."""
    import openai

    if isinstance(error, ModelError):
        return error
    if isinstance(error, openai.APIStatusError):
        cause = cause_of(error.status_code)
        return ModelError(cause, safe(f"{url} answers {error.status_code}: {complaint(error)}", key))
    below = error.__cause__ if isinstance(error, openai.APIConnectionError) and error.__cause__ else error
    if _is_a(below, "APITimeoutError", "ConnectTimeout", "TimeoutException"):
        return ModelError(Cause.TIMEOUT, f"no reply in time from {url}")
    if _is_a(below, "ConnectError"):
        return ModelError(Cause.REFUSED, safe(f"{url}: {below}", key))
    if _is_a(below, "InvalidURL"):
        return ModelError(Cause.NOT_FOUND, safe(f"{url}: {below}", key))
    if _is_a(below, "OpenAIError", "HTTPError", "StreamError", "ValueError"):
        return ModelError(Cause.BROKEN, safe(f"{url}: {below or type(below).__name__}", key))
    raise error


def _is_a(error: BaseException, *names: str) -> bool:
    """Whether `error` is of a class so named: the ``openai`` package has used two HTTP libraries with these names."""
    return any(each.__name__ in names for each in type(error).__mro__)


def cause_of(status: int) -> Cause:
    """What an HTTP status that is no success means."""
    if status == 429:
        return Cause.RATE_LIMITED
    return _STATUS.get(status, Cause.SERVER if status >= 500 else Cause.REJECTED)


def body(error: Any) -> Mapping[str, Any]:
    """The error object of a status error, where the server sent one."""
    found = error.body
    inner = found.get("error", found) if isinstance(found, Mapping) else {}
    return inner if isinstance(inner, Mapping) else {"message": inner}


def complaint(error: Any) -> str:
    """What the server says in a status error."""
    return str(body(error).get("message") or error.body or error.response.reason_phrase)


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds that ``Retry-After`` asks for, given as a number or as a date; None without a usable one."""
    given = headers.get("retry-after", "").strip()
    try:
        seconds = float(given)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(given).timestamp() - (time.time() if now is None else now)
        except (TypeError, ValueError):
            return None
    return max(0.0, seconds) if seconds < float("inf") else None
