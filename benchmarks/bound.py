"""The time of the bound of a landmark set, and of its path. What it predicts: bound_noise.py.

    ./dev bench bound [--quick]

The bound of 100 landmarks for n = 100,000 (--quick: 10,000), a swiss roll and Gaussians in 50 dimensions, and
for a swiss roll of a million; and 10,000 picks among a million followed by `tp.selection_path`, without
eigenvalues.
"""

import numpy as np
from _figures import Figure, clock, main
from sklearn.datasets import make_swiss_roll

import trigpoint as tp

K = 10


def times(n, largest):
    rng = np.random.default_rng(0)
    pools = {"swiss roll": make_swiss_roll(n, random_state=0)[0]}
    pools["50-D Gaussians"] = rng.standard_normal((n, 50)).astype(np.float32)
    for X in pools.values():
        small = tp.laplacian(tp.neighbor_graph(X[:5000], K))  # compiles
        tp.landmark_bound(small, np.arange(100))
        tp.selection_path(small, np.arange(100), checkpoints=0)
    for name, X in pools.items():
        phi = tp.laplacian(tp.neighbor_graph(X, K))
        landmarks = rng.choice(n, 100, replace=False)
        seconds = clock(lambda: tp.landmark_bound(phi, landmarks))  # noqa: B023
        yield Figure(f"bound of 100 landmarks, {name}", seconds, "s", detail=f"n = {n:,}")
    phi = tp.laplacian(tp.neighbor_graph(make_swiss_roll(largest, random_state=0)[0], K))
    landmarks = rng.choice(largest, 100, replace=False)
    seconds = clock(lambda: tp.landmark_bound(phi, landmarks))
    yield Figure("bound of 100 landmarks, large swiss roll", seconds, "s", detail=f"n = {largest:,}")
    picks = rng.choice(largest, 10_000, replace=False)
    seconds = clock(lambda: tp.selection_path(phi, picks, checkpoints=0))
    yield Figure("path of 10,000 picks", seconds, "s", detail=f"n = {largest:,}, no eigenvalues")


def figures(quick):
    yield from times(10_000, 50_000) if quick else times(100_000, 1_000_000)


if __name__ == "__main__":
    main(figures, __doc__)
