"""trigpoint bound: how sensitive propagation from some landmarks is to noise in the graph."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trigpoint.cli._options import GraphOptions, PoolOptions, RunOptions
from trigpoint.cli._progress import progress

if TYPE_CHECKING:
    from trigpoint.bound import SelectionPath

MEANINGS = {
    "condition_number": "condition number of the matrix that propagation solves",
    "norm_1": "norm of the links from landmarks to the rest: largest column sum",
    "norm_inf": "norm of the same links: largest row sum",
    "norm_rest": "norm of the links within the rest",
    "bound_1": "condition_number (1 / norm_1 + 1 / norm_rest)",
    "bound_inf": "condition_number (1 / norm_inf + 1 / norm_rest)",
    "gershgorin": "what gcls minimizes; at least bound_inf",
    "existence": "at least one set of this size has a condition number this small",
    "alpha": "the value used; by default 0.001 times the mean diagonal",
    "shift": "total added to the diagonal",
    "accuracy": "share by which condition_number may be too large",
    "method": "how the eigenvalues were found",
}
FOLLOWED = (
    "coverage",
    "gershgorin",
    "norm_1",
    "norm_inf",
    "norm_rest",
    "condition_number",
    "bound_1",
    "bound_inf",
)


def bound(
    pool: PoolOptions,
    landmarks: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="Table of ids, read in the order of its column rank; or .npy of indices."
        ),
    ],
    graph: GraphOptions,
    run: RunOptions,
    path: Annotated[
        Path | None,
        typer.Option("--path", metavar="FILE", help="Write the bound after every pick, as a table."),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Value added to the diagonal. Default: 0.001 times its mean."),
    ] = None,
) -> None:
    """Show how sensitive propagation from landmarks is to noise in the graph.

    Use it to compare sets of landmarks. It is not a bound on the error of labels.

    Example: `trigpoint bound pool.csv --landmarks landmarks.csv --path path.csv`
    """
    from dataclasses import asdict

    from trigpoint._validation import check_number
    from trigpoint.bound import landmark_bound, selection_path
    from trigpoint.cli import _output, _paths, _prepare
    from trigpoint.io import read_landmarks, write_table

    if alpha is not None:
        check_number(alpha, "--alpha", 0.0, strict=True)
    aligning = _prepare.check_words(graph)
    _paths.check_inputs({"POOL": pool.source, "--landmarks": landmarks})
    _paths.check_outputs("--path", path, {}, [pool.source, pool.features, landmarks], "the bound")
    with progress(run.verbose) as steps:
        with steps.step("pool"):
            samples = _prepare.read_samples(pool)
        picks = read_landmarks(landmarks, samples.ids)
        ready = _prepare.prepare(samples, graph, aligning, steps, only_main=True)
        with steps.step("bound"):
            found = asdict(landmark_bound(ready.seen.phi, picks, alpha=alpha))
        if path is not None:
            with steps.step("path"):
                write_table(path, _table(selection_path(ready.seen.phi, picks, alpha=alpha), samples.ids))
    if run.as_json:
        written = {} if path is None else {"path": str(path)}
        _output.print_json({**ready.facts(), "n_landmarks": len(picks), "bound": found, **written})
    else:
        typer.echo(_readable(found, len(picks), samples.n_samples))
    _output.close(f"the bound after each of {len(picks)} picks", path, run.verbose)


def _readable(found: dict[str, Any], n_landmarks: int, n: int) -> str:
    lines = [f"{n_landmarks} landmarks of {n} samples", ""]
    for name, value in found.items():
        shown = value if isinstance(value, str) else f"{value:.6g}"
        lines.append(f"{name:<17} {shown:>12}  {MEANINGS[name]}")
    return "\n".join(lines)


def _table(path: "SelectionPath", ids: Any) -> dict[str, Any]:
    found = set(path.checkpoints.tolist())
    return {
        "id": ids[path.landmarks],
        "rank": range(1, len(path.landmarks) + 1),
        **{name: getattr(path, name) for name in FOLLOWED},
        "checkpoint": [k in found for k in range(len(path.landmarks))],
    }
