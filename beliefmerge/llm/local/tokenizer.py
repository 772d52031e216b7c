"""The tokenizer of a GGUF file, built from the file's own vocabulary and merges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from beliefmerge.errors import BeliefMergeError, UsageError
from beliefmerge.llm.local.store import need

if TYPE_CHECKING:
    from beliefmerge.llm.local.container import Container

CONTROL, USER_DEFINED = 3, 4
"""Token types in GGUF of markers such as ``<|im_start|>``."""

_LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_SPLITS: dict[str, str | None] = {
    "smollm": r"\p{N}",
    "gpt-2": None,
    "default": None,
    "llama-bpe": _LLAMA3,
    "qwen2": _LLAMA3.replace("{1,3}", ""),
}
"""What is split off before byte-level merging, by the name a file gives its pre-tokenizer; None: GPT-2's own words."""
_WHOLE = ("llama-bpe", "qwen2")
"""Splits that replace GPT-2's words and are not made before them."""


class Tokenizer:
    """Byte-level byte-pair encoding (Sennrich et al., 2016; Radford et al., 2019)."""

    def __init__(self, container: Container) -> None:
        kind, split = container.get("tokenizer.ggml.model"), container.get("tokenizer.ggml.pre", "default")
        if kind != "gpt2" or split not in _SPLITS:
            raise UsageError(f"{container.path}: tokenizer {kind}/{split} is none of gpt2/{', gpt2/'.join(_SPLITS)}")
        tokens, types = container.get("tokenizer.ggml.tokens"), container.get("tokenizer.ggml.token_type")
        merges = [tuple(pair.split(" ", 1)) for pair in container.get("tokenizer.ggml.merges")]
        markers = [token for token, type in zip(tokens, types, strict=True) if type in (CONTROL, USER_DEFINED)]
        self.tokens: list[str] = tokens
        try:
            self._literal = _build(tokens, merges, split, ())
            self._marked = _build(tokens, merges, split, markers)
        except BeliefMergeError:
            raise
        except Exception as error:  # the package raises nothing more exact for merges that do not fit the vocabulary
            raise UsageError(f"{container.path}: its tokenizer cannot be built: {error}") from error
        starts = container.get("tokenizer.ggml.add_bos_token", False)
        self.beginning: list[int] = [int(container.get("tokenizer.ggml.bos_token_id"))] if starts else []

    def encode(self, text: str, *, markers: bool = False) -> list[int]:
        """Token ids of `text`. With `markers`, what is spelled like a control token becomes one; else it stays text."""
        ids: list[int] = (self._marked if markers else self._literal).encode(text, add_special_tokens=False).ids
        return ids

    def decode(self, ids: list[int]) -> str:
        """The text of `ids`, control tokens included."""
        text: str = self._marked.decode(ids, skip_special_tokens=False)
        return text


def _build(tokens: list[str], merges: list[Any], split: str, markers: list[str] | tuple[()]) -> Any:
    need("tokenizers")
    from tokenizers import AddedToken, Regex, decoders, models, pre_tokenizers
    from tokenizers import Tokenizer as Encoder

    encoder = Encoder(models.BPE({token: id for id, token in enumerate(tokens)}, merges, ignore_merges=split in _WHOLE))
    pattern = _SPLITS[split]
    bytes_ = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=split not in _WHOLE)
    parts = [] if pattern is None else [pre_tokenizers.Split(Regex(pattern), "isolated")]
    encoder.pre_tokenizer = pre_tokenizers.Sequence([*parts, bytes_])
    encoder.decoder = decoders.ByteLevel()
    encoder.add_special_tokens([AddedToken(marker, normalized=False, special=True) for marker in markers])
    return encoder
