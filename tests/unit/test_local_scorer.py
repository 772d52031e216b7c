"""The local scorer on small random weights: against the definition, against llama.cpp, and against itself."""

from __future__ import annotations

import json
import random

import gguf
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefmerge.errors import BeliefMergeError
from beliefmerge.llm.local import llama, open_scorer
from beliefmerge.llm.local import scorer as scorer_module
from beliefmerge.llm.local.container import Container
from beliefmerge.llm.local.llama import Cache, Llama, Stretch, chunks
from beliefmerge.llm.local.prefixes import common, visits
from beliefmerge.llm.local.scorer import LocalScorer, log_probabilities
from beliefmerge.llm.local.server import LocalServer
from beliefmerge.llm.local.store import is_fetched
from beliefmerge.llm.protocol import ModelError
from beliefmerge.llm.settings import LlmSettings
from tests import llama_cpp
from tests.reference.local_scores import TABLE
from tests.slow_llama import SlowLlama
from tests.tiny_gguf import CONTEXT, write

Q = gguf.GGMLQuantizationType
TEXT = "hello the cat at 12 in the 世界 it's 123456 2,345\n\n  done IT'S   a  \t the\r\n\r\n  x "
EXACT = 1e-5
"""What single precision leaves between two orders of summation; the same order gives the same bits."""


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def scorer(directory):
    return LocalScorer(write(directory / "tiny.gguf"))


def fresh(scorer, head, tail):
    """Scored with an empty cache."""
    scorer._cache = Cache(scorer._model.shape)
    return scorer.score_many([head], tail)[0]


# the definition


@pytest.mark.parametrize(
    "made",
    [{}, {"tied": False}, {"rope_factors": True}, {"type": Q.Q4_1}, {"type": Q.Q8_0}, {"type": Q.F16}],
    ids=["tied", "own-head", "rope-factors", "q4_1", "q8_0", "f16"],
)
def test_it_computes_what_the_formulas_say(directory, made):
    path = write(directory / "made.gguf", seed=3, **made)
    scorer, slow = LocalScorer(path), SlowLlama(Container(path))
    ids = scorer.tokenizer.encode(TEXT)
    found = scorer.score_many([ids[:20]], ids[20:30])[0]
    assert found == pytest.approx(slow.log_probabilities(ids[:20], ids[20:30]), abs=1e-4)


@pytest.mark.parametrize("mutant", ["rotation", "mask", "position"])
def test_a_wrong_forward_pass_is_noticed(directory, monkeypatch, mutant):
    path = write(directory / "made.gguf", seed=3)
    scorer, slow = LocalScorer(path), SlowLlama(Container(path))
    ids = scorer.tokenizer.encode(TEXT)[:12]
    if mutant == "rotation":
        monkeypatch.setattr(llama, "_turned", lambda x, turn: np.ascontiguousarray(x))
    elif mutant == "mask":
        monkeypatch.setattr(np, "triu", lambda unseen, _: np.zeros_like(unseen))
    else:
        scorer._model._frequencies = scorer._model._frequencies * 1.01
    found = scorer.score_many([ids[:6]], ids[6:])[0]
    assert np.abs(found - slow.log_probabilities(ids[:6], ids[6:])).max() > 1e-3


# the second implementation


@pytest.mark.parametrize("made", [{}, {"tied": False, "rope_factors": True}], ids=["tied", "own-head-and-rope-factors"])
def test_it_agrees_with_llama_cpp(directory, made):
    path = write(directory / "made.gguf", seed=5, **made)
    scorer = LocalScorer(path)
    ids = scorer.tokenizer.encode(TEXT)
    with LocalServer(path, precise=True, threads=1) as server:
        told = llama_cpp.log_probabilities(
            server,
            ids[:20],
            ids[20:26],
            vocabulary=len(scorer.tokenizer.tokens),
            letter=scorer.tokenizer.encode("a")[0],
        )
    assert scorer.score_many([ids[:20]], ids[20:26])[0] == pytest.approx(told, abs=1e-3)


@pytest.mark.parametrize("pre", ["smollm", "gpt-2", "llama-bpe", "qwen2"])
def test_it_splits_text_into_the_tokens_that_llama_cpp_does(directory, pre):
    path = write(directory / "made.gguf", pre=pre)
    tokenizer = LocalScorer(path).tokenizer
    texts = [
        TEXT,
        "",
        " ",
        "  the",
        "the\u00a0a\u200b\u3000b",
        "a1 12 1a",
        "don't DON'T 'the'",
        "\t\n \n\n",
        "naïve café ‡",
    ]
    with LocalServer(path, threads=1) as server:
        for text in texts:
            assert tokenizer.encode(text) == llama_cpp.post(server, "/tokenize", {"content": text})["tokens"], text
            assert tokenizer.decode(tokenizer.encode(text)) == text


