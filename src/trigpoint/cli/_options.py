"""What the commands can be told, in groups that they share."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from trigpoint._errors import InputError
from trigpoint.alignment import ALIGNMENTS
from trigpoint.cli._config import load_config

SPARSE_ALIGNMENTS = tuple(name for name in ALIGNMENTS if name != "isomap")  # whose phi is dense
METRICS = ("euclidean", "cosine")
VIEWS = ("auto", "raw", "standard", "half_white", "white")
PREDICTORS = ("auto", "propagation", "linear")
TASKS = ("auto", "classification", "regression")
TEXT_METHODS = ("auto", "words", "embeddings")
PICTURE_METHODS = ("auto", "gradients", "pixels")
SCALES = ("auto", "robust", "standard", "none")
MISSING_RULES = ("impute", "refuse")
NEIGHBORS = 15
POOL, GRAPH, RUN = "The pool", "The graph", "The run"


def among(names: tuple[str, ...]) -> Callable[[], list[str]]:
    """For the shell to complete."""
    return lambda: list(names)


@dataclass(frozen=True)
class PoolOptions:
    source: Annotated[
        Path,
        typer.Argument(
            metavar="POOL",
            help="Table (.csv, .parquet, ...), array (.npy, .safetensors, ...), graph, .txt or folder; or -.",
        ),
    ]
    id_column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Column of ids. Default: id, name or filename.", rich_help_panel=POOL
        ),
    ] = None
    text_column: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Column of texts to take features from.", rich_help_panel=POOL),
    ] = None
    text_features: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=", ".join(TEXT_METHODS) + ": how texts become features.",
            show_default=TEXT_METHODS[0],
            autocompletion=among(TEXT_METHODS),
            rich_help_panel=POOL,
        ),
    ] = None
    columns: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help="Columns to take features from: a,b,c.", rich_help_panel=POOL),
    ] = None
    drop: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help="Columns to take no features from: a,b,c.", rich_help_panel=POOL),
    ] = None
    scale: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=", ".join(SCALES) + ": how the numbers of a table are scaled.",
            show_default=SCALES[0],
            autocompletion=among(SCALES),
            rich_help_panel=POOL,
        ),
    ] = None
    missing: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=", ".join(MISSING_RULES) + ": what is done about missing values of a table.",
            show_default=MISSING_RULES[0],
            autocompletion=among(MISSING_RULES),
            rich_help_panel=POOL,
        ),
    ] = None
    features: Annotated[
        Path | None,
        typer.Option(
            metavar="COLUMN|FILE",
            help="Column of embeddings, or a .npy, .npz or .safetensors file with one row per sample.",
            rich_help_panel=POOL,
        ),
    ] = None
    key: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Name of the array in an .npz or .safetensors.", rich_help_panel=POOL
        ),
    ] = None
    image_size: Annotated[
        str | None,
        typer.Option(
            metavar="HxW",
            help="Height and width that pictures are resized to.",
            show_default="32x32",
            rich_help_panel=POOL,
        ),
    ] = None
    color: Annotated[
        bool, typer.Option("--color", help="Use pictures in color instead of grey.", rich_help_panel=POOL)
    ] = False
    image_features: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=", ".join(PICTURE_METHODS) + ": how pictures become features.",
            show_default=PICTURE_METHODS[0],
            autocompletion=among(PICTURE_METHODS),
            rich_help_panel=POOL,
        ),
    ] = None
    is_graph: Annotated[
        bool | None,
        typer.Option(
            "--graph/--no-graph",
            help="Whether the file is a graph, if its format does not show it.",
            rich_help_panel=POOL,
        ),
    ] = None
    input_format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="Format of standard input (POOL -): csv, jsonl, parquet, ... Default: by its content.",
            rich_help_panel=POOL,
        ),
    ] = None

    def __post_init__(self) -> None:
        from trigpoint.cli._stdin import source_of

        object.__setattr__(self, "source", source_of(self.source, self.input_format))


WeightColumn = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Column that tells how much each sample counts; it is no feature.",
        rich_help_panel=POOL,
    ),
]


Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Compute on the Dask cluster of this scheduler, such as tcp://host:8786.",
        rich_help_panel=RUN,
    ),
]


@dataclass(frozen=True)
class NeighborOptions:
    neighbors: Annotated[
        int | None,
        typer.Option(
            "--neighbors",
            "-k",
            metavar="K",
            help="Number of neighbors per sample.",
            show_default=str(NEIGHBORS),
            rich_help_panel=GRAPH,
        ),
    ] = None
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=", ".join(METRICS) + ".",
            show_default=METRICS[0],
            autocompletion=among(METRICS),
            rich_help_panel=GRAPH,
        ),
    ] = None
    view: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=", ".join(VIEWS) + ": how distances between features are measured.",
            show_default=VIEWS[0],
            autocompletion=among(VIEWS),
            rich_help_panel=GRAPH,
        ),
    ] = None
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder of the graph cache.",
            show_default="$TRIGPOINT_CACHE",
            rich_help_panel=GRAPH,
        ),
    ] = None
    no_cache: Annotated[
        bool,
        typer.Option("--no-cache", help="Do not use the graph cache.", rich_help_panel=GRAPH),
    ] = False


def check_neighbors(graph: NeighborOptions) -> None:
    """What can be told of these without the pool."""
    from trigpoint._validation import check_choice, check_integer
    from trigpoint.prediction import check_view

    if graph.metric is not None:
        check_choice(graph.metric, "--metric", METRICS)
    if graph.view is not None:
        check_choice(graph.view, "--view", VIEWS)
        check_view(graph.view, graph.metric or METRICS[0])
    if graph.neighbors is not None:
        check_integer(graph.neighbors, "--neighbors", 1)
    if graph.cache is not None and graph.no_cache:
        raise InputError("--cache and --no-cache", "must not be used together")


@dataclass(frozen=True)
class GraphOptions(NeighborOptions):
    alignment: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=", ".join(SPARSE_ALIGNMENTS) + "; the last two need features.",
            autocompletion=among(SPARSE_ALIGNMENTS),
            rich_help_panel=GRAPH,
        ),
    ] = "laplacian"
    alignment_option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="An option of the alignment, such as n_components=2.",
            rich_help_panel=GRAPH,
        ),
    ] = None


@dataclass(frozen=True)
class ShownOptions:
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as JSON.", rich_help_panel=RUN)
    ] = False
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", "-v", help="Print what was found and how long each step took.", rich_help_panel=RUN
        ),
    ] = False
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Options from a TOML file, with one table per command.",
            callback=load_config,
            is_eager=True,
            rich_help_panel=RUN,
        ),
    ] = None


@dataclass(frozen=True)
class RunOptions(ShownOptions):
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything random.", rich_help_panel=RUN)] = 0
