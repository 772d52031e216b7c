"""The command line of an experiment: Hydra, with one-line errors, sweeps that survive failures, and help that teaches.

Hydra composes and sweeps; what it would print as a traceback or several lines becomes one line on standard error and
exit code 2. Names of groups (arms, scenarios, …) are checked by their registries and not by Hydra, so that a member
without options needs no file in ``conf/`` and a wrong name in a sweep fails its own job only.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beliefmerge.errors import BeliefMergeError, UsageError, nearest, unknown
from experiment.launchers import LAUNCHER, check_launcher
from experiment.results import default_results_dir, open_results_dir
from experiment.run import Experiment, carry_out, one_line, say
from experiment.schema import check, explain, keys, open_keys

if TYPE_CHECKING:
    from experiment.watch import Swept

_DEBUG = "BELIEFMERGE_DEBUG"


def conf_dir() -> Path:
    """Where the configuration files are: beside this package in a checkout, inside it when installed."""
    packaged = Path(__file__).resolve().parent / "conf"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parents[1] / "conf"


def main(experiment: Experiment, arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments` (default: the process's own) and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _main(experiment, given)
    except BeliefMergeError as error:
        return _refuse(experiment, one_line(error), error.exit_code)
    except OSError as error:
        return _refuse(experiment, one_line(error), 2)
    except KeyboardInterrupt:
        return _refuse(experiment, "interrupted", 130)
    except Exception as error:
        if os.environ.get(_DEBUG):
            raise
        text = _composition_error(error)
        if text is not None:
            return _refuse(experiment, text, 2)
        return _refuse(experiment, f"{type(error).__name__}: {one_line(error)} ({_DEBUG}=1 shows where)", 1)


def _refuse(experiment: Experiment, text: str, code: int) -> int:
    sys.stderr.write(f"{experiment.command}: error: {text}\n")
    return code


def _main(experiment: Experiment, given: list[str]) -> int:
    if "--help" in given or "-h" in given:
        say(_help(experiment))
        return 0
    parsed = _parse(given)
    # Hydra's own parser wants its options before the settings.
    given = [*(word for word in given if word not in parsed.overrides), *parsed.overrides]
    checked = _checked(experiment, given, parsed)
    _register(experiment, checked.chosen)
    if parsed.overrides == given and not checked.hydra:
        return _run(experiment, _composed(experiment, checked.arguments))
    return _through_hydra(experiment, checked)


def configured(experiment: Experiment, arguments: Sequence[str]) -> Any:
    """The checked configuration of the single run that `arguments` ask for. Raises UsageError for wrong ones."""
    given = list(arguments)
    checked = _checked(experiment, given, _parse(given))
    _register(experiment, checked.chosen)
    return _configuration(experiment, _composed(experiment, checked.arguments))


def _parse(given: list[str]) -> argparse.Namespace:
    from hydra._internal.utils import get_args_parser

    parser = get_args_parser()

    def refuse(message: str) -> None:
        raise UsageError(message)

    parser.error = refuse
    parsed: argparse.Namespace = parser.parse_intermixed_args(given)
    return parsed


@dataclass(frozen=True)
class _Given:
    """The command line, checked against the schema."""

    arguments: list[str]
    """As Hydra is to read them."""
    chosen: dict[str, list[str]]
    """Values given for each group."""
    hydra: bool
    """Whether it sets anything of Hydra's own."""
    jobs: int
    """How many jobs a sweep over it has."""


