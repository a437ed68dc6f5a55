"""Expected number of mistakes after one more label, for every sample that could be asked for."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array


@kernel
def expected_risks(
    C: Array, floor: Array, f: Array, waiting: Array, start: int, stop: int, risks: Array
) -> None:
    """risks[a] = sum_c p_kc sum_{i != k} max(0, 1 - max_d f'_id) for k = waiting[a], a in [start, stop).

    f'_i = f_i + g (e_c - f_k), g = C_ik / C_kk, is f after label c at k, and p_k is f_k without what is
    negative, scaled to sum 1. The maximum over d needs only the two largest of f_i - g f_k, for any c.

    C : (m, m) covariance, floor (m,) the variances that count as zero: there, g = 0
    f : (m, n_classes) rows that sum to 1; waiting : places of the samples without a label
    """
    n_classes = f.shape[1]
    h, risk = np.empty(n_classes), np.empty(n_classes)
    for a in range(start, stop):
        k = waiting[a]
        scale = 1.0 / C[k, k] if C[k, k] > floor[k] else 0.0
        risk[:] = 0.0
        for i in waiting:
            if i == k:
                continue
            g = C[k, i] * scale
            first, second, owner = -np.inf, -np.inf, -1
            for c in range(n_classes):
                h[c] = f[i, c] - g * f[k, c]
                if h[c] > first:
                    first, second, owner = h[c], first, c
                elif h[c] > second:
                    second = h[c]
            for c in range(n_classes):
                top = max(h[c] + g, second if c == owner else first)
                risk[c] += max(0.0, 1.0 - top)
        total, expected = 0.0, 0.0
        for c in range(n_classes):
            total += max(0.0, f[k, c])
            expected += max(0.0, f[k, c]) * risk[c]
        risks[a] = expected / total
