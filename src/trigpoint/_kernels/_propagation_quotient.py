"""The quotient graph of a symmetric elimination: storage and bookkeeping for `minimum_degree`.

Every variable has a list in one store: first the elements it lies in, then the variables it still
meets directly. Every element has the list of its variables. Lists only shrink, except that a new
element is written at the end of the store; when that is full, living lists move to its front.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from trigpoint._types import Array


class Quotient(NamedTuple):
    """The quotient graph as arrays over variables, which on elimination become elements."""

    start: Array  # where the list begins in the store
    length: Array  # of the list; -1 once absorbed
    elements: Array  # how many of its entries, the first ones, are elements
    size: Array  # samples in the supervariable; 0 when eliminated, negative inside the current element
    degree: Array
    head: Array  # first variable of each degree, the others linked by after and before
    after: Array
    before: Array
    mark: Array
    member: Array  # samples of a supervariable: itself, member of that, and so on up to last
    last: Array
    bucket: Array  # variables by hash of their list, linked by chain
    chain: Array
    key: Array


@njit(cache=True, nogil=True)
def new_quotient(n: int) -> Quotient:
    none = np.full((8, n + 1), -1, np.int32)
    return Quotient(
        np.zeros(n, np.int64),
        none[0, :n].copy(),
        np.zeros(n, np.int32),
        np.ones(n, np.int32),
        np.zeros(n, np.int32),
        none[1],
        none[2],
        none[3],
        np.zeros(n, np.int64),
        none[4],
        np.arange(n).astype(np.int32),
        none[5],
        none[6],
        np.zeros(n, np.int64),
    )


@njit(cache=True, nogil=True)
def unlink(g: Quotient, i: int) -> None:
    if g.after[i] >= 0:
        g.before[g.after[i]] = g.before[i]
    if g.before[i] >= 0:
        g.after[g.before[i]] = g.after[i]
    else:
        g.head[g.degree[i]] = g.after[i]


@njit(cache=True, nogil=True)
def link(g: Quotient, i: int, degree: int) -> None:
    g.degree[i] = degree
    g.after[i] = g.head[degree]
    g.before[i] = -1
    if g.head[degree] >= 0:
        g.before[g.head[degree]] = i
    g.head[degree] = i


@njit(cache=True, nogil=True)
def merge(g: Quotient, i: int, into: int) -> None:
    """The samples of i follow those of ``into``; i has no list any more."""
    g.size[i] = 0
    g.length[i] = -1
    g.member[g.last[into]] = i
    g.last[into] = g.last[i]


@njit(cache=True, nogil=True)
def load(g: Quotient, indptr: Array, indices: Array, hub: int) -> tuple[Array, int]:
    """The matrix as variable lists without hubs; returns the store and its used length."""
    n = len(indptr) - 1
    for i in range(n):
        if indptr[i + 1] - indptr[i] - 1 > hub:
            g.size[i] = 0
    store = np.empty(indptr[n] + indptr[n] // 2 + 2 * n + 16, np.int32)
    free = 0
    for i in range(n):
        if g.size[i] == 0:
            continue
        g.start[i] = free
        for q in range(indptr[i], indptr[i + 1]):
            if indices[q] != i and g.size[indices[q]] > 0:
                store[free] = indices[q]
                free += 1
        g.length[i] = free - g.start[i]
        link(g, i, g.length[i])
    return store, free


@njit(cache=True, nogil=True)
def compress(g: Quotient, store: Array, room: int) -> tuple[Array, int]:
    """Living lists to the front of the store, which grows if they leave less than ``room``."""
    order = np.argsort(g.start)
    free = 0
    for i in order:
        if g.length[i] > 0:
            begin = g.start[i]
            g.start[i] = free
            for q in range(begin, begin + g.length[i]):
                store[free] = store[q]
                free += 1
    if free + room > len(store):
        larger = np.empty(2 * len(store) + room, np.int32)
        larger[:free] = store[:free]
        store = larger
    return store, free
