"""The learner's choices and estimates from their definitions, dense."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit


def correlations(phi, alpha):
    """Correlations of (phi + alpha R)^-1, R the degrees or their median, whichever is larger."""
    degrees = phi.diagonal()
    C = np.linalg.inv(phi + alpha * np.diag(np.maximum(degrees, np.median(degrees))))
    root = np.sqrt(C.diagonal())
    return C / np.outer(root, root)


def cover(S, weights, best, free, cost, count):
    """Greedy coverage: every candidate, every step."""
    picks, best, weights, free = [], best.copy(), weights.copy(), list(free)
    for _ in range(count):
        gains = {i: (weights * np.maximum(S[i] - best, 0)).sum() / cost[i] for i in free}
        i = max(free, key=lambda i: (gains[i], -i))
        picks.append(i)
        free.remove(i)
        best, weights[i] = np.maximum(best, S[i]), 0.0
    return picks


def left_out(phi, landmarks, values, k):
    """The value of landmark k by least squares from all other landmarks."""
    others = [j for j in range(len(landmarks)) if j != k]
    L = [landmarks[j] for j in others]
    U = [i for i in range(len(phi)) if i not in L]
    z = np.linalg.solve(phi[np.ix_(U, U)], -phi[np.ix_(U, L)] @ values[others])
    return z[U.index(landmarks[k])]


def posterior_of_error(wrong, doubts, rest, slopes=(0.0, 0.5, 1.0, 1.5), cells=600):
    """Values of E and their probabilities: every value of E is tried with every slope."""
    E = np.sin((np.arange(cells) + 0.5) / cells * np.pi / 2) ** 2
    likelihood = np.zeros(cells)
    for b in slopes:
        for j, e in enumerate(E):
            a = brentq(lambda a, b=b, e=e: expit(a + b * logit(rest)).mean() - e, -60.0, 60.0)
            p = expit(a + b * logit(doubts))
            likelihood[j] += np.prod(np.where(wrong, p, 1.0 - p))
    return E, likelihood / likelihood.sum()
