"""Imports point one way, and importing the library is cheap."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAYERS = {
    "beliefmerge.algebra": {"beliefmerge.algebra"},
    "beliefmerge.session": {"beliefmerge.session", "beliefmerge.algebra"},
    "beliefmerge.claims": {"beliefmerge.claims", "beliefmerge.session", "beliefmerge.algebra", "beliefmerge.llm"},
    "beliefmerge.pack": {"beliefmerge.pack", "beliefmerge.algebra"},
    "beliefmerge.render": {"beliefmerge.render", "beliefmerge.algebra", "beliefmerge.claims", "beliefmerge.slot"},
    "beliefmerge.llm": {"beliefmerge.llm", "beliefmerge.session"},
    "beliefmerge.fusion": {"beliefmerge.fusion", "beliefmerge"},
    "beliefmerge.ledger": {"beliefmerge.ledger", "beliefmerge.llm"},
    "beliefmerge.ledger.core": {"beliefmerge.ledger.core"},
    "beliefmerge.ledger.store": {"beliefmerge.ledger.store", "beliefmerge.ledger.core"},
    "beliefmerge.ledger.context": {
        "beliefmerge.ledger.context",
        "beliefmerge.ledger.core",
        "beliefmerge.ledger.wire",
        "beliefmerge.render",
        "beliefmerge.pack",
    },
    "beliefmerge.ledger.content": {"beliefmerge.session"},
    "beliefmerge.ledger.claimkey": {"beliefmerge.session", "beliefmerge.claims"},
    "beliefmerge.ledger.seal": {
        "beliefmerge.ledger.core",
        "beliefmerge.ledger.wire",
        "beliefmerge.ledger.content",
        "beliefmerge.ledger.claimkey",
        "beliefmerge.session",
    },
    "beliefmerge.ledger.verifier": {
        "beliefmerge.ledger.verifier",
        "beliefmerge.ledger.core",
        "beliefmerge.ledger.wire",
        "beliefmerge.claims",
        "beliefmerge.session",
        "beliefmerge.llm",
    },
    "beliefmerge.ledger.transcript": {
        "beliefmerge.ledger.context",
        "beliefmerge.ledger.core",
        "beliefmerge.ledger.wire",
        "beliefmerge.llm",
    },
    "beliefmerge.ledger.agent": {
        "beliefmerge.ledger.claimkey",
        "beliefmerge.ledger.context",
        "beliefmerge.ledger.core",
        "beliefmerge.ledger.seal",
        "beliefmerge.ledger.transcript",
        "beliefmerge.ledger.verifier",
        "beliefmerge.ledger.wire",
        "beliefmerge.llm",
    },
    "beliefmerge": {"beliefmerge"},
    "experiment": {"experiment", "beliefmerge"},
    "mergebench": {"mergebench", "experiment", "beliefmerge"},
    "confluence": {"confluence", "experiment", "beliefmerge"},
    "attribution": {"attribution", "experiment", "beliefmerge"},
    "paper": {"paper", "experiment", "beliefmerge"},
    "benchmarks": {"benchmarks", "experiment", "beliefmerge", "confluence", "attribution"},
}
ROOMS_OF_CLAIMS = {
    "claim": "",
    "said": "",
    "values": "",
    "words": "values",
    "clauses": "words values",
    "reading": "words values",
    "slots": "reading words values",
    "frames": "reading clauses words values",
    "alignment": "frames reading words values",
    "languages": "said frames reading clauses words values",
    "making": "slots said claim reading clauses words values",
}
"""What each room of the claims imports of the others, the ground first; all may use sessions and the algebra."""
LAYERS |= {
    f"beliefmerge.claims.{room}": {f"beliefmerge.claims.{other}" for other in [room, *below.split()]}
    | {"beliefmerge.session", "beliefmerge.algebra"}
    for room, below in ROOMS_OF_CLAIMS.items()
}
PACKAGES = ("beliefmerge", "experiment", "mergebench", "confluence", "attribution", "paper", "benchmarks")
BASE = {
    "beliefmerge.__version__",
    "beliefmerge.errors",
    "beliefmerge.registry",
    "beliefmerge.tokens",
    "beliefmerge.files",
}
"""Small modules without a layer of their own that all but the algebra may use."""
HEAVY = {
    "mlflow",
    "sklearn",
    "datasets",
    "openai",
    "scipy",
    "pandas",
    "pyarrow",
    "hydra",
    "matplotlib",
    "numpy",
    "httpx",
    "mcp",
    "apsw",
    "starlette",
    "uvicorn",
    "cryptography",
    "fsspec",
    "psycopg",
}


def modules() -> dict[str, Path]:
    files = [f for top in PACKAGES for f in (ROOT / top).rglob("*.py")]
    return {".".join(f.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): f for f in files}


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module in PACKAGES:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def layer(module: str) -> str:
    return max((name for name in LAYERS if module == name or module.startswith(name + ".")), key=len)


def within(module: str, allowed: set[str]) -> bool:
    return any(module == name or module.startswith(name + ".") for name in allowed)


def test_imports_point_one_way():
    ours = PACKAGES
    wrong = [
        f"{module} imports {imported}"
        for module, path in modules().items()
        for imported in imports(path)
        if imported.split(".")[0] in ours
        and not within(imported, LAYERS[layer(module)] | (BASE if layer(module) != "beliefmerge.algebra" else set()))
    ]
    assert not wrong


def test_the_algebra_uses_the_standard_library_only():
    names = {name.split(".")[0] for module, path in modules().items() if ".algebra" in module for name in imports(path)}
    assert names <= set(sys.stdlib_module_names) | {"beliefmerge"}


def test_importing_the_library_loads_nothing_heavy():
    code = "import sys, beliefmerge, beliefmerge.cli; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


AT_FIRST_WORD = """
import runpy, sys

