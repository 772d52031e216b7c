"""Verify an export of a ledger: ``python chainverify.py export.jsonl --key HEX | --checkpoint FILE``.

A clean room: this file needs nothing but Python's standard library, shares no code with the ledger, and was written
from docs/ledger-format.md, RFC 8032 and RFC 8785. It reads the export once, as a stream.

An export is lines of one exact form each: a header; a row for every entry, numbered from 0, which names the hash before
it, its own, and the bytes that were hashed; and the head, signed. Every byte of it is determined by what it says, so
any other byte is found. What the export says of its own key proves nothing: the key, or a checkpoint (a signed head
that was kept elsewhere), has to come from whoever verifies. Without either only the chain is looked at, and a tail that
was cut off and signed anew cannot be seen.

Exit codes: 0 verified; 1 refused; 2 nothing to verify (no such file, wrong usage); 3 the chain holds, nobody vouches.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from binascii import hexlify
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

GENESIS = "0" * 64
PURPOSE = b"beliefmerge ledger head v1\n"
HEADER = re.compile(
    rb'\{"kind":"header","v":1,"tenant":"([A-Za-z0-9._-]+)","public_key":"([0-9a-f]{64})"\}\n', re.ASCII
)
HEAD = re.compile(
    rb'\{"kind":"head","tenant":"([A-Za-z0-9._-]+)","seq":(-1|0|[1-9][0-9]{0,15}),"hash":"([0-9a-f]{64})",'
    rb'"public_key":"([0-9a-f]{64})","signature":"([0-9a-f]{128})"\}\n',
    re.ASCII,
)
_ROW = b'{"seq":%d,"prev":"%s","hash":"%s","record":'
_PLACE = len(_ROW % (0, GENESIS.encode(), GENESIS.encode())) - 1
"""Where a record begins in its row, less the digits of its number."""
MAX_INT = 2**53 - 1


class Refused(Exception):
    """The export is not what a ledger wrote; the message says where and why."""


class Unusable(Exception):
    """What was given to verify with cannot be used."""


@dataclass(frozen=True)
class Head:
    """A signed head."""

    tenant: str
    seq: int
    hash: str
    public_key: str
    signature: str

    def signed_by(self, public_key: str) -> bool:
        """Whether the signature is that of the owner of `public_key` (hex)."""
        statement = f'{{"hash":"{self.hash}","seq":{self.seq},"tenant":"{self.tenant}"}}'.encode()
        return ed25519_verify(bytes.fromhex(public_key), PURPOSE + statement, bytes.fromhex(self.signature))


@dataclass(frozen=True)
class Verdict:
    """An export that holds."""

    head: Head
    vouched: bool
    """Whether the user's key or checkpoint vouches for the head, and not the export alone."""


def verify(
    lines: Iterable[bytes], *, key: str | None = None, checkpoint: Head | None = None, records: bool = False
) -> Verdict:
    """Verify the lines of an export, newlines included. Raises Refused.

    `key` is the ledger's public key in hex. A `checkpoint` brings its own, and must lie on the chain. `records` also
    reads every record: that it is canonical JSON without floats, and says its own number and tenant.
    """
    source = iter(lines)
    tenant, said_key = _header(next(source, b""))
    trusted = _trusted_key(key, checkpoint)
    if trusted is not None and said_key != trusted:
        raise Refused(f"line 1: the export is of key {said_key[:16]}…, not of {trusted[:16]}…")
    rows = _Rows(tenant, None if checkpoint is None else checkpoint.seq, records)
    head = rows.read(source)
    if next(source, None) is not None:
        raise Refused(f"line {rows.seq + 3}: something follows the signed head")
    _check_head(head, tenant, said_key, rows)
    if checkpoint is not None:
        _check_checkpoint(checkpoint, tenant, rows)
    return Verdict(head, trusted is not None)


