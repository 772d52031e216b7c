"""Tables of tracks, and what must be read with them."""

from __future__ import annotations

from collections.abc import Mapping

from experiment import intervals, tables
from experiment.tables import Column, Row
from mergebench.arm import Arm
from mergebench.config import MergeBenchConfig
from mergebench.track import Loaded, Track


def settings() -> list[Column]:
    """What tells rows apart, beyond arm and budget."""
    return [tables.named("track"), tables.named("setting"), _seen()]


def rates() -> list[Column]:
    """What is measured, but for the tokens."""
    shown = [tables.percent("recall"), tables.percent("all_kept", "all kept"), tables.percent("touched")]
    gains = [tables.percent(f"{name}_gain", f"{name} gain", signed=True) for name in ("recall", "exact")]
    return [*shown, tables.percent("exact"), *gains]


def columns() -> list[Column]:
    """The table of one run."""
    return [tables.named("arm"), *settings(), tables.number("budget"), _units(), *rates(), tables.number("tokens")]


def _seen() -> Column:
    def cell(row: Row) -> str:
        if row.get("question_seen") is None:
            return tables.MISSING
        return "seen" if row["question_seen"] else "unseen"

    return Column("question", cell, left=True)


def _units() -> Column:
    """The number of questions, marked where their intervals rest on few units."""
    return Column("n", lambda row: f"{row['n']}{'†' if row['units'] < intervals.FEW else ''}")


def notes(config: MergeBenchConfig, track: Track, loaded: Loaded, arms: Mapping[str, Arm]) -> list[str]:
    """What must be read with the table."""
    from mergebench.merging import packs_for_question

    units = len({task.unit for task in loaded.tasks})
    said = [
        f"{track.tests}: in % [95 % interval over {units} {loaded.unit}, by their sums]; counted by {config.tokens}"
        + (f"; † fewer than {intervals.FEW} {loaded.unit}" if units < intervals.FEW else "")
    ]
    if track.against in arms and len(arms) > 1:
        said.append(f"gain: against {track.against}, question by question")
    seeing = [name for name, arm in arms.items() if arm.sees_question]
    packing = [name for name, arm in arms.items() if packs_for_question(arm)]
    knowing = [name for name, arm in arms.items() if arm.sees_truth]
    if config.track.question == "seen":
        seeing += [name for name in packing if name not in seeing]
    if seeing:
        said.append(f"sees the question, and has the budget to itself for each: {', '.join(seeing)}")
    if knowing:
        said.append(f"uses the truth, or near it (a ceiling, not a system): {', '.join(knowing)}")
    return [*said, *loaded.notes]
