"""The quotient graph of a symmetric elimination: storage and bookkeeping for `minimum_degree`.

Every variable has a list in one store: first the elements it lies in, then the variables it still
meets directly. Every element has the list of its variables. Lists only shrink, except that a new
element is written at the end of the store; when that is full, living lists move to its front.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array

# One row of an int64 array for each field, one column for each variable, which on elimination
# becomes an element. (A single array, because a dozen would be costly to pass and to compile.)
START = 0  # where the list begins in the store
LENGTH = 1  # of the list; -1 once absorbed
ELEMENTS = 2  # how many of its entries, the first ones, are elements
SIZE = 3  # samples in the supervariable; 0 when eliminated, negative inside the current element
DEGREE = 4
HEAD = 5  # by degree: its first variable; the others are linked by AFTER and BEFORE
AFTER = 6
BEFORE = 7
MARK = 8
MEMBER = 9  # samples of a supervariable: itself, MEMBER of that, and so on up to LAST
LAST = 10
BUCKET = 11  # by hash of a list: its first variable; the others are linked by CHAIN
CHAIN = 12
KEY = 13


def new_quotient(n: int) -> Array:
    g = np.full((14, n), -1, np.int64)
    g[ELEMENTS] = g[MARK] = 0
    g[SIZE] = 1
    g[LAST] = np.arange(n)
    return g


@kernel
def unlink(g: Array, i: int) -> None:
    if g[AFTER, i] >= 0:
        g[BEFORE, g[AFTER, i]] = g[BEFORE, i]
    if g[BEFORE, i] >= 0:
        g[AFTER, g[BEFORE, i]] = g[AFTER, i]
    else:
        g[HEAD, g[DEGREE, i]] = g[AFTER, i]


@kernel
def link(g: Array, i: int, degree: int) -> None:
    g[DEGREE, i] = degree
    g[AFTER, i] = g[HEAD, degree]
    g[BEFORE, i] = -1
    if g[HEAD, degree] >= 0:
        g[BEFORE, g[HEAD, degree]] = i
    g[HEAD, degree] = i


@kernel
def merge(g: Array, i: int, into: int) -> None:
    """The samples of i follow those of ``into``; i has no list any more."""
    g[SIZE, i] = 0
    g[LENGTH, i] = -1
    g[MEMBER, g[LAST, into]] = i
    g[LAST, into] = g[LAST, i]


@kernel
def load(g: Array, indptr: Array, indices: Array, hub: int) -> tuple[Array, int]:
    """The matrix as variable lists without hubs; returns the store and its used length."""
    n = len(indptr) - 1
    for i in range(n):
        if indptr[i + 1] - indptr[i] - 1 > hub:
            g[SIZE, i] = 0
    store = np.empty(indptr[n] + indptr[n] // 2 + 2 * n + 16, np.int32)
    free = 0
    for i in range(n):
        if g[SIZE, i] == 0:
            continue
        g[START, i] = free
        for q in range(indptr[i], indptr[i + 1]):
            if indices[q] != i and g[SIZE, indices[q]] > 0:
                store[free] = indices[q]
                free += 1
        g[LENGTH, i] = free - g[START, i]
        link(g, i, g[LENGTH, i])
    return store, free


@kernel
def compress(g: Array, store: Array, free: int, room: int) -> tuple[Array, int]:
    """Living lists to the front of the store, which grows if they leave less than ``room``."""
    for i in range(g.shape[1]):
        if g[LENGTH, i] > 0:  # the name of the list takes the place of its first entry
            begin = g[START, i]
            g[START, i] = store[begin]
            store[begin] = -1 - i
    to, at = 0, 0
    while at < free:
        if store[at] >= 0:
            at += 1
            continue
        i = -1 - store[at]
        store[to] = g[START, i]
        g[START, i] = to
        for q in range(1, g[LENGTH, i]):
            store[to + q] = store[at + q]
        to += g[LENGTH, i]
        at += g[LENGTH, i]
    if to + room > len(store):
        larger = np.empty(2 * len(store) + room, np.int32)
        larger[:to] = store[:to]
        store = larger
    return store, to
