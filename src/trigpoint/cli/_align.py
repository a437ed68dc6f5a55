"""The alignment matrix that the options ask for."""

import inspect
from dataclasses import dataclass
from typing import Any

from trigpoint._errors import InputError
from trigpoint._types import Sparse
from trigpoint._validation import check_choice, check_integer
from trigpoint.alignment import diffusion, laplacian, lle, ltsa
from trigpoint.cli._options import ALIGNMENTS, METRICS, NEIGHBORS, GraphOptions, check_neighbors
from trigpoint.cli._values import settings
from trigpoint.graph import NeighborGraph
from trigpoint.io import Samples

FUNCTIONS: dict[str, Any] = {"laplacian": laplacian, "diffusion": diffusion, "lle": lle, "ltsa": ltsa}


@dataclass(frozen=True)
class Alignment:
    """Checked settings of the graph and of phi."""

    name: str
    options: dict[str, Any]
    n_neighbors: int
    metric: str


def check_options(graph: GraphOptions) -> dict[str, Any]:
    """What can be told without the pool: names, and options of the alignment."""
    check_choice(graph.alignment, "--alignment", ALIGNMENTS)
    check_neighbors(graph)
    options = settings(graph.alignment_option, "--alignment-option")
    parameters = inspect.signature(FUNCTIONS[graph.alignment]).parameters
    known = [name for name in parameters if name not in ("X", "graph")]
    for name in options:
        if name not in known:
            raise InputError(
                name,
                f"is not an option of --alignment {graph.alignment}, whose options are: {', '.join(known)}",
            )
    for name in known:
        if name not in options and parameters[name].default is inspect.Parameter.empty:
            raise InputError(f"--alignment {graph.alignment}", f"needs --alignment-option {name}=..")
    return options


def check_for_pool(graph: GraphOptions, options: dict[str, Any], samples: Samples) -> Alignment:
    """What the pool adds: whether it has features, and how many neighbors there can be."""
    n = samples.n_samples
    if samples.X is None:
        for flag, value in (("--neighbors", graph.neighbors), ("--metric", graph.metric)):
            if value is not None:
                raise InputError(flag, f"has no meaning for {samples.path}, which is a graph", repr(value))
        if "X" in inspect.signature(FUNCTIONS[graph.alignment]).parameters:
            raise ValueError(f"--alignment {graph.alignment} works on features; {samples.path} is a graph.")
        return Alignment(graph.alignment, options, 0, "edges")
    if n < 2:
        raise InputError(samples.path, "must hold at least 2 samples", n)
    asked = min(NEIGHBORS, n - 1) if graph.neighbors is None else graph.neighbors
    k = check_integer(asked, "--neighbors", 1, n - 1, f" for {n} samples")
    return Alignment(graph.alignment, options, k, graph.metric or METRICS[0])


def align(alignment: Alignment, X: Any, graph: NeighborGraph) -> Sparse:
    function = FUNCTIONS[alignment.name]
    if "X" in inspect.signature(function).parameters:
        return function(X, graph, **alignment.options)
    return function(graph, **alignment.options)
