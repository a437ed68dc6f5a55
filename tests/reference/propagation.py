"""Propagation from its definitions, densely; and small alignment matrices to try it on."""

import numpy as np
from scipy import sparse


def laplacian(W):
    """D - W of a dense symmetric weight matrix, as csr_array."""
    W = np.array(W, dtype=np.float64)
    np.fill_diagonal(W, 0.0)
    return sparse.csr_array(np.diag(W.sum(axis=1)) - W)


def path(n, weights=None):
    """The Laplacian of a path."""
    weights = np.ones(n - 1) if weights is None else np.asarray(weights, dtype=np.float64)
    return laplacian(np.diag(weights, 1) + np.diag(weights, -1))


def ring(n):
    W = np.diag(np.ones(n - 1), 1)
    W[0, -1] = 1.0
    return laplacian(W + W.T)


def normalized(phi):
    """The symmetric-normalized Laplacian of a Laplacian; isolated rows stay 0."""
    d = phi.diagonal()
    inverse = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)
    scaled = inverse[:, None] * phi.toarray() * inverse
    np.fill_diagonal(scaled, d > 0)
    return sparse.csr_array(scaled)


def cloud_laplacian(n, dimension, seed, k=6):
    """The Laplacian of a random cloud's k-nearest-neighbor graph, with random weights."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, dimension))
    squared = ((X[:, None] - X) ** 2).sum(axis=2)
    near = np.argsort(squared, axis=1)[:, 1 : k + 1]
    W = np.zeros((n, n))
    W[np.arange(n)[:, None], near] = rng.uniform(0.2, 1.0, size=near.shape)
    return laplacian(np.maximum(W, W.T))


def expander(n, seed, k=8):
    """The Laplacian of a random graph with weights in [0.5, 1]: no geometry, few iterations."""
    rng = np.random.default_rng(seed)
    i, j = np.repeat(np.arange(n), k), rng.integers(0, n, n * k)
    W = sparse.coo_array((rng.uniform(0.5, 1, n * k) * (i != j), (i, j)), shape=(n, n)).tocsr()
    W = sparse.csr_array(W + W.T)
    return sparse.csr_array(sparse.diags_array(W.sum(axis=1)) - W)


def weakly_linked(n, link):
    """Two expanders of n samples, joined by one edge."""
    ends = np.array([5, n + 5])
    places = (ends[[0, 1, 0, 1]], ends[[0, 1, 1, 0]])
    pair = sparse.csr_array(([1.0, 1.0, -1.0, -1.0], places), shape=(2 * n, 2 * n))
    return sparse.csr_array(sparse.block_diag([expander(n, 0), expander(n, 1)]) + link * pair)


def flat_ltsa(X, k=8):
    """LTSA's matrix with tangents of all p dimensions: it annihilates the affine functions of X."""
    n = len(X)
    phi = np.zeros((n, n))
    for x in X:
        near = np.argsort(((X - x) ** 2).sum(axis=1))[:k]
        basis = np.linalg.qr(np.column_stack([np.ones(k), X[near]]))[0]
        phi[np.ix_(near, near)] += np.eye(k) - basis @ basis.T
    return sparse.csr_array((phi + phi.T) / 2)


def reached(phi, landmarks):
    """Samples joined to a landmark by a walk over nonzeros."""
    dense = np.asarray(phi.toarray() if sparse.issparse(phi) else phi)
    seen = {int(i) for i in landmarks}
    queue = list(seen)
    while queue:
        for j in np.flatnonzero(dense[queue.pop()]):
            if int(j) not in seen:
                seen.add(int(j))
                queue.append(int(j))
    return np.isin(np.arange(len(dense)), list(seen))


