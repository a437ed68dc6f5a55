"""Dense selectors from their definitions: everything anew for every candidate. And the laws they share."""

from fractions import Fraction

import numpy as np
from scipy import linalg

TIE = 1e-9


def laplacian(n, edges):
    """Edges are (i, j, weight); weights of the same pair add up, loops are left out."""
    W = np.zeros((n, n))
    for i, j, w in edges:
        if i != j:
            W[i, j] += w
            W[j, i] += w
    return np.diag(W.sum(axis=1)) - W


def generic(seed, n=12):
    """A Laplacian with random weights: at least two components, and a sample alone."""
    rng = np.random.default_rng(seed)
    side = np.arange(n) % 3 == 0
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.6), 1) * (side[:, None] == side)
    W[:, 1] = W[1] = 0.0
    W += W.T
    return np.diag(W.sum(axis=1)) - W


def assert_greedy_laws(choose, phi, rng, scale=3.0):
    """choose(phi, n_landmarks, initial) is an order of the samples that depends on phi alone."""
    n = len(phi)
    picks = choose(phi, n, None)
    assert picks.dtype == np.int64
    assert sorted(picks) == list(range(n)), "distinct, and all of them in the end"
    cut = int(rng.integers(1, n))
    assert choose(phi, cut, None).tolist() == picks[:cut].tolist(), "nested"
    assert choose(phi, n - cut, picks[:cut]).tolist() == picks[cut:].tolist(), "goes on where it stopped"
    if scale:
        assert choose(scale * phi, n, None).tolist() == picks.tolist(), "free of units"
    return picks


def assert_follows_samples(choose, phi, rng):
    """Where nothing ties, the numbering of the samples does not matter."""
    n = len(phi)
    shuffled = rng.permutation(n)
    first = int(rng.integers(n))
    picks = choose(phi, n - 1, [first])
    moved = choose(phi[np.ix_(shuffled, shuffled)], n - 1, [int(np.flatnonzero(shuffled == first)[0])])
    assert shuffled[moved].tolist() == picks.tolist()


def first_best(scores, scale):
    """The lowest key of the largest score, within the tolerance; scores is a dict."""
    best = max(scores.values())
    return min(i for i, s in scores.items() if s >= best - TIE * scale)


def mincond(phi, alpha, n_landmarks, signed):
    U, picks = list(range(len(phi))), []
    for _ in range(n_landmarks):
        G = np.atleast_2d(linalg.logm(phi[np.ix_(U, U)] + alpha * np.eye(len(U)))).real
        c = {i: G[a, a] for a, i in enumerate(U)}
        r = {i: sum(abs(g) for g in G[a]) - (c[i] if signed else abs(c[i])) for a, i in enumerate(U)}
        size = max(abs(c[i]) + r[i] for i in U)
        a = first_best({i: c[i] + r[i] for i in U}, size)
        b = first_best({i: r[i] - c[i] for i in U}, size)
        picks.append(a if r[a] >= r[b] - TIE * size else b)
        U.remove(picks[-1])
    return picks


def pivoted_qr(B):
    """Columns in the order of pivoting, by modified Gram-Schmidt; ties and zeros: the higher index first."""
    B, order = B.copy(), []
    rounding = 1e-12 * (B**2).sum(axis=0).max()
    while len(order) < B.shape[1]:
        left = [j for j in range(B.shape[1]) if j not in order]
        norm = {j: B[:, j] @ B[:, j] for j in left}
        best = max(norm.values())
        pivot = max(j for j in left if norm[j] >= best - max(TIE * best, rounding))
        order.append(pivot)
        if norm[pivot] > rounding:
            q = B[:, pivot] / np.sqrt(norm[pivot])
            for j in left:
                B[:, j] -= (q @ B[:, j]) * q
    return order


def rrqr(phi, n_landmarks):
    values, vectors = np.linalg.eigh(phi)
    return pivoted_qr((vectors * np.sqrt(np.maximum(values, 0.0))).T)[::-1][:n_landmarks]


def gaussian_field(phi, prior, taken, n_landmarks):
    """Least trace of the covariance of the others, in exact arithmetic."""
    precision = [[Fraction(x) for x in row] for row in phi + prior * np.eye(len(phi))]
    taken, picks = list(taken), []
    for _ in range(n_landmarks):
        free = [i for i in range(len(phi)) if i not in taken]
        trace = {i: trace_of_inverse(precision, [j for j in free if j != i]) for i in free}
        before = trace_of_inverse(precision, free)
        gain = {i: before - trace[i] for i in free}
        picks.append(first_best(gain, Fraction(max(gain.values()))))
        taken.append(picks[-1])
    return picks


def trace_of_inverse(precision, rows):
    """Gauss and Jordan on fractions."""
    m = len(rows)
    A = [[precision[i][j] for j in rows] + [Fraction(a == b) for b in range(m)] for a, i in enumerate(rows)]
    for p in range(m):
        A[p] = [x / A[p][p] for x in A[p]]
        for q in range(m):
            if q != p and A[q][p]:
                A[q] = [x - A[q][p] * y for x, y in zip(A[q], A[p], strict=True)]
    return sum((A[p][m + p] for p in range(m)), Fraction(0))


def probabilities(phi, prior, landmarks, labels, classes):
    """The posterior mean of a field with mean 1 / n_classes, one solve a class; one-hot on the landmarks."""
    n, mean = len(phi), 1 / len(classes)
    rest = [i for i in range(n) if i not in landmarks]
    f = np.zeros((n, len(classes)))
    for c, name in enumerate(classes):
        y = np.array([float(label == name) for label in labels])
        f[landmarks, c] = y
        A = phi[np.ix_(rest, rest)] + prior * np.eye(len(rest))
        f[rest, c] = mean + np.linalg.solve(A, -phi[np.ix_(rest, landmarks)] @ (y - mean))
    return f


def risk(f, rest):
    return sum(max(0.0, 1 - max(f[i])) for i in rest)


def expected_risks(phi, prior, landmarks, labels):
    """Sample -> expected risk, solving anew for every candidate and every answer."""
    landmarks, labels = list(landmarks), list(labels)
    classes = sorted(set(labels))
    rest = [i for i in range(len(phi)) if i not in landmarks]
    now = np.maximum(probabilities(phi, prior, landmarks, labels, classes), 0.0)
    expected = {}
    for k in rest:
        others = [i for i in rest if i != k]
        expected[k] = sum(
            now[k, c]
            / now[k].sum()
            * risk(probabilities(phi, prior, [*landmarks, k], [*labels, name], classes), others)
            for c, name in enumerate(classes)
        )
    return expected


def least_risk(expected):
    return first_best({k: -r for k, r in expected.items()}, max(1.0, min(expected.values())))
