"""The scale that suits a number of landmarks: the least rate with enough degrees of freedom.

With x_k = alpha / (alpha + lambda_k) there are f(alpha) = sum_k x_k degrees of freedom (`_resolvent`). The
inverse C at one rate tells them, and q = sum_k x_k^2 = alpha^2 |R^1/2 C R^1/2|^2. At another rate, r alpha, x
becomes x r / (1 - (1 - r) x), and since r / (1 - (1 - r) x) is convex in x,

    f r / (1 - (1 - r) q / f)  <=  f(r alpha)  <=  r f + (1 - r) q,

where the parts of the graph, each with an x of 1 at any rate, are left out of f and q. So one inverse settles
most rates, and at most a few more find the least.
"""

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from trigpoint._progress import Stage, stage
from trigpoint._types import Floats, Sparse
from trigpoint.selection._resolvent import Resolvent, correlations, covariance

MOST = 0.7  # degrees of freedom a sample: with all of them, no sample tells of another
RATES = np.exp2(np.arange(-24.0, 3.0))  # alpha
ROWS = 256  # squared at a time
SURE = 1e-9  # relative: more than rounding does to the bounds


def scale_for(A: Any, R: Floats, n_landmarks: int) -> Resolvent:
    """At the least of `RATES` with enough degrees of freedom, or the last: they grow with the rate.

    A is an (n, n) array, or sparse, which saves one.
    """
    with stage("scale") as told:
        return _scale_for(A, R, n_landmarks, told)


def _scale_for(A: Any, R: Floats, n_landmarks: int, told: Stage) -> Resolvent:
    n, parts = len(R), count_parts(sparse.csr_array(A))
    wanted = freedom_for(n_landmarks, n, parts)
    low, high, found = 0, len(RATES) - 1, {}
    place = _first_guess((wanted - parts) / float(R.sum()))
    while True:
        alpha = float(RATES[place])
        C = found[place] = covariance(A, R, alpha)
        told.advance()
        f = alpha * float(R @ C.diagonal())
        q = alpha**2 * _square_sum(C, R)
        lower, upper = bounds(f - parts, q - parts, RATES / alpha)
        enough, less = parts + lower > wanted * (1 + SURE), parts + upper < wanted * (1 - SURE)
        enough[place], less[place] = f >= wanted, f < wanted
        low, high = max([low, *(np.flatnonzero(less) + 1)]), min([high, *np.flatnonzero(enough)])
        found = {k: C for k, C in found.items() if low <= k <= high}
        if low >= high:
            break
        place = int(np.clip(np.searchsorted(np.sqrt(lower * upper), wanted - parts), low, high))
        if place in found:
            place -= 1
    alpha = float(RATES[high])
    return correlations(found[high] if high in found else covariance(A, R, alpha), R, alpha)


def _square_sum(C: Floats, R: Floats) -> float:
    """sum_ij R_i C_ij^2 R_j, some rows at a time."""
    blocks = (slice(start, start + ROWS) for start in range(0, len(C), ROWS))
    return float(sum(R[some] @ (np.square(C[some]) @ R) for some in blocks))


def bounds(f: float, q: float, r: Floats) -> tuple[Floats, Floats]:
    """Of the degrees of freedom at r times the rate; f and q as told above, rounding included."""
    f = max(f, 0.0)
    q = min(max(q, 0.0), f)
    return f * r / (1 - (1 - r) * (q / f if f else 0.0)), r * f + (1 - r) * q


def freedom_for(n_landmarks: int, n: int, parts: int) -> float:
    """How many degrees of freedom the scale is to have."""
    return parts + min(n_landmarks, MOST * (n - parts))


def count_parts(A: Sparse) -> int:
    return int(connected_components(A, directed=False)[0])


def _first_guess(share: float) -> int:
    """The place in `RATES` that eigenvalues of 1/4 would need, for so many degrees of freedom a unit of R."""
    return int(np.clip(np.searchsorted(RATES, share / (1 - share) / 4), 0, len(RATES) - 1))
