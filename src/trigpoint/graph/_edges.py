"""A pool without features: its graph, given as edges.

Edge weights are similarities w > 0; the length of an edge is 1 / w (1 where there are no weights).
Edges have no direction here:

- an edge listed several times i -> j counts once where there are no weights, else its weights add up;
- where both i -> j and j -> i are listed, the larger of the two weights holds;
- self-loops and edges of weight 0 are dropped.
"""

from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Sparse
from trigpoint._validation import check_edges, check_integer, check_square, check_weights
from trigpoint.graph._graph import NeighborGraph, sorted_rows
from trigpoint.graph._objects import is_graph_object, object_edges

MAX_NODES = 2**31 - 1  # neighbors are int32
FEW = 10**6  # below this, numbers may have any gaps
GAPS = 10  # beyond, the largest may be this many times the count of different numbers


def graph_from_edges(edges: Any, weights: Any = None, *, n_nodes: int | None = None) -> NeighborGraph:
    """The neighbor graph of an edge list.

    Parameters
    ----------
    edges : (m, 2) integers, a sparse (n, n) matrix of similarities, or a graph of networkx or igraph
        Sample numbers, from 0. Numbers with wide gaps are refused (where ``n_nodes`` is not given, and
        the largest is 10^6 or more, and 10 times as large as the count of different ones):
        ``ids, edges = np.unique(edges, return_inverse=True)`` renumbers them.
        The nodes of a graph are numbered in its order, as in ``list(G.nodes)``; its weights are those of the
        edge attribute "weight". `trigpoint.read_pool` keeps the names as ids.
    weights : (m,) similarities >= 0, optional
    n_nodes : number of samples, optional
        The largest number in ``edges`` plus one by default; give it where the last samples may
        have no edges.

    Returns
    -------
    NeighborGraph
        Every edge in both directions, with ``similarities`` (1 where there are no weights),
        ``components`` and ``isolated``.

    Notes
    -----
    Cost: O(m log m) time to sort the m edges, and O(m) memory. At most 2^31 - 1 samples.

    See Also
    --------
    neighbor_graph : where there are features instead of edges.
    read_pool : a file of edges, with names.

    Examples
    --------
    >>> import trigpoint as tp
    >>> tp.graph_from_edges([[0, 1], [1, 2], [2, 1]], n_nodes=4)
    NeighborGraph(n=4, 4 directed edges, edges, given, recall=1, components=2, isolated=1)
    """
    if is_graph_object(edges):
        pairs, weights, n_nodes = _from_object(edges, weights, n_nodes)
    elif sparse.issparse(edges):
        pairs, weights, n_nodes = _from_matrix(edges, weights, n_nodes)
    else:
        pairs = check_edges(edges)
        weights = None if weights is None else check_weights(weights, len(pairs))
    found = int(pairs.max(initial=-1)) + 1
    if n_nodes is None:
        _check_gaps(pairs, found - 1)
    n = check_integer(
        found if n_nodes is None else n_nodes, "n_nodes", max(1, found), None, " for these edges"
    )
    if n > MAX_NODES:
        raise InputError("n_nodes", f"must be at most {MAX_NODES}, because neighbors are int32 numbers", n)
    similarity = _similarity(pairs, weights, n).tocoo()
    rows, cols = similarity.coords
    lengths = 1 / similarity.data
    indptr, order = sorted_rows(rows, cols, lengths, n)
    neighbors = cols[order].astype(np.int32)
    return NeighborGraph(indptr, neighbors, lengths[order], similarity.data[order], "edges", "given")


def _check_gaps(pairs: Array, largest: int) -> None:
    """Numbers far beyond their count are names: memory for all numbers in between would be wasted."""
    if largest < FEW:
        return
    most = max(FEW, GAPS * len(np.unique(pairs)))
    if largest >= most:
        raise InputError(
            "edges",
            f"must number samples without wide gaps, below {most} for this many different numbers; "
            "ids, edges = np.unique(edges, return_inverse=True) renumbers them, "
            "and n_nodes= accepts the gaps",
            largest,
        )


def _from_object(graph: Any, weights: Any, n_nodes: int | None) -> tuple[Array, Floats | None, int]:
    names, pairs, own = object_edges(graph)
    if weights is not None:
        raise InputError("weights", "must be None if edges is a graph, whose edges have them", "both")
    check_integer(len(names) if n_nodes is None else n_nodes, "n_nodes", len(names), None, " for this graph")
    return pairs, own, n_nodes or len(names)


def _from_matrix(matrix: Sparse, weights: Any, n_nodes: int | None) -> tuple[Array, Floats, int]:
    if weights is not None:
        raise InputError(
            "weights", "must be None if edges is a sparse matrix, which holds the weights", "both"
        )
    matrix = check_square(matrix, "edges")
    n = int(matrix.shape[0])
    check_integer(n if n_nodes is None else n_nodes, "n_nodes", n, n, " for this matrix")
    entries = matrix.tocoo()
    return np.column_stack(entries.coords), check_weights(entries.data, entries.nnz, "edges"), n


def _similarity(pairs: Array, weights: Floats | None, n: int) -> Sparse:
    """The symmetric similarity matrix, by the rules at the top."""
    w = np.ones(len(pairs)) if weights is None else weights
    kept = (pairs[:, 0] != pairs[:, 1]) & (w > 0)
    i, j = pairs[kept].T
    directed = sparse.csr_array((w[kept], (i, j)), shape=(n, n))  # adds repeated edges up
    if weights is None:
        directed.data[:] = 1
    return directed.maximum(directed.T)
