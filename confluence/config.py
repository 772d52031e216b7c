"""The enumerator's settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from beliefmerge.errors import UsageError
from beliefmerge.scores import SCORES
from confluence.engine import refuse_too_large
from confluence.representation import REPRESENTATIONS
from confluence.space import SPACES, Form, NamedSpace, Shape, Space
from confluence.work import ENGINES, Task
from experiment.groups import TrackingConfig
from experiment.schema import option, required

CUSTOM, ALL, BOTH = "custom", "all", "both"
_MOST_TEMPLATES = 10_000


def space_names() -> Sequence[str]:
    """Every named space, and the one whose sizes are given."""
    return [*SPACES.names(), CUSTOM]


@dataclass
class SpaceConfig:
    """Which spaces; the sizes belong to `custom`."""

    name: str = required("space", names=space_names, kind="space")
    values: int = option(0, "k, for space=custom", least=0, most=20)
    levels: int = option(0, "E, for space=custom", least=0, most=4)
    branches: int = option(0, "n, for space=custom", least=0, most=20)
    form: str = option("", "what a branch may hold, for space=custom", names=lambda: ["", *Form, BOTH])


@dataclass
class ConfluenceConfig:
    """One run of the enumerator."""

    space: SpaceConfig = field(default_factory=lambda: SpaceConfig("wide"), metadata={"help": "what is enumerated"})
    shape: str = option("fold", "how branches are merged", names=lambda: list(Shape))
    score: str = option(ALL, "how evidence is weighed; all are those of the space", names=lambda: [ALL, *SCORES])
    representation: str = option(ALL, "what an accumulator keeps", names=lambda: [ALL, *REPRESENTATIONS])
    engine: str = option("orbits", "how profiles are counted", names=lambda: ENGINES)
    shard: int = option(0, "which share of the blocks this run does", least=0)
    shards: int = option(1, "how many shares there are; with -m shard=range(0,N) it is N", least=1, most=100_000)
    merge: str = option("", "a sweep's directory: put its shards' blocks together instead of counting")
    results_dir: str = option("", "where runs are recorded")
    tracking: TrackingConfig = field(
        default_factory=lambda: TrackingConfig("mlflow"), metadata={"help": "index of runs, written after the table"}
    )
    resume: bool = option(True, "go on from a killed run's finished blocks; in a sweep, use the rows of jobs on record")


def tasks_of(config: ConfluenceConfig) -> list[Task]:
    """The rows asked for, spaces that share tables side by side. Raises UsageError for what cannot be asked."""
    if config.shard >= config.shards:
        raise UsageError(f"shard={config.shard} is out of range: shards are 0 to shards-1, and shards={config.shards}")
    named = _named(config.space)
    shape = Shape(config.shape)
    if shape not in named.shapes:
        raise UsageError(f"space {config.space.name!r} has no shape {config.shape!r}: merge trees are for small spaces")
    scores = [config.score] if config.score != ALL else named.scores or SCORES.names()
    kept = [config.representation] if config.representation != ALL else list(REPRESENTATIONS)
    for space in named.spaces:
        if space.width > _MOST_TEMPLATES:
            raise UsageError(f"{space.width} templates a branch are too many: at most {_MOST_TEMPLATES}")
        if config.engine != "reference":
            refuse_too_large(space)
    spaces = sorted(
        (replace(space, shape=shape) for space in named.spaces),
        key=lambda space: (space.form, space.values, space.levels, space.branches),
    )
    families: dict[Space, list[Space]] = {}
    for space in spaces:
        families.setdefault(replace(space, branches=2), []).append(space)
    return [
        Task(space, score, representation)
        for family in families.values()
        for score in scores
        for representation in kept
        for space in family
    ]


def _named(given: SpaceConfig) -> NamedSpace:
    sizes = {"values": given.values, "levels": given.levels, "branches": given.branches}
    if given.name != CUSTOM:
        changed = [name for name, value in {**sizes, "form": given.form}.items() if value]
        if changed:
            raise UsageError(f"space.{changed[0]} belongs to space=custom, and the space is {given.name!r}")
        return SPACES[given.name]
    missing = [name for name, value in sizes.items() if not value]
    if missing:
        raise UsageError(f"space=custom needs space.{missing[0]}")
    forms = list(Form) if given.form in ("", BOTH) else [Form(given.form)]
    spaces = [Space(given.values, given.levels, given.branches, form) for form in forms]
    return NamedSpace(spaces, scores=(), shapes=tuple(Shape))
