"""Every log store keeps the contract of `beliefmerge.ledger.store.log`: the same suite over SQLite and PostgreSQL."""

from __future__ import annotations

import contextlib
import itertools
import signal
import subprocess
import sys
from pathlib import Path

import apsw
import psycopg
import pytest

from beliefmerge.ledger.store import sqlite
from beliefmerge.ledger.store.errors import BadName, LogDamaged, OutOfSequence, TenantBusy, UnknownTenant
from beliefmerge.ledger.store.log import EMPTY, Head, Log, Reply, Token, check_tenant, path_name, tenant_of
from beliefmerge.ledger.store.places import open_log
from tests.ledger_stores import Place, chain, write, writing

ROOT = Path(__file__).parents[2]
REPLY = Reply(b"\x01" * 32, b'{"id":"a"}')


def test_a_new_tenant_has_an_empty_log_and_making_it_again_changes_nothing(log: Log):
    assert log.tenants() == []
    log.create("b")
    log.create("a")
    assert log.tenants() == ["a", "b"]
    assert log.head("a") == EMPTY
    assert list(log.read("a")) == []
    rows = write(log, "a", b"{}")
    log.create("a")
    assert list(log.read("a")) == rows


def test_rows_are_read_back_byte_for_byte_and_in_order(log: Log):
    records = [b"", b"\x00", b'{"a":1}', bytes(range(256)), "ä\u2028".encode(), b"x" * (1 << 20), *[b"n"] * 3000]
    rows = write(log, "t", *records)
    assert list(log.read("t")) == rows
    assert log.head("t") == Head(rows[-1].seq, rows[-1].hash)
    assert list(log.read("t", 3)) == rows[3:]
    assert list(log.read("t", len(rows))) == []


def test_a_log_goes_on_where_it_was_left(place: Place):
    first = place.open()
    rows = write(first, "t", b"1", b"2")
    first.close()
    again = place.open()
    rows += write(again, "t", b"3")
    assert list(again.read("t")) == rows
    again.close()


@pytest.mark.parametrize("wrong", ["gap", "again", "predecessor", "hash", "record", "second"])
def test_rows_that_do_not_continue_the_log_are_refused_whole(log: Log, wrong: str):
    kept = write(log, "t", b"1", b"2")
    with writing(log, "t") as pen:
        new = chain([b"3", b"4"], pen.head)
        bad = {
            "gap": new[1:],
            "again": kept[1:],
            "predecessor": [new[0]._replace(prev=kept[0].hash)],
            "hash": [new[0]._replace(hash=b"\x00" * 32)],
            "record": [new[0]._replace(record=b"5")],
            "second": [new[0], new[1]._replace(seq=9)],
        }[wrong]
        with pytest.raises(OutOfSequence):
            pen.append(bad, {})
        assert list(log.read("t")) == kept
        pen.append(new, {})
    assert list(log.read("t")) == kept + new


def test_only_one_may_append_to_a_tenant_and_the_next_one_may_when_it_is_done(place: Place, log: Log):
    log.create("t")
    log.create("u")
    other = place.open()
    with writing(log, "t"):
        for somebody in (log, other):
            for take in (somebody.pen, somebody.rebuild):
                with pytest.raises(TenantBusy):
                    take("t")
        with writing(other, "u") as pen:
            pen.append(chain([b"1"]), {})
    with writing(other, "t") as pen:
        pen.append(chain([b"1"]), {})
    other.close()


def test_the_right_to_append_is_kept_from_other_processes_and_dies_with_its_own(place: Place, log: Log):
    log.create("t")
    hold = "import sys; from beliefmerge.ledger.store.places import open_log; log = open_log(sys.argv[1]);"
    hold += "pen = log.pen('t'); print('held', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", hold, place.address]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(TenantBusy):
            log.pen("t")
        holder.send_signal(signal.SIGKILL)
    freed = next(pen for _ in range(2000) if (pen := _try(log)) is not None)
    freed.append(chain([b"1"]), {})
    freed.close()


