"""Approximate minimum degree (Amestoy, Davis & Duff, 1996), which also prices the factorization.

Eliminating variable p of a sparse symmetric matrix joins its neighbors into a clique, the
*element* L_p. The quotient graph keeps, for a variable i, a list of the elements it lies in
and of the variables it still meets directly, so it never outgrows the matrix. The next pivot
is a variable of least approximate degree: with all sums over the sizes of supervariables,

    d_i = min( d_i before + |L_p \\ i|,  |direct neighbors of i| + |L_p \\ i| + sum_e |L_e \\ L_p| ).

Variables with equal lists become one supervariable, variables that meet nothing but L_p are
eliminated with p, and elements inside L_p are absorbed. Rows longer than 10 sqrt(n) (hubs) are
put last unseen. A pivot block of s columns over w rows costs s w + s^2/2 entries of fill and
s w^2 + s^2 w + s^3/3 multiplications; the degrees are upper bounds, as good as exact in practice.

The search gives up as soon as the price passes the limit, counting what is still to come at the
least it can be while degrees do not fall: m variables of degree d, m d / 2 entries, m d^2 / 3.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.propagation_quotient import (
    BUCKET,
    CHAIN,
    DEGREE,
    ELEMENTS,
    HEAD,
    KEY,
    LENGTH,
    MARK,
    MEMBER,
    SIZE,
    START,
    compress,
    link,
    load,
    merge,
    new_quotient,
    unlink,
)
from trigpoint._kernels.stoppable import stoppable
from trigpoint._types import Array


@kernel
def _take(g: Array, store: Array, begin: int, end: int, to: int) -> tuple[int, int]:
    """Copy the living variables of a list, marking them as members of the current element."""
    weight = 0
    for q in range(begin, end):
        i = store[q]
        if g[SIZE, i] > 0:
            weight += g[SIZE, i]
            g[SIZE, i] = -g[SIZE, i]
            unlink(g, i)
            store[to] = i
            to += 1
    return to, weight


@kernel
def _form_element(g: Array, store: Array, free: int, pivot: int) -> tuple[int, int, int]:
    """L_pivot as the union of the pivot's lists: its begin, end and weight."""
    at, cut, end = g[START, pivot], g[START, pivot] + g[ELEMENTS, pivot], g[START, pivot] + g[LENGTH, pivot]
    begin = free if cut > at else at  # without elements the list shrinks in place
    to, weight = begin, 0
    for q in range(at, cut):
        e = store[q]
        to, more = _take(g, store, g[START, e], g[START, e] + g[LENGTH, e], to)
        g[LENGTH, e] = -1
        weight += more
    to, more = _take(g, store, cut, end, to)
    g[START, pivot], g[LENGTH, pivot], g[ELEMENTS, pivot] = begin, to - begin, 0
    return begin, to, weight + more


@kernel
def _measure_overlaps(g: Array, store: Array, begin: int, end: int, flag: int) -> None:
    """mark[e] - flag becomes |L_e \\ L_p| for every element e that meets L_p."""
    for q in range(begin, end):
        i = store[q]
        for r in range(g[START, i], g[START, i] + g[ELEMENTS, i]):
            e = store[r]
            if g[LENGTH, e] >= 0:
                if g[MARK, e] < flag:
                    g[MARK, e] = g[DEGREE, e] + flag
                g[MARK, e] += g[SIZE, i]  # negative inside the element


@kernel
def _update_lists(g: Array, store: Array, begin: int, end: int, pivot: int, flag: int) -> int:
    """Prune the lists of L_p, put the pivot first in each, hash them; returns the weight eliminated too."""
    swallowed = 0
    for q in range(begin, end):
        i = store[q]
        at, cut, stop = g[START, i], g[START, i] + g[ELEMENTS, i], g[START, i] + g[LENGTH, i]
        to, degree, key = at, 0, 0
        for r in range(at, cut):
            e = store[r]
            if g[LENGTH, e] >= 0 and g[MARK, e] > flag:
                degree += g[MARK, e] - flag
                store[to] = e
                key += e
                to += 1
            else:
                g[LENGTH, e] = -1  # absorbed: nothing of it lies outside L_p
        variables = to
        for r in range(cut, stop):
            j = store[r]
            if g[SIZE, j] > 0:
                degree += g[SIZE, j]
                store[to] = j
                key += j
                to += 1
        if degree == 0:
            swallowed -= g[SIZE, i]
            merge(g, i, pivot)
            continue
        g[DEGREE, i] = min(g[DEGREE, i], degree)
        store[to] = store[variables]  # room: the pivot, or an element it absorbed, left this list
        store[variables] = store[at]
        store[at] = pivot
        g[ELEMENTS, i] = variables - at + 1
        g[LENGTH, i] = to - at + 1
        g[KEY, i] = key % g.shape[1]
        g[CHAIN, i] = g[BUCKET, g[KEY, i]]
        g[BUCKET, g[KEY, i]] = i
    return swallowed


