"""Tags from their definitions: every tag alone, every label really left out."""

from itertools import pairwise

import numpy as np


def kernel_ridge(C, Y, C_new, scale, ridge, counts=None):
    """Kernel ridge regression of each tag less its mean, one sample and one tag at a time."""

    def k(a, b):
        return 1.0 + np.exp(-sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) / scale)

    K = np.array([[k(a, b) for b in C] for a in C])
    R = np.diag(ridge / (np.ones(len(C)) if counts is None else counts))
    K_new = np.array([[k(a, b) for b in C] for a in C_new])
    m = Y.mean(axis=0)
    return np.clip(m + K_new @ np.linalg.solve(K + R, Y - m), 0, 1)


def kernel_ridge_left_out(C, Y, scale, ridge, counts=None):
    """Each label predicted from the others; the mean is that of all labels."""
    m, found = Y.mean(axis=0), []
    for i in range(len(Y)):
        others = np.arange(len(Y)) != i
        some = None if counts is None else counts[others]
        centered = (Y - m)[others]
        K = np.array([[1 + np.exp(-np.sum((a - b) ** 2) / scale) for b in C[others]] for a in C[others]])
        R = np.diag(ridge / (np.ones(others.sum()) if some is None else some))
        row = np.array([1 + np.exp(-np.sum((C[i] - b) ** 2) / scale) for b in C[others]])
        found.append(m + row @ np.linalg.solve(K + R, centered))
    return np.clip(found, 0, 1)


def tempered(p, T):
    """p^(1/T) against (1 - p)^(1/T)."""
    return p ** (1 / T) / (p ** (1 / T) + (1 - p) ** (1 / T))


def temperature(p, Y, prior, grid):
    """Of least squared error, absence and presence both counted."""
    losses = [2 * np.sum((tempered(p, T) - Y) ** 2) + prior * np.log(T) ** 2 for T in grid]
    return grid[int(np.argmin(losses))]


def threshold(p, Y, edge):
    """The middle of all thresholds that give as many tags as there are."""
    values = sorted({0.0, 1.0, *p.ravel().tolist()})
    fits = [(a, b) for a, b in pairwise(values) if (p > (a + b) / 2).sum() == int(Y.sum())]
    if not 0 < Y.sum() < Y.size:
        return 0.5
    middle = (fits[0][0] + fits[0][1]) / 2
    return min(max(middle, edge), 1 - edge)


def uncertainty(p, h):
    """One minus the chance of the set that is chosen, tag by tag."""
    found = []
    for row in p:
        chance = 1.0
        for x in row:
            chance *= x if x > h else 1 - x
        found.append(1.0 if np.isnan(row).any() else 1 - chance)
    return np.array(found)
