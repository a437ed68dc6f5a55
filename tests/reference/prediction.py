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


def weights(predictions, y, pull, counts=None):
    """The best point of the simplex: every set of positive weights in turn, each solved exactly."""
    m = len(predictions)
    P = np.stack([p.ravel() for p in predictions])
    C = np.repeat(np.ones(len(y)) if counts is None else counts, y.shape[1])
    G, b = (P * C) @ P.T + pull * np.eye(m), (P * C) @ y.ravel() + pull / m
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


def noisy_values(E, landmarks, y, noise):
    """The z of least z^T E z + sum_i (z_i - y_i)^2 / noise_i."""
    B, given = np.zeros(len(E)), np.zeros((len(E), y.shape[1]))
    for i, sample in enumerate(landmarks):
        B[sample] = 1.0 / noise[i]
        given[sample] = y[i] / noise[i]
    return np.linalg.solve(E + np.diag(B), given)


def noisy_left_out(E, landmarks, y, noise):
    """What each labeled sample gets from the others."""
    found = []
    for i, sample in enumerate(landmarks):
        others = np.arange(len(landmarks)) != i
        found.append(noisy_values(E, landmarks[others], y[others], noise[others])[sample])
    return np.array(found)


def noisy_precision(E, landmarks, noise):
    """One over the variance of each label, given the others: that of the field there, and its own."""
    found = []
    for i, sample in enumerate(landmarks):
        B = np.zeros(len(E))
        for j, other in enumerate(landmarks):
            if j != i:
                B[other] = 1.0 / noise[j]
        found.append(1.0 / (np.linalg.inv(E + np.diag(B))[sample, sample] + noise[i]))
    return np.array(found)


def label_noise(q, codes, settings, share=None, trusted=None):
    """T, N, R and the gain: expectation and maximization, label by label."""
    n, k = q.shape
    trusted = np.zeros(n, dtype=bool) if trusted is None else trusted
    judged = np.array([sum(codes == codes[i]) - 1 >= settings.SUPPORT for i in range(n)])
    judged &= len(set(codes[judged].tolist())) > 1
    certain = trusted | ~judged  # taken to be right
    best, plain = (-np.inf, None, None), -np.inf
    for T in settings.GRID:
        p = flattened(q, T, settings.FLOOR)
        prior = settings.PRIOR * np.log(T) ** 2
        N = noise_matrix(p, codes, range(n), settings, share, certain)
        score, without = -prior, -prior
        for i in range(n):
            without += np.log(p[i, codes[i]])
            likely = sum(p[i, c] * N[c, codes[i]] for c in range(k))
            score += np.log(p[i, codes[i]] if certain[i] else likely)
        best, plain = max(best, (score, T, N), key=lambda found: found[0]), max(plain, without)
    score, T, N = best
    p, R = flattened(q, T, settings.FLOOR), np.eye(k)[codes]
    for i in range(n):
        if not trusted[i]:
            R[i] = responsibility(p[i], codes[i], N)
    return T, N, R, score - plain - 0.5 * np.log(n), score


def noise_interval(q, codes, settings, N, e, best, trusted=None):
    """Shares at which the likelihood, T fitted anew, is within DROP of the best; all labels can be judged."""
    k = len(N)
    apart = np.array([[0.0 if c == y else N[c, y] / (1 - N[c, c]) for y in range(k)] for c in range(k)])

    every = [flattened(q, T, settings.FLOOR) for T in settings.GRID]

    def likely(f, target):
        matrix = (1 - f) * N + f * target
        found = []
        for T, p in zip(settings.GRID, every, strict=True):
            own, chance = (each[np.arange(len(codes)), codes] for each in (p, p @ matrix))
            chance = chance if trusted is None else np.where(trusted, own, chance)
            found.append(np.sum(np.log(chance)) - settings.PRIOR * np.log(T) ** 2)
        return max(found) >= best - settings.DROP

    f = max(f for f in settings.LESS if likely(f, np.eye(k)))
    g = max(g for g in settings.MORE if likely(g, apart))
    return (0.0 if f == settings.LESS[-1] else (1 - f) * e), e + g * (1 - e)


def flattened(q, T, floor):
    return (1 - floor) * sharpened(q, T) + floor / q.shape[1]


def responsibility(p, label, N):
    """How likely the sample is of each class."""
    joint = np.array([p[c] * N[c, label] for c in range(len(p))])
    return joint / joint.sum()


def even_noise(e, k):
    return np.array([[1 - e if c == y else e / (k - 1) for y in range(k)] for c in range(k)])


def noise_matrix(p, codes, judged, settings, share, trusted):
    k = p.shape[1]
    e = settings.FIRST if share is None else share
    N = even_noise(e, k)
    for _ in range(settings.STEPS):
        counts = np.zeros((k, k))
        for i in judged:
            counts[:, codes[i]] += np.eye(k)[codes[i]] if trusted[i] else responsibility(p[i], codes[i], N)
        if share is None:
            e = 1.0 - np.trace(counts) / counts.sum()
        N = counts + k * even_noise(e, k)
        for c in range(k):
            if share is None:
                N[c] /= N[c].sum()
            else:
                N[c, c] = 0.0
                N[c] *= e / N[c].sum()
                N[c, c] = 1.0 - e
    return N
