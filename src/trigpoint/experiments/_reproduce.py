"""The front door: run suites, go on where they stopped, and write what they found."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from trigpoint._errors import InputError
from trigpoint._validation import check_choice, check_integer
from trigpoint.experiments import _bound, _classification, _pools, _regression, _runtime, _torus
from trigpoint.experiments._page_classification import classification_page
from trigpoint.experiments._page_others import bound_page, runtime_page, torus_page
from trigpoint.experiments._page_regression import regression_page
from trigpoint.experiments._paper import Reported, reported
from trigpoint.experiments._pictures import sheets
from trigpoint.experiments._published import NameOf, renew, take_over
from trigpoint.experiments._settings import PRESETS, SUITES, Preset
from trigpoint.plots import Strip
from trigpoint.trials import Page, Row, Store, Task, Work, code_digest, run_record, run_tasks, write_page


@dataclass(frozen=True)
class Suite:
    tasks: Callable[[Preset, int, int | None, int, str | None], list[Task]]
    trial: Work
    name_of: NameOf
    page: Callable[[list[Row], Preset, Reported], Page]
    settings: tuple[str, ...]  # fields of the preset that its results depend on
    sheets: Callable[[Preset, int, str | None], dict[str, list[Strip]]] | None = None
    check: Callable[[Preset, str], None] | None = None  # looks at the data, before anything is computed
    alone: bool = False  # one task at a time: it takes times
    needs_data: bool = False


_TABLE = {
    "regression": Suite(
        _regression.tasks,
        _regression.trial,
        _regression.name_of,
        regression_page,
        ("regression",),
        sheets,
        _pools.check_data,
    ),
    "classification": Suite(
        _classification.tasks,
        _classification.trial,
        _classification.name_of,
        classification_page,
        ("classification", "sparsity", "dictionary_iterations"),
        check=_classification.check_data,
        needs_data=True,
    ),
    "runtime": Suite(
        _runtime.tasks,
        _runtime.trial,
        _runtime.name_of,
        runtime_page,
        ("regression", "runtime_n", "runtime_budgets", "runtime_sizes", "runtime_l", "runtime_slow_n"),
        alone=True,
    ),
    "bound": Suite(_bound.tasks, _bound.trial, _bound.name_of, bound_page, ("regression",)),
    "torus": Suite(_torus.tasks, _torus.trial, _torus.name_of, torus_page, ("torus_n", "torus_budgets")),
}


def reproduce(
    suite: str,
    output: str | Path,
    *,
    preset: str = "full",
    trials: int | None = None,
    slow_trials: int | None = None,
    again: int = 0,
    seed: int = 0,
    jobs: int = 1,
    data: str | Path | None = None,
    reference: str | Path | None = None,
) -> Path:
    """Run one suite of the paper's experiments, and write its tables and figures.

    Parameters
    ----------
    suite : "regression", "classification", "runtime", "bound" or "torus"
    output : folder; the suite gets a folder of its own in it
        A run that was interrupted goes on where it stopped; one with other settings is refused. Where only
        the tables of an earlier run are there, it goes on from these, but for times and our default.
    preset : "full", the paper's sizes and 20 trials, or "quick", the same code in seconds
    trials : how many; may grow from one run to the next
    slow_trials : of MinCond, whose trials take minutes to hours; by default fewer than the others
    again : so many of the results that other code has made are computed once more
        The manifest notes how many were equal.
    seed : of everything random; a trial has its own stream
    jobs : tasks at a time ("runtime" always takes one)
    data : folder of the real data sets, which classification and one set of regression need
    reference : folder of the paper's figures as CSV, to be set beside ours

    Returns
    -------
    folder : where README.md, summary.csv, trials.csv, manifest.json and the figures are
    """
    plan = check(
        suite,
        output,
        preset=preset,
        trials=trials,
        slow_trials=slow_trials,
        seed=seed,
        jobs=jobs,
        data=data,
        reference=reference,
    )
    known, store, tasks = plan.suite, plan.store, plan.tasks
    asked = {"preset": preset, "trials": plan.trials, "slow_trials": slow_trials, "jobs": jobs}
    store.open(plan.identity, run_record(store.code, **asked))
    jobs = 1 if known.alone else jobs
    if not known.alone:  # times of other code, or of another machine, are not to be mixed with these
        take_over(store, tasks, known.name_of)
    renew(store, tasks, known.trial, check_integer(again, "again", 0), jobs, suite)
    run_tasks(store, tasks, known.trial, jobs, suite)
    rows = [row for _, rows, _ in store.results(tasks) for row in rows]
    page = known.page(rows, plan.settings, plan.paper)
    if known.sheets is not None:
        page = replace(page, sheets=known.sheets(plan.settings, seed, plan.data))
    write_page(store.folder, page, rows)
    store.close(tasks)
    return store.folder


@dataclass(frozen=True)
class Plan:
    """A suite, ready to run."""

    suite: Suite
    settings: Preset
    trials: int
    tasks: list[Task]
    store: Store
    identity: dict[str, Any]  # what all results in one folder share
    paper: Reported
    data: str | None


def check(
    suite: str,
    output: str | Path,
    *,
    preset: str = "full",
    trials: int | None = None,
    slow_trials: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    data: str | Path | None = None,
    reference: str | Path | None = None,
) -> Plan:
    """All that can be known to go wrong with `reproduce`, before anything is computed or written."""
    known = _TABLE[check_choice(suite, "suite", SUITES)]
    settings = PRESETS[check_choice(preset, "preset", tuple(PRESETS))]
    count = settings.trials if trials is None else check_integer(trials, "trials", 1)
    slow = None if slow_trials is None else check_integer(slow_trials, "slow_trials", 0)
    seed = check_integer(seed, "seed", 0)
    check_integer(jobs, "jobs", 1)
    folder = _folder(data, "data")
    if known.needs_data and folder is None:
        raise InputError("data", f"must name the folder of the real data sets for {suite}", "None")
    paper = reported(suite, _folder(reference, "reference"))
    place = None if folder is None else str(folder)
    if known.check is not None and place is not None:
        known.check(settings, place)
    store = Store(Path(output) / suite, code_digest(known.trial.__module__))
    identity = {"suite": suite, "seed": seed, **{name: asdict(settings)[name] for name in known.settings}}
    store.check(identity)
    return Plan(
        known,
        settings,
        count,
        known.tasks(settings, count, slow, seed, place),
        store,
        identity,
        paper if preset == "full" else {},  # at other sizes there is nothing to compare
        place,
    )


def needs_data(suite: str) -> bool:
    """Whether a suite cannot run without the real data sets."""
    return _TABLE[check_choice(suite, "suite", SUITES)].needs_data


def _folder(given: str | Path | None, name: str) -> Path | None:
    if given is None:
        return None
    folder = Path(given)
    if not folder.is_dir():
        raise InputError(name, "must name a folder", repr(str(folder)))
    return folder
