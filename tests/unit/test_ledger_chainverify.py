"""The clean-room verifier on whole exports, from a shell and line by line."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from beliefmerge.ledger import chainverify
from beliefmerge.ledger.chainverify import Refused, ed25519_verify, verify
from beliefmerge.ledger.core import chain
from beliefmerge.ledger.core.canonical import canonical
from beliefmerge.ledger.core.export import head_line, lines
from tests.ledger_strategies import TENANT, TEXTS, Log

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


def public(key=KEY) -> str:
    return key.public_key().public_bytes_raw().hex()


def rows(records):
    prev = chain.GENESIS
    for seq, record in enumerate(records):
        digest = chain.link(prev, record)
        yield seq, prev, digest, record
        prev = digest


def export(records, key=KEY, tenant=TENANT) -> list[bytes]:
    return list(lines(tenant, rows(records), public(key), key.sign))


def small_log() -> Log:
    log = Log()
    premise = log.seal('He said: "no\\yes"\n\t\u0001 \u2028 ü 😀', "s0", "a.com")
    voters = [log.seal(TEXTS[i + 1], f"s{i}", f"v{i}.org") for i in (1, 2)]
    log.derive(premise)
    log.contradict(premise, *voters)
    return log


RECORDS = small_log().records


def checkpoint(records, key=KEY) -> chainverify.Head:
    seq, _, digest, _ = list(rows(records))[-1]
    return chainverify.read_checkpoint(head_line(TENANT, seq, digest, public(key), key.sign))


def test_what_a_ledger_writes_is_verified():
    for records in (RECORDS, RECORDS[:1], []):
        verdict = verify(export(records), key=public(), records=True)
        assert (verdict.vouched, verdict.head.seq) == (True, len(records) - 1)
        assert not verify(export(records)).vouched
    assert verify(export(RECORDS), checkpoint=checkpoint(RECORDS[:3])).vouched


def test_the_records_of_an_export_are_the_stored_bytes():
    said = [json.loads(line) for line in export(RECORDS)]
    assert [canonical(row["record"]) for row in said[1:-1]] == RECORDS


def cut(whole):
    return whole[:-3]


def cut_and_signed_anew(whole):
    return export(RECORDS[:-2], OTHER)


def rewritten(whole):
    return export([r.replace(b"council", b"mayor !") for r in RECORDS], OTHER)


def a_row_less(whole):
    return whole[:2] + whole[3:]


def swapped(whole):
    return [whole[0], whole[2], whole[1], *whole[3:]]


def more(whole):
    return [*whole, b"\n"]


def of_another_tenant(whole):
    return export(RECORDS, tenant="other")


@pytest.mark.parametrize(
    ("attack", "said"),
    [
        (cut, "head is missing"),
        (cut_and_signed_anew, "key"),
        (rewritten, "key"),
        (a_row_less, "entry 2 where entry 1 belongs"),
        (swapped, "entry 1 where entry 0 belongs"),
        (more, "follows the signed head"),
        (of_another_tenant, "another number or tenant"),
    ],
)
def test_what_no_ledger_wrote_is_refused(attack, said):
    with pytest.raises(Refused, match=said):
        verify(attack(export(RECORDS)), key=public(), records=True)


def test_only_a_key_or_checkpoint_shows_that_a_tail_was_cut_and_signed_anew():
    shorter = export(RECORDS[:-2])
    assert verify(shorter, key=public()).vouched
    with pytest.raises(Refused, match="cut off"):
        verify(shorter, checkpoint=checkpoint(RECORDS))
    other = [*RECORDS[:2], RECORDS[2].replace(b"s2", b"s3"), *RECORDS[3:]]
    with pytest.raises(Refused, match="rewritten"):
        verify(export(other), checkpoint=checkpoint(RECORDS[:3]))
    with pytest.raises(Refused, match="is of key"):
        verify(export(RECORDS, OTHER), checkpoint=checkpoint(RECORDS))
    with pytest.raises(Refused, match="another key"):
        verify(export(RECORDS), key=public(OTHER), checkpoint=checkpoint(RECORDS))


@pytest.mark.parametrize(
    "record",
    [
        b'{"a":1.0,"seq":0,"tenant":"acme"}',
        b'{"seq":0,"a":1,"tenant":"acme"}',
        b'{"a":1,"a":1,"seq":0,"tenant":"acme"}',
        b'{"a":9007199254740993,"seq":0,"tenant":"acme"}',
        b'{"a":{"seq":0,"tenant":"acme"},"tenant":"acme"}',
        b'{"a":"\\u00e9","seq":0,"tenant":"acme"}',
        b'{"seq":0,"tenant":"acme"',
    ],
)
def test_records_that_are_not_canonical_are_refused_when_they_are_read(record):
    with pytest.raises(Refused, match="entry 0"):
        verify(export([record]), key=public(), records=True)


# RFC 8032, section 7.1: secret key, public key, message, signature.
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
]


@pytest.mark.parametrize(("public_key", "message", "signature"), VECTORS)
def test_signatures_of_rfc_8032_are_accepted_and_no_others(public_key, message, signature):
    key, text, mark = bytes.fromhex(public_key), bytes.fromhex(message), bytes.fromhex(signature)
    assert ed25519_verify(key, text, mark)
    assert not ed25519_verify(key, text + b"x", mark)
    for at in (0, 31, 32, 63):
        changed = bytearray(mark)
        changed[at] ^= 1
        assert not ed25519_verify(key, text, bytes(changed))
    s = int.from_bytes(mark[32:], "little") + chainverify.L
    assert not ed25519_verify(key, text, mark[:32] + s.to_bytes(32, "little"))
    assert not ed25519_verify(key, text, mark[:-1])
    assert not ed25519_verify(bytes([255] * 32), text, mark)


def test_signatures_agree_with_another_implementation():
    draw = random.Random(5)
    for _ in range(10):
        key, text = Ed25519PrivateKey.from_private_bytes(draw.randbytes(32)), draw.randbytes(draw.randrange(200))
        assert ed25519_verify(bytes.fromhex(public(key)), text, key.sign(text))
        assert not ed25519_verify(bytes.fromhex(public(OTHER)), text, key.sign(text))


def test_the_verifier_needs_the_standard_library_only():
    tree = ast.parse(Path(chainverify.__file__).read_text())
    named = [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    named += [str(n.module) for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    assert {name.split(".")[0] for name in named} <= set(sys.stdlib_module_names)


def test_it_runs_alone_from_a_shell(tmp_path):
    script = tmp_path / "chainverify.py"
    script.write_bytes(Path(chainverify.__file__).read_bytes())
    whole = export(RECORDS)
    (tmp_path / "log.jsonl").write_bytes(b"".join(whole))
    (tmp_path / "cut.jsonl").write_bytes(b"".join(whole[:-3]))
    (tmp_path / "checkpoint.json").write_text(json.dumps(json.loads(whole[-1]), indent=2))

    def run(*arguments):
        command = [sys.executable, "-I", str(script), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
        return done.returncode, done.stdout + done.stderr

    for trust in (["--key", public()], ["--checkpoint", "checkpoint.json"], ["--key", public(), "--records"]):
        code, said = run("log.jsonl", *trust)
        assert code == 0
        assert said.startswith(f"VERIFIED log.jsonl: {len(RECORDS)} entries of tenant acme")
    assert run("log.jsonl")[0] == 3
    assert run("cut.jsonl", "--key", public()) == (
        1,
        f"REFUSED cut.jsonl: the signed head is missing after entry {len(RECORDS) - 3}: the end was cut off\n",
    )
    for wrong in (["none.jsonl"], ["log.jsonl", "--key", "ab"], ["log.jsonl", "--checkpoint", "log.jsonl"]):
        code, said = run(*wrong)
        assert code == 2
        assert said.count("\n") == 1
