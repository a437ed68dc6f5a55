"""Predictors from their definitions: dense matrices, and every label really left out."""

from itertools import combinations

import numpy as np

LEAK = 1e-3


def scaled(phi):
    """phi and its degrees, in units of the median degree."""
    phi = np.asarray(phi.todense() if hasattr(phi, "todense") else phi, dtype=np.float64)
    degrees = np.diag(phi)
    typical = np.median([d for d in degrees if d > 0]) if (degrees > 0).any() else 1.0
    return phi / typical, degrees / typical


def leaky(phi):
    """With a leak; samples without an edge have 1."""
    phi, degrees = scaled(phi)
    return phi + np.diag([LEAK * d if d > 0 else 1.0 for d in degrees])


def energy(phi, order):
    """The matrix of the cost z^T E z that spread values minimize."""
    A, degrees = leaky(phi), scaled(phi)[1]
    return A if order == 1 else A @ np.diag([1 / d if d > 0 else 1.0 for d in degrees]) @ A


def values(E, landmarks, y):
    """The z of least z^T E z with z = y at the landmarks."""
    rest = np.setdiff1d(np.arange(len(E)), landmarks)
    z = np.empty((len(E), y.shape[1]))
    z[landmarks] = y
    z[rest] = np.linalg.solve(E[np.ix_(rest, rest)], -E[np.ix_(rest, landmarks)] @ y)
    return z


def left_out(E, landmarks, y):
    """What each labeled sample gets from the others."""
    found = []
    for i, sample in enumerate(landmarks):
        others = np.arange(len(landmarks)) != i
        found.append(values(E, landmarks[others], y[others])[sample])
    return np.array(found)


def precision(E, landmarks):
    """One over the variance of each labeled sample where the others are known, in a field of precision E."""
    found = []
    for sample in landmarks:
        free = np.setdiff1d(np.arange(len(E)), landmarks[landmarks != sample])
        variance = np.linalg.inv(E[np.ix_(free, free)])
        found.append(1.0 / variance[np.searchsorted(free, sample), np.searchsorted(free, sample)])
    return np.array(found)


def weights(predictions, y, pull):
    """The best point of the simplex: every set of positive weights in turn, each solved exactly."""
    m = len(predictions)
    P = np.stack([p.ravel() for p in predictions])
    G, b = P @ P.T + pull * np.eye(m), P @ y.ravel() + pull / m
    best, least = None, np.inf
    for size in range(1, m + 1):
        for some in map(list, combinations(range(m), size)):
            K = np.zeros((size + 1, size + 1))  # stationary, with a multiplier for the sum
            K[:size, :size], K[:size, size], K[size, :size] = G[np.ix_(some, some)], 1.0, 1.0
            part = np.linalg.solve(K, np.append(b[some], 1.0))[:size]
            w = np.zeros(m)
            w[some] = part
            cost = w @ G @ w - 2 * b @ w
            if (part >= -1e-12).all() and cost < least:
                best, least = w, cost
    return best


def mixed(predictions, weights):
    """Weighted means, row by row, of what is said."""
    rows = []
    for said in zip(*predictions, strict=True):
        there = [(max(w, 1e-12), p) for w, p in zip(weights, said, strict=True) if not np.isnan(p).any()]
        total = sum(w for w, _ in there)
        rows.append(sum(w * p for w, p in there) / total if there else np.full(len(said[0]), np.nan))
    return np.array(rows)


def sharpened(p, temperature):
    return np.array([row ** (1 / temperature) / (row ** (1 / temperature)).sum() for row in p])


def temperature(q, y, prior, grid):
    costs = [np.sum((sharpened(q, T) - y) ** 2) + prior * np.log(T) ** 2 for T in grid]
    return grid[int(np.argmin(costs))]


def folds(codes, n_folds):
    """Labels class by class, dealt out like cards."""
    fold, turn = np.full(len(codes), -1), 0
    for code in sorted(set(codes)):
        for i in np.flatnonzero(np.asarray(codes) == code):
            fold[i] = turn % n_folds
            turn += 1
    return fold


def ridge(Z, y, Z_new):
    """Least squares on features and a constant, with the penalty on all coefficients."""
    size = np.mean(np.sum(Z**2, axis=1)) or 1.0
    F = np.column_stack([Z / np.sqrt(size), np.ones(len(Z))])
    F_new = np.column_stack([Z_new / np.sqrt(size), np.ones(len(Z_new))])
    penalty = 1.0 / np.sqrt(len(Z))
    return F_new @ np.linalg.solve(F.T @ F + penalty * np.eye(F.shape[1]), F.T @ y)


def ridge_left_out(Z, y):
    """Each value from the others, with the scale and the penalty of all."""
    size = np.mean(np.sum(Z**2, axis=1)) or 1.0
    F = np.column_stack([Z / np.sqrt(size), np.ones(len(Z))])
    penalty, found = 1.0 / np.sqrt(len(Z)), []
    for i in range(len(Z)):
        others = np.arange(len(Z)) != i
        A = F[others].T @ F[others] + penalty * np.eye(F.shape[1])
        found.append(F[i] @ np.linalg.solve(A, F[others].T @ y[others]))
    return np.array(found)