class _Rows:
    """Follows the chain from row to row."""

    def __init__(self, tenant: str, mark: int | None, records: bool) -> None:
        self.seq = -1
        self.hash = GENESIS
        self.marked = GENESIS if mark == -1 else None
        """The hash at the number `mark`."""
        self._tenant, self._mark, self._records = tenant, mark, records

    def read(self, lines: Iterator[bytes]) -> Head:
        """Read rows up to the head."""
        sha256, slow = hashlib.sha256, self._records or self._mark is not None
        seq, before, prev = self.seq + 1, self.hash.encode(), bytes.fromhex(self.hash)
        for line in lines:
            record = line[_PLACE + len(str(seq)) : -2]
            digest = sha256(prev + record).digest()
            after = hexlify(digest)
            if not (line.startswith(_ROW % (seq, before, after)) and line.endswith(b"}\n")):
                self.seq, self.hash = seq - 1, before.decode()
                return self._head(line)
            if slow:
                self._look(seq, record, after.decode())
            prev, before = digest, after
            seq += 1
        raise Refused(f"the signed head is missing after entry {seq - 1}: the end was cut off")

    def _look(self, seq: int, record: bytes, digest: str) -> None:
        if self._records:
            _check_record(record, seq, self._tenant)
        if seq == self._mark:
            self.marked = digest

    def _head(self, line: bytes) -> Head:
        found = HEAD.fullmatch(line)
        if found is None:
            raise Refused(f"line {self.seq + 3}: {_why_no_row(line, self.seq + 1, self.hash)}")
        return _as_head(found)


def _header(line: bytes) -> tuple[str, str]:
    found = HEADER.fullmatch(line)
    if found is None:
        raise Refused("line 1: no header of a ledger export")
    return found[1].decode(), found[2].decode()


def _trusted_key(key: str | None, checkpoint: Head | None) -> str | None:
    if checkpoint is None:
        return key
    if key is not None and key != checkpoint.public_key:
        raise Refused("the checkpoint is of another key than the one given")
    if not checkpoint.signed_by(checkpoint.public_key):
        raise Refused("the checkpoint's signature is wrong")
    return checkpoint.public_key


def _check_head(head: Head, tenant: str, public_key: str, rows: _Rows) -> None:
    place = f"line {rows.seq + 3}: the signed head"
    if head.tenant != tenant or head.public_key != public_key:
        raise Refused(f"{place} is of another tenant or key than the header")
    if (head.seq, head.hash) != (rows.seq, rows.hash):
        raise Refused(
            f"{place} is of entry {head.seq}, the last entry is {rows.seq}: entries are missing or not its own"
        )
    if not head.signed_by(public_key):
        raise Refused(f"{place} has a wrong signature")


def _check_checkpoint(checkpoint: Head, tenant: str, rows: _Rows) -> None:
    if checkpoint.tenant != tenant:
        raise Refused("the checkpoint is of another tenant")
    if rows.marked is None:
        raise Refused(
            f"the checkpoint is of entry {checkpoint.seq}, the export ends at {rows.seq}: the end was cut off"
        )
    if rows.marked != checkpoint.hash:
        raise Refused(f"entry {checkpoint.seq} is not the one of the checkpoint: the log was rewritten")


def _why_no_row(line: bytes, seq: int, before: str) -> str:
    """What is wrong with a line that is neither the row expected nor a head."""
    if not line.endswith(b"\n"):
        return "the line is not whole"
    found = re.match(rb'\{"seq":([0-9]{1,16}),"prev":"([0-9a-f]{64})"', line)
    if found is None:
        return "neither a row nor a signed head"
    if int(found[1]) != seq:
        return f"entry {int(found[1])} where entry {seq} belongs"
    if found[2].decode() != before:
        return f"entry {seq} does not follow entry {seq - 1}: the hash before it is another"
    if re.fullmatch(rb'.{%d}[0-9a-f]{64}","record":.*\}\n' % (found.end() + 9), line, re.DOTALL):
        return f"entry {seq} is not what was hashed"
    return f"entry {seq} is not written as rows are"


def _check_record(record: bytes, seq: int, tenant: str) -> None:
    place = f"line {seq + 2}: the record of entry {seq}"
    try:
        value = json.loads(record, parse_float=_no_number, parse_constant=_no_number)
        _check_integers(value)
        if _canonical(value).encode() != record:
            raise ValueError("not canonical")
    except (ValueError, RecursionError) as error:
        raise Refused(f"{place} is no canonical JSON without floats ({error})") from None
    if not isinstance(value, dict) or value.get("seq") != seq or value.get("tenant") != tenant:
        raise Refused(f"{place} says another number or tenant")


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:40]} is no integer")


