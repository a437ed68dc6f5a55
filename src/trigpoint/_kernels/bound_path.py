"""Sums, norms and coverage of a set of landmarks: all at once, and pick by pick.

With L the landmarks, U the others and w_ij = |phi_ij|, row i is split into

    t_i = sum_{j in L, j != i} w_ij,     u_i = sum_{j in U, j != i} w_ij     (t_i + u_i = r_i).

A pick changes them for its neighbors only, and four tournament trees keep the extremes: max_U t,
max_U (right - t), min_U (left + t) and max_L u. Sums of t only grow, so they never cancel. Those
of u shrink; each is summed afresh once half of it is gone, so that it is never mostly rounding.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array

FAR = np.iinfo(np.int32).max


@kernel
def split_radii(indptr: Array, indices: Array, data: Array, labeled: Array) -> tuple[Array, Array]:
    """t and u of every row, for a mask of landmarks."""
    n = len(indptr) - 1
    t, u = np.zeros(n), np.zeros(n)
    for i in range(n):
        for q in range(indptr[i], indptr[i + 1]):
            j = indices[q]
            if j != i:
                if labeled[j]:
                    t[i] += abs(data[q])
                else:
                    u[i] += abs(data[q])
    return t, u


@kernel
def principal(
    indptr: Array, indices: Array, data: Array, place: Array, size: int, shift: float
) -> tuple[Array, Array, Array]:
    """The rows and columns with place >= 0 of phi + shift I, every diagonal entry stored."""
    n = len(indptr) - 1
    ends = np.zeros(size + 1, indptr.dtype)
    for i in range(n):
        if place[i] >= 0:
            count = 1
            for q in range(indptr[i], indptr[i + 1]):
                if indices[q] != i and place[indices[q]] >= 0:
                    count += 1
            ends[place[i] + 1] = count
    for k in range(size):
        ends[k + 1] += ends[k]
    columns, entries = np.empty(ends[size], indices.dtype), np.empty(ends[size])
    for i in range(n):
        if place[i] < 0:
            continue
        at = ends[place[i]]
        waiting = True  # for the diagonal entry, which phi may not store
        for q in range(indptr[i], indptr[i + 1]):
            j = indices[q]
            if waiting and j >= i:
                columns[at], entries[at] = place[i], shift
                if j == i:
                    entries[at] += data[q]
                at += 1
                waiting = False
            if j != i and place[j] >= 0:
                columns[at], entries[at] = place[j], data[q]
                at += 1
        if waiting:
            columns[at], entries[at] = place[i], shift
    return ends, columns, entries


@kernel
def _tree(leaves: Array) -> Array:
    """A tournament for the largest leaf: node k has children 2k and 2k + 1, the winner is at 1."""
    n = len(leaves)
    tree = np.empty(2 * n)
    tree[n:] = leaves
    for k in range(n - 1, 0, -1):
        tree[k] = max(tree[2 * k], tree[2 * k + 1])
    return tree


@kernel
def _put(tree: Array, i: int, value: float) -> None:
    k = len(tree) // 2 + i
    tree[k] = value
    while k > 1:
        k //= 2
        best = max(tree[2 * k], tree[2 * k + 1])
        if tree[k] == best:
            return
        tree[k] = best


@kernel
def _unlabeled_sum(indptr: Array, indices: Array, data: Array, labeled: Array, i: int) -> float:
    u = 0.0
    for q in range(indptr[i], indptr[i + 1]):
        j = indices[q]
        if j != i and not labeled[j]:
            u += abs(data[q])
    return u


@kernel
def extremes_along(
    indptr: Array, indices: Array, data: Array, left: Array, right: Array, landmarks: Array
) -> Array:
    """(4, l): max_U t, max_U (right - t), min_U (left + t) and max_L u after each pick.

    With U empty, after the last of n picks, the first three are -inf, -inf and inf.
    """
    n = len(left)
    t, u, fresh = np.zeros(n), np.zeros(n), np.zeros(n)  # fresh: u when it was last summed
    labeled = np.zeros(n, np.bool_)
    most, widest, narrowest, across = _tree(t), _tree(right), _tree(-left), _tree(u)
    found = np.empty((4, len(landmarks)))
    for step in range(len(landmarks)):
        k = landmarks[step]
        labeled[k] = True
        for tree in (most, widest, narrowest):
            _put(tree, k, -np.inf)
        for q in range(indptr[k], indptr[k + 1]):
            j, w = indices[q], abs(data[q])
            if j == k or w == 0.0:
                continue
            if labeled[j]:
                u[j] -= w
                if u[j] < 0.5 * fresh[j]:
                    u[j] = fresh[j] = _unlabeled_sum(indptr, indices, data, labeled, j)
                _put(across, j, u[j])
            else:
                t[j] += w
                _put(most, j, t[j])
                _put(widest, j, right[j] - t[j])
                _put(narrowest, j, -(left[j] + t[j]))
        u[k] = fresh[k] = _unlabeled_sum(indptr, indices, data, labeled, k)
        _put(across, k, u[k])
        found[0, step], found[1, step] = most[1], widest[1]
        found[2, step], found[3, step] = -narrowest[1], across[1]
    return found


@kernel
def coverage_along(indptr: Array, indices: Array, data: Array, landmarks: Array, hops: int) -> Array:
    """(l,) int64: how many samples lie within ``hops`` links of a landmark, after each pick.

    A search from each landmark goes on only where it comes closer than all before it.
    """
    n = len(indptr) - 1
    distance = np.full(n, FAR, np.int32)
    queue = np.empty(n, np.int32)
    found = np.empty(len(landmarks), np.int64)
    covered = 0
    for step in range(len(landmarks)):
        k = landmarks[step]
        covered += distance[k] == FAR
        distance[k] = 0
        queue[0], begin, end = k, 0, 1
        while begin < end:
            i = queue[begin]
            begin += 1
            if distance[i] == hops:
                continue
            for q in range(indptr[i], indptr[i + 1]):
                j = indices[q]
                if data[q] != 0 and distance[j] > distance[i] + 1:
                    covered += distance[j] == FAR
                    distance[j] = distance[i] + 1
                    queue[end] = j
                    end += 1
        found[step] = covered
    return found
