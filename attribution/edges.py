"""Edges: one row a claim and entry, as they are stored and sent to a ledger."""

from __future__ import annotations

from typing import Any

from attribution.attribute import Attribution
from attribution.gate import Verdict

PPM = 1_000_000
MISSING = "missing"
"""The verdict of an entry that was not declared and yet mattered: reported, never added."""


def rows(found: Attribution) -> list[dict[str, Any]]:
    """Edges of one step: every declared entry, and undeclared ones whose interval lies above zero by a millionth, which
    rounding does not reach, unless the whole context has hardly an effect to have a share of.

    `weight_ppm` is what holds: the measured share of the whole context's effect, clipped to 0..1, where the gate
    passed; 1 for a declared edge that is kept. `measured_ppm` is what was measured, gate or no gate.
    """
    declared = set(found.step.declared)
    margin = found.margin
    edges = []
    for index, entry in enumerate(found.step.entries):
        weight = float(found.weights[index])
        is_declared = entry.entry_id in declared
        matters = margin is not None and ppm(weight - margin) > 0 and found.verdict is not Verdict.NO_EFFECT
        if not is_declared and not matters:
            continue
        kept = is_declared and found.verdict is not Verdict.MEASURED
        edges.append(
            {
                "claim_id": found.step.claim_id,
                "entry_id": entry.entry_id,
                "declared": is_declared,
                "weight_ppm": PPM if kept else ppm(weight),
                "low_ppm": None if margin is None else ppm(weight - margin),
                "high_ppm": None if margin is None else ppm(weight + margin),
                "measured_ppm": ppm(weight),
                "agreement": found.agreement,
                "rho": found.stability.rho,
                "concordance": found.stability.concordance,
                "lds": found.stability.lds,
                "even_share": found.stability.even_share,
                "verdict": str(found.verdict) if is_declared else MISSING,
                "design": found.design,
                "n_ablations": found.ablations,
                "scorer": found.scorer,
                "model": found.model,
                "step_id": found.step.step_id,
                "tenant": found.step.tenant,
            }
        )
    return edges


def ppm(share: float) -> int:
    """A share of 0..1 in parts per million, clipped."""
    return round(PPM * min(1.0, max(0.0, share)))
