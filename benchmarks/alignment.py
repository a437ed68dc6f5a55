"""LLE and LTSA assembly against scikit-learn's construction of the same matrix.

    ./dev bench alignment [--quick]

Timed: from X and ready neighbor indices to the sparse alignment matrix, nothing before or after.
For trigpoint that is the whole public call `lle(graph, X, reg=1e-3)` or
`ltsa(graph, X, d, include_self=False)`, checks included. For scikit-learn it is its own
`_locally_linear_embedding` (that is `barycenter_kneighbors_graph` and the product for LLE, the
LTSA loop for LTSA) with two parts replaced: the neighbor search returns the same indices at once,
and the eigensolver keeps the matrix and returns. Both run in turns in one process with the
machine's threads, after a first call that compiles; the best of five runs of each counts for LLE,
and one run of each for LTSA. The matrices must agree to 1e-8.
"""

from unittest import mock

import numpy as np
from _figures import Figure, main, timed
from sklearn.manifold import _locally_linear as sklearn_lle
from sklearn.neighbors import NearestNeighbors

from trigpoint.alignment import lle, ltsa
from trigpoint.graph import NeighborGraph

P, K, REG = 50, 15, 1e-3


def surface(n, p, rng):
    """A curved three-dimensional patch in p dimensions, with a little noise off it."""
    t = rng.random((n, 3))
    curves = np.c_[np.cos(2 * t), np.sin(2 * t), t**2]
    return curves @ rng.normal(size=(9, p)) + 0.01 * rng.normal(size=(n, p))


class Ready:
    """Stands in for scikit-learn's neighbor search: the answer is known."""

    def __init__(self, X, indices):
        self._fit_X, self.n_samples_fit_ = X, len(X)
        self.answer = np.c_[np.arange(len(X)), indices]

    def fit(self, _):
        return self

    def kneighbors(self, *_, **__):
        return self.answer


def sklearn_matrix(X, indices, **options):
    """The matrix whose null space scikit-learn would look for."""
    caught = []
    ready = Ready(X, indices)
    with (
        mock.patch.object(sklearn_lle, "NearestNeighbors", return_value=ready),
        mock.patch.object(sklearn_lle, "null_space", lambda M, *_, **__: caught.append(M)),
    ):
        sklearn_lle._locally_linear_embedding(
            X, n_neighbors=indices.shape[1], eigen_solver="arpack", **options
        )
    return caught[0]


def compare(name, ours, theirs, turns):
    ours()  # compiles
    runs = [(timed(ours), timed(theirs)) for _ in range(turns)]
    fast, slow = (min(run[side][1] for run in runs) for side in (0, 1))
    yield Figure(name, fast, "s", "scikit-learn", slow)
    yield Figure(f"{name}: largest difference", abs(runs[0][0][0] - runs[0][1][0]).max(), "")


def figures(quick):
    n = 2_000 if quick else 20_000
    X = surface(n, P, np.random.default_rng(0))
    distances, indices = NearestNeighbors(n_neighbors=K).fit(X).kneighbors()
    graph = NeighborGraph(np.arange(n + 1) * K, indices.ravel().astype(np.int32), distances.ravel())
    yield from compare(
        "LLE",
        lambda: lle(graph, X, reg=REG),
        lambda: sklearn_matrix(X, indices, n_components=2, reg=REG),
        turns=5,
    )
    for d in (2,) if quick else (2, 3):
        yield from compare(
            f"LTSA d={d}",
            lambda d=d: ltsa(graph, X, d, include_self=False),
            lambda d=d: sklearn_matrix(X, indices, n_components=d, method="ltsa"),
            turns=1,
        )


if __name__ == "__main__":
    main(figures, __doc__)
