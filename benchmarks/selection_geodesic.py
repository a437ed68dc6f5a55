"""Farthest-point traversal along the graph, against one full search from one sample.

    ./dev bench selection_geodesic [--quick]

A swiss roll and a uniform cube in 5 dimensions, n = 100,000, K = 10, 1,000 landmarks; then a plane,
n = 1,000,000 and 10,000 landmarks. Timed: tp.select, checks included, after a call that compiles;
the median of three runs at n = 100,000, one run at n = 1,000,000. Beside it one
`scipy.sparse.csgraph.dijkstra(graph.lengths(), directed=False)` from one sample, the median of
three, in turns with ours. The naive method makes such a search for every landmark; its first 50
picks must be ours.
"""

import numpy as np
from _figures import Figure, main, timed
from scipy import sparse
from scipy.sparse.csgraph import dijkstra
from sklearn.datasets import make_swiss_roll

import trigpoint as tp

K, NAIVE = 10, 50


def pools(quick):
    rng, n = np.random.default_rng(0), 20_000 if quick else 100_000
    yield "swiss roll", make_swiss_roll(n, random_state=0)[0], n // 100, 3
    if not quick:
        yield "5-D cube", rng.random((n, 5)), n // 100, 3
        yield "plane", rng.random((1_000_000, 2)), 10_000, 1


def naive_picks(graph, first):
    """The first picks by full searches, in a connected graph."""
    picks, gap = [first], np.full(graph.n_samples, np.inf)
    while len(picks) < NAIVE:
        gap = np.minimum(gap, dijkstra(graph.lengths(), directed=False, indices=picks[-1]))
        picks.append(int(np.argmax(gap)))
    return picks


def picks_of(graph, n_landmarks):
    phi = sparse.csr_array((graph.n_samples, graph.n_samples))
    return tp.select(phi, n_landmarks, method="maxmin_geodesic", graph=graph, random_state=0)


def run(name, X, n_landmarks, rounds):
    n, graph = len(X), tp.neighbor_graph(X, K)
    ours, full = [], []
    for turn in range(3):
        if turn < rounds:
            picks, seconds = timed(lambda: picks_of(graph, n_landmarks))
            ours.append(seconds)
        full.append(timed(lambda: dijkstra(graph.lengths(), directed=False, indices=0))[1])
    detail = f"{n_landmarks:,} of {n:,}, {graph.n_components} components"
    yield Figure(name, np.median(ours), "s", "one full Dijkstra by scipy", np.median(full), detail)
    if graph.n_components == 1 and rounds > 1:
        same = naive_picks(graph, picks[0]) == picks[:NAIVE].tolist()
        yield Figure(f"{name}: the first {NAIVE} picks are the naive ones", float(same), "")


def figures(quick):
    picks_of(tp.neighbor_graph(np.eye(9), 3), 9)  # compiles
    for pool in pools(quick):
        yield from run(*pool)


if __name__ == "__main__":
    main(figures, __doc__)
