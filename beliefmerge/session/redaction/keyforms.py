"""Keys whose own form gives them away, beyond what the plug-ins know: prefixes, JSON web tokens, dotted keys."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from beliefmerge.session.redaction.secret import Secret, may_begin
from beliefmerge.session.redaction.strength import Strength, rate

_FORMS = {
    "sk-": r"sk-(?:ant-|proj-|svcacct-|admin-|or-v1-|test-|live-)?[A-Za-z0-9_-]{16,300}",  # OpenAI, Anthropic, DeepSeek
    "k_live_": r"[prs]k_live_[A-Za-z0-9]{10,250}",  # Stripe
    "k_test_": r"[prs]k_test_[A-Za-z0-9]{10,250}",
    "whsec_": r"whsec_[A-Za-z0-9+/=]{16,100}",
    "AIza": r"AIza[A-Za-z0-9_-]{30,50}",  # Google
    "ya29.": r"ya29\.[A-Za-z0-9_-]{20,1000}",
    "GOCSPX-": r"GOCSPX-[A-Za-z0-9_-]{20,60}",
    "github_pat_": r"github_pat_[A-Za-z0-9_]{20,255}",
    "gh": r"gh[pousr]_[A-Za-z0-9]{20,255}",
    "hf_": r"hf_[A-Za-z0-9]{20,100}",  # Hugging Face
    "npm_": r"npm_[A-Za-z0-9]{30,60}",
    "xapp-": r"xapp-[0-9]-[A-Za-z0-9-]{20,200}",  # Slack
    "xox": r"xox[abeoprs]-[A-Za-z0-9-]{10,250}",
    "gsk_": r"gsk_[A-Za-z0-9]{20,100}",  # Groq
    "xai-": r"xai-[A-Za-z0-9]{20,120}",
    "pplx-": r"pplx-[A-Za-z0-9]{20,100}",  # Perplexity
    "r8_": r"r8_[A-Za-z0-9]{30,60}",  # Replicate
    "nvapi-": r"nvapi-[A-Za-z0-9_-]{20,100}",  # NVIDIA
    "tvly-": r"tvly-[A-Za-z0-9-]{20,100}",  # Tavily
    "do": r"do[opr]_v1_[a-f0-9]{40,80}",  # DigitalOcean
    "shp": r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,60}",  # Shopify
    "dapi": r"dapi[0-9a-f]{32}(?:-[0-9])?",  # Databricks
    "lin_": r"lin_(?:api|oauth)_[A-Za-z0-9]{20,80}",  # Linear
    "ntn_": r"ntn_[A-Za-z0-9]{30,60}",  # Notion
    "secret_": r"secret_[A-Za-z0-9]{40,60}",
    "hv": r"hv[sbr]\.[A-Za-z0-9_-]{20,300}",  # Vault
    "dp.": r"dp\.(?:pt|st|sa|ct)\.[A-Za-z0-9._-]{30,80}",  # Doppler
    "glsa_": r"glsa_[A-Za-z0-9]{20,60}_[a-f0-9]{8}",  # Grafana
    "ATATT3": r"ATATT3[A-Za-z0-9_=-]{50,300}",  # Atlassian
    "AGE-SECRET-KEY-1": r"AGE-SECRET-KEY-1[A-Z0-9]{50,70}",
    "rubygems_": r"rubygems_[a-f0-9]{40,60}",
    "PMAK-": r"PMAK-[0-9a-f]{24}-[0-9a-f]{30,40}",  # Postman
    "sbp_": r"sbp_[a-f0-9]{40}",  # Supabase
    "sgp_": r"sgp_[A-Za-z0-9_]{40,80}",  # Sourcegraph
}
"""What a key begins with, or has near its beginning: the form of the whole."""
_PREFIXED = {anchor: re.compile(f"{form}(?![A-Za-z0-9_-])", re.ASCII) for anchor, form in _FORMS.items()}
_JWT = re.compile(
    r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
    r"eyJ[A-Za-z0-9_-]{6,8000}={0,2}(?:\.[A-Za-z0-9_-]{0,32000}={0,2}){1,4}",
    re.ASCII,
)
_TAIL_OF_DOTTED = re.compile(r"\.[A-Za-z0-9]{16}(?![A-Za-z0-9_-])", re.ASCII)
_HEX32 = re.compile(r"[0-9a-fA-F]{32}", re.ASCII)

FORMS = (
    *(re.sub(r"\{(\d+),\d*\}", r"{\1}", form) for form in _FORMS.values()),
    r"[0-9a-fA-F]{32}\.[A-Za-z0-9]{16}",
    "eyJ",
)
"""What the prefilter looks for: the same with as few repetitions as will do."""


def find_prefixed_keys(text: str, lower: str) -> Iterator[Secret]:
    """Keys that begin as a provider begins its own."""
    for anchor, form in _PREFIXED.items():
        if anchor in text:
            # The form of sk- is so general that names of packages and files have it too.
            needed = Strength.FAIR if anchor == "sk-" else Strength.WORD
            values = (match[0] for match in _leading(form, text))
            yield from (Secret(value, "provider-key") for value in values if rate(value) >= needed)


def find_jwts(text: str, lower: str) -> Iterator[Secret]:
    """JSON web tokens: header and payload decode to JSON objects (RFC 7519), or there are five parts (RFC 7516)."""
    for match in _JWT.finditer(text) if "eyJ" in text else ():
        token = match[0].rstrip(".")
        parts = token.split(".")
        if len(parts) == 5 or (len(parts) >= 2 and _is_object(parts[0]) and _is_object(parts[1])):
            yield Secret(token, "jwt")


def find_dotted_keys(text: str, lower: str) -> Iterator[Secret]:
    """Keys of 32 hexadecimal digits, a dot, and 16 letters or digits."""
    for tail in _TAIL_OF_DOTTED.finditer(text):
        start = tail.start() - 32
        if start < 0 or text[max(0, start - 1)] == "." or not _HEX32.fullmatch(text, start, tail.start()):
            continue
        if may_begin(text, start):
            yield Secret(text[start : tail.end()], "dotted-key")


def _leading(expression: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Matches of `expression` that are not inside a longer run; one that is hides none that begins within it."""
    position = 0
    while match := expression.search(text, position):
        if may_begin(text, match.start()):
            yield match
            position = match.end()
        else:
            position = match.start() + 1


def _is_object(part: str) -> bool:
    """Whether `part` is base64url of something that begins as a JSON object."""
    try:
        head = base64.urlsafe_b64decode(part[: len(part) // 4 * 4][:400])
    except (ValueError, binascii.Error):
        return False
    return head.lstrip()[:1] == b"{" and len(head) > 2
