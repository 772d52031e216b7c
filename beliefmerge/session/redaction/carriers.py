"""Credentials given away by what carries them: headers, addresses, connection strings, command lines, PEM blocks."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from beliefmerge.session.redaction.secret import Secret
from beliefmerge.session.redaction.strength import ORDINARY, Strength, is_whole_only, rate

CARRIERS = (
    "(?i:authorization|bearer|cookie)",
    r"""://[^\s/?#"'`<>]+@|@(?:tcp|unix|udp)""",
    "curl|sshpass|mysql|mariadb|redis-cli|docker login|podman login|mongo|sqlcmd|ldapsearch",
    "PRIVATE KEY|PuTTY-User-Key",
)
"""What the prefilter looks for."""

_QUOTE = r"""(?:\\{0,3}["'`])?"""
_AUTHORIZATION = re.compile(
    rf"""authorization {_QUOTE} \]? \s{{0,4}} [:=：] \s{{0,4}} {_QUOTE}
         (?P<scheme>[a-z][\w-]{{1,20}}\s{{1,3}})? (?P<value>[a-z0-9._~+/=:%$@!*\#-]{{6,8192}})""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
_BEARER = re.compile(r"\bbearer\s{1,3}([a-z0-9._~+/=-]{12,8192})", re.ASCII | re.IGNORECASE)
_SIGNATURE = re.compile(r"""\b(?:signature|response)="?([a-z0-9+/=]{16,512})""", re.ASCII | re.IGNORECASE)
_SIGNATURE_REACH = 1024
_COOKIE = re.compile(
    rf"""cookie {_QUOTE} \]? \s{{0,4}} [:=：] \s{{0,4}} {_QUOTE} ([\w.-]{{1,128}}=[^\n\r"'`\\]{{1,8192}})""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
_COOKIE_OPTION = re.compile(
    r"""\bcurl\b[^\n]{1,200}?\s(?:-b|--cookie)\s{1,2}["']?([\w.-]{1,128}=[^\n\r"'`\\]{1,8192})""", re.ASCII
)
_COOKIE_ATTRIBUTE = frozenset({"path", "domain", "expires", "max-age", "samesite", "version", "priority"})
_SESSION_COOKIE = re.compile(r"sess|sid|auth|token|jwt|csrf|xsrf|remember|login|user", re.IGNORECASE)
_URL = re.compile(
    r"""://(?:(?P<user>[^\s:/?\#@"'`<>]{0,128}):(?P<password>[^\s/?\#"'`<>{}\[\]\\]{1,256})|(?P<alone>[^\s:/?\#@"'`<>]{16,256}))@""",
    re.VERBOSE,
)
_DSN_HOST = re.compile(r"@(?:tcp|unix|udp)")
_DSN = re.compile(
    r"""(?<![\w./:-])(?P<user>[\w.-]{1,64}):(?P<password>[^\s:/@"'`]{3,128})@(?:tcp|tcp6|unix|udp)\(""", re.ASCII
)
_COMMAND = re.compile(
    r"""\bcurl\b[^\n]{0,300}?\s(?:-u|--user|--proxy-user)[ =]?["']?(?P<user>[\w.@+-]{1,64}):(?P<curl>[^\s"'`]{4,128})
      | \b(?:sshpass|mysql\w{0,8}|mariadb|redis-cli|docker\slogin|podman\slogin|mongosh?|sqlcmd|ldapsearch)\b
        [^\n]{0,200}?\s-(?:p|a|P|w)\s?["']?(?P<short>[^\s"'`-][^\s"'`]{3,127})""",
    re.VERBOSE | re.ASCII,
)
_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d", re.ASCII)
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: ?[0-9a-f]{16,64}", re.ASCII)
_PEM_SPAN = 32_000
_PEM_NEXT = re.compile(
    r"""(?: [\s>|→] | \\{1,3}[nr] | \d{1,6}[→:|\t ]
          | (?:Proc-Type|DEK-Info|Version|Comment|Encryption|Hash|Public-Lines|Private-Lines):[^\n\\]{0,120} ){0,60}
        [A-Za-z0-9+/]{24,}={0,2}""",
    re.VERBOSE | re.ASCII,
)
_ESCAPED_NEWLINE = re.compile(r"\\{1,3}[nr]")
_PEM_LINE = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}", re.ASCII)


