"""Views from their definitions: dense, whole matrices, one SVD."""

import numpy as np

RULES = {"half_white": (0.99, 100, 0.5), "white": (0.999, 200, 1.0)}  # share, most components, power of s


def base(X):
    spread = [np.mean((column - np.mean(column)) ** 2) for column in np.transpose(X)]
    vary = [v for v in spread if v > 0]
    held = sum(vary) ** 2 / sum(v**2 for v in vary) if vary else np.inf
    return "standard" if held - 1 <= 0.3 * (len(vary) - 1) else "raw"


def standard(X, Q):
    columns = []
    for known, new in zip(np.transpose(X), np.transpose(Q), strict=True):
        columns.append((new - np.mean(known)) / (np.std(known) if len(set(known)) > 1 else 1.0))
    return np.transpose(columns)


def unit(X):
    return np.array([x / np.linalg.norm(x) if np.any(x) else x for x in X])


def whitened(X, Q, name, start, centered=True):
    """Q in the view that is fitted on X: coordinates before the rows are scaled, and after."""
    share, most, power = RULES[name]
    X, Q = np.asarray(X, dtype=np.float64), np.asarray(Q, dtype=np.float64)
    if start == "standard":
        X, Q = standard(X, X), standard(X, Q)
    if name == "white" or not centered:
        X, Q = unit(X), unit(Q)
    center = X.mean(axis=0) if centered else np.zeros(X.shape[1])
    s, V = np.linalg.svd(X - center, full_matrices=False)[1:]
    k = next((k for k in range(1, most) if (s[:k] ** 2).sum() >= share * (s**2).sum()), most)
    s, V = s[:k] / np.sqrt(len(X)), V[:k]
    V = np.array(
        [v * np.sign(v[np.argmax(np.abs(v) > (1 - 1e-6) * np.abs(v).max())]) for v in V]
    )  # ties by rounding
    coordinates = (Q - center) @ V.T / s**power
    return coordinates, unit(coordinates)


def nearness(distances):
    ratios = []
    for row in distances:
        near, far = row[0], row[:10][-1]
        ratios.append(0.0 if near == 0 else near / far)
    return np.median(ratios)