def _checked(experiment: Experiment, given: list[str], parsed: argparse.Namespace) -> _Given:
    """Check every override's key and form. Raises UsageError for the first that cannot be."""
    from hydra.core.override_parser.types import ValueType

    arguments, chosen, own, jobs = list(given), dict[str, list[str]](), False, 1
    free = open_keys(experiment.schema)
    for text in parsed.overrides:
        override = _parsed_override(experiment, text)
        key = override.key_or_group
        if override.is_hydra_override():
            own = True
            if key == LAUNCHER:
                _check_launcher(override, parsed)
            continue
        if override.value_type is ValueType.GLOB_CHOICE_SWEEP:
            raise UsageError(f"{text!r} is a pattern: write the values out, with commas between them")
        if override.is_sweep_override() and not parsed.multirun:
            raise UsageError(f"{text!r} gives several values: add -m to sweep over them")
        if override.is_sweep_override() and override.is_discrete_sweep():
            jobs *= sum(1 for _ in override.sweep_string_iterator())
        plain = not text.startswith("+")
        if plain and any(key.startswith(f"{path}.") for path in free):
            # Free keys are checked by what reads them; to Hydra they are new ones.
            arguments[arguments.index(text)] = f"++{text}"
        elif key not in dict(keys(experiment.schema)) and not any(key.startswith(f"{path}.") for path in free):
            raise unknown("key", key, dict(keys(experiment.schema)))
        if key == "results_dir" and not override.is_sweep_override() and not override.value():
            raise UsageError(f"{text!r} names no directory: leave it out or write results_dir=<directory>")
        if key in experiment.groups:
            chosen.setdefault(key, []).extend(_values(override))
    return _Given(arguments, chosen, own, jobs)


def _parsed_override(experiment: Experiment, text: str) -> Any:
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    if "=" not in text or text.startswith("~"):
        raise UsageError(f"{text!r} is no setting: write key=value{_suggestion(experiment, text)}")
    try:
        return OverridesParser.create().parse_override(text)
    except HydraException as error:
        raise UsageError(f"cannot read {text!r}: {one_line(error)}") from error


def _values(override: Any) -> list[str]:
    if override.is_discrete_sweep():
        return list(override.sweep_string_iterator())
    if not isinstance(override.value(), str) or not override.value():
        raise UsageError(f"{override.input_line!r} names nothing: write {override.key_or_group}=<name>")
    return [override.value()]


def _check_launcher(override: Any, parsed: argparse.Namespace) -> None:
    (name,) = _values(override)
    check_launcher(name, conf_dir())
    if not parsed.multirun and parsed.cfg is None and not parsed.info:
        raise UsageError(f"{override.input_line!r} launches the jobs of a sweep: add -m")


def _suggestion(experiment: Experiment, text: str) -> str:
    if match := nearest(text.lstrip("~"), dict(keys(experiment.schema))):
        return f", such as {match}=…"
    for group, names in experiment.groups.items():
        if match := nearest(text, names()):
            return f", such as {group}={match}"
    return ""


def _register(experiment: Experiment, chosen: dict[str, list[str]]) -> None:
    """Tell Hydra of the schema and of every member of a group, those asked for in error included."""
    from hydra.core.config_store import ConfigStore
    from omegaconf import OmegaConf

    store = ConfigStore.instance()
    store.store(name=f"{experiment.name}_schema", node=experiment.schema)
    for group, names in experiment.groups.items():
        for name in {*names(), *chosen.get(group, ())}:
            if not (conf_dir() / group / f"{name}.yaml").is_file():
                store.store(group=group, name=name, node={"name": name})
    OmegaConf.register_new_resolver("results_root", lambda: str(default_results_dir()), replace=True)
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    OmegaConf.register_new_resolver("sweep_id", lambda: f"{experiment.name}-{stamp}", replace=True)


def _composed(experiment: Experiment, overrides: Sequence[str]) -> Any:
    """The configuration of a single run. Hydra's main function would compose it twice, which can be felt."""
    from hydra import compose, initialize_config_dir

    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        return compose(experiment.name, list(overrides))


def _through_hydra(experiment: Experiment, given: _Given) -> int:
    """A sweep, whose jobs are put together when Hydra is done, or whatever Hydra's own options ask for."""
    import hydra
    from hydra.core.hydra_config import HydraConfig
    from hydra.types import RunMode

    from experiment.follow import Follower
    from experiment.orphan import at_work
    from experiment.watch import SweepWatch

    single: list[Any] = []
    here = os.getpid()

    def task(composed: Any) -> None:
        if HydraConfig.get().mode == RunMode.MULTIRUN:
            with at_work(here):
                _sweep_job(experiment, composed, HydraConfig.get())
        else:
            single.append(composed)

    os.environ["HYDRA_FULL_ERROR"] = "1"
    before, sys.argv = sys.argv, [f"python -m {experiment.command}", *given.arguments]
    SweepWatch.forget()
    broken = None
    try:
        with Follower(experiment.command, given.jobs):
            hydra.main(version_base="1.3", config_path=str(conf_dir()), config_name=experiment.name)(task)()
    except Exception as error:
        if isinstance(error, BeliefMergeError) or not SweepWatch.has_jobs() or _composition_error(error) is not None:
            raise
        broken = error
    finally:
        sys.argv = before
    if single:
        return _run(experiment, single[0])
    swept = SweepWatch.seen()
    if swept is None:
        return 0
    code = _finish_sweep(experiment, swept)
    if broken is None:
        return code
    said = f"{type(broken).__name__}: {str(broken).strip().partition(chr(10))[0]}"
    return _refuse(experiment, f"the sweep broke off ({said}); what is done is on record: start it again as before", 1)


