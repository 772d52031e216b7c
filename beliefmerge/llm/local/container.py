"""GGUF files: their metadata, their tensors as float32, and the shape of the model inside."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beliefmerge.errors import UsageError
from beliefmerge.llm.local.store import digest, need

Array = NDArray[np.float32]

ARCHITECTURES = ("llama",)
"""What the forward pass computes; the server takes whatever llama.cpp takes."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes and constants of a Llama decoder (Touvron et al., 2023)."""

    blocks: int
    width: int
    heads: int
    kv_heads: int
    """Heads of keys and values; ``heads`` is a multiple of it (Ainslie et al., 2023)."""
    head_width: int
    vocabulary: int
    context: int
    """Most tokens of a sequence."""
    epsilon: float
    rope_base: float


class Container:
    """An open GGUF file. Raises UsageError, naming the file, for one that cannot be read."""

    def __init__(self, path: Path) -> None:
        need("gguf")
        import gguf

        self.path = path
        try:
            self._reader = gguf.GGUFReader(path)
        except (OSError, ValueError, KeyError, IndexError, OverflowError, MemoryError) as error:
            raise UsageError(f"{path}: cannot be read as GGUF: {' '.join(str(error).split())}") from error
        self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}

    @cached_property
    def sha256(self) -> str:
        """Hash of the whole file."""
        return digest(self.path)

    @property
    def architecture(self) -> str:
        """The family of models it belongs to."""
        return str(self.get("general.architecture", ""))

    @property
    def parameters(self) -> int:
        """Number of weights."""
        return sum(int(tensor.n_elements) for tensor in self._tensors.values())

    def get(self, key: str, default: Any = None) -> Any:
        """A metadata value, or `default`. Raises UsageError where it is missing and there is none."""
        field = self._reader.fields.get(key)
        if field is not None:
            try:
                return field.contents()
            except (ValueError, IndexError) as error:
                raise UsageError(f"{self.path}: {key} cannot be read: {error}") from error
        if default is None:
            raise UsageError(f"{self.path}: lacks {key}")
        return default

    def has(self, tensor: str) -> bool:
        """Whether there is a tensor of this name."""
        return tensor in self._tensors

    def tensor(self, name: str) -> Array:
        """A tensor's values, dequantised; rows are outputs."""
        import gguf

        if name not in self._tensors:
            raise UsageError(f"{self.path}: lacks the tensor {name}")
        tensor = self._tensors[name]
        try:
            values = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        except NotImplementedError as error:
            raise UsageError(f"{self.path}: {name} is of a type that cannot be dequantised: {error}") from error
        return np.ascontiguousarray(values, dtype=np.float32)

    def shape(self) -> Shape:
        """The model's sizes. Raises UsageError for an architecture the forward pass does not compute."""
        kind = self.architecture
        if kind not in ARCHITECTURES:
            raise UsageError(
                f"{self.path}: architecture {kind!r} can be served but not scored (only {', '.join(ARCHITECTURES)})"
            )
        heads, width = int(self.get(f"{kind}.attention.head_count")), int(self.get(f"{kind}.embedding_length"))
        return Shape(
            blocks=int(self.get(f"{kind}.block_count")),
            width=width,
            heads=heads,
            kv_heads=int(self.get(f"{kind}.attention.head_count_kv", heads)),
            head_width=int(self.get(f"{kind}.rope.dimension_count", width // max(heads, 1))),
            vocabulary=len(self.get("tokenizer.ggml.tokens")),
            context=int(self.get(f"{kind}.context_length")),
            epsilon=float(self.get(f"{kind}.attention.layer_norm_rms_epsilon")),
            rope_base=float(self.get(f"{kind}.rope.freq_base", 10000.0)),
        )
