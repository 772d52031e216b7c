"""Configurations: ranges, names, help."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from beliefmerge.errors import UsageError
from experiment.schema import check, explain, keys, open_keys, option, required


@dataclass
class Inner:
    name: str = required("which", names=lambda: ["red", "green"], kind="colour")
    share: float = option(0.5, "a share", least=0, most=1)
    rest: dict = field(default_factory=dict)


@dataclass
class Outer:
    inner: Inner = field(default_factory=lambda: Inner("red"), metadata={"help": "the inner one"})
    size: int = option(3, "how many", least=1)
    flag: bool = option(True, "whether", most=0)


def test_values_in_range_pass():
    assert check(Outer(Inner("green", 1.0), 1)) is None


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (Outer(size=0), r"^size=0 is out of range: it must be at least 1$"),
        (Outer(Inner("red", 1.5)), r"^inner\.share=1\.5 is out of range: it must be at most 1$"),
        (Outer(Inner("red", float("nan"))), r"^inner\.share=nan is no number$"),
        (Outer(Inner("gren")), r"^unknown colour 'gren'; did you mean 'green'\? \(known: green, red\)$"),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(config, message):
    with pytest.raises(UsageError, match=message):
        check(config)


def test_keys_are_dotted_and_free_ones_known():
    assert [path for path, _ in keys(Outer)] == ["inner", "inner.name", "inner.share", "inner.rest", "size", "flag"]
    assert open_keys(Outer) == ["inner.rest"]


def test_the_explanation_names_every_key_with_its_default_and_range():
    text = explain(Outer, ["inner"])
    assert "inner" in text
    assert "red, green" in text
    assert "0 to 1" in text
    assert "at least 1" in text
    assert "inner.name" not in text