def find_headers(text: str, lower: str) -> Iterator[Secret]:
    """Values of `Authorization:` headers, `Bearer` tokens and cookies."""
    if "authorization" in lower:
        yield from _authorization(text)
    if "bearer" in lower:
        values = (match[1].rstrip(".=-") for match in _BEARER.finditer(text))
        yield from (Secret(value, "authorization") for value in values if rate(value) >= Strength.RANDOM)
    if "cookie" in lower or "curl" in text:
        for match in (*_COOKIE.finditer(text), *_COOKIE_OPTION.finditer(text)):
            yield from _cookies(match[1])


def _authorization(text: str) -> Iterator[Secret]:
    for match in _AUTHORIZATION.finditer(text):
        value = match["value"].rstrip(".,:*")
        if (match["scheme"] or "").strip().lower() == "basic":
            yield from _basic(value)
        elif rate(value) >= Strength.WEAK:
            yield Secret(value, "authorization")
    for match in _SIGNATURE.finditer(text):
        before = text[max(0, match.start() - _SIGNATURE_REACH) : match.start()].lower()
        if "authorization" in before and rate(match[1]) >= Strength.FAIR:
            yield Secret(match[1], "authorization")


def _basic(value: str) -> Iterator[Secret]:
    """The credentials of HTTP basic authentication (RFC 7617), encoded and decoded."""
    try:
        user, colon, password = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode().partition(":")
    except (ValueError, binascii.Error):
        user, colon, password = "", "", ""
    if colon and user.isprintable():
        yield Secret(value, "authorization")
        if (strength := rate(password)) >= Strength.WEAK:
            yield Secret(password, "password", is_whole_only(password, strength))
    elif rate(value) >= Strength.FAIR:
        yield Secret(value, "authorization")


def _cookies(pairs: str) -> Iterator[Secret]:
    for pair in pairs.split(";"):
        name, _, value = pair.strip().partition("=")
        needed = Strength.WEAK if _SESSION_COOKIE.search(name) else Strength.RANDOM
        if name.lower() not in _COOKIE_ATTRIBUTE and rate(value := value.strip()) >= needed:
            yield Secret(value, "cookie", value.isdigit())


def find_addresses(text: str, lower: str) -> Iterator[Secret]:
    """Passwords in URLs (`scheme://user:password@host`, also a lone token before the `@`) and in Go-style DSNs."""
    if "@" not in text:
        return
    for match in _URL.finditer(text):
        if match["alone"]:
            if rate(match["alone"]) >= Strength.RANDOM:
                yield Secret(match["alone"], "url-password")
        else:
            yield from _userinfo(match["user"], match["password"], "url-password")
    for match in _DSN.finditer(text) if _DSN_HOST.search(text) else ():
        yield from _userinfo(match["user"], match["password"], "connection-string")


def _userinfo(user: str, password: str, kind: str) -> Iterator[Secret]:
    """The place is certain, so a plain word counts too, unless documentation puts it there."""
    strength = rate(password)
    if strength >= Strength.WORD and password != user and password.lower() not in ORDINARY:
        yield Secret(password, kind, is_whole_only(password, strength))


def find_commands(text: str, lower: str) -> Iterator[Secret]:
    """Passwords that well-known commands take in a short option: `curl -u user:password`, `sshpass -p password`."""
    for match in _COMMAND.finditer(text):
        value = (match["curl"] or match["short"]).rstrip(".,;)")
        if (strength := rate(value)) >= Strength.WEAK and not value.isdigit():
            yield Secret(value, "password", is_whole_only(value, strength))


def find_private_keys(text: str, lower: str) -> Iterator[Secret]:
    """PEM, OpenSSH, PGP and PuTTY private keys: the block, and its lines, which other wrappings of it contain.

    A block that breaks off is taken as far as its lines go; a heading without a key is none.
    """
    position = 0
    while begin := _PEM.search(text, position):
        position = begin.end()
        following = _PEM.search(text, position, begin.start() + _PEM_SPAN)
        limit = following.start() if following else begin.start() + _PEM_SPAN
        end = _PEM_END.search(text, position, limit)
        stop = end.end() if end else _truncated_end(text, position, limit)
        lines = _PEM_LINE.findall(_ESCAPED_NEWLINE.sub("\n", text[position : end.start() if end else stop]))
        if lines:
            yield Secret(text[begin.start() : stop], "private-key")
            yield from (Secret(line, "private-key") for line in lines)
            position = stop


def _truncated_end(text: str, position: int, limit: int) -> int:
    """End of the last line of key material that follows the heading of a block without an end."""
    while match := _PEM_NEXT.match(text, position, limit):
        position = match.end()
    return position