def _run(experiment: Experiment, composed: Any) -> int:
    """A single run: its table first, then its record, then the index."""
    config = _configuration(experiment, composed)
    results = open_results_dir(config.results_dir)
    run, result = carry_out(experiment, config, results, show=lambda result: say(result.text))
    say(f"run {run.id} in {results}")
    if config.tracking.name == "mlflow":
        _track(results, [run.path])
    return result.exit_code


def _configuration(experiment: Experiment, composed: Any) -> Any:
    from omegaconf import OmegaConf

    config = OmegaConf.to_object(composed)
    assert isinstance(config, experiment.schema)
    check(config)
    return config


def _sweep_job(experiment: Experiment, composed: Any, settings: Any) -> None:
    """Carry out one job, in this process or a launcher's worker."""
    from experiment.sweep import do_job

    results = open_results_dir(str(composed.results_dir))
    directory = Path(str(settings.sweep.dir)).expanduser().absolute()
    overrides = list(settings.overrides.task)
    do_job(
        experiment, lambda: _configuration(experiment, composed), results, directory, int(settings.job.num), overrides
    )


def _finish_sweep(experiment: Experiment, swept: Swept) -> int:
    from experiment.sweep import FAILED, REFUSED, aggregate, exit_code_of, store

    jobs, rows, text = aggregate(experiment, swept.directory)
    say(text)
    store(experiment, swept.directory, jobs, rows)
    say(f"sweep {swept.directory.name} in {swept.directory.parent}")
    if swept.tracked:
        _track(swept.results, [Path(job.run) for job in jobs if job.run])
    statuses = {job.status for job in jobs}
    return 1 if FAILED in statuses else 2 if REFUSED in statuses else max(map(exit_code_of, jobs), default=0)


def _track(results: Path, runs: Sequence[Path]) -> None:
    """Index the runs. They are on record already, so what goes wrong here is said and ends the command with code 1."""
    from experiment.tracking import index

    try:
        index(results, runs)
    except Exception as error:
        cause = one_line(error).partition(" [SQL: ")[0]
        mend = "scripts/index_mlflow.py makes the index anew"
        raise TrackingFailed(f"the run is recorded, but MLflow could not index it: {cause} ({mend})") from error


class TrackingFailed(BeliefMergeError):
    """The index could not be written; the run's own record and tables are whole."""

    exit_code = 1


def _composition_error(error: BaseException) -> str | None:
    """One line for what Hydra or OmegaConf refused, or None for anything else."""
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    for link in chain:
        if isinstance(link, OmegaConfBaseException):
            key = link.full_key or link.key
            said = (link.msg or str(link)).splitlines()[0].strip()
            return f"{key}: {said}" if key else said
    for link in chain:
        if isinstance(link, HydraException):
            return one_line(link)
    return None


def _help(experiment: Experiment) -> str:
    examples = "\n".join(f"  python -m {experiment.command} {example}".rstrip() for example in experiment.examples)
    return f"""{experiment.summary}

Usage: python -m {experiment.command} [-m] [key=value ...]

Keys (default, meaning, what they may be)
{explain(experiment.schema, experiment.groups)}

-m sweeps over comma-separated values and ends with one table. A job on record with the same configuration and code is
not run again (resume=false runs it); a job that fails does not stop the others. hydra/launcher=cores does a job a core,
hydra/launcher=slurm an array on a cluster (docs/scale.md).
Results: results_dir, or $BELIEFMERGE_RESULTS, or {default_results_dir()}.
--cfg job shows the composed configuration, --hydra-help Hydra's own options.

Examples
{examples}"""
