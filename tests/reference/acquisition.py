"""What each method of the learner asks for next, from its definition, dense."""

import numpy as np


def _margins(f):
    ordered = np.sort(f, axis=1)
    return ordered[:, -1], ordered[:, -2]


def forgetful(phi, rate, labeled, values):
    """Probabilities of values that forget; what is forgotten is spread evenly."""
    degrees = phi.diagonal()
    A = phi + rate * np.diag(np.maximum(degrees, np.median(degrees)))
    U = np.setdiff1d(np.arange(len(phi)), labeled)
    f = np.empty((len(phi), values.shape[1]))
    f[labeled] = values
    f[U] = -np.linalg.solve(A[np.ix_(U, U)], A[np.ix_(U, labeled)] @ values)
    return f + (1 - f.sum(axis=1, keepdims=True)) / values.shape[1]


def weights(f, labeled, least):
    """Of the default's coverage."""
    first, second = _margins(f)
    u = 1 - first + second / 2
    p = 1 / np.delete(u, labeled).mean()
    return np.maximum((u / u.max()) ** p, least)


def uncertainty(S, f, asked):
    first, second = _margins(f)
    return (1 - first + second) * (1 - S[asked].max(axis=0))


def covariance(phi, shift, asked):
    """Of the samples that were not asked for; zero for the others."""
    U = np.setdiff1d(np.arange(len(phi)), asked)
    C = np.zeros(phi.shape)
    C[np.ix_(U, U)] = np.linalg.inv((phi + np.diag(shift))[np.ix_(U, U)])
    return C


def error_reduction(phi, delta, f, asked, k):
    """By how much a label at k lowers the expected number of mistakes."""
    C = covariance(phi, np.full(len(phi), delta), asked)
    others = np.setdiff1d(np.arange(len(phi)), asked)
    before = sum(1 - f[i].max() for i in others)
    after = 0.0
    for c in range(f.shape[1]):
        told = f + np.outer(C[:, k] / C[k, k], np.eye(f.shape[1])[c] - f[k])
        after += f[k, c] * sum(max(0, 1 - told[i].max()) for i in others if i != k)
    return before - after


def model_change(phi, alpha, f, asked, k):
    degrees = phi.diagonal()
    C = covariance(phi, alpha * np.maximum(degrees, np.median(degrees)), asked)
    size = sum(f[k, c] * np.linalg.norm(np.eye(f.shape[1])[c] - f[k]) for c in range(f.shape[1]))
    return size * np.linalg.norm(C[:, k]) / C[k, k]


def trace_gain(phi, alpha, asked, k):
    """What a label at k takes from the trace of the covariance."""
    degrees = phi.diagonal()
    shift = alpha * np.maximum(degrees, np.median(degrees))
    return np.trace(covariance(phi, shift, asked)) - np.trace(covariance(phi, shift, [*asked, k]))
