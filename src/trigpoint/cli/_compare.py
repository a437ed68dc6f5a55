"""trigpoint compare: what is best on my data?"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trigpoint._errors import InputError
from trigpoint.cli._errors import tell
from trigpoint.cli._options import GRAPH, METRICS, NEIGHBORS, TASKS, PoolOptions, RunOptions, among
from trigpoint.cli._progress import progress
from trigpoint.cli._values import names
from trigpoint.selection import METHODS

if TYPE_CHECKING:
    from trigpoint.comparison import Comparison
    from trigpoint.io import Labels, Samples

COMPARED = (*METHODS, "learner")
PREDICTORS = ("auto", "propagation", "logistic", "ridge", "svm", "1-nn")
FILES = ("README.md", "summary.csv", "trials.csv", "compare.png", "manifest.json")


def compare(
    pool: PoolOptions,
    labels: Annotated[
        Path, typer.Option(metavar="FILE", help="Known labels. More labels give a more certain answer.")
    ],
    run: RunOptions,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Folder for the tables and the picture.")
    ] = Path("comparison"),
    methods: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help=", ".join(METHODS) + "; learner (sees labels during the run). random is always included.",
            show_default="auto,kmeans",
            autocompletion=among(COMPARED),
        ),
    ] = None,
    predictors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="auto, propagation, svm, 1-nn; logistic (classes), ridge (numbers). Graphs: the first two.",
            show_default="all",
            autocompletion=among(PREDICTORS),
        ),
    ] = None,
    budgets: Annotated[
        list[str] | None,
        typer.Option(metavar="NUMBERS", help="Numbers of landmarks: 10,20,50.", show_default="four"),
    ] = None,
    splits: Annotated[
        int, typer.Option(metavar="N", min=1, help="Number of splits; you can raise it later.")
    ] = 10,
    held_out: Annotated[
        float, typer.Option(metavar="SHARE", help="Share of the labeled samples that each split holds out.")
    ] = 0.25,
    label_column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help="Column of the labels; several for vectors of numbers: x,y."),
    ] = None,
    label_id_column: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Column of ids in the labels. Default: id, name or filename."),
    ] = None,
    task: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=", ".join(TASKS) + "; auto looks at the labels.", autocompletion=among(TASKS)
        ),
    ] = "auto",
    neighbors: Annotated[
        int | None,
        typer.Option(
            "--neighbors",
            "-k",
            metavar="K",
            min=1,
            help="Number of neighbors per sample.",
            show_default=str(NEIGHBORS),
            rich_help_panel=GRAPH,
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=", ".join(METRICS) + ".",
            show_default=METRICS[0],
            autocompletion=among(METRICS),
            rich_help_panel=GRAPH,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", metavar="N", min=1, help="Number of parallel jobs.", show_default="cores"
        ),
    ] = None,
) -> None:
    """Compare selectors and predictors on a pool whose labels are known.

    Splits hold out a part of the labeled samples; every method chooses landmarks from the rest, and every
    predictor infers the others. You can stop it at any time: the same command continues where it stopped.

    Example: `trigpoint compare pool.csv --labels known.csv -o comparison`
    """
    from trigpoint import comparison
    from trigpoint._validation import check_choice
    from trigpoint.cli import _output, _paths, _prepare
    from trigpoint.io import read_labels
    from trigpoint.plots import check_picture
    from trigpoint.selection import selector_of
    from trigpoint.trials import OtherSettingsError, columns

    check_choice(task, "--task", TASKS)
    if metric is not None:
        check_choice(metric, "--metric", METRICS)
    wanted = names(methods)
    for name in wanted or ():
        check_choice(name, "--methods", COMPARED)
    used = names(predictors)
    for name in used or ():
        check_choice(name, "--predictors", PREDICTORS)
    numbers = _numbers(budgets)
    _paths.check_inputs({"POOL": pool.source, "--labels": labels})
    _check_folder(output, [pool.source, pool.features, labels])
    check_picture(Path("compare.png"))
    with progress(run.verbose) as steps:
        with steps.step("pool"):
            own = _prepare.own_labels(pool, labels, names(label_column))
            samples = _prepare.read_samples(pool, own)
        _prepare.check_label_ids(samples, label_id_column)
        known = read_labels(
            labels,
            samples.ids,
            id_column=label_id_column,
            label_column=names(label_column),
            task=None if task == "auto" else task,
            skip_unknown=samples.skipped,
        )
        steps.say(f"{len(known.indices)} labels of {samples.n_samples} samples, for {known.task}")
        _prepare.tell_task(known)
        if known.answers is not None:
            tell(f"{known.answers.told()}.")
    for name in wanted or ():
        if name in METHODS and "X" in selector_of(name).needed({}):
            _prepare.check_features(samples, "--methods", name)
    made = _graph_options(samples, neighbors, metric, len(known.indices), held_out)
    _prepare.tell_columns(samples)
    with progress(run.verbose):
        try:
            found = comparison.compare(
                samples.X,
                _targets(samples, known),
                methods=wanted,
                predictors=used,
                budgets=numbers,
                n_splits=splits,
                held_out=held_out,
                task=known.task,
                random_state=run.seed,
                n_jobs=jobs or os.cpu_count() or 1,
                folder=output,
                **made,
            )
        except OtherSettingsError as error:
            if error.setting != "data":
                raise
            rule = "holds results of other samples or labels; name another output folder, or remove it"
            raise InputError(output, rule) from None
        except InputError as error:
            if error.argument not in METHODS:
                raise
            raise InputError(f"--methods {error.argument}", error.rule, error.value) from None
    found.write(output)
    facts = _facts(found, samples, output) | ({"task_assumed": known.assumed} if known.assumed else {})
    _output.publish(columns(found.table()), None, "table", facts, run.as_json)
    tell(f"{comparison.in_words(found)} {output / 'README.md'}")


def _numbers(texts: list[str] | None) -> list[int] | None:
    """
    >>> _numbers(["10,20", "50"])
    [10, 20, 50]
    """
    found = names(texts)
    for text in found or ():
        if not text.isdecimal():
            raise InputError("--budgets", "must be whole numbers between commas", repr(text))
    return None if found is None else [int(text) for text in found]


def _check_folder(output: Path, inputs: list[Path | None]) -> None:
    there = next(path for path in (output, *output.absolute().parents) if path.exists())
    if not there.is_dir():
        raise NotADirectoryError(f"--output must be a folder; {there} is a file.")
    if not os.access(there, os.W_OK):
        raise PermissionError(f"--output must be a folder that can be written to; {there} is not.")
    written = {(output / name).resolve() for name in FILES}
    for path in inputs:
        if path is not None and path.resolve() in written:
            raise InputError("--output", f"must not overwrite {path}")


def _graph_options(
    samples: "Samples", neighbors: int | None, metric: str | None, n_labels: int, held_out: float
) -> dict[str, Any]:
    """A graph is taken as it is; pools of few samples have fewer neighbors by default."""
    from trigpoint.cli._prepare import neighbors_of

    if samples.X is None:
        neighbors_of(samples, neighbors, metric)
        return {"graph": samples.graph}
    few = max(1, int((1 - held_out) * n_labels) - 1)
    return {"n_neighbors": neighbors or min(NEIGHBORS, few), "metric": metric or METRICS[0]}


def _targets(samples: "Samples", known: "Labels") -> Any:
    """One label a sample; None or NaN where there is none."""
    if known.task == "tags":
        raise InputError("--labels", "must hold one label a sample for compare", "sets of tags")
    import numpy as np

    if isinstance(known.values, list):
        classes = np.full(samples.n_samples, None, dtype=object)
        classes[known.indices] = known.values
        return classes
    values = np.full((samples.n_samples, *known.values.shape[1:]), np.nan)
    values[known.indices] = known.values
    return values


def _facts(found: "Comparison", samples: "Samples", output: Path) -> dict[str, Any]:
    """What JSON output tells beside the table."""
    from trigpoint.cli._prepare import column_facts

    overall: dict[str, dict[str, Any]] = {name: {} for name in found.methods}
    for predictor in found.predictors:
        ranks = found.mean_ranks(predictor=predictor)
        for name in found.methods:
            times = found.overall(name, predictor=predictor)
            budget, worst = found.worst(name, predictor=predictor)
            overall[name][predictor] = {
                "ratio": times.value,
                "ratio_low": times.low,
                "ratio_high": times.high,
                "mean_rank": ranks[name],
                "worst_ratio": worst,
                "worst_budget": budget,
                "told_labels": name in found.asks,
            }
    method, predictor = found.ways()[0]
    return {
        "pool": str(samples.path),
        "n_samples": samples.n_samples,
        **column_facts(samples),
        "skipped": samples.skipped,
        "task": found.task,
        "n_pool": found.n_pool,
        "n_held_out": found.n_held_out,
        "n_splits": found.n_splits,
        "budgets": list(found.budgets),
        "predictors": list(found.predictors),
        "best": {"method": method, "predictor": predictor},
        "answer": found.answer(),
        "winner": found.winner(),
        "loop": found.loop(),
        "overall": overall,
        "output": str(output),
    }
