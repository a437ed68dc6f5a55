"""trigpoint propagate: the labels of all samples from those of a few."""

from pathlib import Path
from typing import Annotated

import typer

from trigpoint.cli._errors import tell
from trigpoint.cli._options import (
    PREDICTORS,
    TASKS,
    GraphOptions,
    PoolOptions,
    RunOptions,
    Scheduler,
    WeightColumn,
    among,
)
from trigpoint.cli._progress import progress
from trigpoint.cli._values import names, share

KINDS = (*TASKS, "tags")


def propagate(
    pool: PoolOptions,
    labels: Annotated[
        Path,
        typer.Option(metavar="FILE", help="Labels by id, or one label per sample in the order of the pool."),
    ],
    graph: GraphOptions,
    run: RunOptions,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Table of all samples: .csv, .tsv, .parquet, .json or .jsonl; - prints it.",
        ),
    ] = None,
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
            metavar="NAME", help=", ".join(KINDS) + "; auto looks at the labels.", autocompletion=among(KINDS)
        ),
    ] = "auto",
    predictor: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=", ".join(PREDICTORS) + "; auto is a mixture that the labels decide on.",
            autocompletion=among(PREDICTORS),
        ),
    ] = PREDICTORS[0],
    labels_at_random: Annotated[
        bool,
        typer.Option(
            "--labels-at-random",
            help="The labeled samples were drawn at random from the pool: say how wrong the rest is.",
        ),
    ] = False,
    noise: Annotated[
        str,
        typer.Option(
            metavar="SHARE",
            help="Share of wrong labels; auto finds it, 0 takes all to be right.",
        ),
    ] = "auto",
    std: Annotated[
        bool, typer.Option(help="Compute standard deviations for numeric labels (slower).")
    ] = True,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a report, one HTML page.")
    ] = None,
    save_model: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Also save what was learned, for `trigpoint predict`: model.trigpoint."
        ),
    ] = None,
    weight_column: WeightColumn = None,
    scheduler: Scheduler = None,
) -> None:
    """Infer the labels of all samples from those of a few.

    Classes come with a probability and an uncertainty, numbers with a standard deviation. With `--task tags`
    a cell of the labels holds any number of tags (`cat;outdoor`, or `[]` for none), and each tag gets a
    probability. Where nothing is known of a sample, its cells are empty. If the labeled samples were drawn at
    random, they also tell how wrong the rest is: `--labels-at-random`.

    Example: `trigpoint propagate pool.csv --labels labels.csv -o predictions.csv`
    """
    from dataclasses import replace

    from trigpoint._errors import InputError
    from trigpoint._validation import check_choice
    from trigpoint.cli import _infer, _output, _paths, _prepare
    from trigpoint.cli._cluster_run import place
    from trigpoint.cli._weights import read_weighed
    from trigpoint.io import read_labels
    from trigpoint.prediction import check_noise, label_weights

    check_choice(task, "--task", KINDS)
    check_choice(predictor, "--predictor", PREDICTORS)
    wrong = check_noise(share(noise), predictor, "--noise")
    aligning = _prepare.check_words(graph)
    _paths.check_inputs({"POOL": pool.source, "--labels": labels})
    printed = "--json" if run.as_json else None
    inputs = [pool.source, pool.features, labels]
    others = {".html": report, ".trigpoint": save_model}
    _paths.check_outputs("--output", output, others, inputs, printed)
    if scheduler is not None and predictor != "propagation":
        rule = "needs --predictor propagation: a mixture is fitted on one machine"
        raise InputError("--scheduler", rule, f"--predictor {predictor}")
    with place(scheduler) as where, progress(run.verbose) as steps:
        with steps.step("pool"):
            own = _prepare.own_labels(pool, labels, names(label_column))
            samples, weights = read_weighed(pool, weight_column, own)
        if predictor == "linear":
            _prepare.check_features(samples, "--predictor", predictor)
        if save_model is not None:
            _prepare.check_features(samples, "--save-model", str(save_model))
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
        given = _infer.as_given(known)
        if given.tags and wrong not in ("auto", 0):
            raise InputError("--noise", "must be auto or 0 for tags, which are taken to be right", noise)
        ready = _prepare.prepare(
            samples, graph, aligning, steps, where, landmarks=known.indices, values=given.values
        )
        with steps.step("prediction"):
            counts = label_weights(weights, known.indices)
            wishes = _infer.Wishes(predictor, wrong, labels_at_random, std, run.seed, counts, where.propagate)
            found = _infer.infer(ready.pool, known, given, wishes)
        steps.say(found.told())
        ready = replace(ready, seen=found.seen)
        facts = {
            **ready.facts(),
            "task": known.task,
            **({"task_assumed": known.assumed} if known.assumed else {}),
            "n_labels": len(known.indices),
            **({} if known.answers is None else known.answers.facts()),
            "predictor": predictor,
            **found.facts(),
            "seed": run.seed,
        }
        if report is not None:
            from trigpoint.cli._report import report_predictions

            report_predictions(report, ready, known, found, facts, steps)
            facts["report"] = str(report)
        if save_model is not None:
            from trigpoint.cli._save_model import save_inferred

            with steps.step("model"):
                columns = {"text_column": pool.text_column, "id_column": pool.id_column}
                save_inferred(save_model, ready, graph, known, given, wishes, found, columns)
            facts["model"] = str(save_model)
    _output.publish({"id": samples.ids, **found.columns}, output, "predictions", facts, run.as_json)
    if found.error is not None:
        tell(found.error.told())
    if found.noise * len(known.indices) >= 0.5:
        about = f"about {found.noise * len(known.indices):.0f} of {len(known.indices)} labels look wrong"
        tell(f"{about}, and count less; `trigpoint check` lists them, --noise 0 keeps them.")
    if found.n_unreached:
        some = f"{found.n_unreached} of {samples.n_samples} samples"
        tell(f"{some} have no prediction, because no label reaches them.")
    _output.close(f"{samples.n_samples} samples from {len(known.indices)} labels", output, run.verbose)