def _check_integers(value: Any) -> None:
    if isinstance(value, int) and abs(value) > MAX_INT:
        raise ValueError("an integer beyond 2^53 − 1")
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_integers(item)


def _canonical(value: Any) -> str:
    """RFC 8785 for values without floats: keys by UTF-16 code units, no spaces, least escapes."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(f"{_canonical(key)}:{_canonical(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


# Ed25519 verification, RFC 8032 section 5.1.7, with points in extended homogeneous coordinates (section 5.1.4).

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int, int, int]


def ed25519_verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether `signature` (64 bytes) is one of `message` by the owner of `public_key` (32 bytes).

    Encodings of points and of S that are not the only ones of their value are refused.
    """
    if len(public_key) != 32 or len(signature) != 64:
        return False
    a, r = _point(public_key), _point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % L
    left, right = _multiply(s, _BASE), _add(r, _multiply(k, a))
    return _same(left, right)


def _point(encoded: bytes) -> Point | None:
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def _add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _multiply(s: int, p: Point) -> Point:
    out = (0, 1, 1, 0)
    while s:
        if s & 1:
            out = _add(out, p)
        p = _add(p, p)
        s >>= 1
    return out


def _same(p: Point, q: Point) -> bool:
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


_BASE = _point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little")) or (0, 1, 1, 0)


def read_checkpoint(data: bytes) -> Head:
    """The signed head a checkpoint file holds, in whatever JSON form. Raises Unusable."""
    try:
        value = json.loads(data)
        if not isinstance(value, dict):
            raise ValueError("no object")
        named = {key: value.get(key) for key in ("kind", "tenant", "seq", "hash", "public_key", "signature")}
        found = HEAD.fullmatch(json.dumps(named, separators=(",", ":")).encode() + b"\n")
    except (ValueError, RecursionError) as error:
        raise Unusable(f"no checkpoint: {error}") from None
    if found is None:
        raise Unusable('no checkpoint: a signed head has "kind":"head", tenant, seq, hash, public_key and signature')
    return _as_head(found)


def _as_head(found: re.Match[bytes]) -> Head:
    tenant, seq, digest, public_key, signature = (part.decode() for part in found.groups())
    return Head(tenant, int(seq), digest, public_key, signature)


def main(arguments: list[str] | None = None) -> int:
    """Verify the export named on the command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="chainverify.py", description="Verify an export of a ledger.")
    parser.add_argument("export", help="the export, or - for standard input")
    parser.add_argument("--key", help="the ledger's Ed25519 public key, 64 hexadecimal digits")
    parser.add_argument("--checkpoint", help="a file that holds a signed head of this log, kept elsewhere")
    parser.add_argument("--records", action="store_true", help="also read every record (slower)")
    options = parser.parse_args(arguments)
    try:
        verdict = _run(options)
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except Unusable as error:
        print(error, file=sys.stderr)
        return 2
    except Refused as error:
        print(f"REFUSED {options.export}: {error}")
        return 1
    head = verdict.head
    said = f"{head.seq + 1} entries of tenant {head.tenant}, head {head.hash}"
    if verdict.vouched:
        print(f"VERIFIED {options.export}: {said}, signed by {head.public_key}")
        return 0
    print(f"UNVOUCHED {options.export}: {said}. The key is the export's own: give --key or --checkpoint")
    return 3


def _run(options: argparse.Namespace) -> Verdict:
    if options.key is not None and not re.fullmatch("[0-9a-f]{64}", options.key):
        raise Unusable("--key: a public key is 64 lowercase hexadecimal digits")
    checkpoint = None
    if options.checkpoint is not None:
        with Path(options.checkpoint).open("rb") as file:
            checkpoint = read_checkpoint(file.read())
    if options.export == "-":
        return verify(sys.stdin.buffer, key=options.key, checkpoint=checkpoint, records=options.records)
    with Path(options.export).open("rb") as file:
        return verify(file, key=options.key, checkpoint=checkpoint, records=options.records)


if __name__ == "__main__":
    sys.exit(main())
