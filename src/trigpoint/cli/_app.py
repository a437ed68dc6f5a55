"""Which commands there are."""

from typing import Annotated

import typer

from trigpoint import __version__
from trigpoint.cli._bound import bound
from trigpoint.cli._check import check
from trigpoint.cli._command import command
from trigpoint.cli._compare import compare
from trigpoint.cli._demo import demo
from trigpoint.cli._export import export
from trigpoint.cli._graph import build, info
from trigpoint.cli._predict import predict
from trigpoint.cli._propagate import propagate
from trigpoint.cli._reproduce import reproduce
from trigpoint.cli._select import select
from trigpoint.cli._studio import studio

app = typer.Typer(rich_markup_mode="markdown", pretty_exceptions_enable=False)

for function in (demo, select, propagate, predict, check, studio, export, bound, compare, reproduce):
    app.command()(command(function))

graph = typer.Typer(
    help="Make neighbor graphs that are kept in folders, and look at them.", no_args_is_help=True
)
for part in (build, info):
    graph.command()(command(part))
app.add_typer(graph, name="graph")


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"trigpoint {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def trigpoint(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Choose which few samples of a pool to label, and infer the rest.

    Example: `trigpoint select pool.csv --budget 100 -o landmarks.csv`
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)
