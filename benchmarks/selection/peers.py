"""The peers' selectors as functions that `trigpoint.compare` takes: (X, graph, phi, l, rng) -> picks.

Those that take a graph get ours, those that take features get them. Where their documentation leaves a
setting open, it is the best of those that were tried on the pools for tuning.
"""

import contextlib
import io

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

FULL = 3000  # samples up to which graphlearning's covariance is taken whole
MODES = 100  # eigenpairs of it beyond
PRIOR = 1e-3  # of the median degree
STARTS = 10  # random samples that the loop begins with


def weights(phi):
    """Edge weights of the graph whose Laplacian is phi."""
    W = -phi.tocsr()
    W.setdiag(0.0)
    W.eliminate_zeros()
    return W


def covariance(phi):
    """C and V of graphlearning's Gaussian field: the whole inverse, or leading eigenpairs.

    Error over that of random on faces, Swiss roll and digits, two splits, of var_opt and of sigma_opt:

        (phi + PRIOR I)^-1             0.77 0.72 0.52     0.85 0.86 0.52
        the normalized Laplacian's     0.82 0.76 0.56     0.85 0.87 0.52
        200 eigenpairs of that one     0.82 0.78 0.48     0.92 0.90 0.99

    So the first is taken, and beyond FULL samples eigenpairs, as in graphlearning's examples.
    """
    n = phi.shape[0]
    if n <= FULL:
        return np.linalg.inv(phi.toarray() + PRIOR * np.median(phi.diagonal()) * np.eye(n)), None
    W = weights(phi)
    degree = np.asarray(W.sum(axis=1)).ravel()
    scale = sparse.diags_array(np.divide(1.0, np.sqrt(degree), out=np.zeros_like(degree), where=degree > 0))
    start = np.random.default_rng(0).standard_normal(n)
    values, vectors = sparse.linalg.eigsh(scale @ W @ scale, k=MODES, which="LA", v0=start)
    return np.diag(1.0 / (np.maximum(1.0 - values, 0.0) + PRIOR)), vectors


def greedy(acquisition, n, count):
    """One at a time, as its active learner does it."""
    picks, free = [], np.arange(n)
    for _ in range(count):
        place = int(np.argmax(acquisition.compute(None, free)))
        picks.append(int(free[place]))
        acquisition.update(free[[place]], None)
        free = np.delete(free, place)
    return np.array(picks)


def graphlearning_var_opt(X, graph, phi, count, rng):
    from graphlearning.active_learning import var_opt

    C, V = covariance(phi)
    return greedy(var_opt(C=C, V=V), phi.shape[0], count)


def graphlearning_sigma_opt(X, graph, phi, count, rng):
    from graphlearning.active_learning import sigma_opt

    C, V = covariance(phi)
    return greedy(sigma_opt(C=C, V=V), phi.shape[0], count)


def graphlearning_uncertainty(X, graph, phi, count, rng, answer):
    """Smallest margin of Laplace learning, its default, a sample at a time, after STARTS random ones.

    Its model wants classes numbered without a gap, so they are numbered anew as they turn up.
    """
    from graphlearning.active_learning import unc_sampling
    from graphlearning.ssl import laplace

    model, acquisition, n = laplace(weights(phi)), unc_sampling(), phi.shape[0]
    picks = rng.permutation(n)[: min(STARTS, count)].tolist()
    labels = answer(picks).tolist()
    while len(picks) < count:
        free = np.setdiff1d(np.arange(n), picks)
        known, codes = np.unique(labels, return_inverse=True)
        if len(known) < 2:
            best = int(rng.choice(free))
        else:
            best = int(free[np.argmax(acquisition.compute(model.fit(np.array(picks), codes), free))])
        picks.append(best)
        labels += answer([best]).tolist()
    return np.array(picks)


def apricot_facility(X, graph, phi, count, rng):
    """Facility location on exp(-d^2 / (4 s^2)), s the median distance to the 10th neighbor.

    On faces 0.87 times the error of random, with half and twice that width too, with its default similarity,
    the largest squared distance less d^2, 0.88; on digits all four are even.
    """
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


graphlearning_uncertainty.asks = True
for nested in (
    graphlearning_var_opt,
    graphlearning_sigma_opt,
    graphlearning_uncertainty,
    apricot_facility,
    activeml_coreset,
    skmatter_fps,
):
    nested.nested = True