@kernel
def _same_list(g: Array, store: Array, j: int, i: int, flag: int) -> bool:
    if g[LENGTH, j] != g[LENGTH, i] or g[ELEMENTS, j] != g[ELEMENTS, i]:
        return False
    same = True
    for r in range(g[START, j] + 1, g[START, j] + g[LENGTH, j]):  # both begin with the pivot
        same = same and g[MARK, store[r]] == flag
    return same


@kernel
def _merge_twins(g: Array, store: Array, begin: int, end: int, flag: int) -> int:
    """Variables of L_p with equal lists become one."""
    for q in range(begin, end):
        if g[SIZE, store[q]] >= 0:
            continue
        key = g[KEY, store[q]]
        i = g[BUCKET, key]
        g[BUCKET, key] = -1
        while i >= 0 and g[CHAIN, i] >= 0:
            for r in range(g[START, i] + 1, g[START, i] + g[LENGTH, i]):
                g[MARK, store[r]] = flag
            before, j = i, g[CHAIN, i]
            while j >= 0:
                if _same_list(g, store, j, i, flag):
                    g[SIZE, i] += g[SIZE, j]
                    merge(g, j, i)
                    g[CHAIN, before] = g[CHAIN, j]
                else:
                    before = j
                j = g[CHAIN, j]
            flag += 1
            i = g[CHAIN, i]
    return flag


@kernel
def _close_element(
    g: Array, store: Array, begin: int, end: int, pivot: int, weight: int, left: int
) -> tuple[int, int]:
    """Give the members of L_p their new degrees; returns the end of L_p and the least degree."""
    to, least = begin, g.shape[1]
    for q in range(begin, end):
        i = store[q]
        if g[SIZE, i] < 0:
            g[SIZE, i] = -g[SIZE, i]
            degree = min(g[DEGREE, i] + weight - g[SIZE, i], left - g[SIZE, i])
            link(g, i, degree)
            least = min(least, degree)
            store[to] = i
            to += 1
    g[SIZE, pivot] = 0
    g[DEGREE, pivot] = weight
    g[LENGTH, pivot] = to - begin if to > begin else -1
    return to, least


def minimum_degree(
    indptr: Array, indices: Array, fill_price: float, flop_price: float, limit: float
) -> tuple[Array, float, float]:
    """Elimination order of a symmetric pattern, entries of its factor L, and multiplications.

    Where fill_price * entries + flop_price * multiplications would pass ``limit``, the
    multiplications are infinite and the order is not complete.
    """
    n = len(indptr) - 1
    indptr, indices = indptr.astype(np.int64, copy=False), indices.astype(np.int32, copy=False)
    g = new_quotient(n)
    store, free = load(g, indptr, indices, max(16, int(10 * np.sqrt(n))))
    order, fill, flops = _eliminate(g, store, free, float(fill_price), float(flop_price), float(limit))
    return order, fill, flops


@stoppable
@kernel
def _eliminate(
    g: Array, store: Array, free: int, fill_price: float, flop_price: float, limit: float
) -> tuple[Array, float, float]:
    n = g.shape[1]
    order = np.empty(n, np.int64)
    done = 0
    for i in range(n - 1, -1, -1):
        if g[SIZE, i] == 0:
            done += 1
            order[n - done] = i
    hubs, done = done, 0
    fill, flops = 0.5 * hubs * (hubs + 1), hubs**3 / 3.0
    flag, least = 1, 0
    while done < n - hubs:
        while g[HEAD, least] < 0:
            least += 1
        left = n - hubs - done
        price = fill_price * (fill + left * least / 2.0) + flop_price * (flops + left * least**2 / 3.0)
        if price > limit:
            return order, fill, np.inf
        pivot = g[HEAD, least]
        unlink(g, pivot)
        block = g[SIZE, pivot]
        g[SIZE, pivot] = 0
        if free + least > len(store):
            store, free = compress(g, store, free, least)
        begin, end, weight = _form_element(g, store, free, pivot)
        _measure_overlaps(g, store, begin, end, flag)
        swallowed = _update_lists(g, store, begin, end, pivot, flag)
        block += swallowed
        weight -= swallowed
        flag = _merge_twins(g, store, begin, end, flag + n + 1)
        end, least_in = _close_element(g, store, begin, end, pivot, weight, left - block)
        least = min(least, least_in)
        if begin >= free:
            free = end
        at = pivot
        for k in range(done, done + block):
            order[k] = at
            at = g[MEMBER, at]
        done += block
        rows = weight + hubs
        fill += block * rows + 0.5 * block * (block + 1)
        flops += block * rows * (rows + block) + block**3 / 3.0
    return order, fill, flops
