"""Systems in a Laplacian plus a ridge without some of its rows, solved by local pushes."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array

OVER = 1.5  # a push goes this much too far: half the pushes, as in successive over-relaxation


@kernel
def push(
    indptr: Array,
    indices: Array,
    data: Array,
    diagonal: Array,
    inside: Array,
    least: float,
    sources: Array,
    x: Array,
    r: Array,
) -> None:
    """Move x to the solution of A x = b, of which r = b - A x is left; both change in place.

    A is diag(``diagonal``) and the entries beside it, on the rows and columns that are ``inside``. A
    residual is pushed on, x_k += OVER r_k / a_kk, while |r_k| > ``least`` a_kk; only ``sources``, all
    different, may exceed that at first. First in, first out: the same on every machine.
    """
    n = len(x)
    waiting = np.zeros(n, np.bool_)
    queue = np.empty(n, np.int32)
    size = 0
    for k in sources:
        if inside[k] and abs(r[k]) > least * diagonal[k]:
            queue[size] = k
            waiting[k] = True
            size += 1
    _settle(indptr, indices, data, diagonal, inside, least, x, r, size, waiting, queue, queue, waiting, False)


@kernel
def measure_columns(
    indptr: Array,
    indices: Array,
    data: Array,
    diagonal: Array,
    inside: Array,
    cutoff: float,
    samples: Array,
    variance: Array,
    squares: Array,
) -> None:
    """variance[i] = C_ii and squares[i] = sum_j C_ij^2, C the inverse of A, for all i of ``samples``.

    Columns end at pushes of ``cutoff`` times the first.
    """
    n = len(diagonal)
    x, r = np.zeros(n), np.zeros(n)
    waiting, seen = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    queue, touched = np.empty(n, np.int32), np.empty(n, np.int32)
    for i in samples:
        r[i], waiting[i], seen[i] = 1.0, True, True
        queue[0], touched[0] = i, i
        least = cutoff / diagonal[i]
        count = _settle(
            indptr, indices, data, diagonal, inside, least, x, r, 1, waiting, queue, touched, seen, True
        )
        variance[i] = x[i]
        total = 0.0
        for a in range(count):
            k = touched[a]
            total += x[k] * x[k]
            x[k] = r[k] = 0.0
            seen[k] = False
        squares[i] = total


@kernel
def _settle(
    indptr: Array,
    indices: Array,
    data: Array,
    diagonal: Array,
    inside: Array,
    least: float,
    x: Array,
    r: Array,
    size: int,
    waiting: Array,
    queue: Array,
    touched: Array,
    seen: Array,
    collecting: bool,
) -> int:
    """Push until the queue is empty. Of a single source, collect what was ``seen``, and say how many."""
    n = len(x)
    head, count = 0, 1
    while size > 0:
        j = queue[head]
        head = head + 1 if head + 1 < n else 0
        size -= 1
        waiting[j] = False
        step = OVER * r[j] / diagonal[j]
        x[j] += step
        r[j] *= 1.0 - OVER
        if abs(r[j]) > least * diagonal[j]:
            size = _enqueue(j, waiting, queue, head, size)
        for q in range(indptr[j], indptr[j + 1]):
            k = indices[q]
            if k == j or not inside[k]:
                continue
            r[k] -= data[q] * step
            if collecting and not seen[k]:
                seen[k] = True
                touched[count] = k
                count += 1
            if not waiting[k] and abs(r[k]) > least * diagonal[k]:
                size = _enqueue(k, waiting, queue, head, size)
    return count


@kernel
def _enqueue(k: int, waiting: Array, queue: Array, head: int, size: int) -> int:
    """The queue's new size."""
    waiting[k] = True
    end = head + size
    queue[end if end < len(queue) else end - len(queue)] = k
    return size + 1
