"""Sampling that repels: an approximate determinantal point process on the graph.

Landmarks are drawn one by one, sample i with a weight that falls with each landmark j beside it,

    w_i = prod_j (1 - exp(-d_ij^2 / 2 sigma^2)),     p_i = w_i / sum over the samples left.

neighbors="graph" (default): j runs over the landmarks that are neighbors of i in the graph, in
either direction, and d_ij is the graph's own distance (the lesser, where the directions differ),
Euclidean or not; this is the authors' code. neighbors="all": j runs over all landmarks and d_ij
is the Euclidean distance of the features, the formula as printed, at O(n p) a pick.

sigma="median" (default): the median of the distances in the graph's lists; if it is 0 the mean of
the positive ones; if there is none, 1. sigma="dimension": p, the number of features, the paper's.
Or a number.

``initial`` are the first landmarks. Without them all weights are 1 and the first pick is uniform.
A product of many small factors may underflow to 0, as the weight of a duplicate of a landmark is;
once the weights of all samples left are 0, the rest is drawn uniformly. Nested: pick t depends on
the t-th random number and the picks before it. On the graph, a tree of sums makes a pick cost
O(K log n) for K neighbors. Squared distances of sparse features up to 1e-13 of the squared norms
are taken as 0.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._kernels import compiled_csr
from trigpoint._kernels.selection_draws import draw, repelled
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import check_choice, check_number
from trigpoint.graph import NeighborGraph
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

ENTRIES = 1 << 18  # of X, whose differences are taken at a time
ROUNDING = 1e-13  # of |x_i|^2 + |x_j|^2: a sparse squared distance up to this is 0


def approx_dpp(
    pool: Pool,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    neighbors: str = "graph",
    sigma: Any = "median",
) -> Ints:
    shares = rng.random(n_landmarks)
    if neighbors == "graph":
        return _from_graph(pool.graph, _sigma(sigma, pool), pool.initial, shares)
    return _from_all(pool.X, _sigma(sigma, pool), pool.initial, shares)


def _check(neighbors: str, sigma: Any) -> None:
    check_choice(neighbors, "neighbors", ("graph", "all"))
    if not isinstance(sigma, str):
        check_number(sigma, "sigma", 0.0, strict=True)
    elif sigma not in ("median", "dimension"):
        raise InputError("sigma", "must be 'median', 'dimension' or a number greater than 0", repr(sigma))


def _needs(neighbors: str, sigma: Any) -> dict[str, str]:
    found = {"graph": ""} if neighbors == "graph" else {"X": " and neighbors='all'"}
    if isinstance(sigma, str):
        what = "X" if sigma == "dimension" else "graph"
        found.setdefault(what, f" and sigma={sigma!r}")
    return found


SELECTOR = Selector("approx_dpp", approx_dpp, needs=_needs, nested=True, check=_check)


def _sigma(sigma: Any, pool: Pool) -> float:
    if not isinstance(sigma, str):
        return float(sigma)
    if sigma == "dimension":
        return float(pool.X.shape[1])
    distances = pool.graph.distances
    median = float(np.median(distances)) if len(distances) else 0.0
    if median > 0:
        return median
    positive = distances[distances > 0]
    return float(positive.mean()) if len(positive) else 1.0


def _from_graph(graph: NeighborGraph, sigma: float, initial: Ints, shares: Floats) -> Ints:
    there = graph.lengths()
    back = there.T.tocsr()
    picks: Ints = repelled(*compiled_csr(there), *compiled_csr(back), sigma, initial, shares)
    return picks


def _from_all(X: Any, sigma: float, initial: Ints, shares: Floats) -> Ints:
    squared = _sparse_distances(X, sigma) if sparse.issparse(X) else _dense_distances(X, sigma)
    weights = np.ones(X.shape[0])
    free = np.ones(X.shape[0], dtype=bool)
    picks = np.empty(len(shares), dtype=np.int64)
    for step in range(-len(initial), len(shares)):
        if step < 0:
            j = int(initial[step])
        else:
            j = picks[step] = draw(weights if weights.any() else free, shares[step])
        with np.errstate(under="ignore"):
            weights *= -np.expm1(-0.5 * squared(j))
        weights[j], free[j] = 0.0, False
    return picks


def _dense_distances(X: Array, sigma: float) -> Callable[[int], Floats]:
    """j -> |x_i - x_j|^2 / sigma^2 for all i, from differences, so that duplicates have exactly 0."""
    block = max(1, ENTRIES // X.shape[1])

    def squared(j: int) -> Floats:
        out, x = np.empty(len(X)), X[j].astype(np.float64)
        with np.errstate(over="ignore", under="ignore"):
            for start in range(0, len(X), block):
                z = (X[start : start + block] - x) / sigma
                out[start : start + block] = np.einsum("ij,ij->i", z, z)
        return out

    return squared


def _sparse_distances(X: Any, sigma: float) -> Callable[[int], Floats]:
    """The same as |x_i|^2 + |x_j|^2 - 2 x_i.x_j; what may be the rounding of a 0 is taken as 0."""
    largest = float(abs(X).max()) or 1.0
    Z = X.astype(np.float64) / largest  # so that no square overflows
    squares = Z.multiply(Z).sum(axis=1)  # (n,)

    def squared(j: int) -> Floats:
        total = squares + squares[j]
        out = total - 2.0 * (Z @ Z[[j]].toarray()[0])
        out[out <= ROUNDING * total] = 0.0
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray((np.sqrt(out) * (largest / sigma)) ** 2)

    return squared