@pytest.mark.skipif(not is_fetched(), reason="python -m beliefmerge model fetch")
def test_the_fetched_weights_give_the_log_probabilities_that_llama_cpp_gives():
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    scorer = open_scorer()
    assert scorer.sha256 == table["weights"]
    for case in table["cases"]:
        assert scorer.ids(case["prompt"]) == case["ids"][0], case["name"]
        found = scorer.score(case["prompt"], case["continuation"])
        assert found == pytest.approx(case["log_probabilities"], abs=1e-3), case["name"]


# the cache

PROMPTS = st.lists(
    st.lists(st.sampled_from([5, 40, 41, 200]), min_size=1, max_size=30).map(lambda ids: [7, 8, 9] * 3 + ids),
    min_size=1,
    max_size=8,
)


@settings(max_examples=30)
@given(prompts=PROMPTS, tail=st.lists(st.sampled_from([5, 40, 99]), min_size=1, max_size=6))
def test_a_cache_that_is_cut_back_gives_the_numbers_of_one_filled_anew(scorer, prompts, tail):
    together = scorer.score_many(prompts, tail)
    for prompt, found in zip(prompts, together, strict=True):
        assert np.abs(found - fresh(scorer, prompt, tail)).max() < EXACT


def test_a_cache_that_is_not_cut_back_is_noticed(scorer, monkeypatch):
    prompts, tail = [[7, 8, 9, 5], [7, 8, 40, 5]], [99, 5]
    right = [fresh(scorer, prompt, tail) for prompt in prompts]
    monkeypatch.setattr(scorer_module, "common", lambda first, second: min(len(first), len(second)))
    assert max(np.abs(a - b).max() for a, b in zip(scorer.score_many(prompts, tail), right, strict=True)) > 1e-3


def test_what_prompts_share_is_computed_once(scorer):
    trunk = list(range(10, 110))
    prompts = [[*trunk, *branch] for branch in ([1, 2], [1, 3], [4, 2], [1, 2])]
    random.Random(0).shuffle(prompts)
    scorer._cache, scorer.computed = Cache(scorer._model.shape), 0
    scorer.score_many(prompts, [5, 6, 7])
    # The trunk, the branches "1 2", "3" after "1", and "4 2", and after each the continuation but its last token.
    assert scorer.computed == len(trunk) + 2 + 1 + 2 + 3 * 2


@pytest.mark.parametrize(("chunk", "piece", "rows"), [(37, 128, 64), (768, 5, 1), (23, 7, 11), (1, 1, 64)])
def test_how_much_is_computed_together_changes_nothing(scorer, monkeypatch, chunk, piece, rows):
    ids = [(17 * i) % 260 for i in range(150)]
    prompts, tail = [ids[:140], [*ids[:90], 5], [*ids[:90], 5, 6], [*ids[:3], 9], [9]], ids[140:]
    whole = [fresh(scorer, prompt, tail) for prompt in prompts]
    monkeypatch.setattr(llama, "CHUNK", chunk)
    monkeypatch.setattr(scorer_module, "CHUNK", chunk)
    monkeypatch.setattr(llama, "PIECE", piece)
    monkeypatch.setattr(scorer_module, "ROWS", rows)
    for found, alone in zip(scorer.score_many(prompts, tail), whole, strict=True):
        assert np.abs(found - alone).max() < EXACT


def test_an_interrupt_leaves_nothing_half_computed(scorer, monkeypatch):
    prompts, tail = [[*range(10, 40), 5], [*range(10, 40), 6]], [9, 8]
    right = [fresh(scorer, prompt, tail) for prompt in prompts]
    scorer.score_many([[*range(10, 30), *range(60, 80)]], tail)

    def interrupted(gate_up):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(llama, "_gated", interrupted)
        with pytest.raises(KeyboardInterrupt):
            scorer.score_many(prompts, tail)
    for found, alone in zip(scorer.score_many(prompts, tail), right, strict=True):
        assert np.abs(found - alone).max() < EXACT


@given(
    stretches=st.lists(st.tuples(st.integers(0, 50), st.lists(st.integers(0, 9), max_size=20)), max_size=8),
    most=st.integers(1, 15),
    piece=st.integers(1, 15),
)
def test_chunks_are_the_stretches_in_order_and_no_longer_than_asked(stretches, most, piece):
    found = list(chunks([Stretch(*stretch) for stretch in stretches], most, piece))
    divided = [token for chunk in found for begin, ids in chunk for token in enumerate(ids, begin)]
    assert divided == [token for begin, ids in stretches for token in enumerate(ids, begin)]
    assert all(1 <= len(ids) <= piece for chunk in found for _, ids in chunk)
    lengths = [sum(len(ids) for _, ids in chunk) for chunk in found]
    assert all(length == most for length in lengths[:-1])
    assert all(1 <= length <= most for length in lengths)


