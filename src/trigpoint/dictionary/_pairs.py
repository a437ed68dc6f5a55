"""Scores of classes from the linear support vector machines of all pairs of them.

The machine of classes i < j has the value f = x . w + b, positive for i. A class scores a vote for each
machine that favors it (i where f = 0), and less than 1/3 for the sum t of the values in its favor, which
decides between equal votes: votes + t / (3 (|t| + 1)). Two classes have one machine and one score, -f.
These are the numbers of scikit-learn's ``SVC.decision_function``, which takes the kernel with every support
vector to get them, where the w need one product.
"""

import numpy as np

from trigpoint._types import Floats, Sparse

SAMPLES = 1024  # at a time: 100 classes have 4950 pairs


def class_scores(codes: Sparse, coef: Floats, intercept: Floats, n_classes: int) -> Floats:
    """Scores of classes, (n, n_classes), or (n,) of the second of two.

    Parameters
    ----------
    codes : (n, K) csr_array
    coef, intercept : (n_pairs, K) and (n_pairs,), pairs 01, 02, ..., 12, ...; for two classes the sign is
        turned, as scikit-learn has it
    n_classes : at least 2
    """
    if n_classes == 2:
        return np.asarray(codes @ coef[0] + intercept[0])
    scores = np.empty((codes.shape[0], n_classes))
    for start in range(0, len(scores), SAMPLES):
        rows = slice(start, start + SAMPLES)
        scores[rows] = _votes(codes[rows] @ coef.T + intercept, n_classes)
    return scores


def _votes(values: Floats, n_classes: int) -> Floats:
    votes, totals = np.zeros((2, len(values), n_classes))
    first = 0
    for i in range(n_classes - 1):
        own = values[:, first : first + n_classes - 1 - i]  # class i against each that follows
        votes[:, i] += (own >= 0).sum(axis=1)
        votes[:, i + 1 :] += own < 0
        totals[:, i] += own.sum(axis=1)
        totals[:, i + 1 :] -= own
        first += own.shape[1]
    return np.asarray(votes + totals / (3 * (np.abs(totals) + 1)))
