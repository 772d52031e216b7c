"""Two estimators on planted problems: how well they predict held-out contexts, and whether seeds agree."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

RUNS = "attribution-planted/runs"
MEASURES = {"lds": "LDS (held-out contexts)", "seeds": "ρ across seeds"}
APART = 0.3


def draw(tables: Tables) -> Any:
    """Rows are measures, columns settings; in a panel a row a kind and a point an estimator."""
    found = tables[RUNS]
    settings = rows.distinct(found, "entries", "ablations", "noise")
    kinds, estimators = rows.distinct(found, "kind"), rows.distinct(found, "estimator")
    figure, panels = style.canvas(style.PAGE, 3.6, len(MEASURES), len(settings), sharex=True, sharey=True)
    for line, (measure, label) in zip(panels, MEASURES.items(), strict=True):
        for axes, (entries, ablations, noise) in zip(line, settings, strict=True):
            for estimator, look in style.looks(estimators).items():
                own = rows.where(found, entries=entries, ablations=ablations, noise=noise, estimator=estimator)
                shift = plots.beside(len(estimators), APART)[estimators.index(estimator)]
                places = [kinds.index(row["kind"]) + shift for row in own]
                plots.dots(axes, own, measure, places, look, label=estimator)
            plots.names(axes, kinds)
            axes.set_xlabel(label)
            axes.xaxis.set_tick_params(labelbottom=True)
    for axes, (entries, ablations, noise) in zip(panels[0], settings, strict=True):
        axes.set_title(f"{entries} entries, N = {ablations}, noise {noise:g}")
    lows = [row[f"{measure}_low"] for row in found for measure in MEASURES if row[f"{measure}_low"] is not None]
    panels[0][0].set_xlim(min(0.0, *lows) - plots.HEAD, plots.SHARES[1])
    plots.key(figure, panels[0][0], columns=len(estimators))
    return figure


FIGURE = Figure(reads=(RUNS,), draw=draw)
