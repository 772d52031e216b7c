"""One HTTP GET to a public address that was checked before the connection is made, and to no other.

The name is resolved once, each address it has must be public, and the connection goes to the address that was checked:
a second resolution could answer otherwise. Redirects are not followed and proxies not used, for the same reason.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from beliefmerge.errors import BeliefMergeError

if TYPE_CHECKING:
    import httpx

Ip: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_PORTS = {"http": 80, "https": 443}
_TRANSLATED = [
    ipaddress.ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")
]
"""IPv6 networks whose addresses stand for IPv4 ones."""
_INSIDE = [ipaddress.ip_network(net) for net in ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")]
"""Public by registry, yet answered nearby: protocol assignments (RFC 6890; a cloud's metadata), the relays of 6to4
(RFC 7526), a cloud's host."""


class NotAllowed(BeliefMergeError):
    """The address may not be asked."""


class NotReached(BeliefMergeError):
    """Nothing usable came back."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What may be asked, and how much may come back. `allow_hosts` ("host:port") are asked whatever their address."""

    allow_hosts: frozenset[str] = frozenset()
    max_bytes: int = 64 << 20
    seconds: float = 20.0


def check(url: str, reach: Reach) -> httpx.URL:
    """The parsed `url`, as far as it can be judged without resolving a name; raises NotAllowed."""
    import httpx

    try:
        parsed = httpx.URL(url)
        place = f"{parsed.host}:{parsed.port or _PORTS.get(parsed.scheme, 0)}"
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise NotAllowed(f"no address: {error}") from None
    if parsed.scheme not in _PORTS:
        raise NotAllowed(f"scheme {parsed.scheme[:20]!r} is not on the allow-list (http, https)")
    if not parsed.host or parsed.userinfo:
        raise NotAllowed("an address with a user name, or without a host")
    if place not in reach.allow_hosts:
        literal = _literal(parsed.host)
        if parsed.host == "localhost" or (literal is not None and not public(literal)):
            raise NotAllowed(f"{parsed.host} is no public address")
    return parsed


def get(url: str, reach: Reach) -> bytes:
    """The body of a 200 answer to GET `url`, as sent. Raises NotAllowed and NotReached."""
    import httpx

    parsed = check(url, reach)
    port = parsed.port or _PORTS[parsed.scheme]
    address = _resolve(parsed.host, port, trusted=f"{parsed.host}:{port}" in reach.allow_hosts)
    deadline = time.monotonic() + reach.seconds
    request = httpx.Request(
        "GET",
        parsed.copy_with(host=str(address)),
        headers={"Host": parsed.netloc.decode("ascii"), "Accept-Encoding": "identity", "User-Agent": "beliefmerge"},
        extensions={"sni_hostname": parsed.raw_host.decode("ascii")},
    )
    with httpx.Client(trust_env=False, follow_redirects=False, timeout=reach.seconds) as client:
        try:
            response = client.send(request, stream=True)
            try:
                return _body(response, reach.max_bytes, deadline)
            finally:
                response.close()
        except httpx.HTTPError as error:
            raise NotReached(f"{type(error).__name__}: {error}") from None


def public(address: Ip) -> bool:
    """Whether `address` is on the public internet: not private, loopback, link-local, reserved or translated."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return public(address.ipv4_mapped)
        if any(address in network for network in _TRANSLATED):
            return False
    elif any(address in network for network in _INSIDE):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _literal(host: str) -> Ip | None:
    """The address that `host` spells, in any form the resolver takes ("2130706433", "0x7f.1"); None for a name."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except (OSError, UnicodeError):
        return None


def _resolve(host: str, port: int, *, trusted: bool) -> Ip:
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotReached(f"{host}: cannot be resolved: {error}") from None
    addresses = [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]
    if not trusted:
        for address in addresses:
            if not public(address):
                raise NotAllowed(f"{host} has an address that is not public")
    return addresses[0]


def _body(response: httpx.Response, limit: int, deadline: float) -> bytes:
    if 300 <= response.status_code < 400:
        raise NotAllowed(f"redirected (status {response.status_code})")
    if response.status_code != 200:
        raise NotReached(f"status {response.status_code}")
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > limit:
            raise NotAllowed(f"the answer is over {limit} bytes")
        if time.monotonic() > deadline:
            raise NotReached("the answer did not arrive in time")
    return bytes(body)