class Watched:
    def __init__(self, stream):
        self.stream, self.loaded = stream, []

    def __getattr__(self, name):
        if name in ("write", "buffer"):
            self.loaded = self.loaded or sorted(sys.modules)
        return getattr(self.stream, name)

watched = sys.stdout = Watched(sys.stdout)
sys.argv = sys.argv[1:]
try:
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
except SystemExit as end:
    assert not end.code, end.code
sys.stderr.write(chr(10).join(["loaded", *watched.loaded]))
"""
"""Runs a module as a command and writes what was imported when its first word was on the screen."""


def loaded_at_first_word(*command: str) -> set[str]:
    """Names of the modules that ``python -m <command>`` has imported when it prints for the first time."""
    done = subprocess.run([sys.executable, "-c", AT_FIRST_WORD, *command], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.rpartition("loaded\n")[2].split("\n"))


def of(modules: set[str], package: str) -> set[str]:
    """The members of a package among `modules`, those that are no member left out."""
    inside = (name.removeprefix(f"{package}.") for name in modules if name.startswith(f"{package}."))
    return {name for name in inside if not name.startswith("_")}


def roots(modules: set[str]) -> set[str]:
    return {name.split(".")[0] for name in modules}


@pytest.fixture
def unrecorded(tmp_path: Path) -> Sequence[str]:
    """Settings of a run that leaves nothing behind."""
    return ["tracking=none", f"results_dir={tmp_path}"]


FAMILIES = ("arms", "scenarios", "track_arms", "tracks", "trajectory.arms")
OF_CONCAT = {"arms": {"concat", "single"}, "scenarios": {"bridge"}}
"""`single` is what every arm is compared with."""
FOR_A_MODEL = {"beliefmerge.llm.open", "beliefmerge.llm.client", "beliefmerge.llm.cache"}


def test_the_table_of_one_arm_imports_its_own_members_only(unrecorded):
    loaded = loaded_at_first_word("mergebench", "arm=concat", "budget=400", *unrecorded)
    assert roots(loaded) & HEAVY == {"hydra"}
    members = {family: of(loaded, f"mergebench.{family}") for family in FAMILIES}
    assert members == {family: OF_CONCAT.get(family, set()) for family in FAMILIES}
    assert not {m for m in loaded if m.startswith(("beliefmerge.session.redaction", "beliefmerge.ledger"))}
    assert not {"beliefmerge.claims.heuristic", "beliefmerge.pipeline", *FOR_A_MODEL} & loaded


def test_the_table_of_the_panel_imports_nothing_that_only_other_runs_need(unrecorded):
    loaded = loaded_at_first_word("mergebench", *unrecorded)
    assert roots(loaded) & HEAVY == {"hydra"}
    assert not roots(loaded) & {"detect_secrets", "requests", "urllib3"}
    assert not {"beliefmerge.claims.languages.chinese", *FOR_A_MODEL} & loaded
    assert of(loaded, "mergebench.scenarios") == {"bridge"}
    assert not of(loaded, "mergebench.tracks") | of(loaded, "mergebench.trajectory.arms")


def test_the_table_of_attribution_needs_no_statistics_package(unrecorded):
    loaded = loaded_at_first_word("attribution.run", *unrecorded)
    assert roots(loaded) & HEAVY == {"hydra", "numpy", "scipy"}
    assert "scipy.stats" not in loaded


def test_the_table_of_the_enumerator_draws_and_indexes_nothing(unrecorded):
    loaded = loaded_at_first_word("confluence.enumerate", "space=seed", *unrecorded)
    assert not roots(loaded) & {"mlflow", "matplotlib", "scipy", "sklearn"}


def test_merging_files_imports_nothing_heavy():
    loaded = loaded_at_first_word("beliefmerge", "merge", "examples/sessions/nadia-dsh")
    assert not roots(loaded) & HEAVY


def test_an_import_counts_until_the_first_word_and_not_after(tmp_path, monkeypatch):
    (tmp_path / "talks.py").write_text("import sched\nprint(1)\nimport colorsys\nprint(2)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert {"sched", "colorsys"} & loaded_at_first_word("talks") == {"sched"}


def test_every_public_name_is_there():
    import beliefmerge

    for name in beliefmerge.__all__:
        assert getattr(beliefmerge, name)
