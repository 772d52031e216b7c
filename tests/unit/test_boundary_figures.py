"""The state-count figures: one a form and score, as SVG and PDF, the same bytes each time."""

from __future__ import annotations

from confluence.figures import state_counts

LAYERS = [
    {
        "form": "well_formed", "score": score, "values": 2, "levels": 1, "branches": 2,
        "layer": layer, "states": states, "differences": None if score == "capped" else states, "minimal": layer + 1,
    }
    for score in ("capped", "egalitarian")
    for layer, states in enumerate((1, 3, 6))
]  # fmt: skip


def test_there_is_a_figure_for_every_form_and_score_and_it_is_the_same_each_time():
    files = state_counts(LAYERS)
    assert sorted(files) == [
        f"state-counts-well-formed-{score}.{kind}" for score in ("capped", "egalitarian") for kind in ("pdf", "svg")
    ]
    for name, make in files.items():
        drawn = make()
        assert drawn == state_counts(LAYERS)[name]()
        assert drawn.startswith(b"%PDF" if name.endswith("pdf") else b"<?xml")
    assert files["state-counts-well-formed-capped.svg"]() != files["state-counts-well-formed-egalitarian.svg"]()
