"""Files that are graphs: edge lists, and symmetric sparse matrices of similarities.

An edge list is a table of two columns, source and target (or from and to, ...), and a weight where it
is weighted. Nodes are those that it names, in the order of their numbers where all are whole numbers,
else as they first appear; a node without edges can be listed by a loop on itself.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats
from trigpoint._validation import REAL
from trigpoint.graph import NeighborGraph, graph_from_edges
from trigpoint.io._samples import as_ids
from trigpoint.io._table import INDEX_NAMES, Table, number

ENDS = (("source", "target"), ("from", "to"), ("id_1", "id_2"), ("node_1", "node_2"))
WEIGHT = "weight"


def edge_columns(names: list[str], asked: bool = False) -> list[str] | None:
    """The columns source, target and perhaps weight of an edge list; None where it does not look like one.

    Where a graph is ``asked`` for, the first two columns will do.
    """
    by_name = {name.strip().lower(): name for name in names if name not in INDEX_NAMES}
    rest = set(by_name) - {WEIGHT}
    weight = [by_name[WEIGHT]] if WEIGHT in by_name else []
    for ends in ENDS:
        if rest == set(ends) or (asked and set(ends) <= rest):
            return [by_name[ends[0]], by_name[ends[1]], *weight]
    plain = [by_name[name] for name in by_name if name != WEIGHT]
    return [*plain[:2], *weight] if asked and len(plain) >= 2 else None


def edge_list(table: Table, columns: list[str]) -> tuple[Array, NeighborGraph]:
    """Node names and their graph."""
    path = table.path
    source, target = table.text(columns[0]), table.text(columns[1])
    for name, cells in zip(columns[:2], (source, target), strict=True):
        if "" in cells:
            raise InputError(
                f"{path}, {table.where(cells.index(''))}, column {name!r}:", "must name a node", "nothing"
            )
    names = list(dict.fromkeys(name for pair in zip(source, target, strict=True) for name in pair))
    if all(re.fullmatch(r"\d{1,18}", name) for name in names):
        names.sort(key=int)
    code = {name: i for i, name in enumerate(names)}
    edges = np.array([[code[name] for name in source], [code[name] for name in target]]).T
    weights = _weights(table, columns[2]) if len(columns) > 2 else None
    return as_ids(names), similarity_graph(path, edges, weights, len(names))


def _weights(table: Table, name: str) -> Floats:
    weights = np.empty(table.n_rows)
    for i, cell in enumerate(table.text(name)):
        found = number(cell)
        if found is None or not 0 <= found < np.inf:
            place = f"{table.path}, {table.where(i)}, column {name!r}"
            raise InputError(f"{place}:", "must be a finite number of at least 0", repr(cell))
        weights[i] = found
    return weights


def similarity_graph(
    path: Path, edges: Any, weights: Any = None, n_nodes: int | None = None
) -> NeighborGraph:
    try:
        return graph_from_edges(edges, weights, n_nodes=n_nodes)
    except ValueError as error:
        raise InputError(path, f"must be a graph of similarities: {str(error).rstrip('.')}") from None


def graph_or_features(matrix: Any, path: Path, kind: str, asked: bool | None) -> NeighborGraph | None:
    """The graph that a sparse matrix is, or None for features.

    A symmetric .mtx is a graph. An .npz that could be one (square, nothing on the diagonal, nothing
    negative) needs the word.
    """
    square = matrix.shape[0] == matrix.shape[1] > 0
    if asked or (asked is None and kind == "mtx" and square and _symmetric(matrix)):
        return similarity_graph(path, matrix)
    if asked is None and kind == "npz" and square and hollow(matrix):
        said = "give graph=True (similarities) or graph=False (features)"
        raise InputError(
            path, f"could be a graph or features, because it is square with an empty diagonal; {said}"
        )
    return None


def _symmetric(matrix: Any) -> bool:
    return matrix.dtype.kind in REAL and (matrix != matrix.T).nnz == 0


def hollow(matrix: Any) -> bool:
    """Nothing on the diagonal and nothing negative, as in matrices of edges or distances."""
    real = matrix.dtype.kind in REAL
    return real and matrix.nnz > 0 and not matrix.diagonal().any() and bool(matrix.data.min() >= 0)
