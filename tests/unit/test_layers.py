"""Imports point one way, and importing the library is cheap."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

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
}
PACKAGES = ("beliefmerge", "experiment", "mergebench", "confluence", "attribution", "paper")
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


def test_every_public_name_is_there():
    import beliefmerge

    for name in beliefmerge.__all__:
        assert getattr(beliefmerge, name)
