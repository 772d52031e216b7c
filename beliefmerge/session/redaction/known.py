"""The credentials found so far, and replacing them wherever they occur."""

from __future__ import annotations

import base64
import html
import json
import re
import urllib.parse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from beliefmerge.session.redaction.detect import suspects_for
from beliefmerge.session.redaction.plugins import PLUGINS
from beliefmerge.session.redaction.secret import GENERIC_KINDS, MIN_LENGTH, Secret, placeholder, rank

_PLACEHOLDER = re.compile(r"\[REDACTED:[a-z0-9-]{1,40}\]")
_GRAM = MIN_LENGTH
"""Values are looked up by their first characters, so that a text is scanned once however many values there are."""
_PATTERN_GRAMS = 2_000
"""Beginnings in one RE2 expression: its automaton stays within the library's default memory."""
_BOILERPLATE = " ".join(map(placeholder, (*GENERIC_KINDS, *(plugin.kind for plugin in PLUGINS.values()))))
"""A value that occurs in a placeholder is none: replacing it would never end."""

Span = tuple[int, int, Secret]


class Known:
    """Values and their spelled forms (percent-encoded, JSON-escaped, HTML, base64), each with its kind.

    ``repr`` shows how many there are, never one of them.
    """

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        self._secrets: dict[str, Secret] = {}
        self._by_gram: dict[str, dict[int, dict[str, Secret]]] = {}
        self.add(secrets)

    def __repr__(self) -> str:
        return f"Known({len(self._secrets)} forms)"

    def __bool__(self) -> bool:
        return bool(self._secrets)

    def add(self, secrets: Iterable[Secret] | Known) -> None:
        """Learn `secrets`; what is learnt does not depend on their order."""
        if isinstance(secrets, Known):
            for secret in secrets._secrets.values():
                self._learn(secret)
            return
        for secret in set(secrets):
            for form in {secret.value, *_forms(secret.value)}:
                if len(form) >= MIN_LENGTH and form not in _BOILERPLATE:
                    self._learn(Secret(form, secret.kind, secret.whole))

    def _learn(self, secret: Secret) -> None:
        known = self._secrets.get(secret.value)
        if known is not None:
            kind = min(known.kind, secret.kind, key=rank)
            secret = Secret(secret.value, kind, known.whole and secret.whole)
        self._secrets[secret.value] = secret
        # By length too: keys of one provider begin alike, and there may be many.
        self._by_gram.setdefault(secret.value[:_GRAM], {}).setdefault(len(secret.value), {})[secret.value] = secret

    def candidates(self, texts: Sequence[str]) -> list[str]:
        """Those of `texts` in which a value could occur: the beginning of one does."""
        grams = [_literal(gram) for gram in sorted(self._by_gram)]
        patterns = ["|".join(grams[i : i + _PATTERN_GRAMS]) for i in range(0, len(grams), _PATTERN_GRAMS)]
        found = set[str]().union(*suspects_for(patterns, texts))
        return [text for text in texts if text in found]

    def occurs_in(self, text: str) -> bool:
        """Whether a known value stands in `text`."""
        return next(self._spans(text), None) is not None

    def redact(self, text: str) -> tuple[str, Counter[str]]:
        """`text` with every known value replaced, and how many places of each kind were.

        Values that overlap, or that overlap a placeholder, are replaced together, so that no part of one is left.
        """
        counts: Counter[str] = Counter()
        while spans := sorted(self._spans(text), key=lambda span: span[:2]):
            pieces, last = [], 0
            for start, end, secret in _merge(spans, text):
                pieces += [text[last:start], placeholder(secret.kind)]
                counts[secret.kind] += 1
                last = end
            text = "".join(pieces) + text[last:]
        return text, counts

    def _spans(self, text: str) -> Iterator[Span]:
        """Every occurrence of a known value."""
        by_gram = self._by_gram
        for start in range(len(text) - _GRAM + 1):
            gram = text[start : start + _GRAM]
            if gram in by_gram:
                for length, secrets in by_gram[gram].items():
                    secret = secrets.get(text[start : start + length])
                    if secret and (not secret.whole or _stands_alone(text, start, start + length)):
                        yield start, start + length, secret


def _merge(spans: Sequence[Span], text: str) -> Iterator[Span]:
    """Overlapping occurrences as one, under the kind of the longest; placeholders they touch are taken in."""
    placeholders = [match.span() for match in _PLACEHOLDER.finditer(text)]
    events: list[tuple[int, int, Secret | None]] = [*spans, *((start, end, None) for start, end in placeholders)]
    events.sort(key=lambda event: (event[0], -event[1]))
    start = end = 0
    inside: list[Secret] = []
    for event in [*events, (len(text) + 1, len(text) + 1, None)]:
        if event[0] >= end:
            if inside:
                yield start, end, min(inside, key=lambda secret: (-len(secret.value), rank(secret.kind)))
            start, end, inside = event[0], event[1], []
        end = max(end, event[1])
        if event[2] is not None:
            inside.append(event[2])


def _stands_alone(text: str, start: int, end: int) -> bool:
    around = text[max(0, start - 1) : start] + text[end : end + 1]
    return not any(char.isascii() and char.isalnum() for char in around)


def _literal(gram: str) -> str:
    """`gram` as an RE2 expression. Its lone surrogates, which RE2 cannot hold, match anything."""
    return "".join(
        char if char.isalnum() else "." if "\ud800" <= char <= "\udfff" else f"\\x{{{ord(char):x}}}" for char in gram
    )


def _forms(value: str) -> Iterator[str]:
    """Other spellings of `value` in which transcripts carry it, and what it is the spelling of."""
    yield urllib.parse.quote(value, safe="", errors="replace")
    yield urllib.parse.quote(value, errors="replace")
    yield urllib.parse.quote_plus(value, errors="replace")
    yield html.escape(value)
    for ascii_only in (True, False):
        once = json.dumps(value, ensure_ascii=ascii_only)[1:-1]
        yield once
        yield json.dumps(once, ensure_ascii=ascii_only)[1:-1]
    encoded = value.encode("utf-8", "replace")
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        yield encode(encoded).decode().rstrip("=")
        yield from (_within(encode, encoded, before) for before in range(3))
    if "%" in value:
        yield urllib.parse.unquote(value)
    if "\\" in value:
        try:
            yield json.loads(f'"{value}"', strict=False)
        except ValueError:
            return


def _within(encode: Callable[[bytes], bytes], value: bytes, before: int) -> str:
    """What base64 makes of `value` after `before` bytes, modulo 3: the letters that no byte around it has a part in."""
    whole = encode(bytes(before) + value).decode().rstrip("=")
    shared = (before + len(value)) % 3 > 0
    return whole[(0, 2, 3)[before] : len(whole) - shared]
