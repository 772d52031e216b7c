"""The options that name a language model, the same for every command that can ask one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from beliefmerge.llm.settings import LlmSettings


def add_model_options(command: Any) -> None:
    """Add ``--llm`` and its companions to `command`."""
    from beliefmerge.llm.settings import BACKENDS, CACHE_MODES

    group = command.add_argument_group(
        "language model",
        "Nothing is asked unless one is named. Each option can be set in the environment instead: BELIEFMERGE_LLM, "
        "BELIEFMERGE_LLM_MODEL, …_BASE_URL, …_KEY_ENV, …_CACHE, …_CACHE_DIR. A key is only ever read from the variable "
        "that the back end uses (OPENAI_API_KEY, DEEPSEEK_API_KEY) or that BELIEFMERGE_LLM_KEY_ENV names.",
    )
    group.add_argument(
        "--llm",
        metavar="NAME",
        help=f"back end: {', '.join(BACKENDS)}; any other OpenAI-compatible server is vllm with --llm-base-url",
    )
    group.add_argument("--llm-model", metavar="MODEL", help="the model to ask, as the server calls it")
    group.add_argument("--llm-base-url", metavar="URL", help="where the server is, up to and with /v1")
    group.add_argument(
        "--llm-cache",
        metavar="MODE",
        help=f"{', '.join(CACHE_MODES)}: keep replies (record), use only kept ones (replay), or both (auto)",
    )
    group.add_argument("--llm-cache-dir", metavar="DIR", help="where replies are kept, or a pack of them (.jsonl.zst)")


def model_settings(args: argparse.Namespace) -> LlmSettings:
    """The model that the options and the environment name. Raises UsageError for a name or mode that is unknown."""
    from beliefmerge.llm.settings import settings_from

    return settings_from(
        name=args.llm,
        model=args.llm_model,
        base_url=args.llm_base_url,
        cache=args.llm_cache,
        cache_dir=args.llm_cache_dir,
    )
