"""Taking off what servers without a response format put around JSON: a leading ``<think>`` passage, one code fence."""

from __future__ import annotations

_OPENING, _CLOSING, _FENCE = "<think>", "</think>", "```"


def unwrapped(text: str) -> tuple[str, bool]:
    """`text` without a thought before and a fence around everything, and whether there was a fence."""
    if text.lstrip().startswith(_OPENING):
        _, closed, rest = text.partition(_CLOSING)
        text = rest if closed else text
    whole = text.strip()
    if whole.startswith(_FENCE) and whole.endswith(_FENCE):
        language, newline, inside = whole[len(_FENCE) : -len(_FENCE)].partition("\n")
        if newline and language.strip().casefold() in ("", "json"):
            return inside, True
    return text, False
