"""The two inner loops of LLE and LTSA: small Cholesky solves, and sums of outer products.

Both kernels work on a range, release the GIL, and give each row the same value whatever the
range, so results do not depend on how the work is spread.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.stoppable import stoppable
from trigpoint._types import Array, Floats, Ints


@kernel
def solve_ones(grams: Floats, ridges: Floats, tolerance: float, weights: Floats, sound: Array) -> None:
    """w with (G + r I) w = 1, scaled to sum 1, for each G; overwrites ``grams`` with factors.

    ``sound`` is False, and w left alone, where a squared pivot of the Cholesky factor falls to
    ``tolerance`` times the largest diagonal entry or below: there G + r I is singular to working
    accuracy, and the caller must do better.
    """
    m, k = grams.shape[0], grams.shape[1]
    for row in range(m):
        G = grams[row]
        w = weights[row]
        largest = 0.0
        for a in range(k):
            G[a, a] += ridges[row]
            largest = max(largest, G[a, a])
        sound[row] = _factorize(G, tolerance * largest)
        if sound[row]:
            _substitute(G, w)


@kernel
def _factorize(G: Floats, least: float) -> bool:
    """G = L L^T in the lower triangle of G; False at the first squared pivot <= least."""
    for a in range(len(G)):
        for b in range(a):
            rest = G[a, b]
            for c in range(b):
                rest -= G[a, c] * G[b, c]
            G[a, b] = rest / G[b, b]
        pivot = G[a, a]
        for c in range(a):
            pivot -= G[a, c] * G[a, c]
        if not pivot > least:
            return False
        G[a, a] = np.sqrt(pivot)
    return True


@kernel
def _substitute(L: Floats, w: Floats) -> None:
    """w = (L L^T)^-1 1 / (1^T (L L^T)^-1 1)."""
    k = len(L)
    for a in range(k):
        rest = 1.0
        for c in range(a):
            rest -= L[a, c] * w[c]
        w[a] = rest / L[a, a]
    total = 0.0
    for a in range(k - 1, -1, -1):
        rest = w[a]
        for c in range(a + 1, k):
            rest -= L[c, a] * w[c]
        w[a] = rest / L[a, a]
        total += w[a]
    for a in range(k):
        w[a] /= total


@stoppable
@kernel
def transpose_slots(members: Array, n: int) -> tuple[Ints, Ints]:
    """For each sample, the slots of ``members`` that hold it, ascending: (indptr, slots)."""
    indptr = np.zeros(n + 1, np.int64)
    for j in members:
        indptr[j + 1] += 1
    for j in range(n):
        indptr[j + 1] += indptr[j]
    free = indptr[:-1].copy()
    slots = np.empty(len(members), np.int64)
    for slot in range(len(members)):
        j = members[slot]
        slots[free[j]] = slot
        free[j] += 1
    return indptr, slots


@kernel
def outer_rows(
    start: int,
    stop: int,
    indptr: Ints,
    members: Array,
    owner: Array,
    factors: Floats,
    where: Ints,
    slots: Ints,
) -> tuple[Ints, Array, Floats]:
    """Rows start..stop of sum_i S_i F_i F_i^T S_i^T: entries per row, sorted columns, values.

    Neighborhood i holds the samples ``members[indptr[i]:indptr[i + 1]]``, and F_i the rows of
    ``factors`` beside them. Every row stores its diagonal. Entry (r, j) sums over i in ascending
    order, as entry (j, r) does, so the matrix is symmetric to the last bit.
    """
    n, c = len(where) - 1, factors.shape[1]
    room = stop - start
    for e in slots[where[start] : where[stop]]:
        room += indptr[owner[e] + 1] - indptr[owner[e]]
    counts = np.empty(stop - start, np.int64)
    columns = np.empty(room, np.int32)
    values = np.empty(room)
    total = np.zeros(n)
    seen = np.full(n, -1, np.int32)
    end = 0
    for r in range(start, stop):
        first = end
        columns[end] = r
        seen[r] = r
        end += 1
        for e in slots[where[r] : where[r + 1]]:
            i = owner[e]
            for f in range(indptr[i], indptr[i + 1]):
                j = members[f]
                if seen[j] != r:
                    seen[j] = r
                    columns[end] = j
                    end += 1
                product = 0.0
                for t in range(c):
                    product += factors[e, t] * factors[f, t]
                total[j] += product
        columns[first:end].sort()
        for at in range(first, end):
            values[at] = total[columns[at]]
            total[columns[at]] = 0.0
        counts[r - start] = end - first
    return counts, columns[:end].copy(), values[:end].copy()
