"""What is compared: trigpoint's selectors and its peers', each up to the size where it is feasible.

A peer is a function (X, graph, phi, l, rng) -> picks. Those that take a graph get ours, those that take
features get them; all are judged by the same least squares.
"""

import contextlib
import io
import os
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from trigpoint.cli._options import METHODS

EVERY = 10**9
FULL = 3000  # samples up to which the peers' dense covariance is taken
LARGEST = {  # samples of our own slow ones; mincond takes hours at 500
    "mincond": 0,
    "volume": 2000,
    "gaussian_field": 2000,
    "rrqr": 2000,
    "approx_dpp": 8000,
}


@dataclass(frozen=True)
class Rival:
    """A method: how `trigpoint.compare` is told of it, and on which pools it is run."""

    name: str
    how: Any
    package: str = "trigpoint"
    needs_features: bool = False
    largest: int = EVERY


def _laplacian(graph_phi):
    """The normalized Laplacian of our graph, as graphlearning's own example takes it."""
    W = -graph_phi.tocsr()
    W.setdiag(0.0)
    W.eliminate_zeros()
    degree = np.asarray(W.sum(axis=1)).ravel()
    scale = np.divide(1.0, np.sqrt(degree), out=np.zeros_like(degree), where=degree > 0)
    return sparse.eye_array(len(degree)) - sparse.diags_array(scale) @ W @ sparse.diags_array(scale)


def _covariance(phi):
    """Full (L + 0.001 I)^-1 up to FULL samples, else the 100 leading eigenpairs."""
    L = _laplacian(phi)
    n = L.shape[0]
    if n <= FULL:
        return np.linalg.inv(L.toarray() + 1e-3 * np.eye(n)), None
    start = np.random.default_rng(0).standard_normal(n)
    values, vectors = sparse.linalg.eigsh(2 * sparse.eye_array(n) - L, k=100, v0=start)
    return np.diag(1.0 / (2.0 - values + 1e-3)), vectors


def _greedy(acquisition, n, count):
    picks = []
    for _ in range(count):
        free = np.setdiff1d(np.arange(n), picks)
        best = free[np.argmax(acquisition.compute(None, free))]
        picks.append(int(best))
        acquisition.update(np.array([best]), None)
    return np.array(picks)


def graphlearning_var_opt(X, graph, phi, count, rng):
    from graphlearning.active_learning import var_opt

    C, V = _covariance(phi)
    return _greedy(var_opt(C=C, V=V), phi.shape[0], count)


def graphlearning_sigma_opt(X, graph, phi, count, rng):
    from graphlearning.active_learning import sigma_opt

    C, V = _covariance(phi)
    return _greedy(sigma_opt(C=C, V=V), phi.shape[0], count)


def apricot_facility(X, graph, phi, count, rng):
    """Facility location on exp(-d^2 / (2 s)^2), s the median distance to the 10th neighbor."""
    from apricot import FacilityLocationSelection

    squared = cdist(X, X, "sqeuclidean")
    width = np.median(np.partition(squared, 10, axis=1)[:, 10])
    chooser = FacilityLocationSelection(count, metric="precomputed", optimizer="lazy")
    with contextlib.redirect_stdout(io.StringIO()):
        chooser.fit(np.exp(-squared / (4 * width)))
    return np.asarray(chooser.ranking, dtype=np.int64)[:count]


def activeml_typiclust(X, graph, phi, count, rng):
    from skactiveml.pool import TypiClust

    query = TypiClust(random_state=int(rng.integers(2**31)))
    return np.asarray(query.query(X, np.full(len(X), np.nan), batch_size=count))


def activeml_coreset(X, graph, phi, count, rng):
    from skactiveml.pool import CoreSet

    query = CoreSet(random_state=int(rng.integers(2**31)))
    return np.asarray(query.query(X, np.full(len(X), np.nan), batch_size=count))


def skmatter_fps(X, graph, phi, count, rng):
    from skmatter.sample_selection import FPS

    first = int(rng.integers(len(X)))
    return np.asarray(FPS(n_to_select=count, initialize=first).fit(X).selected_idx_)


for nested in (
    graphlearning_var_opt,
    graphlearning_sigma_opt,
    apricot_facility,
    activeml_coreset,
    skmatter_fps,
):
    nested.nested = True

PEERS = (
    Rival("graphlearning var_opt", graphlearning_var_opt, "graphlearning"),
    Rival("graphlearning sigma_opt", graphlearning_sigma_opt, "graphlearning"),
    Rival("apricot facility", apricot_facility, "apricot", True, 8000),
    Rival("activeml TypiClust", activeml_typiclust, "skactiveml", True, 8000),
    Rival("activeml CoreSet", activeml_coreset, "skactiveml", True, 8000),
    Rival("skmatter FPS", skmatter_fps, "skmatter", True),
)
OURS = (
    *(
        Rival(name, None, "trigpoint", name in ("kmeans", "volume"), LARGEST.get(name, EVERY))
        for name in METHODS
    ),
    Rival("gcls two candidates", {"method": "gcls", "strategy": "two_candidates"}),
)
RIVALS = {rival.name: rival for rival in (*OURS, *PEERS)}


def missing():
    """Peers that are not installed here."""
    return [rival.name for rival in PEERS if find_spec(rival.package) is None]


def feasible(pool, names):
    """Those of ``names`` that can be run on a pool, as `trigpoint.compare` takes them."""
    absent = missing()
    return {
        name: RIVALS[name].how
        for name in names
        if name not in absent
        and pool.n <= RIVALS[name].largest
        and (pool.features or not RIVALS[name].needs_features)
    }


os.environ.setdefault("TQDM_DISABLE", "1")
