"""Laws of the random selectors, by enumeration, and a test of draws against a law."""

from itertools import combinations, permutations
from math import prod

import numpy as np
from scipy import stats


def chi_square(draws, law):
    """p-value of the counts of ``draws``, hashable outcomes, under ``law``, outcome -> probability.

    Outcomes of probability 0 must not occur; those expected fewer than 5 times are taken together.
    """
    counts = dict.fromkeys((o for o, p in law.items() if p > 1e-12), 0)
    for outcome in draws:
        if outcome not in counts:
            return 0.0
        counts[outcome] += 1
    seen = np.array(list(counts.values()), dtype=float)
    expected = np.array([law[o] for o in counts]) * seen.sum()
    rare = expected < 5
    seen = np.append(seen[~rare], seen[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    kept = expected > 0
    return 1.0 if kept.sum() < 2 else stats.chisquare(seen[kept], expected[kept]).pvalue


def successive(weigh, free, n_landmarks):
    """Ordered law of draws one by one, each in proportion to ``weigh(i, chosen)``; uniform if all are 0."""
    law = {}
    for order in permutations(free, n_landmarks):
        p = 1.0
        for step, i in enumerate(order):
            weights = {j: weigh(j, order[:step]) for j in free if j not in order[:step]}
            total = sum(weights.values())
            p *= weights[i] / total if total > 0 else 1 / len(weights)
        law[order] = p
    return law


def column_weight(phi, power):
    """Weight of a sample in norm-weighted sampling."""
    return lambda i, chosen: np.sqrt((np.asarray(phi)[:, i] ** 2).sum()) ** power


def repulsion(D, sigma, initial=()):
    """Weight of a sample in approximate DPP sampling; D holds inf where samples are not neighbors."""
    return lambda i, chosen: prod(1 - np.exp(-(D[i, j] ** 2) / (2 * sigma**2)) for j in (*initial, *chosen))


def volumes(X, n_landmarks, initial=()):
    """Law of the set of new landmarks, in proportion to det(X_S^T X_S), S with the initial ones."""
    rest = [i for i in range(len(X)) if i not in initial]
    dets = {}
    for chosen in combinations(rest, n_landmarks):
        rows = X[[*initial, *chosen]]
        dets[frozenset(chosen)] = np.linalg.det(rows.T @ rows)
    total = sum(dets.values())
    return {chosen: det / total for chosen, det in dets.items()}


def leading(X, dimensions, initial=()):
    """X in coordinates of the span of the initial rows and its leading singular directions beside it."""
    A = X[list(initial)]
    spanned = np.linalg.matrix_rank(A) if len(A) else 0
    P = np.linalg.svd(A)[2][:spanned] if len(A) else np.empty((0, X.shape[1]))
    W = np.linalg.svd(X - X @ P.T @ P)[2][: dimensions - spanned]
    return X @ np.vstack([P, W]).T


def nearest_free(centers, X, taken):
    """For each center, in order, the nearest sample that no center before it has, the lower index first."""
    picks = []
    for center in centers:
        gap = {i: ((x - center) ** 2).sum() for i, x in enumerate(X) if i not in [*taken, *picks]}
        picks.append(min(gap, key=lambda i: (gap[i], i)))
    return picks
