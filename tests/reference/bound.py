"""The bound of a landmark set from its definitions, entry by entry."""

import numpy as np


def shifted(phi, alpha):
    """psi = phi + (max(0, -b_min) + alpha) I."""
    phi = dense(phi)
    n = len(phi)
    b_min = min(phi[i, i] - sum(abs(phi[i, j]) for j in range(n) if j != i) for i in range(n))
    return phi + (max(0.0, -b_min) + alpha) * np.eye(n)


def dense(phi):
    return np.array(phi.toarray() if hasattr(phi, "toarray") else phi, dtype=np.float64)


def norms(psi, landmarks):
    """||psi_UL||_1, ||psi_UL||_inf, ||psi_UU||_1 and Q; U must not be empty."""
    rest = [i for i in range(len(psi)) if i not in set(landmarks)]
    UL, UU = np.abs(psi[np.ix_(rest, landmarks)]), np.abs(psi[np.ix_(rest, rest)])
    A, B = UL.sum(axis=1).max(), UU.sum(axis=0).max()
    C = min(2 * UU[k, k] - UU[k].sum() for k in range(len(rest)))
    with np.errstate(divide="ignore"):
        return UL.sum(axis=0).max(), A, B, np.float64(A + B) / np.float64(A * C)


def condition_number(psi, landmarks):
    rest = [i for i in range(len(psi)) if i not in set(landmarks)]
    values = np.linalg.eigvalsh(psi[np.ix_(rest, rest)])
    return values[-1] / values[0]


def existence(psi, n_landmarks):
    n = len(psi)
    values = np.sort(np.linalg.eigvalsh(psi))[::-1]
    return (n_landmarks * (n - n_landmarks) + 1) * values[0] / values[n - n_landmarks - 1]


def coverage(links, landmarks, hops):
    """Share of samples that ``hops`` steps from the landmarks reach."""
    near = np.isin(np.arange(len(links)), landmarks)
    for _ in range(hops):
        near = near | (links[:, near] != 0).any(axis=1)
    return near.mean()