def _try(log: Log):
    """The pen, when it is free; a server needs a moment to notice that a client is gone."""
    try:
        return log.pen("t")
    except TenantBusy:
        return None


def test_a_reader_sees_the_log_as_it_was_when_it_began(log: Log):
    rows = write(log, "t", *[b"x" * 100] * 5000)
    reader = log.read("t")
    assert next(reader) == rows[0]
    write(log, "t", b"later")
    assert list(reader) == rows[1:]


def test_a_reader_that_stands_still_does_not_keep_the_write_ahead_log_growing(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(sqlite, "CHECKPOINT_PAGES", 40)
    log = sqlite.SqliteLog(tmp_path)
    rows = write(log, "t", *[b"x" * 100_000] * 20)
    reader = log.read("t")
    assert next(reader) == rows[0]
    with writing(log, "t") as pen:
        for _ in range(50):
            pen.append(chain([b"y" * 100_000], pen.head), {})
            pen.tidy()
        assert (tmp_path / "tenants" / "t.sqlite-wal").stat().st_size < 1 << 20
    assert list(reader) == rows[1:]


def test_replies_are_found_by_key_within_the_tenant(log: Log):
    for tenant in ("t", "u"):
        log.create(tenant)
    with writing(log, "t") as pen, writing(log, "u") as other:
        rows = chain([b"1", b"2", b"3"])
        pen.append(rows[:2], {1: ("k", REPLY)})
        pen.append(rows[2:], {})
        assert pen.recall(["k", "l"]) == {"k": REPLY}
        assert pen.recall([]) == {}
        assert other.recall(["k"]) == {}
        other.append(chain([b"1"]), {0: ("k", REPLY._replace(response=b""))})
        assert other.recall(["k"]) == {"k": Reply(REPLY.digest, b"")}
    with writing(log, "t") as pen:
        assert pen.recall(["k"]) == {"k": REPLY}


def test_tokens_are_there_at_once_for_everybody(place: Place, log: Log):
    token = Token("agent", "t", 1_800_000_000_000)
    elsewhere = place.open()
    assert elsewhere.token_get(b"\x01" * 32) is None
    log.token_put(b"\x01" * 32, token)
    assert elsewhere.token_get(b"\x01" * 32) == token
    log.token_put(b"\x01" * 32, token._replace(expires_ms=0))
    assert elsewhere.token_get(b"\x01" * 32) == token._replace(expires_ms=0)
    assert elsewhere.token_get(b"\x02" * 32) is None
    elsewhere.close()


def test_what_is_no_tenant_is_said_at_once(log: Log):
    for ask in (log.head, log.read, log.pen, log.rebuild):
        with pytest.raises(UnknownTenant):
            ask("nobody")


BAD_NAMES = ["", ".", "..", "../t", "a/b", "a\\b", "-a", ".a", "a\n", "a\x00", "ä", "a b", "a%2fb", "a" * 64]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_could_lead_elsewhere_is_refused(log: Log, name: str):
    for ask in (log.create, log.head, log.read, log.pen, log.rebuild):
        with pytest.raises(BadName):
            ask(name)
    assert log.tenants() == []


def test_names_that_differ_in_case_or_dots_are_different_tenants(log: Log):
    names = ["A", "a", "a.b", "a.sqlite", "a.lock", "a_b", "0", "a" * 63]
    for name in names:
        write(log, name, name.encode())
    assert log.tenants() == sorted(names)
    assert [next(log.read(name)).record.decode() for name in names] == names
    paths = [path_name(name).lower() for name in names]
    assert len(set(paths)) == len(names)
    assert [tenant_of(path_name(name)) for name in names] == [check_tenant(name) for name in names]


def test_a_damaged_index_never_blocks_the_export(place: Place):
    log = place.open()
    rows = write(log, "t", *(b"%d" % i for i in range(2000)))
    with writing(log, "t") as pen:
        rows += chain([b"keyed"], pen.head)
        pen.append(rows[-1:], {rows[-1].seq: ("k", REPLY)})
    log.close()
    spoiled = open_log(place.spoil("t"))
    assert list(spoiled.read("t")) == rows
    assert spoiled.head("t") == Head(rows[-1].seq, rows[-1].hash)
    with pytest.raises(Exception) as refusal, writing(spoiled, "t") as pen:
        pen.recall(["k"])
    assert any(word in str(refusal.value) for word in ("corrupt", "malformed", "invalid page"))
    spoiled.rebuild("t")
    assert list(spoiled.read("t")) == rows
    with writing(spoiled, "t") as pen:
        assert pen.recall(["k"]) == {"k": REPLY}
        pen.append(chain([b"more"], pen.head), {})
    spoiled.close()


def test_a_damaged_definition_of_the_index_never_blocks_the_export(tmp_path: Path):
    log = open_log(tmp_path)
    rows = write(log, "t", b"1", b"2")
    database = apsw.Connection(str(tmp_path / "tenants" / "t.sqlite"))
    database.pragma("writable_schema", True)
    database.execute("UPDATE sqlite_master SET sql = 'CREATE INDEX log_key ON nothing(' WHERE name = 'log_key'")
    database.close()
    with pytest.raises(LogDamaged, match="malformed"):
        log.pen("t")
    assert list(log.read("t")) == rows
    assert log.head("t") == Head(1, rows[1].hash)
    log.rebuild("t")
    rows += write(log, "t", b"3")
    assert list(log.read("t")) == rows
    log.close()


def test_two_hundred_tenants_cannot_see_one_another(log: Log):
    tenants = [f"tenant-{i}" for i in range(200)]
    expected = {}
    for i, tenant in enumerate(tenants):
        log.create(tenant)
        with writing(log, tenant) as pen:
            rows = chain([b"the same", b"of %d" % i])
            pen.append(rows, {0: ("the same key", Reply(b"\x00" * 32, tenant.encode()))})
            expected[tenant] = rows
    assert log.tenants() == sorted(tenants)
    for tenant in tenants:
        assert list(log.read(tenant)) == expected[tenant]
    for tenant in tenants[::10]:
        with writing(log, tenant) as pen:
            assert pen.recall(["the same key"])["the same key"].response == tenant.encode()
    second = [rows[1].hash for rows in expected.values()]
    assert len(set(second)) == len(second)


def test_a_log_with_a_row_missing_says_which(place: Place, log: Log):
    rows = write(log, "t", b"1", b"2", b"3")
    if place.address.startswith("postgresql"):
        with psycopg.connect(place.address) as connection:
            connection.execute("DELETE FROM ledger_log WHERE seq = 1")
    else:
        database = apsw.Connection(str(Path(place.address) / "tenants" / "t.sqlite"))
        database.execute("DELETE FROM log WHERE seq = 1")
        database.close()
    reader = log.read("t")
    assert next(reader) == rows[0]
    with pytest.raises(LogDamaged, match="row 1 is missing"):
        list(reader)


def test_a_file_with_a_row_whose_record_is_gone_says_which(tmp_path: Path):
    with contextlib.closing(open_log(str(tmp_path))) as log:
        rows = write(log, "t", b"1", b"2", b"3")
        path = str(tmp_path / "tenants" / "t.sqlite")
        for damage in (
            "PRAGMA writable_schema = ON; "
            "UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE name = 'log'",
            "UPDATE log SET record = NULL WHERE seq = 1",
        ):
            database = apsw.Connection(path)
            database.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
            database.execute(damage)
            database.close()
        reader = log.read("t")
        assert next(reader) == rows[0]
        with pytest.raises(LogDamaged, match="row 1 is missing or has no record"):
            list(reader)


def test_readers_that_stop_half_way_leave_nothing_behind(log: Log):
    rows = write(log, "t", *[b"x"] * 3000)
    for _ in range(50):
        reader = log.read("t")
        assert list(itertools.islice(reader, 2)) == rows[:2]
        reader.close()  # type: ignore[attr-defined]
    write(log, "t", b"y")
    log.rebuild("t")
    assert sum(1 for _ in log.read("t")) == 3001
