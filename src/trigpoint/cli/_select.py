"""trigpoint select: which samples to label."""

from pathlib import Path
from typing import Annotated

import typer

from trigpoint._errors import InputError
from trigpoint.cli._options import GraphOptions, PoolOptions, RunOptions, Scheduler, WeightColumn, among
from trigpoint.cli._progress import progress
from trigpoint.cli._values import settings
from trigpoint.selection import METHODS


def select(
    pool: PoolOptions,
    budget: Annotated[
        int, typer.Option("--budget", "-n", metavar="N", min=1, help="How many samples to label.")
    ],
    graph: GraphOptions,
    run: RunOptions,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Table of ids: .csv, .tsv, .parquet, .json or .jsonl; - prints it.",
        ),
    ] = None,
    method: Annotated[
        str, typer.Option(metavar="NAME", help=", ".join(METHODS) + ".", autocompletion=among(METHODS))
    ] = "auto",
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="An option of the method, such as strategy=two_candidates."),
    ] = None,
    initial: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Samples that already have labels: a table of labels or of ids."),
    ] = None,
    label_studio: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the landmarks as Label Studio tasks, .json.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a report, one HTML page.")
    ] = None,
    weight_column: WeightColumn = None,
    scheduler: Scheduler = None,
) -> None:
    """Choose the samples to label.

    Prints the landmarks in order of choice, or writes them to a file.

    Example: `trigpoint select pool.csv --budget 100 -o landmarks.csv`
    """
    from trigpoint import selection
    from trigpoint._validation import check_integer
    from trigpoint.cli import _output, _paths, _prepare
    from trigpoint.cli._cluster_run import place
    from trigpoint.cli._weights import read_weighed
    from trigpoint.io import export_label_studio

    options = settings(option, "--option")
    selector = selection.check_method(method, options)
    aligning = _prepare.check_words(graph)
    plain = graph.alignment == "laplacian" and not aligning
    selection.check_counts(method, graph.alignment, plain=plain, dense=False)
    if weight_column is not None and not selector.weighs:
        raise InputError(
            "--weight-column", f"has no meaning for --method {method}; auto, facility and kmeans take it"
        )
    _paths.check_inputs({"POOL": pool.source, "--initial": initial})
    printed = "--json" if run.as_json else None
    inputs = [pool.source, pool.features, initial]
    _paths.check_outputs("--output", output, {".json": label_studio, ".html": report}, inputs, printed)
    with place(scheduler) as where, progress(run.verbose) as steps:
        with steps.step("pool"):
            samples, weights = read_weighed(pool, weight_column)
            known = _prepare.read_initial(initial, samples)
        n, n_known = samples.n_samples, len(known)
        if n_known == n:
            raise InputError("--initial", "must leave a sample to choose", f"all {n}")
        of = f" for {n} samples" + (f", {n_known} of them in --initial" if n_known else "")
        check_integer(budget, "--budget", 1, n - n_known, of)
        if "X" in selector.needed(options):
            _prepare.check_features(samples, "--method", method)
        selection.check_needs(method, options, n, has_X=True, has_graph=True)
        ready = _prepare.prepare(samples, graph, aligning, steps, where, only_main=True)
        with steps.step("landmarks"):
            picks = where.select(
                ready.seen.phi,
                budget,
                method=method,
                X=ready.seen.X,
                graph=ready.seen.graph,
                initial=known,
                sample_weight=weights,
                random_state=run.seed,
                **options,
            )
        facts = {
            **ready.facts(),
            "method": method,
            "options": options,
            "seed": run.seed,
            "n_initial": len(known),
            "n_landmarks": len(picks),
        }
        if report is not None:
            from trigpoint.cli._report import report_selection

            report_selection(report, ready, picks, facts, steps)
            facts["report"] = str(report)
    if label_studio is not None:
        export_label_studio(label_studio, samples, picks)
        facts["label_studio"] = str(label_studio)
    table = {"id": samples.ids[picks], "rank": range(1, len(picks) + 1), "index": picks}
    _output.publish(table, output, "landmarks", facts, run.as_json)
    _output.close(f"{budget} landmarks of {samples.n_samples} samples", output, run.verbose)
