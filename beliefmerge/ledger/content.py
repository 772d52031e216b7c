r"""What of a tool's result is sealed: one form for equal results, and no secret in it.

Rules. A text (or bytes, which must be UTF-8) loses byte order marks at its beginning, is brought to Unicode form NFC,
gets ``\n`` for every line end, and loses white space at the end of lines and blank lines at both ends. Any other result
must be JSON; its form is RFC 8785, so that the order of keys and the spelling of numbers do not count. Secrets are
replaced before the form is taken, arguments and result together, so that what a label gives away in one is replaced in
the other.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from beliefmerge.errors import BeliefMergeError

_LINE_END = re.compile(r"[^\S\n]*(?:\r\n?|\n|\x85|\u2028|\u2029)")


class NotCanonical(BeliefMergeError):
    """A result has no canonical form."""


@dataclass(frozen=True, slots=True)
class Content:
    """A result as it is sealed: `value` (a text or JSON), its canonical `data`, and the places where secrets stood."""

    value: Any
    data: bytes
    args: Mapping[str, Any]
    secrets: Counter[str]

    @property
    def text(self) -> str:
        """The canonical form as a text."""
        return self.data.decode()


def content(result: Any, args: Mapping[str, Any]) -> Content:
    """The canonical form of `result`, a tool's for `args`, both without secrets. Raises NotCanonical."""
    try:
        value = canonical_text(_decoded(result)) if isinstance(result, str | bytes) else result
        canonical_bytes(value)
        value, clean, secrets = _redacted(value, args)
        return Content(value, canonical_bytes(value), clean, secrets)
    except RecursionError:
        raise NotCanonical("JSON nested too deeply") from None


def canonical_bytes(value: Any) -> bytes:
    """The bytes that are stored for a text or a JSON value. Raises NotCanonical.

    Numbers with a fraction are allowed: content is hashed as bytes, it is no part of a record.
    """
    import rfc8785

    try:
        if isinstance(value, str | bytes):
            return canonical_text(_decoded(value)).encode()
        return rfc8785.dumps(value)
    except UnicodeEncodeError:
        raise NotCanonical("a text with a lone surrogate") from None
    except rfc8785.CanonicalizationError as error:
        raise NotCanonical(f"neither text nor JSON: {error}") from None


def canonical_text(text: str) -> str:
    """`text` by the rules of this module; the same for its own result."""
    return _LINE_END.sub("\n", unicodedata.normalize("NFC", text)).rstrip().lstrip("\ufeff\n")


def _decoded(result: str | bytes) -> str:
    if isinstance(result, str):
        return result
    try:
        return result.decode()
    except UnicodeDecodeError as error:
        raise NotCanonical(f"bytes that are not UTF-8 at byte {error.start}") from None


def _redacted(value: Any, args: Mapping[str, Any]) -> tuple[Any, Mapping[str, Any], Counter[str]]:
    """Stage 0 over both: names that stand beside a value in JSON label it, as they do in a text."""
    from beliefmerge.session.model import Session
    from beliefmerge.session.redact import redact

    (clean,), counts = redact([Session("seal", "seal", meta={"args": dict(args), "result": value})])
    return clean.meta["result"], clean.meta["args"], counts
