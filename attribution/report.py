"""What a reader is shown: the table of edges, and the stability report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attribution.attribute import Attribution
from attribution.edges import MISSING, PPM
from attribution.gate import Verdict
from experiment import tables
from experiment.tables import Column, Row, named, number


def columns() -> list[Column]:
    """Of the table of edges: weights in per cent of the whole context's effect."""
    return [
        named("claim_id", "claim"),
        named("entry_id", "entry"),
        Column("declared", lambda row: "yes" if row["declared"] else "no", left=True),
        Column("weight %", _weight),
        Column("measured % [95 %]", _measured),
        number("rho", "ρ", digits=2),
        number("concordance", "Lin", digits=2),
        named("verdict"),
    ]


def _weight(row: Row) -> str:
    return f"{100 * row['weight_ppm'] / PPM:.1f}" if row["verdict"] != MISSING else tables.MISSING


def _measured(row: Row) -> str:
    shown = f"{100 * row['measured_ppm'] / PPM:.1f}"
    if row["low_ppm"] is None:
        return f"{shown} [no interval]"
    return f"{shown} [{100 * row['low_ppm'] / PPM:.1f}, {100 * row['high_ppm'] / PPM:.1f}]"


def step_rows(found: Sequence[Attribution]) -> list[dict[str, Any]]:
    """One row a step, for `steps.parquet`."""
    return [
        {
            "step_id": one.step.step_id,
            "tenant": one.step.tenant,
            "claim_id": one.step.claim_id,
            "entries": len(one.step.entries),
            "declared": len(one.step.declared),
            "verdict": str(one.verdict),
            "rho": one.stability.rho,
            "concordance": one.stability.concordance,
            "rho_null": one.stability.rho_null,
            "concordance_null": one.stability.concordance_null,
            "lds": one.stability.lds,
            "even_share": one.stability.even_share,
            "whole": one.stability.whole,
            "half_width": one.half_width,
            "degrees": one.degrees,
            "loo_top_agrees": one.loo_top_agrees,
            "loo_pearson": one.loo_pearson,
            **{f"top{k}_drop": drop for k, drop in one.top_drop.items()},
            "design": one.design,
            "n_ablations": one.ablations,
            "repeats": len(one.repeats),
            "scored": one.scored,
            "scorer": one.scorer,
            "model": one.model,
        }
        for one in found
    ]


def shared_rows(found: Sequence[Attribution]) -> list[dict[str, Any]]:
    """One row a pair of entries with a pairwise term worth saying, in log-odds of the response per token."""
    return [
        {
            "step_id": one.step.step_id,
            "first_id": one.step.entries[pair.a].entry_id,
            "second_id": one.step.entries[pair.b].entry_id,
            "first": pair.first,
            "second": pair.second,
            "joint": pair.joint,
            "both": pair.both,
            "loo_first": float(one.loo[pair.a]),
            "loo_second": float(one.loo[pair.b]),
            "shares": pair.shares,
        }
        for one in found
        for pair in one.shared
    ]


def notes(found: Sequence[Attribution]) -> list[str]:
    """What is said below the table."""
    kept = [one for one in found if one.verdict is not Verdict.MEASURED]
    said = [f"{len(found) - len(kept)} of {len(found)} steps pass the gate; of the others declared edges stay at 100 %"]
    for verdict in dict.fromkeys(one.verdict for one in kept):
        steps = [one.step.step_id for one in kept if one.verdict is verdict]
        said.append(f"  {verdict}: {', '.join(steps[:4])}{f' and {len(steps) - 4} more' if len(steps) > 4 else ''}")
    said += [f"  {line}" for one in found for line in shared_lines(one)[:1]]
    said.append("weights: share of f(all) - f(none), f the log-odds of the response per token; intervals 95 %, Student")
    if any(one.half_width is None for one in found):
        said.append("no interval: fewer than 4 ablations an entry, or a design without idle columns")
    if any(one.stability.whole <= 0.0 for one in found):
        said.append("no interval and weight 0: the whole context does not make the response likelier")
    return said


def shared_lines(found: Attribution) -> list[str]:
    """One line a pair that shares credit or needs each other."""
    lines = []
    for pair in found.shared:
        a, b = (found.step.entries[i].entry_id for i in (pair.a, pair.b))
        word = "share credit" if pair.shares else "need each other" if pair.joint > 0 else "overlap in part"
        lines.append(
            f"{found.step.step_id}: {a} and {b} {word}: alone {pair.first:.2f} and {pair.second:.2f}, together "
            f"{pair.both:.2f}; leave-one-out {found.loo[pair.a]:.2f} and {found.loo[pair.b]:.2f} (log-odds per token)"
        )
    return lines


def stability_report(found: Sequence[Attribution], gate: str) -> str:
    """Markdown: each step's agreement, what chance would pass, and who shares credit."""
    shown = [
        named("step_id", "step"),
        number("entries"),
        number("n_ablations", "N"),
        named("design"),
        number("rho", "ρ", digits=2),
        number("concordance", "Lin", digits=2),
        number("rho_null", "null ρ", digits=3),
        number("concordance_null", "null Lin", digits=3),
        number("lds", "LDS", digits=2),
        number("even_share", "even share", digits=2),
        number("whole", "whole", digits=2),
        number("loo_pearson", "LOO Pearson", digits=2),
        Column("LOO top-1", lambda row: "agrees" if row["loo_top_agrees"] else "differs", left=True),
        named("verdict"),
    ]
    parts = [
        "# Stability report",
        "",
        f"Gate: {gate}.",
        "ρ: mean pairwise Spearman correlation of the repeats' weights; Lin: their concordance; null: the share of",
        "shuffles of the same weights that would pass; LDS: Spearman correlation with held-out contexts; even share:",
        "what no additive surrogate can explain, at the least; whole: f(all) - f(none), log-odds per token.",
        "",
        tables.markdown(step_rows(found), shown),
    ]
    if lines := [line for one in found for line in shared_lines(one)]:
        parts += ["## Shared credit", "", *(f"- {line}" for line in lines), ""]
    return "\n".join(parts)