def hard(phi, landmarks, values, gamma=0.0):
    phi = np.asarray(phi.toarray() if sparse.issparse(phi) else phi)
    rest = np.setdiff1d(np.flatnonzero(reached(phi, landmarks)), landmarks)
    z = np.full((len(phi), *np.shape(values)[1:]), np.nan)
    z[landmarks] = values
    A = phi[np.ix_(rest, rest)] + gamma * np.eye(len(rest))
    z[rest] = np.linalg.solve(A, -phi[np.ix_(rest, landmarks)] @ values)
    return z


def soft(phi, landmarks, values, beta, gamma=0.0):
    phi = np.asarray(phi.toarray() if sparse.issparse(phi) else phi)
    n = len(phi)
    E, Y = np.zeros(n), np.zeros((n, *np.shape(values)[1:]))
    E[landmarks] = beta
    Y[landmarks] = values
    keep = np.flatnonzero(reached(phi, landmarks))
    A = phi + np.diag(E) + gamma * np.diag(E == 0)
    z = np.full(Y.shape, np.nan)
    z[keep] = np.linalg.solve(A[np.ix_(keep, keep)], (np.diag(E) @ Y)[keep])
    return z


def spectral(phi, landmarks, values, gamma, n_components):
    """Values by the spectral method, all n x n matrices written out, no ridge."""
    phi = np.asarray(phi.toarray() if sparse.issparse(phi) else phi)
    n, count = len(phi), len(landmarks)
    span = np.column_stack([np.ones(count), values])
    G = np.eye(count) - span @ np.linalg.pinv(span)
    S = np.zeros((n, count))
    S[landmarks, np.arange(count)] = 1.0
    M = phi + gamma * S @ G @ S.T + 1e6 * np.ones((n, n)) / n
    Y = np.linalg.eigh(M)[1][:, :n_components]
    affine = np.column_stack([np.ones(count), Y[landmarks]])
    return np.column_stack([np.ones(n), Y]) @ np.linalg.lstsq(affine, values, rcond=None)[0]


def std(phi, landmarks, beta=None, gamma=0.0):
    """Posterior standard deviations of the unit field, by inverting the precision."""
    phi = np.asarray(phi.toarray() if sparse.issparse(phi) else phi)
    keep = reached(phi, landmarks)
    out = np.where(keep, 0.0, np.inf)
    if beta is None:
        keep[landmarks] = False
        A = phi + gamma * np.eye(len(phi))
    else:
        E = np.zeros(len(phi))
        E[landmarks] = beta
        A = phi + np.diag(E) + gamma * np.diag(E == 0)
    keep = np.flatnonzero(keep)
    out[keep] = np.sqrt(np.diag(np.linalg.inv(A[np.ix_(keep, keep)])))
    return out


def extend(X, scales, X_new, values, k, weights, c=1.0):
    """New values one by one (one column, no NaN)."""
    out = []
    for x in X_new:
        distances = np.sqrt(((X - x) ** 2).sum(axis=1))
        near = np.argsort(distances, kind="stable")[:k]
        if distances[near[0]] == 0.0:
            out.append(values[near][distances[near] == 0.0].mean())
        elif weights == "self_tuning":
            w = np.exp(-c * distances[near] ** 2 / (distances[near[-1]] * scales[near]))
            out.append(w @ values[near] / w.sum())
        else:
            out.append(values[near].mean())
    return np.array(out)


def classified(values):
    """Probabilities, class number and uncertainty of each row of propagated values, sample by sample."""
    rows, numbers, unsure = [], [], []
    for row in values:
        if any(np.isnan(row)) or len(row) == 0:
            rows.append([np.nan] * len(row))
            numbers.append(-1)
            unsure.append(1.0)
            continue
        cut = [max(value, 0.0) for value in row]
        missing = max(1.0 - sum(cut), 0.0)
        filled = [value + missing / len(row) for value in cut]
        rows.append([value / sum(filled) for value in filled])
        numbers.append(max(range(len(row)), key=lambda k: (rows[-1][k], -k)))
        unsure.append(1.0 - max(rows[-1]))
    return np.array(rows).reshape(values.shape), np.array(numbers), np.array(unsure)
