"""Orthogonal matching pursuit on correlations: neither signals nor atoms are touched.

For unit atoms D (K, p) with G = D D^T, a signal z and correlations a = D z, each step takes the atom
k = argmax |a_k|, the first of equals, and makes its part across the chosen ones, of length l, the next
unit direction q_t. Only its products with the atoms, v_t = D q_t, are kept:

    l^2 = G_kk - sum_{s<t} v_s[k]^2,  v_t = (G_k - sum_{s<t} v_s[k] v_s) / l,  c_t = a_k / l,  a -= c_t v_t.

The lower triangle L_ts = v_s[k_t] is the Cholesky factor of G among the chosen, so that L^T x = c gives
the coefficients: those of least squares on the chosen atoms. It stops early where no atom correlates with
what is left by more than ``SMALL`` of the signal, or the best one lies in the span of the chosen.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array

SMALL = 1e-12
DEPENDENT = 1e-12  # of a unit atom: the square of its part across the chosen ones


@kernel
def pursue(
    gram: Array, correlations: Array, norms: Array, indices: Array, values: Array, counts: Array
) -> None:
    """Fill ``indices``, ``values`` (n, T), padded, and ``counts`` (n,); use up ``correlations`` (n, K)."""
    n, sparsity = indices.shape
    n_atoms = len(gram)
    V = np.empty((sparsity, n_atoms))
    L = np.empty((sparsity, sparsity))
    c = np.empty(sparsity)
    for i in range(n):
        a, picks, x = correlations[i], indices[i], values[i]
        t = 0
        while t < sparsity:
            k, most = 0, 0.0
            for j in range(n_atoms):
                size = abs(a[j])
                if size > most:
                    k, most = j, size
            if most <= SMALL * norms[i]:
                break
            left = gram[k, k]
            for s in range(t):
                L[t, s] = V[s, k]
                left -= V[s, k] * V[s, k]
            if left <= DEPENDENT:
                break
            L[t, t] = np.sqrt(left)
            _across(gram[k], V, L[t], t)
            c[t] = a[k] / L[t, t]
            v, step = V[t], c[t]
            for j in range(n_atoms):
                a[j] -= step * v[j]
            picks[t] = k
            t += 1
            for s in range(t):
                a[picks[s]] = 0.0
        for s in range(t - 1, -1, -1):
            rest = c[s]
            for r in range(s + 1, t):
                rest -= L[r, s] * x[r]
            x[s] = rest / L[s, s]
        counts[i] = t
        for s in range(t, sparsity):
            picks[s], x[s] = 0, 0.0


@kernel
def _across(row: Array, V: Array, weights: Array, t: int) -> None:
    """V_t = (row - sum_{s<t} weights_s V_s) / weights_t, four directions at a pass."""
    v = V[t]
    v[:] = row
    s = 0
    while s + 4 <= t:
        v0, v1, v2, v3 = V[s], V[s + 1], V[s + 2], V[s + 3]
        w0, w1, w2, w3 = weights[s], weights[s + 1], weights[s + 2], weights[s + 3]
        for j in range(len(v)):
            v[j] -= w0 * v0[j] + w1 * v1[j] + w2 * v2[j] + w3 * v3[j]
        s += 4
    while s < t:
        v0, w0 = V[s], weights[s]
        for j in range(len(v)):
            v[j] -= w0 * v0[j]
        s += 1
    scale = 1.0 / weights[t]
    for j in range(len(v)):
        v[j] *= scale