def test_prompts_come_back_in_their_order_and_are_counted(scorer):
    prompts, steps = [[40, 41], [5], [40, 41], [5, 6]], []
    found = scorer.score_many(prompts, [9], step=lambda: steps.append(1))
    assert len(steps) == 4
    assert found[0] == pytest.approx(found[2])
    assert [value[0] for value in found] == pytest.approx([fresh(scorer, prompt, [9])[0] for prompt in prompts])
    assert {value.dtype for value in found} == {np.dtype(np.float64)}


def test_sequences_are_visited_as_a_prefix_tree_is_walked():
    sequences = [[2, 1], [1], [1, 2, 3], [1, 2], [2, 1]]
    assert list(visits(sequences)) == [[1], [3], [2], [0, 4]]
    assert list(visits([])) == []
    assert [common(a, b) for a, b in ([[], [1]], [[1, 2], [1, 2]], [[1, 2, 3], [1, 9]])] == [0, 2, 1]


# prompts


def test_markers_are_control_tokens_in_a_prompt_and_text_in_a_continuation(scorer):
    assert scorer.ids("<|im_start|>a") == [1, *scorer.tokenizer.encode("a")]
    assert len(scorer.score("a", "<|im_start|>")) == len("<|im_start|>")
    assert scorer.tokenizer.decode([1, *scorer.tokenizer.encode("the")]) == "<|im_start|>the"


def test_a_model_that_wants_a_beginning_gets_one(directory):
    assert LocalScorer(write(directory / "made.gguf", bos=True)).ids("a")[0] == 1


def test_nothing_to_score_scores_nothing(scorer):
    assert scorer.score("a", "") == ()
    assert scorer.score_many([], "a") == []


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        ("", "empty prompt"),
        ([5] * CONTEXT, f"more than the model's context of {CONTEXT}"),
        ([9999], "9999 is no token id"),
    ],
)
def test_a_prompt_that_cannot_be_scored_is_refused(scorer, prompt, says):
    with pytest.raises(ModelError, match=says):
        scorer.score_many([prompt], "a")


def test_a_certain_token_has_a_log_probability_that_can_be_computed_with():
    logits = np.array([[1000.0, 0.0, -1000.0]] * 3, dtype=np.float32)
    assert log_probabilities(logits, [0, 1, 2]) == pytest.approx([0, -1000, -2000])


def test_the_name_says_which_weights(directory, scorer):
    other = LocalScorer(write(directory / "tiny2.gguf", seed=1))
    assert scorer.name.startswith("local:tiny:")
    assert scorer.name != other.name


# files


@pytest.mark.parametrize(
    ("made", "says"),
    [
        ({"architecture": "mamba"}, "architecture 'mamba' can be served but not scored"),
        ({"leave_out": "blk.1.ffn_up.weight"}, "lacks the tensor blk.1.ffn_up.weight"),
        ({"leave_out": "layer_norm_rms_epsilon"}, "lacks llama.attention.layer_norm_rms_epsilon"),
        ({"pre": "deepseek-r1-qwen"}, "tokenizer gpt2/deepseek-r1-qwen is none of"),
    ],
)
def test_a_file_that_cannot_be_computed_says_what_is_wrong(directory, made, says):
    path = write(directory / "made.gguf", **made)
    with pytest.raises(BeliefMergeError, match=says) as caught:
        Llama(Container(path)) and LocalScorer(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("Ġthe".encode(), b"\x80\x80the", "tokenizer.ggml.tokens cannot be read"),
        ("Ġthe".encode(), "Ġthx".encode(), "tokenizer cannot be built"),
        (b"head_count_kv\4\0\0\0\2", b"head_count_kv\4\0\0\0\4", "numbers of heads"),
        (b"head_count\4\0\0\0\4", b"head_count\4\0\0\0\0", "numbers of heads"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(directory, before, after, says):
    path = write(directory / "damaged.gguf")
    content = path.read_bytes()
    assert before in content
    path.write_bytes(content.replace(before, after))
    with pytest.raises(BeliefMergeError, match=says) as caught:
        LocalScorer(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"GGUF", b"no model at all", b"GGUF" + bytes(40)])
def test_a_file_that_is_no_model_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "wrong.gguf"
    path.write_bytes(content)
    with pytest.raises(BeliefMergeError, match=r"wrong\.gguf") as caught:
        open_scorer(LlmSettings(name="local", model=str(path)))
    assert "\n" not in str(caught.value)


def test_a_path_that_leads_nowhere_is_refused(tmp_path):
    with pytest.raises(BeliefMergeError, match="neither a GGUF file nor"):
        open_scorer(LlmSettings(name="local", model=str(tmp_path / "none.gguf")))
