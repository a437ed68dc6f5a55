"""trigpoint predict: the labels of new samples, by a model that was saved."""

from pathlib import Path
from typing import Annotated

import typer

from trigpoint._errors import InputError
from trigpoint.cli._errors import tell
from trigpoint.cli._options import POOL, ShownOptions
from trigpoint.cli._progress import progress


def predict(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="File that `propagate --save-model` or Python wrote.")
    ],
    run: ShownOptions,
    new: Annotated[
        Path | None,
        typer.Argument(
            metavar="NEW",
            help="New samples: a file or folder of the same kind as the pool; - is standard input.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Table of the new samples: .csv, .tsv, .parquet, .json or .jsonl; - prints it.",
        ),
    ] = None,
    about: Annotated[
        bool, typer.Option("--about", help="Print what the model was made from, and no predictions.")
    ] = False,
    id_column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Column of ids. Default: that of the pool, or id, name or filename.",
            rich_help_panel=POOL,
        ),
    ] = None,
    text_column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Column of texts. Default: that of the pool.", rich_help_panel=POOL
        ),
    ] = None,
    features: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Features from a separate .npy or .npz file, if those of the pool were.",
            rich_help_panel=POOL,
        ),
    ] = None,
    key: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the array in an .npz.", rich_help_panel=POOL)
    ] = None,
    input_format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="Format of standard input (NEW -): csv, jsonl, parquet, ... Default: by its content.",
            rich_help_panel=POOL,
        ),
    ] = None,
) -> None:
    """Label new samples with a model that was saved.

    Rows, texts and pictures become features in the same way as those of the pool. The columns are those of
    `propagate`. Copies of samples of the pool get what these have. `--about` prints what the model was made
    from.

    Example: `trigpoint predict model.trigpoint new.csv -o predictions.csv`
    """
    from trigpoint.cli import _new_samples, _output, _paths
    from trigpoint.cli._stdin import source_of
    from trigpoint.estimators import read_model
    from trigpoint.io import told_skipped

    new = None if new is None else source_of(new, input_format, "NEW")
    _paths.check_inputs({"MODEL": model, "NEW": new, "--features": features})
    if about:
        if new is not None or output is not None:
            raise InputError("--about", "must be used without NEW and --output")
        _new_samples.print_about(model, read_model(model).about, run.as_json)
        return
    if new is None:
        raise InputError("NEW", "must be a file or a folder of new samples; --about prints the model")
    printed = "--json" if run.as_json else None
    _paths.check_outputs("--output", output, {}, [model, new, features], printed)
    with progress(run.verbose) as steps:
        with steps.step("model"):
            found = read_model(model)
        with steps.step("new samples"):
            options = {"id_column": id_column, "text_column": text_column, "features": features, "key": key}
            samples = _new_samples.read_new(found, new, options)
        with steps.step("prediction"):
            columns, n_unknown = _new_samples.predictions(found, samples.X)
    facts = {
        "model": str(model),
        "new": str(new),
        "n_samples": samples.n_samples,
        "task": found.about["task"],
        "n_unreached": n_unknown,
        **({"skipped": samples.skipped} if samples.skipped else {}),
    }
    _output.publish({"id": samples.ids, **columns}, output, "predictions", facts, run.as_json)
    if samples.skipped:
        tell(f"{told_skipped(samples.skipped, samples.n_samples + len(samples.skipped))}.")
    if n_unknown:
        tell(f"{n_unknown} of {samples.n_samples} samples have no prediction, because no label reaches them.")
    _output.close(f"{samples.n_samples} samples", output, run.verbose)
