"""The neighbor graph: who is near whom, and how near.

Row i of the record lists the neighbors of sample i, nearest first (ties by index), never i
itself. Rows have n_neighbors entries each when they come from a K-nearest-neighbor search, and
any number when they come from edges or a precomputed graph. The lists are directed; whoever needs
an undirected graph takes the union of both directions.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from trigpoint._errors import InputError
from trigpoint._kernels.union_find import connected, mark_touched
from trigpoint._types import Array, Floats, Sparse


@dataclass(frozen=True, eq=False, repr=False)
class NeighborGraph:
    """Neighbor lists in compressed rows.

    Attributes
    ----------
    indptr : (n + 1,) int64
        Row i holds ``indices[indptr[i]:indptr[i + 1]]`` and the distances beside them.
    indices : (m,) int32
    distances : (m,) float64
        In the graph's metric; for edge lists, lengths 1 / similarity.
    similarities : (m,) float64 or None
        The graph's own edge weights, where it came with some.
    metric : "euclidean", "cosine", "precomputed" or "edges"
    method : how the neighbors were found: "exact", "approximate", "given", or a transformer's name
    recall : share of true neighbors found, measured on a sample of rows; 1.0 when exact
    components : (n,) int32
        Connected component of each sample (edges taken in both directions).
    isolated : indices of the samples without any edge

    Examples
    --------
    >>> import trigpoint as tp
    >>> graph = tp.neighbor_graph([[0.0], [1.0], [3.0], [3.5]], n_neighbors=1)
    >>> graph
    NeighborGraph(n=4, K=1, euclidean, exact, recall=1, components=2, isolated=0)
    >>> graph.neighbors.ravel(), graph.components
    (array([1, 0, 3, 2], dtype=int32), array([0, 0, 1, 1], dtype=int32))
    """

    indptr: Array
    indices: Array
    distances: Floats
    similarities: Floats | None = None
    metric: str = "euclidean"
    method: str = "exact"
    recall: float = 1.0

    def __post_init__(self) -> None:
        for name in ("indptr", "indices", "distances", "similarities"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _read_only(getattr(self, name)))

    @cached_property
    def components(self) -> Array:
        """(n,) int32, the connected component of each sample, with edges taken in both directions."""
        self._check_lists()
        return _read_only(connected(self.indptr, self.indices))

    @cached_property
    def isolated(self) -> Array:
        """Indices of the samples without any edge."""
        self._check_lists()
        touched = np.zeros(self.n_samples, dtype=np.bool_)
        mark_touched(self.indptr, self.indices, touched)
        return _read_only(np.flatnonzero(~touched))

    def _check_lists(self) -> None:
        """A damaged file may name samples that are not there, which compiled code would look for."""
        starts, names = self.indptr, self.indices
        fit = starts[0] == 0 and starts[-1] == len(names) and bool((np.diff(starts) >= 0).all())
        if not fit or names.min(initial=0) < 0 or names.max(initial=-1) >= self.n_samples:
            rule = (
                "must hold lists that name its own samples; open_graph(folder, check=True) looks for damage"
            )
            raise InputError("the graph", rule)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles make a new record, whose arrays are read-only again."""
        return NeighborGraph, tuple(getattr(self, f.name) for f in fields(self))

    @property
    def n_samples(self) -> int:
        """How many samples the graph has."""
        return len(self.indptr) - 1

    @property
    def n_neighbors(self) -> int | None:
        """K where every sample has the same number of neighbors, else None."""
        counts = np.diff(self.indptr)
        return int(counts[0]) if counts.min() == counts.max() else None

    @property
    def n_components(self) -> int:
        """How many parts without a link between them; 1 for a connected graph."""
        return int(self.components.max()) + 1

    @property
    def neighbors(self) -> Array:
        """The lists as one (n, K) array; every sample must have the same number of neighbors."""
        if self.n_neighbors is None:
            raise InputError(
                "graph", "must give every sample the same number of neighbors; this one does not"
            )
        return self.indices.reshape(self.n_samples, self.n_neighbors)

    def lengths(self) -> Sparse:
        """The directed distances as a matrix.

        Returns
        -------
        (n, n) csr_array, in which zero distances are stored entries
        """
        n = self.n_samples
        return csr_array((self.distances, self.indices, self.indptr), shape=(n, n))

    def __repr__(self) -> str:
        degree = f"K={self.n_neighbors}" if self.n_neighbors else f"{len(self.indices)} directed edges"
        return (
            f"NeighborGraph(n={self.n_samples}, {degree}, {self.metric}, {self.method}, "
            f"recall={self.recall:.4g}, components={self.n_components}, isolated={len(self.isolated)})"
        )


ARRAYS = {"indptr": np.int64, "indices": np.int32, "distances": np.float64}


def stored_graph(
    indptr: Array,
    indices: Array,
    distances: Floats,
    similarities: Floats | None = None,
    metric: str = "euclidean",
    method: str = "exact",
    recall: float = 1.0,
) -> NeighborGraph:
    """The graph of arrays that come from a file, if they fit each other."""
    lists = {"indptr": indptr, "indices": indices, "distances": distances}
    fit = all(lists[name].dtype == dtype and lists[name].ndim == 1 for name, dtype in ARRAYS.items())
    fit = fit and len(indptr) >= 1 and indptr[0] == 0 and bool((np.diff(indptr) >= 0).all())
    fit = fit and indptr[-1] == len(indices) == len(distances)
    fit = fit and (len(indices) == 0 or bool(np.isfinite([distances.min(), distances.max()]).all()))
    fit = fit and (len(indices) == 0 or (indices.min() >= 0 and indices.max() < len(indptr) - 1))
    if similarities is not None:
        fit = fit and similarities.dtype == np.float64 and similarities.shape == distances.shape
    if not fit:
        raise InputError("graph", "must hold neighbor lists whose arrays fit each other")
    return NeighborGraph(indptr, indices, distances, similarities, str(metric), str(method), float(recall))


def _read_only(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view


def sorted_rows(
    rows: Array, cols: Array, distances: Floats, n: int, keep: int | None = None
) -> tuple[Array, Array]:
    """indptr and the order that sorts entries nearest first; a row keeps its ``keep`` nearest (None: all)."""
    order = np.lexsort((cols, distances, rows))
    if keep is not None:
        starts = np.searchsorted(rows[order], np.arange(n))
        order = order[np.arange(len(order)) - starts[rows[order]] < keep]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows[order], minlength=n))])
    return indptr, order
