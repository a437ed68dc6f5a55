"""trigpoint graph build, trigpoint graph info: neighbor graphs that are kept in folders."""

from pathlib import Path
from typing import Annotated, Any

import typer

from trigpoint.cli._options import NeighborOptions, PoolOptions, ShownOptions
from trigpoint.cli._progress import progress


def build(
    pool: PoolOptions,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Folder to write: new, or of a graph.")
    ],
    graph: NeighborOptions,
    run: ShownOptions,
) -> None:
    """Find the neighbors of each sample, and keep the graph in a folder.

    The folder is a pool for other commands, whose ids are row numbers.

    Example: `trigpoint graph build pool.npy --neighbors 15 -o pool.graph`
    """
    from trigpoint.cli import _output, _paths, _prepare
    from trigpoint.cli._options import check_neighbors
    from trigpoint.storage import GRAPH, check_folder_target, save_graph

    check_neighbors(graph)
    _paths.check_inputs({"POOL": pool.source})
    check_folder_target(output, GRAPH)
    with progress(run.verbose) as steps:
        with steps.step("pool"):
            samples = _prepare.read_samples(pool)
        found, view = _prepare.graph_alone(samples, graph)
        settings = {"pool": str(pool.source), "view": view, "fingerprint": samples.fingerprint}
        with steps.step("folder"):
            save_graph(output, found, settings=settings)
        steps.say(repr(found))
    if run.as_json:
        _output.print_json({**_facts(output), "output": str(output)})
    _output.close(f"the graph of {found.n_samples} samples", output, run.verbose)


def info(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Folder that trigpoint graph build or save_graph wrote.")
    ],
    run: ShownOptions,
    check: Annotated[
        bool, typer.Option("--check", help="Read all of it, and refuse it if anything is damaged.")
    ] = False,
) -> None:
    """Show what a folder of a graph holds.

    Example: `trigpoint graph info pool.graph --json`
    """
    from trigpoint.cli import _output

    with progress(run.verbose) as steps, steps.step("graph"):
        facts = _facts(folder, check)
    if run.as_json:
        _output.print_json(facts)
        return
    settings = facts.pop("settings")
    for name, value in {**facts, **settings}.items():
        shown = (
            f"{value:,}" if isinstance(value, int) else f"{value:.4g}" if isinstance(value, float) else value
        )
        typer.echo(f"{name.replace('_', ' '):<13} {'unknown' if value is None else shown}")


def _facts(folder: Path, check: bool = False) -> dict[str, Any]:
    from trigpoint.storage import graph_facts, open_graph

    graph, about = open_graph(folder, check=check), graph_facts(folder)
    return {
        "n_samples": graph.n_samples,
        "n_neighbors": graph.n_neighbors,
        "n_edges": len(graph.indices),
        "metric": graph.metric,
        "method": graph.method,
        "recall": about["recall"],
        "n_components": graph.n_components,
        "n_isolated": len(graph.isolated),
        "bytes": about["bytes"],
        "created": about["created"],
        "trigpoint": about["trigpoint"],
        "settings": about["settings"],
    }
