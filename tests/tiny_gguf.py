"""A small Llama with random weights, written as GGUF: everything about the local model but its 98 MB."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

BLOCKS, WIDTH, HEADS, KV_HEADS, HIDDEN, CONTEXT = 2, 64, 4, 2, 96, 512
MERGES = ["t h", "th e", "Ġ the", "i n", "Ġ a", "e r", "Ġ Ġ", "a t", "1 2"]
MARKERS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
CHATML = (
    "{% for message in messages %}"
    "{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def byte_letters() -> dict[int, str]:
    """The printable letter that stands for each byte in byte-level vocabularies (Radford et al., 2019)."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {**{byte: chr(byte) for byte in printable}, **{byte: chr(256 + n) for n, byte in enumerate(others)}}


def tokens() -> list[str]:
    return [*MARKERS, *sorted(byte_letters().values()), *(merge.replace(" ", "") for merge in MERGES)]


def write(
    path: Path,
    *,
    type: gguf.GGMLQuantizationType = gguf.GGMLQuantizationType.F32,
    seed: int = 0,
    tied: bool = True,
    rope_factors: bool = False,
    pre: str = "smollm",
    architecture: str = "llama",
    leave_out: str = "",
    bos: bool = False,
) -> Path:
    """Write a model; `leave_out` names a tensor or a metadata key that is then missing."""
    rng = np.random.default_rng(seed)
    writer = gguf.GGUFWriter(path, architecture)
    names, kinds = tokens(), [3] * len(MARKERS) + [1] * (256 + len(MERGES))
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(BLOCKS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    if leave_out != "layer_norm_rms_epsilon":
        writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10000.0)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(names))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(names)
    writer.add_token_types(kinds)
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(bos)
    writer.add_chat_template(CHATML)

    def add(name: str, *shape: int, norm: bool = False) -> None:
        values = rng.standard_normal(shape).astype(np.float32) * np.float32(0.15)
        if name == leave_out:
            return
        if norm or name == "rope_freqs.weight":
            writer.add_tensor(name, 1 + np.abs(values))
        else:
            writer.add_tensor(name, gguf.quants.quantize(values, type), raw_dtype=type)

    width, keys = WIDTH, KV_HEADS * (WIDTH // HEADS)
    add("token_embd.weight", len(names), width)
    if not tied:
        add("output.weight", len(names), width)
    if rope_factors:
        add("rope_freqs.weight", WIDTH // HEADS // 2)
    add("output_norm.weight", width, norm=True)
    for i in range(BLOCKS):
        add(f"blk.{i}.attn_norm.weight", width, norm=True)
        add(f"blk.{i}.attn_q.weight", width, width)
        add(f"blk.{i}.attn_k.weight", keys, width)
        add(f"blk.{i}.attn_v.weight", keys, width)
        add(f"blk.{i}.attn_output.weight", width, width)
        add(f"blk.{i}.ffn_norm.weight", width, norm=True)
        add(f"blk.{i}.ffn_gate.weight", HIDDEN, width)
        add(f"blk.{i}.ffn_up.weight", HIDDEN, width)
        add(f"blk.{i}.ffn_down.weight", width, HIDDEN)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
