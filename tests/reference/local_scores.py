"""Makes ``local_scores.json``: log-probabilities by llama.cpp that the scorer is compared with.

``python -m tests.reference.local_scores`` writes the fetched weights as single-precision GGUF (540 MB, in a temporary
directory), has llama.cpp compute with them in single precision throughout, and stores prompts, token ids and
log-probabilities.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import gguf

from beliefmerge.files import write_atomically
from beliefmerge.llm.local.container import Container
from beliefmerge.llm.local.server import LocalServer
from beliefmerge.llm.local.store import SMOLLM2, locate
from beliefmerge.llm.local.tokenizer import Tokenizer
from tests.llama_cpp import log_probabilities

TABLE = Path(__file__).with_name("local_scores.json")

CASES = {
    "plain": ("The capital of France is", " Paris, and it has been for centuries."),
    "chat": (
        "<|im_start|>user\nThe cache TTL is 60 seconds. What is the cache TTL?<|im_end|>\n<|im_start|>assistant\n",
        "The cache TTL is 60 seconds.",
    ),
    "unlikely": ("2 + 2 =", " purple ‡ 世界"),
    "code": ("def add(a, b):\n    return", " a + b\n\n\ndef sub(a, b):\n    return a - b\n"),
    "long": (
        "".join(f"[{n}] The service in room {n * 7} restarts every {n + 3} minutes.\n" for n in range(40))
        + "Question: how often does the service in room 140 restart?\nAnswer:",
        " every 23 minutes.",
    ),
}


def single_precision(source: Path, target: Path) -> Path:
    """The model of `source` with every tensor as float32."""
    container, reader = Container(source), gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(target, container.architecture)
    for field in reader.fields.values():
        if not field.name.startswith("GGUF.") and field.name != "general.architecture":
            kind = field.types[0]
            writer.add_key_value(
                field.name, field.contents(), kind, field.types[-1] if kind is gguf.GGUFValueType.ARRAY else None
            )
    for tensor in reader.tensors:
        writer.add_tensor(tensor.name, container.tensor(tensor.name))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return target


def main() -> None:
    """Compute and store the table."""
    source = locate()
    tokenizer = Tokenizer(Container(source))
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        model = single_precision(source, Path(directory) / "single.gguf")
        with LocalServer(model, precise=True) as server:
            for name, (prompt, continuation) in CASES.items():
                head, tail = tokenizer.encode(prompt, markers=True), tokenizer.encode(continuation)
                values = log_probabilities(
                    server, head, tail, vocabulary=len(tokenizer.tokens), letter=tokenizer.encode("a")[0]
                )
                row = {"name": name, "prompt": prompt, "continuation": continuation, "ids": [head, tail]}
                rows.append({**row, "log_probabilities": [round(value, 6) for value in values]})
    about = {"weights": SMOLLM2.sha256, "by": "llama.cpp, single precision throughout"}
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    write_atomically(TABLE, json.dumps(about)[:-1] + f', "cases": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
