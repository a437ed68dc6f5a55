"""The K-nearest-neighbor graph of a pool: the first step of everything."""

import hashlib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._lock import locked
from trigpoint._types import Array
from trigpoint._validation import check_choice, check_distances, check_features, check_n_neighbors, check_rng
from trigpoint.graph._distances import graph_from_distances, graph_from_transformer
from trigpoint.graph._graph import NeighborGraph
from trigpoint.graph._points import METRICS, step
from trigpoint.graph._search import METHODS, search
from trigpoint.graph._workspace import Workspace


class _Default(int):
    """A default number, which gives way to a small pool; the same number, if given, does not."""


N_NEIGHBORS = _Default(15)


def neighbor_graph(
    X: Any,
    n_neighbors: int | None = N_NEIGHBORS,
    *,
    metric: str = "euclidean",
    method: Any = "auto",
    random_state: Any = 0,
    scratch: str | Path | None = None,
) -> NeighborGraph:
    """The graph of each sample's nearest neighbors.

    Parameters
    ----------
    X : (n, p) array or sparse matrix, float32 or float64
        The pool. With ``metric="precomputed"`` an (n, n) matrix of distances: in a sparse one the
        stored entries are the candidates, and explicit zeros are distances of 0.
    n_neighbors : int, default 15, or n - 1 in pools of fewer than 16 samples
        K. A sample is never its own neighbor, whatever duplicates there are. With
        ``metric="precomputed"``, None keeps every given distance.
    metric : "euclidean", "cosine" (1 - cos) or "precomputed"
    method : "auto", "exact", "approximate" or a scikit-learn K-neighbors transformer
        "auto" is exact up to 20,000 samples and, at any size, up to 5 dense features; else
        approximate. "approximate" starts from lists of samples that lie together and lets neighbors
        introduce each other until the recall on a sample is 0.99. Where that does not get there, it
        searches as many lists as do, and turns exact where that costs no more.
    random_state : seed of the approximate search, default 0
    scratch : folder for the arrays of an approximate search, optional
        For pools larger than memory: a search that was killed goes on there after its last finished step, if
        the pool and the settings are the same; where another process searches in it, this one waits. When it
        ends, the folder is removed. It takes about n (p + 5 n_neighbors) numbers of 4 bytes. Default: memory,
        or, for a memory map from 1 GiB on, files without a name in the folder of temporary files (TMPDIR).

    Returns
    -------
    NeighborGraph
        ``graph.recall`` is the share of true neighbors found, measured on a fresh sample of rows;
        NaN for a transformer. Below 0.95 a warning says so.

    Notes
    -----
    Cost: exact, n^2 p multiplications (up to 5 features a tree, about n log n); approximate, time about
    in proportion to n: 1.4 s for 100,000 samples of 16 features and 11 s for a million on two cores.
    Memory: 12 bytes for each listed neighbor, and one copy of X.

    See Also
    --------
    graph_from_edges : for a pool that is a network.
    build_graph : for pools larger than memory; the graph is kept in a folder.
    grow_graph : adds samples without a new search.
    fit_view : the metric, where raw features are not the best one.

    Examples
    --------
    >>> import trigpoint as tp
    >>> tp.neighbor_graph([[0.0], [1.0], [3.0], [3.0]], n_neighbors=1).neighbors.ravel()
    array([1, 0, 3, 2], dtype=int32)
    """
    check_choice(metric, "metric", (*METRICS, "precomputed"))
    if metric == "precomputed":
        if not isinstance(method, str) or method != "auto":
            raise InputError("method", "must be 'auto' if the distances are given", repr(method))
        X = check_distances(X)
        return graph_from_distances(
            X, None if n_neighbors is None else count_neighbors(n_neighbors, X.shape[0])
        )
    X = check_features(X)
    k = count_neighbors(n_neighbors, X.shape[0])
    if hasattr(method, "fit_transform"):
        return graph_from_transformer(X, k, metric, method)
    check_choice(method, "method", METHODS)
    check_rng(random_state)
    if scratch is None:
        return search_graph(X, k, metric, method, random_state, Workspace(pool=X))
    folder = Path(scratch)
    with locked(folder.parent / f".trigpoint-{folder.name}.lock"):
        work = _workspace(folder, X, k, metric, method, random_state)
        graph = search_graph(X, k, metric, method, random_state, work)
        work.close()
    return graph


def search_graph(
    X: Any, k: int, metric: str, method: str, random_state: Any, work: Workspace, stacklevel: int = 3
) -> NeighborGraph:
    """The graph of a checked pool; what it is made of may lie in ``work``."""
    found = search(X, None, k, metric, method, check_rng(random_state), stacklevel, work)
    indptr = np.arange(X.shape[0] + 1) * k
    neighbors = found.indices.astype(np.int32, copy=False).ravel()
    return NeighborGraph(indptr, neighbors, found.distances.ravel(), None, metric, found.method, found.recall)


def _workspace(folder: Path, X: Any, *settings: Any) -> Workspace:
    """The folder, with what a search of the same pool and settings has left there."""
    if folder.exists() and not (folder.is_dir() and (not any(folder.iterdir()) or Workspace.is_one(folder))):
        raise InputError("scratch", "must be new, empty, or left by a search that was stopped", folder)
    if not isinstance(X, np.ndarray):
        raise InputError("scratch", "must be None for a sparse pool", folder)
    return Workspace(folder, pool_key(X, *settings))


def pool_key(X: Array, *settings: Any) -> str:
    """A name for a dense pool with some settings, as this release searches it."""
    about = [X.shape, X.dtype.str, settings, version("trigpoint")]
    total = hashlib.blake2b(repr(about).encode(), digest_size=16)
    for a in range(0, len(X), step(X)):
        total.update(np.ascontiguousarray(X[a : a + step(X)]).tobytes())
    return total.hexdigest()


def count_neighbors(n_neighbors: int | None, n: int) -> int:
    return check_n_neighbors(
        min(N_NEIGHBORS, max(n - 1, 1)) if n_neighbors is N_NEIGHBORS else n_neighbors, n
    )
