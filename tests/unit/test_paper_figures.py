"""The paper's figures: each shows the numbers it declares, with intervals and units, and its words can be read."""

from __future__ import annotations

import itertools

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.container import ErrorbarContainer
from matplotlib.text import Text

from paper import plots, rows, stage, style
from paper.published import Published, default_directory
from paper.stage import FIGURES, Declared

FIGURE_NAMES = [name for name in stage.names() if stage.named(name).kind == "figure"]
SHOWN = {
    "ablations": ("mergebench-ablations/runs", {"scenario": "tie", "measure": "ties_kept"}, "alignment"),
    "attribution-edges": ("attribution/edges", {"entry_id": "museum-05"}, "measured_ppm"),
    "attribution-planted": ("attribution-planted/runs", {"kind": "mixed", "noise": 0.0}, "lds"),
    "benchmarks": ("benchmarks/runs", {"unit": "s"}, "ratio"),
    "budget-bridge": ("mergebench-budgets/runs", {"arm": "lastwrite", "budget": 200}, "bridge"),
    "budget-tokens": ("mergebench-budgets/runs", {"arm": "heuristic", "budget": 800}, "tokens"),
    "cascade-shares": ("confluence-cascade/runs", {"graph": "diamond", "representation": "MAX"}, "deleted"),
    "confluence-rates": ("confluence-counts/runs", {"space": "wide", "values": 2, "levels": 4, "branches": 5}, "rate"),
    "families": ("mergebench-panel/runs", {"scenario": "bridge", "arm": "lastwrite"}, "bridge"),
    "families-asked": ("mergebench-panel/runs", {"scenario": "tie", "arm": "heuristic"}, "ties_kept"),
    "laws": ("mergebench-panel/runs", {"scenario": "tie", "arm": "bm25"}, "law_permutation"),
    "locomo": ("track-locomo/runs", {"arm": "bm25", "setting": "pairs", "part": "all", "budget": 400}, "recall"),
    "paraphrase": ("mergebench-paraphrase/runs", {"arm": "heuristic", "paraphrase": 0.5}, "unambiguous"),
    "reworded": ("trajectory/reworded", {"paraphrase": 0.5}, "exposure"),
    "scaling": ("mergebench-scaling/runs", {"arm": "heuristic", "branches": 8}, "peak_mb"),
    "state-counts": ("confluence-boundary/layers", {"space": "seed", "form": "general", "values": 3}, "minimal"),
    "throughput": ("throughput/runs", {"workers": 2}, "jobs_per_second"),
    "trajectory-arms-bars": ("trajectory/runs", {"arm": "flat_measured"}, "survival"),
    "trajectory-retention": ("trajectory/curve", {"arm": "ledger_v2", "retention": 0.5}, "persistence"),
}
"""A number that each figure shows."""
WITHOUT_INTERVALS = {"cascade-shares", "confluence-rates", "families", "families-asked", "scaling", "state-counts"}
"""Exact counts, times measured once, and the heat maps, whose intervals are in a table."""
LIMITS = {"attribution-edges": "high_ppm", "laws": None}
"""Where an upper limit is not called ``<column>_high``, or is calculated."""
LEAST_TYPE = 6.0
"""Points."""


@pytest.fixture(scope="module")
def published():
    return Published(default_directory())


def handed(name, published):
    return Declared(name, [published.table(reference) for reference in stage.named(name).reads])


def drawn(name, tables):
    with style.settings():
        figure = FIGURES[name.replace("-", "_")].draw(tables)
        FigureCanvasAgg(figure)
        figure.draw_without_rendering()
    return figure


def changed(name, published, column=None, by=0.5):
    """The tables of `name` with the number of `SHOWN` (or another column of its rows) changed."""
    tables = handed(name, published)
    reference, wanted, shown = SHOWN[name]
    found = rows.where(tables[reference], **wanted)
    assert found
    for row in found:
        old = row[column or shown]
        if shown.startswith("law_"):
            row[column or shown] = 0.75 if old != 0.75 else 0.25
        else:
            row[column or shown] = type(old)(old * by) if old else 1
    return tables


def test_every_figure_has_a_number_that_is_checked():
    assert set(FIGURE_NAMES) <= set(SHOWN)


@pytest.mark.parametrize("name", FIGURE_NAMES)
def test_a_changed_number_changes_both_files(name, published):
    member = stage.named(name)
    before = member.files(name, handed(name, published))
    after = member.files(name, changed(name, published))
    assert all(before[file] != after[file] for file in before)


@pytest.mark.parametrize("name", [name for name in FIGURE_NAMES if LIMITS.get(name, name)])
def test_a_changed_limit_moves_a_drawn_interval_and_exact_figures_draw_none(name, published):
    before = intervals(drawn(name, handed(name, published)))
    assert bool(before) != (name in WITHOUT_INTERVALS)
    if before:
        tables = changed(name, published, LIMITS.get(name) or f"{SHOWN[name][2]}_high")
        assert intervals(drawn(name, tables)) != before


