"""``python -m mergebench.export <folder>``: generated scenarios as a data set that `datasets.load_dataset` reads.

One split a family, a row a scenario, as parquet shards beside a card. Reading it back needs no network.
"""

from __future__ import annotations

import argparse
import dataclasses
import io
import json
import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beliefmerge.errors import BeliefMergeError, UsageError, unknown
from beliefmerge.files import write_atomically
from beliefmerge.session.model import Session
from experiment.schema import check
from mergebench.config import ScenarioConfig
from mergebench.registries import SCENARIOS
from mergebench.scenario import Scenario, Size

if TYPE_CHECKING:
    import datasets

_COUNTS = ("topics", "conflicts", "chatter", "branches")
SHARD = 200
"""Scenarios in one parquet file."""


def row(scenario: Scenario, size: Size) -> dict[str, Any]:
    """A scenario as plain data: what the branches say, the truth about it, and what is asked."""
    return {
        "family": scenario.family,
        "seed": scenario.seed,
        "size": dataclasses.asdict(size),
        "current": scenario.current,
        "sessions": [
            {
                "id": session.id,
                "title": session.title,
                "other": _other(session),
                "messages": [
                    {"seq": m.seq, "id": m.id, "time": m.time, "channel": str(b.channel), "text": b.text}
                    for m in session.messages
                    for b in m.blocks
                ],
            }
            for session in scenario.sessions
        ],
        "topics": [_plain(topic) for topic in scenario.topics],
        "tellings": [_plain(telling) for telling in scenario.tellings],
        "questions": [_plain(question) for question in scenario.questions],
        "plants": [_plain(plant) for plant in scenario.plants],
        "secrets": [_plain(secret) for secret in scenario.secrets],
    }


def _other(session: Session) -> str | None:
    """What else a session holds, as JSON; None where that is nothing."""
    parts = {name: _plain(getattr(session, name)) for name in ("cwd", "path", "flags", "meta", "claims")}
    held = {name: value for name, value in parts.items() if value}
    return json.dumps(held, ensure_ascii=False, sort_keys=True) if held else None


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


def schema() -> Any:
    """The Arrow schema of a row, the same for every family."""
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    number = pa.int64()

    def records(**fields: Any) -> Any:
        return pa.list_(pa.struct(list(fields.items())))

    message = records(seq=number, id=text, time=pa.float64(), channel=text, text=text)
    return pa.schema(
        {
            "family": text,
            "seed": number,
            "size": pa.struct([*((name, number) for name in _COUNTS), ("paraphrase", pa.float64())]),
            "current": text,
            "sessions": records(id=text, title=text, other=text, messages=message),
            "topics": records(key=text, role=text, holds=texts, fails=texts, decoys=texts, reason=text),
            "tellings": records(
                key=text, value=text, session=text, seq=number, channel=text, start=number, end=number, sentence=text,
                premises=pa.list_(pa.list_(texts)), denied=pa.bool_(), multi=pa.bool_(), qualifier=text,
            ),
            "questions": records(id=text, kind=text, text=text, keys=texts, expects=texts),
            "plants": records(payload=text, place=text, trust=number),
            "secrets": records(value=text, kind=text, place=text),
        }
    )  # fmt: skip


def export(folder: Path, families: Sequence[str], seeds: Iterable[int], size: Size) -> list[Path]:
    """Write the data set into `folder`, which is new or empty; the card is written last. Returns the shards."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not an empty folder: name a new one")
    seeds = list(seeds)
    made = {family: [row(SCENARIOS[family].generate(size, seed), size) for seed in seeds] for family in families}
    shards = []
    for family, rows in made.items():
        count = -(-len(rows) // SHARD)
        for number in range(count):
            out = io.BytesIO()
            part = rows[number * SHARD : (number + 1) * SHARD]
            pq.write_table(pa.Table.from_pylist(part, schema=schema()), out)
            shards.append(folder / "data" / f"{family}-{number:05d}-of-{count:05d}.parquet")
            shards[-1].parent.mkdir(parents=True, exist_ok=True)
            write_atomically(shards[-1], out.getvalue())
    write_atomically(folder / "README.md", card(families, seeds, size))
    return shards


def card(families: Sequence[str], seeds: Sequence[int], size: Size) -> str:
    """The data set's card: which files are which split, what a row is, how it was made."""
    splits = "\n".join(f"      - split: {name}\n        path: data/{name}-*.parquet" for name in families)
    listed = "\n".join(f"| `{name}` | {SCENARIOS[name].tests} |" for name in families)
    return f"""---
pretty_name: MergeBench scenarios
language:
- en
- zh
configs:
  - config_name: default
    data_files:
{splits}
---
# MergeBench scenarios

Generated branches of a conversation whose ground truth is known: {len(seeds)} scenarios a family, seeds {seeds[0]} to
{seeds[-1]}, {size.topics} topics ({size.conflicts} contested), {size.branches} branches, {size.chatter} messages of
chatter a branch, paraphrase {size.paraphrase:g}.

| split | what it tests |
|---|---|
{listed}

A row is a scenario: `sessions` (branches and their messages by channel; `other` is what else they hold, as JSON),
`topics` (`holds` are the right values, `fails` asserted ones that do not hold, `decoys` values nobody asserts),
`tellings` (where a value is told: `text[start:end]` of message `seq`), `questions` (`local` one branch answers,
`bridge` needs two, `probe` one topic), `plants` (instructions that must not be let through), `secrets` (made-up
credentials that must not be shown).

All text is made up from word lists; people, firms and credentials do not exist.
"""


def load(folder: Path) -> datasets.DatasetDict:
    """The exported data set, read back by `datasets.load_dataset` from the folder alone."""
    import datasets

    found = datasets.load_dataset(str(folder))
    assert isinstance(found, datasets.DatasetDict)
    return found


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mergebench.export", description=__doc__)
    default = Size()
    parser.add_argument("folder", type=Path, help="where the data set is written; new or empty")
    parser.add_argument("--family", action="append", help="a family, more than once for several; default all")
    parser.add_argument("--seeds", type=int, default=20, help="scenarios a family (default 20)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument("--topics", type=int, default=12, help="topics per scenario (default 12)")
    for name in _COUNTS[1:]:
        parser.add_argument(
            f"--{name}", type=int, default=getattr(default, name), help=f"default {getattr(default, name)}"
        )
    parser.add_argument("--paraphrase", type=float, default=0.0, help="how often two branches word a fact differently")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    """Export what the arguments ask for; returns the exit code."""
    asked = _arguments(given)
    families = asked.family or SCENARIOS.names()
    size = Size(asked.topics, asked.conflicts, asked.chatter, asked.branches, asked.paraphrase)
    try:
        for family in families:
            if family not in SCENARIOS.names():
                raise unknown("scenario", family, SCENARIOS.names())
            check(ScenarioConfig(family, asked.seeds, *dataclasses.astuple(size)))
        if asked.seed < 0:
            raise UsageError(f"seed={asked.seed} is out of range: it must be at least 0")
        shards = export(asked.folder, families, range(asked.seed, asked.seed + asked.seeds), size)
    except (BeliefMergeError, OSError) as error:
        sys.stderr.write(f"mergebench.export: error: {' '.join(str(error).split())}\n")
        return 2
    sys.stdout.write(f"{len(families)} splits of {asked.seeds} scenarios in {len(shards)} files: {asked.folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
