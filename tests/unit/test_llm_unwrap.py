"""What is taken off a reply before it is read as JSON: a thought before it and a fence around it, and nothing else."""

from __future__ import annotations

import pytest

from beliefmerge.llm.unwrap import unwrapped


@pytest.mark.parametrize(
    ("text", "inside", "fenced"),
    [
        ('{"a": 1}', '{"a": 1}', False),
        ("```json\n{}\n```", "{}\n", True),
        (" ```JSON \n{}``` \n", "{}", True),
        ("<think>a ``` b</think>```\n{}\n```", "{}\n", True),
        ('{"a": "<think>b</think>"}', '{"a": "<think>b</think>"}', False),
        ("<think>never closed {}", "<think>never closed {}", False),
        ("```python\n{}\n```", "```python\n{}\n```", False),
        ("see ```json\n{}\n```", "see ```json\n{}\n```", False),
        ("```", "```", False),
        ("", "", False),
    ],
)
def test_only_a_leading_thought_and_a_fence_around_everything_are_taken_off(text, inside, fenced):
    assert unwrapped(text) == (inside, fenced)
