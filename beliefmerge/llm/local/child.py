"""The server's process: loads a GGUF file, says where it listens, and ends when its standard input does.

Run as a file, so that it needs nothing of this package: ``python -P child.py MODEL NAME CONTEXT THREADS PRECISE``.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any


def parameters(model: str, name: str, context: int, threads: int, *, precise: bool) -> Any:
    """One slot, no reuse of earlier prompts, a fixed number of threads: the same request gives the same bytes.

    `precise` keeps keys and values in single precision and computes attention plainly, to be compared with.
    """
    import xllamacpp

    given = xllamacpp.CommonParams()
    given.model.path, given.model_alias = model, {name}
    given.hostnames, given.port = ["127.0.0.1"], 0
    given.n_ctx, given.n_parallel = context, 1
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = threads
    given.cont_batching = given.cache_prompt = given.warmup = given.fit_params = False
    given.cache_ram_mib = 0
    given.ui = given.endpoint_slots = given.cors_credentials = False
    given.cors_origins = ""
    given.verbosity = 1
    if precise:
        given.cache_type_k = given.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
        given.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    return given


def main(arguments: list[str]) -> None:
    """Serve until standard input ends, as it does when whoever started this process is gone.

    Then, or when nobody hears where it listens, it ends at once: taking the server down in good order would wait for
    the reply it is at, or for ever. An interrupt from the keyboard is the starter's business.
    """
    import xllamacpp

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    model, name, context, threads, precise = arguments
    server = xllamacpp.Server(parameters(model, name, int(context), int(threads), precise=precise == "1"))
    try:
        print(server.listening_address, flush=True)
        sys.stdin.buffer.read()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
