"""Cost against the number of landmarks: n = 100,000, l = 10, 100, 1,000, 10,000.

    ./dev bench landmarks [--quick]

The pool is that of `scale.py` (16 features near a curved 4-dimensional manifold), K = 15. Timed: the default
selection, GCLS and farthest point along the graph, and propagation of 10 classes from as many random
landmarks. A call before the clock compiles. --quick: n = 20,000 and up to 1,000 landmarks.
"""

import tempfile
from pathlib import Path

import numpy as np
from _figures import Figure, clock, main
from _pool import CLASSES, open_pool, write_pool

import trigpoint as tp

K = 15
METHODS = {"default selection": "auto", "gcls": "gcls", "farthest point": "maxmin_geodesic"}


def figures(quick):
    n, budgets = (20_000, (10, 100, 1_000)) if quick else (100_000, (10, 100, 1_000, 10_000))
    with tempfile.TemporaryDirectory() as folder:
        write_pool(Path(folder), n, 16)
        X, y = (np.array(held) for held in open_pool(Path(folder)))
    graph = tp.neighbor_graph(X, K)
    phi, order = tp.laplacian(graph), np.random.default_rng(0).permutation(n)
    works = {
        name: lambda size, method=method: tp.select(phi, size, method=method, graph=graph)
        for name, method in METHODS.items()
    }
    works["propagation"] = lambda size: tp.propagate(phi, order[:size], np.eye(CLASSES)[y[order[:size]]])
    for name, work in works.items():
        work(10)  # compiles
        for size in budgets:
            seconds = clock(lambda: work(size))  # noqa: B023
            detail = f"n = {n:,}"
            yield Figure(f"{name}, l = {size:,}", seconds, "s", detail=detail, curve=name, at=size)


if __name__ == "__main__":
    main(figures, __doc__)
