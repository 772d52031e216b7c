"""Where a session is put and found: the harness's names, one encoding under a root, nothing that a link leads to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beliefmerge.errors import UsageError
from beliefmerge.fusion import place
from beliefmerge.fusion.catalog import candidates, listing
from beliefmerge.session.inspect import describe
from tests.builders import TALK, build, chatgpt_conversation, chatgpt_node, write


@pytest.mark.parametrize(
    ("cwd", "key"),
    [
        ("/home/u/p", "--home-u-p--"),
        ("/srv/wörk dir.x", "--srv-w~00F6rk~0020dir.x--"),
        ("/a-b_c/D~e", "--a-b_c-D~007Ee--"),
        ("C:\\Users\\u", "--C-Users-u--"),
        ("//x///y/", "--x-y---"),
        ("/", "--root--"),
        ("/\U0001f600", "--~D83D~DE00--"),
        (None, "_no-cwd"),
    ],
)
def test_a_project_has_the_directory_that_the_harness_gives_it(cwd, key):
    assert place.project_key(cwd) == key


def test_a_long_directory_is_cut_and_still_a_name():
    assert len(place.project_key("/" + "x" * 5000)) == 255


@pytest.mark.parametrize(
    ("name", "segment"),
    [("fusion-1.a_B", "fusion-1.a_B"), (".", "~002E"), ("..", "~002E~002E"), ("a/b~", "a~002Fb~007E")],
)
def test_a_session_has_the_directory_that_the_harness_gives_it(name, segment):
    assert place.segment(name) == segment


def log(root: Path, name: str, suffix: str) -> None:
    folder = root / "--p--" / name
    folder.mkdir(parents=True)
    (folder / f"session{suffix}").write_bytes(b"x")


@pytest.mark.parametrize(
    ("suffixes", "compressed"),
    [([], True), ([".v4.jsonl"], False), ([".v4.jsonl.zstd"], True), ([".jsonl", ".v3.jsonl.zstd"], True)],
)
def test_a_new_log_is_encoded_as_the_others_are(tmp_path, suffixes, compressed):
    for n, suffix in enumerate(suffixes):
        log(tmp_path, f"s{n}", suffix)
    made = place.under_root(tmp_path, "/p", "new", 4)
    assert made.compressed is compressed
    assert made.path == tmp_path / "--p--" / "new" / f"session.v4.jsonl{'.zstd' if compressed else ''}"


def test_an_id_is_taken_in_whatever_project_and_encoding(tmp_path):
    log(tmp_path, "taken", ".v2.jsonl")
    with pytest.raises(UsageError, match="session 'taken' already exists"):
        place.under_root(tmp_path, "/other", "taken", 4)


@pytest.mark.parametrize("link", ["--p--", "--p--/new"])
def test_nothing_is_created_behind_a_link(tmp_path, link):
    log(tmp_path / "other", "one", ".v3.jsonl")
    (tmp_path / "root" / link).parent.mkdir(parents=True)
    (tmp_path / "root" / link).symlink_to(tmp_path / "other" / "--p--" / "one")
    with pytest.raises(UsageError, match="is a symbolic link"):
        place.under_root(tmp_path / "root", "/p", "new", 4)


def test_candidates_are_sessions_and_no_links(tmp_path):
    log(tmp_path / "root", "one", ".v4.jsonl")
    (tmp_path / "root" / "a.jsonl").write_bytes(b"x")
    (tmp_path / "root" / "notes.txt").write_bytes(b"x")
    (tmp_path / "outside.jsonl").write_bytes(b"x")
    (tmp_path / "root" / "link.jsonl").symlink_to(tmp_path / "outside.jsonl")
    (tmp_path / "root" / "loop").symlink_to(tmp_path / "root")
    found = [str(path.relative_to(tmp_path / "root")) for path in candidates(tmp_path / "root")]
    assert found == ["a.jsonl", "--p--/one"]


def test_a_list_tells_every_file_and_every_conversation(tmp_path):
    pair = [chatgpt_conversation([chatgpt_node(f"{c}0", None, text=f"Say {c}.")], f"{c}0", c) for c in "xy"]
    (tmp_path / "conversations.json").write_bytes(write("chatgpt", pair))
    (tmp_path / "p.json").write_bytes(build("plain", TALK, "p"))
    (tmp_path / "bad.json").write_bytes(b"{")
    heard: list[tuple[int, int]] = []
    catalog = listing(tmp_path, progress=lambda done, total: heard.append((done, total)))
    assert {(row.id, row.tool, row.messages) for row in catalog.sessions} == {
        ("x", "chatgpt", 1),
        ("y", "chatgpt", 1),
        ("p", "plain", len(TALK)),
    }
    assert heard == [(1, 3), (2, 3), (3, 3)]
    (line,) = catalog.unreadable
    assert "bad.json" in line


def test_a_list_shows_no_secret(tmp_path):
    secret = "ghp_" + "0123456789abcdefABCDEF0123456789abcd"
    (tmp_path / "p.json").write_bytes(build("plain", [("user", f"The token {secret} expired.")], "p"))
    (row,) = listing(tmp_path).sessions
    assert secret not in row.title


def test_a_list_shows_no_secret_that_a_label_gives_away_elsewhere(tmp_path):
    password, body = "correct-horse-9Battery", "MIIEvQIBADANBg0kqhkiG9w0\n" * 40
    talk = [("user", f"Log in with {password} now"), ("model", "How?"), ("user", f"password: {password}")]
    key = f"-----BEGIN PRIVATE KEY-----\n{body}-----END PRIVATE KEY-----"
    for name, turns in (("a", talk), ("b", [("user", f"{key} is the key")])):
        content = json.loads(build("plain", turns, name)) | {"title": "", "cwd": f"/home/{password}"}
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    shown = json.dumps([row.to_json() for row in listing(tmp_path).sessions])
    assert password not in shown
    assert body[:24] not in shown
    assert shown.count("[REDACTED:") == 4


def test_the_conversations_of_a_file_are_listed_without_a_secret_of_another(tmp_path):
    password = "correct-horse-9Battery"
    told = chatgpt_conversation([chatgpt_node("n", None, text=f"password: {password}")], "n", "told")
    titled = chatgpt_conversation([chatgpt_node("m", None)], "m", "titled") | {"title": f"About {password}"}
    (tmp_path / "conversations.json").write_bytes(write("chatgpt", [titled, told]))
    report = json.dumps(describe(tmp_path / "conversations.json"))
    assert password not in report
    assert "About [REDACTED:password]" in report
