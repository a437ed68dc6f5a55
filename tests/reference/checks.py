"""Checks of a pool from their definitions, one pair at a time."""

from itertools import combinations, pairwise

import numpy as np


def groups(n, pairs):
    """Connected components of pairs, two samples or more, ascending."""
    part = list(range(n))
    for i, j in pairs:
        old, new = max(part[i], part[j]), min(part[i], part[j])
        part = [new if each == old else each for each in part]
    found = [[i for i in range(n) if part[i] == head] for head in range(n)]
    return [group for group in found if len(group) > 1]


def exact_groups(X):
    X = np.asarray(X, dtype=np.float64)
    return groups(len(X), [(i, j) for i, j in combinations(range(len(X)), 2) if (X[i] == X[j]).all()])


def expected_copies(X):
    """Pairs of rows that are equal by chance, if columns do not depend on each other."""
    X = np.asarray(X)
    n = len(X)
    shares = [sum(float(np.mean(column == value)) ** 2 for value in set(column.tolist())) for column in X.T]
    return n * (n - 1) / 2 * float(np.prod(shares))


def near_pairs(D, neighbors, near, chance):
    """Pairs of samples with different rows that are far nearer than usual."""
    n, k = D.shape
    a = -(-k // 3)
    logs = [np.log(D[i, -1] / D[i, a - 1]) for i in range(n) if D[i, a - 1] > 0]
    if not logs or np.mean(logs) <= 0:
        return []
    m = sum(1 / j for j in range(a, k)) / np.mean(logs)
    limit = min(near, (chance / (n * (k - 1))) ** (1 / m))
    usual = [s if s > 0 else np.inf for s in D[:, -1]]
    middle = np.median([s for s in D[:, -1] if s > 0])
    found = []
    for i in range(n):
        for place, j in enumerate(neighbors[i]):
            least = min(usual[i], usual[j], middle)
            if 0 < D[i, place] < limit * least:
                found.append((i, int(j)))
    return found


def roughness(labels, column):
    """Changes of class along a column of distinct values, beyond those needed, relative to chance."""
    ordered = [label for _, label in sorted(zip(column, labels, strict=True))]
    changes = sum(a != b for a, b in pairwise(ordered))
    classes = set(ordered)
    same = sum((ordered.count(c) / len(ordered)) ** 2 for c in classes)
    return (changes - len(classes) + 1) / ((len(ordered) - 1) * (1 - same))
