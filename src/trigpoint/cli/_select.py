"""trigpoint select: which samples to label."""

from pathlib import Path
from typing import Annotated

import typer

from trigpoint.cli._options import METHODS, GraphOptions, PoolOptions, RunOptions, among
from trigpoint.cli._progress import progress
from trigpoint.cli._values import settings


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
        Path | None, typer.Option(metavar="FILE", help="Samples that are labeled already: labels, or ids.")
    ] = None,
    label_studio: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the landmarks as Label Studio tasks, .json.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report too, one HTML page.")
    ] = None,
) -> None:
    """Choose the samples to label.

    Prints the landmarks in order of choice, or writes them to a file.

    Example: `trigpoint select pool.csv --budget 100 -o landmarks.csv`
    """
    from trigpoint import selection
    from trigpoint._validation import check_choice
    from trigpoint.cli import _align, _checks, _output, _prepare, _read
    from trigpoint.io import export_label_studio

    check_choice(method, "--method", METHODS)
    options = settings(option, "--option")
    aligning = _align.check_options(graph)
    _checks.check_stdout(output, "--output", "--json" if run.as_json else None)
    _checks.check_inputs({"POOL": pool.source, "--initial": initial})
    _checks.check_outputs(
        [output], {".json": label_studio, ".html": report}, [pool.source, pool.features, initial]
    )
    with progress(4, run.verbose) as steps:
        with steps.step("pool"):
            samples = _read.read_samples(pool)
            known = _read.read_initial(initial, samples.ids)
        _checks.check_budget(budget, samples.n_samples, len(known))
        alignment = _align.check_for_pool(graph, aligning, samples)
        _checks.rehearse_selection(samples, alignment, method, options, known)
        ready = _prepare.prepare(samples, alignment, graph, steps)
        with steps.step("landmarks"):
            picks = selection.select(
                ready.phi,
                budget,
                method=method,
                X=samples.X,
                graph=ready.graph,
                initial=known,
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
