"""trigpoint export: files from a studio, without its page."""

from pathlib import Path
from typing import Annotated

import typer

from trigpoint._errors import InputError
from trigpoint.cli._errors import check_studio
from trigpoint.cli._options import ShownOptions


def export(
    store: Annotated[
        Path, typer.Argument(metavar="STORE", help="File of a studio (POOL.trigpoint.db), or its pool.")
    ],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="What to write: labels.csv, label_studio.json, ...")
    ],
    run: ShownOptions,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File to write. Default: NAME, in this folder."),
    ] = None,
) -> None:
    """Write labels, predictions, or files for other tools from a studio that is not open.

    Predictions are computed anew. While a studio is open, its tab Files has the same.

    Example: `trigpoint export photos.trigpoint.db label_studio.json -o tasks.json`
    """
    check_studio("trigpoint export")
    from trigpoint.cli import _output, _paths
    from trigpoint.cli._progress import progress
    from trigpoint.io import cache_folder
    from trigpoint.studio import EXPORTS, default_store, export_store

    if name not in EXPORTS:
        raise InputError("NAME", f"must be one of {', '.join(EXPORTS)}", repr(name))
    target = Path(name) if output is None else output
    if target.suffix.lower() != Path(name).suffix:
        raise InputError("--output", f"must end in {Path(name).suffix}, as {name} does", str(target))
    pool = store if store.is_dir() or store.suffix.lower() != ".db" else None
    kept = store if pool is None else default_store(pool)
    _paths.check_inputs({"STORE": kept})
    _paths.check_outputs("--output", None, {target.suffix.lower(): target}, [kept], None)
    with progress(run.verbose) as steps, steps.step("export"):
        samples = export_store(kept, name, target, cache_folder(), pool)
    if run.as_json:
        _output.print_json({"store": str(kept), "n_samples": samples.n_samples, "output": str(target)})
    _output.close(name, target, run.verbose)
