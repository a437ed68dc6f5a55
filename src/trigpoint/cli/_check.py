"""trigpoint check: what may be wrong with a pool and its labels?"""

from pathlib import Path
from typing import Annotated

import typer

from trigpoint.cli._options import TASKS, NeighborOptions, PoolOptions, RunOptions, among
from trigpoint.cli._progress import progress
from trigpoint.cli._values import names


def check(
    pool: PoolOptions,
    graph: NeighborOptions,
    run: RunOptions,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Labels by id, or one label per sample in the order of the pool.",
            show_default="the pool's own column label",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Table of all labels, the most suspicious first: .csv, .tsv, .parquet, .json or .jsonl.",
        ),
    ] = None,
    kept: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Table of the samples that stay if copies are left out."),
    ] = None,
    label_column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Column of the labels, in --labels or in the pool; several for vectors of numbers: x,y.",
        ),
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
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a report, one HTML page.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if there is a problem or a warning.")
    ] = False,
) -> None:
    """Look for what may be wrong with a pool and its labels.

    Wrong labels, copies, outliers, parts without labels, classes that are spelled in two ways, columns that
    are constant or tell the label: each with the samples to look at and the command that acts on it.

    Example: `trigpoint check pool.csv --labels labels.csv --report page.html`
    """
    from trigpoint._errors import InputError
    from trigpoint._validation import check_choice
    from trigpoint.cli import _output, _paths, _prepare
    from trigpoint.cli._check_facts import checked, issue_table, json_facts, kept_table, snippets
    from trigpoint.cli._check_words import NO_LABELS, Asked, acting, as_looked_at
    from trigpoint.cli._options import check_neighbors
    from trigpoint.io import write_table

    check_choice(task, "--task", TASKS)
    check_neighbors(graph)
    _paths.check_inputs({"POOL": pool.source, "--labels": labels})
    inputs = [pool.source, pool.features, labels]
    _paths.check_outputs("--output", output, {".html": report}, inputs, "the page")
    _paths.check_outputs("--kept", kept, {}, [*inputs, output, report], "the page")
    with progress(run.verbose) as steps:
        with steps.step("pool"):
            own = _prepare.own_labels(pool, labels, names(label_column))
            samples = _prepare.straight(_prepare.read_samples(as_looked_at(pool), own))
        asked = Asked(pool, labels, names(label_column), label_id_column, None if task == "auto" else task)
        _prepare.check_label_ids(samples, label_id_column)
        known = asked.read(samples)
        if known is None and output is not None:
            raise InputError("--output", f"needs labels: {NO_LABELS}", repr(str(output)))
        if known is not None:
            _prepare.tell_task(known)
            steps.say(f"{len(known.indices)} labels of {samples.n_samples} samples, for {known.task}")
        _prepare.neighbors_of(samples, graph.neighbors, graph.metric, graph.view)
        _prepare.tell_columns(samples)
        found = acting(checked(samples, known, graph, run.seed), asked, output, report, samples.recipe)
        if report is not None:
            from trigpoint.cli._report import report_check

            report_check(report, samples, found, steps)
    if output is not None:
        write_table(output, issue_table(found))
    if kept is not None:
        write_table(kept, kept_table(found, samples))
    if run.as_json:
        written = {"output": output, "kept": kept, "report": report}
        assumed = {"task_assumed": known.assumed} if known is not None and known.assumed else {}
        _output.print_json(json_facts(found, samples, written) | assumed)
    else:
        typer.echo(found.page(snippets(samples)))
    if strict and not found.healthy:
        raise typer.Exit(1)
