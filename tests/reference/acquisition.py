"""What each method of the learner asks for next, from its definition, dense."""

import numpy as np


def _margins(f):
    ordered = np.sort(f, axis=1)
    return ordered[:, -1], ordered[:, -2]


def weights(f, parts, answers, least=0.003):
    """Of the default's coverage; the labeled samples of each part of the graph, and their classes."""
    w = np.maximum(1 - f.max(axis=1), least)
    for members, told in zip(parts, answers, strict=True):
        if len(set(told)) < 2:
            w[members] = np.maximum(w[members], 1 / ((len(told) + 1) * (len(told) + 2)))
    return w


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
