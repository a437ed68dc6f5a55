"""The neighbor graph of a pool that has grown, without a new search for the old samples.

Each new sample c finds its K nearest among all. An old sample r takes those new ones that are nearer than its
K-th neighbor (of equals the old ones stay: they have lower indices). So of all pairs (r, c) only those matter
where

    d^2 <= max(kth_r, kth_c),

kth_r the squared distance of the K-th neighbor that r has, and kth_c of the K-th nearest to c among every
`STEP`-th sample. Products of blocks tell f = ||r||^2 + ||c||^2 - 2 r.c of all pairs: m n p multiplications
for m new samples among n of p features. Their rounding is at most e = (p + 8) eps (2 ||q|| + d)^2 for every
sample within d of q (`_exact`), so f > kth + e leaves a pair out. The others, some `STEP` K a new sample, are
measured by differences, as in every search. Where the old graph is exact, so is the new one: it is what a new
search would find, ties and crowds of copies (`_duplicates`) included.

Inverted lists and trees need fewer than n^2 comparisons for a new search. There it is cheaper as soon as more
than `MANY` of the pool is new, and then it is done. So it is for the cosine metric with rows that are all
zero, which no product tells the distance of.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._kernels import run_blocks
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint._validation import check_features
from trigpoint.graph._duplicates import crowds
from trigpoint.graph._exact import nearest_of_each
from trigpoint.graph._graph import NeighborGraph
from trigpoint.graph._neighbors import neighbor_graph
from trigpoint.graph._points import METRICS, points
from trigpoint.graph._search import METHODS, ways_to_answer
from trigpoint.graph._sparse import squared_gaps, squared_norms, unit, unit_rows
from trigpoint.graph._tree import TREE_FEATURES
from trigpoint.graph._zero_rows import zero_rows

STEP = 8
MANY = 1 / 8
PAIRS = 2**18  # at a time: f stays in the cache
CROWDED = 1 / 8  # of them to be measured: then float64 looks again, and sees more
LOOKS = 1000  # samples that must be where the graph says
ROUNDED = 1e-9  # squares of roots are that near to what they were


@dataclass(frozen=True, eq=False)
class _Space:
    """Squared distances between samples of a pool."""

    against: Callable[[Ints, Any], Callable[[Ints], Floats]]  # columns, type -> (rows -> f), by products
    gaps: Callable[[Ints, Ints], Floats]  # (e,), (e,) -> (e,), by differences
    lengths: Floats  # (n,)
    terms: int  # of a product
    types: tuple[Any, ...]  # that products can be computed in, the fastest first
    in_squares: Callable[[Floats], Floats]  # from distances in the metric of the pool
    in_metric: Callable[[Floats], Floats]  # and back


def grow_graph(graph: NeighborGraph, X: Any, X_new: Any) -> NeighborGraph:
    """The neighbor graph of a pool and of new samples, which come after the others.

    Parameters
    ----------
    graph : NeighborGraph of X, from `neighbor_graph` with the metric "euclidean" or "cosine"
    X : (n, p) the pool, dense or sparse
    X_new : (m, p) new samples, m >= 0

    Returns
    -------
    NeighborGraph
        Of n + m samples, each with as many neighbors as before. If ``graph`` is exact, this is the graph
        that `neighbor_graph` finds for all of them. If it is approximate, old samples keep what was found,
        and all that has to do with new samples is exact; ``recall`` is the mean of both. It takes about
        m n p multiplications. An approximate graph that grows by more than an eighth is searched anew.

    Notes
    -----
    Cost: about m n p multiplications, where a new exact search takes (n + m)^2 p. It holds no more than the
    larger graph. Only graphs of features can grow, not those of edges or distances.

    See Also
    --------
    neighbor_graph : the graph to begin with.
    extend : values of new samples, without a new graph.
    ActiveLearner : ``add(X_new)`` lets the pool of a running loop grow.

    Examples
    --------
    >>> import trigpoint as tp
    >>> graph = tp.neighbor_graph([[0.0], [1.0], [3.0]], n_neighbors=1)
    >>> tp.grow_graph(graph, [[0.0], [1.0], [3.0]], [[2.9]]).neighbors.ravel()
    array([1, 0, 3, 2], dtype=int32)
    """
    _check_graph(graph)
    X = check_features(X)
    if X.shape[0] != graph.n_samples:
        raise InputError("X", f"must be the {graph.n_samples} samples of the graph", X.shape[0])
    if np.shape(X_new)[:1] == (0,):
        return graph
    return grown_graph(graph, joined(X, check_features(X_new, "X_new", n_features=X.shape[1])))


def joined(X: Any, X_new: Any) -> Any:
    """Both, one below the other, in the form and type of X."""
    if not sparse.issparse(X):
        return np.concatenate([X, X_new.toarray() if sparse.issparse(X_new) else X_new], dtype=X.dtype)
    both = sparse.vstack([X, sparse.csr_array(X_new)], format="csr", dtype=X.dtype)
    return sparse.csr_array(both)


def grown_graph(graph: NeighborGraph, X: Any) -> NeighborGraph:
    """The same with both in one: the first samples of X are those of the graph."""
    _check_graph(graph)
    k, n, n_old = graph.neighbors.shape[1], X.shape[0], graph.n_samples
    by_tree = not sparse.issparse(X) and X.shape[1] <= TREE_FEATURES
    if ((graph.method == "approximate" or by_tree) and n - n_old > MANY * n) or (
        graph.metric == "cosine" and zero_rows(X).any()
    ):
        return neighbor_graph(X, k, metric=graph.metric, method="auto" if by_tree else graph.method)
    space = (_sparse_space if sparse.issparse(X) else _dense_space)(X, graph.metric)
    _check_same(graph, space)
    indices, distances = np.empty((n, k), dtype=np.int32), np.zeros((n, k))
    indices[:n_old], distances[:n_old] = graph.neighbors, graph.distances.reshape(n_old, k)
    crowd, ring, worth = crowds(X, k)
    reach = np.full(n, -np.inf)  # kth; nobody is looked for in the name of a crowd
    reach[:n_old] = space.in_squares(distances[:n_old, -1])
    seeking = np.setdiff1d(worth[worth >= n_old], crowd, assume_unique=True)
    if len(seeking):
        reach[seeking] = _kth_of_some(X, graph.metric, worth, seeking, k)
    reach *= 1 + ROUNDED
    reach[crowd] = -np.inf
    rows, columns, squared = _near_pairs(space, worth, worth[worth >= n_old], reach)
    to_new, to_old = reach[columns] >= 0, (rows < n_old) & (squared <= reach[rows])
    at = np.searchsorted(seeking, columns[to_new])
    squares, ids = nearest_of_each(at, squared[to_new], rows[to_new], len(seeking), k)
    indices[seeking], distances[seeking] = ids, space.in_metric(squares)
    _take_in(space, indices, distances, rows[to_old], columns[to_old], squared[to_old])
    indices[crowd], distances[crowd] = ring, 0.0
    recall = (n_old * graph.recall + (n - n_old)) / n
    lists = np.arange(n + 1) * k, indices.ravel(), distances.ravel()
    return NeighborGraph(*lists, None, graph.metric, graph.method, recall)


def _check_graph(graph: NeighborGraph) -> None:
    if not isinstance(graph, NeighborGraph):
        raise TypeError(f"graph must be a NeighborGraph; got {type(graph).__name__}.")
    if graph.metric not in METRICS or graph.method not in METHODS or graph.n_neighbors is None:
        rule = "must come from a search of neighbor_graph among features: others cannot be searched further"
        raise InputError("graph", rule, repr(graph))


def _check_same(graph: NeighborGraph, space: _Space) -> None:
    """Whether the distances of the graph are those of these samples, for some of them."""
    some = np.unique(np.linspace(0, graph.n_samples - 1, LOOKS).astype(np.int64))
    now, then = (
        space.gaps(some, graph.neighbors[some, -1]),
        space.in_squares(graph.distances.reshape(graph.n_samples, -1)[some, -1]),
    )
    if not np.allclose(now, then, rtol=1e-9, atol=1e-12 * float(then.max())):
        raise InputError("X", "must be the samples that the graph was made of; their distances are others")


def _kth_of_some(X: Any, metric: str, worth: Ints, seeking: Ints, k: int) -> Floats:
    """(s,) squared distances of the K-th nearest among some samples: no less than among all."""
    some = worth[::STEP] if len(worth) > 2 * STEP * (k + 1) else worth
    return np.asarray(ways_to_answer(X, None, metric, some, k).exact(seeking)[0][:, -1])


def _near_pairs(space: _Space, ids: Ints, new: Ints, reach: Floats) -> tuple[Ints, Ints, Floats]:
    """Pairs (r, c) of samples and new ones with d^2 <= max(kth_r, kth_c), a few more, and d^2."""
    if len(new) == 0:  # all of them are copies of a crowd
        return new, new, np.empty(0)
    looks = [(space.against(new, dtype), _limits(space, reach, dtype)) for dtype in space.types]
    size = max(16, PAIRS // len(new))
    found: list[Any] = [None] * -(-len(ids) // size)

    def work(start: int, stop: int) -> None:
        block = ids[start:stop]
        for squares_of, limits in looks:
            with np.errstate(over="ignore", invalid="ignore"):
                f = squares_of(block)  # (b, m)
            far = f > limits[block, None]
            far &= f > limits[new]
            near = np.flatnonzero(np.invert(far, out=far))  # NaN, an overflow, is looked at
            if len(near) <= CROWDED * f.size:
                break
        rows, columns = block[near // len(new)], new[near % len(new)]
        other = rows != columns
        rows, columns = rows[other], columns[other]
        found[start // size] = rows, columns, space.gaps(rows, columns)

    run_blocks(work, len(ids), size)
    rows, columns, squared = (np.concatenate(part) for part in zip(*found, strict=True))
    return rows, columns, squared


def _limits(space: _Space, reach: Floats, dtype: Any) -> Array:
    """(n,) kth + e, rounded up."""
    rounding = (space.terms + 8) * float(np.finfo(dtype).eps)
    with np.errstate(over="ignore", invalid="ignore"):
        error = rounding * (2 * space.lengths + np.sqrt(np.maximum(reach, 0))) ** 2
        return np.asarray(np.nextafter((reach + error).astype(dtype), dtype(np.inf)))


def _take_in(
    space: _Space,
    indices: Array,
    distances: Floats,
    rows: Ints,
    columns: Ints,
    squared: Floats,
) -> None:
    """Put each new sample where it belongs in the lists of the rows, which are changed."""
    order = np.lexsort((columns, rows))
    columns, squared = columns[order], squared[order]
    changed, first, counts = np.unique(rows[order], return_index=True, return_counts=True)
    held, far = indices[changed], distances[changed]  # (c, k)
    squares = space.in_squares(far)
    at = np.repeat(np.arange(len(changed)), counts)
    alike = (np.abs(squares[at] - squared[:, None]) <= ROUNDED * squared[:, None]).any(axis=1)
    some = np.unique(at[alike])  # whose squares must be as a search sees them, not from their roots
    again = np.repeat(changed[some], held.shape[1])
    squares[some] = space.gaps(again, held[some].ravel().astype(np.int64)).reshape(held[some].shape)
    for turn in range(int(counts.max(initial=0))):
        those = np.flatnonzero(counts > turn)
        entry = first[those] + turn
        place = (squares[those] <= squared[entry, None]).sum(axis=1)  # equals that are there have lower ids
        for lists, values in ((held, columns), (far, space.in_metric(squared)), (squares, squared)):
            lists[those] = _inserted(lists[those], place, values[entry])
    indices[changed], distances[changed] = held, far


def _inserted(lists: Array, place: Ints, values: Array) -> Array:
    """The lists (c, k) with a value at a place of each, and without their last; a place k changes nothing."""
    j, at = np.arange(lists.shape[1]), place[:, None]
    behind = np.concatenate([lists[:, :1], lists[:, :-1]], axis=1)
    return np.where(j < at, lists, np.where(j == at, values[:, None], behind))


def _dense_space(X: Array, metric: str) -> _Space:
    pool = points(X, metric)
    everything = np.arange(len(X))
    blocks = (everything[a : a + pool.step] for a in range(0, len(X), pool.step))
    with np.errstate(over="ignore"):
        lengths = np.concatenate([np.linalg.norm(pool.block(block), axis=1) for block in blocks])

    def against(columns: Ints, dtype: Any) -> Callable[[Ints], Floats]:
        """[r, ||r||^2, 1] . [-2 c, 1, ||c||^2]: all of f in one product."""
        with np.errstate(over="ignore"):
            squares = (lengths**2).astype(dtype)
        C = pool.block(columns, dtype)
        right = np.concatenate([-2 * C.T, np.ones((1, len(C)), dtype), squares[None, columns]])

        def squares_of(rows: Ints) -> Floats:
            left = np.empty((len(rows), X.shape[1] + 2), dtype)
            left[:, :-2], left[:, -2], left[:, -1] = pool.block(rows, dtype), squares[rows], 1
            return np.asarray(left @ right)

        return squares_of

    def gaps(a: Ints, b: Ints) -> Floats:
        size = max(1, 2**17 // X.shape[1])
        parts = [
            pool.uncentered(a[at : at + size]) - pool.uncentered(b[at : at + size])
            for at in range(0, len(a), size)
        ]
        return np.concatenate([np.empty(0), *(np.einsum("ij,ij->i", part, part) for part in parts)])

    def in_squares(distances: Floats) -> Floats:
        return 2 * distances if metric == "cosine" else np.square(distances * pool.unit)

    return _Space(against, gaps, lengths, X.shape[1], (np.float32, np.float64), in_squares, pool.in_metric)


def _sparse_space(X: Sparse, metric: str) -> _Space:
    u = 1.0 if metric == "cosine" else unit(X)
    X = unit_rows(X) if metric == "cosine" else X * u
    squares = squared_norms(X)

    def against(columns: Ints, dtype: Any) -> Callable[[Ints], Floats]:
        right = X[columns].T.tocsr()
        return lambda rows: squares[rows, None] + squares[columns] - 2 * (X[rows] @ right).toarray()

    def gaps(a: Ints, b: Ints) -> Floats:
        return squared_gaps(X, a, X, b)

    def in_squares(distances: Floats) -> Floats:
        return 2 * distances if metric == "cosine" else np.square(distances * u)

    def in_metric(squared: Floats) -> Floats:
        return squared / 2 if metric == "cosine" else np.sqrt(squared) / u

    terms = int(np.diff(X.indptr).max(initial=0))
    return _Space(against, gaps, np.sqrt(squares), terms, (np.float64,), in_squares, in_metric)
