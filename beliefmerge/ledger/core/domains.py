"""The registrable domain of a URL: who answers for what is found there.

Only what cannot be mistaken counts. Hosts are mapped by UTS 46, and the suffix is one of the Public Suffix List's ICANN
section, so that two names under one hosting provider are one domain. IP literals, names that the DNS cannot hold,
labels that mix scripts, unknown suffixes and ambiguous authorities have no registrable domain.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import idna

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_TOGETHER = ({"CJK", "HIRAGANA", "KATAKANA"}, {"CJK", "HANGUL"}, {"CJK", "BOPOMOFO"})
"""Scripts one writing system uses side by side (UTS 39, augmented script sets)."""
_CJK = {"IDEOGRAPHIC": "CJK"}
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_LONGEST = 253
"""Characters of a name (RFC 1035, 2.3.4)."""


def url_fault(url: str) -> str | None:
    """What makes `url` unfit to be sealed, or None: a control character, or an authority that cannot be split."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        return str(error)
    # Escaped in the host, one is a control character for those who unescape it.
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in url + unquote(parts.netloc)):
        return "a control character"
    return None


def registrable(url: str | None) -> str | None:
    """The registrable domain of an http(s) URL in ASCII, lower case; None when it has none that counts."""
    if url is None or url_fault(url):
        return None
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or any(c in parts.netloc for c in "\\@%[]"):
        return None
    return _registrable(parts.hostname or "")


def host(url: str) -> str | None:
    """The host of `url`, spelled alike however it is written: mapped by UTS 46, in ASCII, without a dot at its end.

    As it stands where it is no name; None where there is none. Raises ValueError for an authority that cannot be split.
    """
    found = urlsplit(url.strip()).hostname
    try:
        return _name(found) if found else None
    except (idna.IDNAError, UnicodeError):
        return found


@lru_cache(maxsize=65536)
def _registrable(found: str) -> str | None:
    try:
        name = _name(found)
        labels = name.split(".")
        if _numeric(labels[-1]) or any(_mixed(_unicode(label)) for label in labels):
            return None
    except (idna.IDNAError, UnicodeError):
        return None
    domain = _suffixes().privatesuffix(name)
    return domain if domain and "_" not in domain else None


def _name(found: str) -> str:
    mapped = idna.uts46_remap(found, std3_rules=False, transitional=False).removesuffix(".")
    name = ".".join(label if label.isascii() else idna.alabel(label).decode() for label in mapped.split("."))
    if len(name) > _LONGEST or not all(map(_LABEL.fullmatch, name.split("."))):
        raise idna.IDNAError("no name of the DNS")
    return name


def _unicode(label: str) -> str:
    return idna.ulabel(label) if label.startswith("xn--") else label


def _numeric(label: str) -> bool:
    """Whether a host that ends in `label` is an IPv4 address in some notation (WHATWG URL, "ends in a number")."""
    return label.isdigit() or label.startswith("0x")


def _mixed(label: str) -> bool:
    scripts = set()
    for c in label:
        if unicodedata.category(c).startswith("L"):
            script = unicodedata.name(c, "UNKNOWN").split()[0].split("-")[0]
            scripts.add(_CJK.get(script, script))
    return len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER)


@cache
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(accept_unknown=False, only_icann=True)
