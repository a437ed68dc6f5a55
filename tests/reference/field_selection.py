"""Selectors on the field of a graph, from their definitions: everything anew for every candidate."""

import numpy as np

from reference.dense_selection import first_best


def graph_laplacian(phi):
    """The Laplacian whose weights are |phi_ij|."""
    W = np.abs(phi) - np.diag(np.abs(phi.diagonal()))
    return np.diag(W.sum(axis=1)) - W


def precision(phi, alpha):
    """In units of the median degree."""
    L = graph_laplacian(phi)
    degrees = L.diagonal()
    typical = np.median(degrees[degrees > 0]) if degrees.any() else 1.0
    return (L + alpha * np.diag(np.maximum(degrees, typical))) / typical


def covariance(A, taken):
    """Of the samples without a label, 0 for the others."""
    rest = [i for i in range(len(A)) if i not in taken]
    C = np.zeros_like(A)
    C[np.ix_(rest, rest)] = np.linalg.inv(A[np.ix_(rest, rest)])
    return C


def least(measure, phi, alpha, taken, n_landmarks):
    """Greedy: next comes the sample that leaves the least ``measure`` of the covariance."""
    A, taken, picks = precision(phi, alpha), list(taken), []
    for _ in range(n_landmarks):
        before = measure(covariance(A, taken))
        gain = {i: before - measure(covariance(A, [*taken, i])) for i in range(len(A)) if i not in taken}
        picks.append(first_best(gain, max(gain.values())))
        taken.append(picks[-1])
    return picks


def cholesky_pivots(phi, alpha, taken, n_landmarks, tie=1e-3):
    """The textbook: a column of the factor is subtracted from the correlations for every pivot."""
    C = np.linalg.inv(precision(phi, alpha))
    root = np.sqrt(C.diagonal())
    left, taken, picks = C / np.outer(root, root), list(taken), []
    for step in range(len(taken) + n_landmarks):
        if step >= len(taken):
            free = [i for i in range(len(C)) if i not in taken + picks]
            best = max(left[i, i] for i in free)
            near = {i: 1 / C[i, i] for i in free if left[i, i] >= best - tie}
            picks.append(first_best(near, max(near.values())))
        pivot = (taken + picks)[step]
        column = left[:, pivot] / np.sqrt(left[pivot, pivot])
        left = left - np.outer(column, column)
    return picks


def aligned_set(L, i, mu, T, reach=np.inf):
    """Samples whose scaled discs pass T because of a landmark at i, layer by layer."""
    d, W, s = L.diagonal(), np.diag(L.diagonal()) - L, np.ones(len(L))

    def scale(k, a):
        radius = mu * (W[k] / s).sum()
        return np.inf if radius == 0 else (a + mu * d[k] - T) / radius

    inside, layer = [], {i: scale(i, 1.0)}
    while layer:
        for k, wider in layer.items():
            s[k] = wider
        inside += layer
        if len(inside) >= reach:
            break
        around = {k for j in layer for k in np.flatnonzero(W[j]) if k not in inside}
        scales = {int(k): scale(k, 0.0) for k in around}
        layer = {k: wider for k, wider in scales.items() if wider >= 1.0}
    return set(inside), s


def set_cover(sets, order, taken, count):
    """Picks that each cover most of what is left, ties by ``order``, until all is; and how much that is."""
    covered = set().union(*(sets[i] for i in taken))
    picks = []
    while len(picks) < count:
        free = [i for i in order if i not in taken and i not in picks]
        i = max(free, key=lambda i: len(sets[i] - covered))
        if sets[i] <= covered:
            break
        picks.append(i)
        covered |= sets[i]
    return picks, len(covered)


def aligned(phi, taken, n_landmarks, coverage, mu=0.01, lowest=1e-9, steps=10):
    L = graph_laplacian(phi)
    n, d = len(L), L.diagonal()
    L = L / (np.median(d[d > 0]) if d.any() else 1.0)
    order = sorted(range(n), key=lambda i: (-d[i], i))
    reach = 8 * n // n_landmarks

    def chosen(T, taken, count):
        return set_cover([aligned_set(L, i, mu, T, reach)[0] for i in range(n)], order, taken, count)

    goal, low, high = coverage * chosen(lowest, taken, n_landmarks)[1], lowest, 1.0
    for _ in range(steps):
        middle = (low * high) ** 0.5
        if chosen(middle, taken, n_landmarks)[1] >= goal:
            low = middle
        else:
            high = middle
    picks = []
    for T in (low, high, high**0.5, high**0.25, 1.0):
        picks += chosen(T, [*taken, *picks], n_landmarks - len(picks))[0]
    return picks, low


def spectral_positions(phi, k):
    """Rows of the k slowest eigenvectors of the normalized Laplacian, to length 1 and six digits."""
    L = graph_laplacian(phi)
    root = np.sqrt(L.diagonal())
    vectors = np.linalg.eigh(L / np.outer(root, root))[1][:, :k]
    return np.round(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), 6)
