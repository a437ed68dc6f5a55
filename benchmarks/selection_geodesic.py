"""Farthest-point traversal along the graph, against one full search from one sample.

    ./dev bench selection_geodesic

A swiss roll and a uniform cube in 5 dimensions, n = 100,000, K = 10, 1,000 landmarks; then a plane,
n = 1,000,000 and 10,000 landmarks. Timed: tp.select, checks included, after a call that compiles;
the median of three runs at n = 100,000, one run at n = 1,000,000. Beside it one
`scipy.sparse.csgraph.dijkstra(graph.lengths(), directed=False)` from one sample, the median of
three, in turns with ours. The naive method makes such a search for every landmark; its first 50
picks must be ours.
"""

from time import perf_counter

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import dijkstra
from sklearn.datasets import make_swiss_roll

import trigpoint as tp

K, NAIVE, TARGET = 10, 50, 20


def pools():
    rng = np.random.default_rng(0)
    yield "swiss roll", make_swiss_roll(100_000, random_state=0)[0], 1_000, 3
    yield "5-D cube", rng.random((100_000, 5)), 1_000, 3
    yield "plane", rng.random((1_000_000, 2)), 10_000, 1


def clock(work):
    start = perf_counter()
    result = work()
    return result, perf_counter() - start


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
            picks, seconds = clock(lambda: picks_of(graph, n_landmarks))
            ours.append(seconds)
        full.append(clock(lambda: dijkstra(graph.lengths(), directed=False, indices=0))[1])
    seconds, one = np.median(ours), np.median(full)
    print(
        f"{name}: n = {n:,}, {n_landmarks:,} landmarks, {graph.n_components} components: {seconds:.2f} s, "
        f"one full search {one:.3f} s, ratio {seconds / one:.1f} (target {TARGET})",
        flush=True,
    )
    if graph.n_components == 1 and rounds > 1:
        same = naive_picks(graph, picks[0]) == picks[:NAIVE].tolist()
        print(f"  first {NAIVE} picks of the naive method: {'the same' if same else 'DIFFERENT'}", flush=True)


def main():
    picks_of(tp.neighbor_graph(np.eye(9), 3), 9)  # compiles
    for pool in pools():
        run(*pool)


if __name__ == "__main__":
    main()
