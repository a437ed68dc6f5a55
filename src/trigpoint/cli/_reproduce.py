"""trigpoint reproduce: the paper's experiments, rerun."""

from pathlib import Path
from typing import Annotated, Any

import typer

from trigpoint._errors import InputError
from trigpoint.cli._errors import tell
from trigpoint.cli._options import RunOptions, among
from trigpoint.cli._progress import progress

ALL = ("regression", "torus", "bound", "runtime", "classification")  # the longest last
NAMES = ("regression", "classification", "runtime", "bound", "torus", "all")


def reproduce(
    suite: Annotated[
        str, typer.Argument(metavar="SUITE", help=", ".join(NAMES) + ".", autocompletion=among(NAMES))
    ],
    run: RunOptions,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FOLDER", help="Output folder, with one subfolder per suite."),
    ] = Path("reproduction"),
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            envvar="TRIGPOINT_DATA",
            help="Folder of the real data sets; classification needs them.",
        ),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            envvar="TRIGPOINT_REFERENCE",
            help="The figures of the paper as CSV, to print next to ours.",
        ),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Number of trials; you can raise it later.", show_default="20"),
    ] = None,
    slow_trials: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Trials of MinCond, which takes minutes to hours.")
    ] = None,
    again: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Compute N results of other versions once more; the manifest says how many are equal.",
        ),
    ] = 0,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", metavar="N", min=1, help="Number of parallel jobs.", show_default="cores"
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Small sizes; takes two minutes.")] = False,
) -> None:
    """Rerun the experiments of the paper, and print the figures next to those of the paper.

    You can stop it at any time: the same command continues where it stopped.
    In a folder with the tables of an earlier run, it computes what is missing.

    Example: `trigpoint reproduce regression --data DIR --trials 20 -o out`
    """
    import os

    from trigpoint import experiments
    from trigpoint._validation import check_choice
    from trigpoint.cli._output import print_json
    from trigpoint.plots import check_picture

    names: tuple[str, ...] = ALL if check_choice(suite, "SUITE", NAMES) == "all" else (suite,)
    if suite == "all" and data is None:
        left_out = [name for name in names if experiments.needs_data(name)]
        names = tuple(name for name in names if name not in left_out)
        tell(f"warning: {', '.join(left_out)} is left out: it needs the real data sets, --data FOLDER.")
    elif data is None and experiments.needs_data(suite):
        raise InputError(suite, "needs the real data sets: --data FOLDER")
    if output.exists() and not output.is_dir():
        raise NotADirectoryError(f"--output must be a folder; {output} is a file.")
    output.mkdir(parents=True, exist_ok=True)
    check_picture(output / "figure.png")
    asked: dict[str, Any] = {
        "preset": "quick" if quick else "full",
        "trials": trials,
        "slow_trials": slow_trials,
        "seed": run.seed,
        "jobs": jobs or os.cpu_count() or 1,
        "data": data,
        "reference": reference,
    }
    for name in names:
        experiments.check(name, output, **asked)
    with progress(run.verbose):
        written = {name: experiments.reproduce(name, output, again=again, **asked) for name in names}
    if run.as_json:
        print_json({name: str(folder) for name, folder in written.items()})
    else:
        for folder in written.values():
            typer.echo(str(folder / "README.md"))
