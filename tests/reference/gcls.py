"""Gershgorin circle-based landmark selection by full search, from the definition."""

import numpy as np


def shifted(phi, alpha):
    """Centers c of psi, and |psi| off the diagonal."""
    off = np.abs(phi)
    np.fill_diagonal(off, 0)
    lowest = (phi.diagonal() - off.sum(axis=1)).min()
    return phi.diagonal() + max(0.0, -lowest) + alpha, off


def surrogate(c, off, U):
    """Q(U)."""
    if not U:
        return np.inf
    s = off[np.ix_(U, U)].sum(axis=1)
    A, B, C = (off[U].sum(axis=1) - s).max(), (c[U] + s).max(), (c[U] - s).min()
    return (A + B) / (A * C) if A * C > 0 else np.inf


def gcls(phi, n_landmarks, alpha, initial=(), ties="spread"):
    """Every candidate, every circle, every step."""
    c, off = shifted(phi, alpha)
    r = off.sum(axis=1)
    landmarks = list(initial)
    for _ in range(n_landmarks):
        U = [i for i in range(len(phi)) if i not in landmarks]
        t = off[:, landmarks].sum(axis=1)
        rule = {"spread": lambda i: (t[i], -r[i], i), "index": lambda i: (i,)}[ties]  # noqa: B023
        landmarks.append(min(U, key=lambda i: (surrogate(c, off, [j for j in U if j != i]), *rule(i))))
    return landmarks[len(initial) :]


def two_candidates(phi, n_landmarks, alpha, initial=()):
    """Only argmax(c + r) and argmin(c - s) compete; the former wins where Q ties."""
    c, off = shifted(phi, alpha)
    r = off.sum(axis=1)
    landmarks = list(initial)
    for _ in range(n_landmarks):
        U = [i for i in range(len(phi)) if i not in landmarks]
        s = off[:, U].sum(axis=1)
        wide, near = max(U, key=lambda i: (c + r)[i]), min(U, key=lambda i: (c - s)[i])
        landmarks.append(min((wide, near), key=lambda i: surrogate(c, off, [j for j in U if j != i])))
    return landmarks[len(initial) :]
