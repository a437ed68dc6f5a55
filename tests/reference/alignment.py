"""Alignment matrices from their definitions: dense arrays, loops, no cleverness."""

import numpy as np


def neighbors(graph, i):
    return graph.indices[graph.indptr[i] : graph.indptr[i + 1]].tolist()


def distances(graph, i):
    return graph.distances[graph.indptr[i] : graph.indptr[i + 1]].tolist()


def scales(graph):
    """Distance to the last neighbor, the typical one in place of 0, and the typical one."""
    last = [distances(graph, i)[-1] if neighbors(graph, i) else 0.0 for i in range(graph.n_samples)]
    positive = [s for s in last if s > 0]
    typical = np.median(positive) if positive else 1.0
    return [s if s > 0 else typical for s in last], typical


def ratios(graph):
    """d^2 / (s_i s_j), a list for each sample that lists neighbors."""
    s = scales(graph)[0]
    return [
        [d**2 / (s[i] * s[j]) for j, d in zip(neighbors(graph, i), distances(graph, i), strict=True)]
        for i in range(graph.n_samples)
        if neighbors(graph, i)
    ]


def median_perplexity(graph, c):
    """Of each sample's weights exp(-c d^2 / (s_i s_j)), scaled to sum to one."""
    found = []
    for row in ratios(graph):
        p = np.exp([-c * (e - min(row)) for e in row])
        p = [w / p.sum() for w in p]
        found.append(np.exp(-sum(w * np.log(w) for w in p if w > 0)))
    return np.median(found)


def sharpness(graph, perplexity):
    """Halve [1, 100] until c is known; 1 where it is not in there."""
    if perplexity is None or not ratios(graph):
        return 1.0
    if (
        median_perplexity(graph, 1.0) <= perplexity
        or median_perplexity(graph, 100.0) > (1 - 1e-6) * perplexity
    ):
        return 1.0
    low, high = 1.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        if median_perplexity(graph, middle) > perplexity:
            low = middle
        else:
            high = middle
    return low


def weights(graph, name, sigma=None, perplexity=5.0):
    n = graph.n_samples
    s, typical = scales(graph)
    sigma = typical if sigma is None else sigma
    c = sharpness(graph, perplexity)
    middle = min(np.median([c * min(row) for row in ratios(graph)] or [0.0]), 100.0)
    least, most = np.exp(-middle) * 1e-6, np.exp(-middle) * 1e6
    W = np.zeros((n, n))
    edge = 0
    for i in range(n):
        for j, d in zip(neighbors(graph, i), distances(graph, i), strict=True):
            w = {
                "self_tuning": lambda i, j, d: min(max(np.exp(-c * d**2 / (s[i] * s[j])), least), most),
                "heat": lambda i, j, d: np.exp(-(d**2) / sigma**2),
                "binary": lambda i, j, d: 1.0,
                "distance": lambda i, j, d: d,
                "own": lambda i, j, d, edge=edge: graph.similarities[edge],
            }[name](i, j, d)
            W[i, j] = max(W[i, j], w)
            W[j, i] = max(W[j, i], w)
            edge += 1
    return W


def laplacian(graph, name, normalized=False, sigma=None, perplexity=5.0):
    W = weights(graph, name, sigma, perplexity)
    n = len(W)
    d = W.sum(axis=1)
    phi = np.diag(d) - W
    if normalized:
        for i in range(n):
            for j in range(n):
                phi[i, j] = phi[i, j] / np.sqrt(d[i] * d[j]) if d[i] > 0 and d[j] > 0 else 0.0
    return phi


def diffusion(graph, name, exponent, sigma=None):
    k = weights(graph, name, sigma, perplexity=None) + np.eye(graph.n_samples)
    q = k.sum(axis=1)
    W = np.zeros_like(k)
    for i in range(len(k)):
        for j in range(len(k)):
            if i != j:
                W[i, j] = k[i, j] / (q[i] * q[j]) ** exponent
    return np.diag(W.sum(axis=1)) - W


def lle(X, graph, reg=None):
    """Row weights from the optimality conditions, whose least-norm solution has the shortest w."""
    X = np.asarray(X, dtype=np.float64)
    n, p = X.shape
    M = np.zeros((n, n))
    for i in range(n):
        N = neighbors(graph, i)
        K = len(N)
        if K == 0:
            continue
        C = X[N] - X[i]
        G = C @ C.T
        share = reg if reg is not None else (1e-3 if p < K else 0.0)
        G = G + share * (np.trace(G) if np.trace(G) > 0 else 1.0) * np.eye(K)
        scale = max(np.trace(G), 1e-300)
        conditions = np.block([[G / scale, np.ones((K, 1))], [np.ones((1, K)), np.zeros((1, 1))]])
        solution = np.linalg.lstsq(conditions, np.r_[np.zeros(K), 1.0], rcond=1e-13)[0]
        M[i, i] = 1.0
        M[i, N] = -solution[:K]
    return M.T @ M


def ltsa(X, graph, d, include_self=True):
    X = np.asarray(X, dtype=np.float64)
    n, p = X.shape
    phi = np.zeros((n, n))
    for i in range(n):
        N = ([i] if include_self else []) + neighbors(graph, i)
        k = len(N)
        if k == 0:
            continue
        centered = X[N] - X[N].mean(axis=0)
        U, s, _ = np.linalg.svd(centered)
        scale = np.abs(X[N]).max()
        rank = int((s > max(k, p) * np.finfo(float).eps * max(s[0], scale)).sum())
        G = np.c_[np.full(k, k**-0.5), U[:, : min(d, rank)]]
        phi[np.ix_(N, N)] += np.eye(k) - G @ G.T
    return phi


def geodesics(graph):
    n = graph.n_samples
    D = np.full((n, n), np.inf)
    np.fill_diagonal(D, 0.0)
    for i in range(n):
        for j, d in zip(neighbors(graph, i), distances(graph, i), strict=True):
            D[i, j] = D[j, i] = min(D[i, j], D[j, i], d)
    for via in range(n):
        D = np.minimum(D, D[:, [via]] + D[[via]])
    return D


def isomap(graph, d):
    n = graph.n_samples
    P = np.eye(n) - 1.0 / n
    A = -0.5 * P @ geodesics(graph) ** 2 @ P
    values, vectors = np.linalg.eigh(A)
    values, vectors = values[::-1], vectors[:, ::-1]
    top = values[0]
    phi = top * np.eye(n) - A - top / n
    for i in range(1, d):
        if values[i] > 1e-10 * top:
            phi -= (top - values[i]) * np.outer(vectors[:, i], vectors[:, i])
    return phi