def intervals(figure):
    """The ends of every error bar."""
    return [
        [[round(float(number), 9) for point in segment for number in point] for segment in lines.get_segments()]
        for axes in figure.axes
        for container in axes.containers
        if isinstance(container, ErrorbarContainer)
        for lines in container.lines[2]
    ]


@pytest.mark.parametrize("name", FIGURE_NAMES)
def test_every_axis_says_what_it_shows(name, published):
    figure = drawn(name, handed(name, published))
    shown = [axes for axes in figure.axes if axes.has_data()]
    assert shown
    for axes in shown:
        across = axes.get_xlabel() or figure.get_supxlabel() or _shared(axes, shown, "x")
        if not axes.images:
            assert across, f"{name}: {axes.get_title()!r}"
        assert axes.get_ylabel() or _named(axes) or _shared(axes, shown, "y"), f"{name}: {axes.get_title()!r}"


def _shared(axes, panels, way):
    """The label of a panel that has the same axis."""
    group = getattr(axes, f"get_shared_{way}_axes")()
    return any(getattr(other, f"get_{way}label")() for other in panels if group.joined(axes, other))


def _named(axes):
    return all(not label.get_text().replace(".", "").isdigit() for label in axes.get_yticklabels() if label.get_text())


@pytest.mark.parametrize("name", FIGURE_NAMES)
def test_words_do_not_overlap_or_leave_the_page_and_are_large_enough(name, published):
    figure = drawn(name, handed(name, published))
    assert figure.get_figwidth() <= style.PAGE
    texts = _texts(figure)
    assert texts
    inside = figure.bbox.padded(figure.dpi * 0.03)
    for text, box in texts:
        assert text.get_fontsize() >= LEAST_TYPE, text.get_text()
        corners = all(inside.contains(*corner) for corner in box.corners())
        assert corners, f"{name}: {text.get_text()!r} leaves the page"
    upright = [(text, box.padded(-0.6)) for text, box in texts if text.get_rotation() % 90 == 0]
    for (one, mine), (other, theirs) in itertools.combinations(upright, 2):
        assert not mine.overlaps(theirs), f"{name}: {one.get_text()!r} and {other.get_text()!r} overlap"


def _texts(figure):
    """What is written, with its place; labels of ticks outside of the axis are made and not drawn."""
    found = []
    hidden = set()
    for axes in figure.axes:
        if not axes.axison:
            hidden |= set(axes.findobj(Text)) - set(axes.texts)
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
                gone = not low - 1e-9 <= tick.get_loc() <= high + 1e-9
                hidden |= {label for label in (tick.label1, tick.label2) if gone or not label.get_visible()}
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip() and text not in hidden:
            found.append((text, text.get_window_extent()))
    return found


def test_words_that_overlap_are_noticed():
    with style.settings():
        figure, axes = style.canvas(2, 2)
        axes.text(0.5, 0.5, "first"), axes.text(0.5, 0.5, "second")
        FigureCanvasAgg(figure)
        figure.draw_without_rendering()
    boxes = [box for text, box in _texts(figure) if text.get_text() in ("first", "second")]
    assert len(boxes) == 2
    assert boxes[0].overlaps(boxes[1])


def test_looks_of_one_figure_differ_without_colour():
    groups = [
        style.TRAJECTORY_ARMS,
        style.REPRESENTATIONS,
        {arm: style.ARMS[arm] for arm in FIGURES["budget_bridge"].draw.__globals__["ARMS"]},
        {arm: style.ARMS[arm] for key in ("SEEING", "UNSEEING") for arm in FIGURES["locomo"].draw.__globals__[key]},
    ]
    for group in groups:
        seen = [(look.marker, str(look.line)) for look in group.values()]
        assert len(set(seen)) == len(seen)


def test_a_legend_names_each_thing_once():
    figure, panels = style.canvas(3, 2, 1, 2)
    for axes in panels:
        plots.line(axes, [{"x": 1, "y": 0.5, "y_low": 0.4, "y_high": 0.6}], "x", "y", style.OTHERS[0], label="one")
    plots.key(figure, *panels, columns=1)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["one"]


def test_a_share_of_scenarios_is_pooled_with_exact_limits():
    found = [{"law": 1.0, "n": 20}, {"law": 0.5, "n": 20}]
    pooled = rows.pooled(found, "law")
    assert (pooled["law"], pooled["n"]) == (0.75, 40)
    assert (pooled["law_low"], pooled["law_high"]) == pytest.approx((0.588, 0.873), abs=1e-3)
