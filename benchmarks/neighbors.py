"""Neighbor graphs at n = 100,000, p = 64, K = 10, against peers in the same run.

Pools: samples near a 16-dimensional latent manifold, and independent Gaussians (no structure).
Timed: tp.neighbor_graph; scikit-learn's brute force (on every tenth row, times ten); faiss HNSW
(M 16, efConstruction 100, the smallest ef of 32, 64, 128, ... that reaches recall 0.99 on a sample, its
search for that ef not counted). Run: ./dev bench neighbors
"""

from time import perf_counter

import faiss
import numpy as np
from sklearn.neighbors import NearestNeighbors

import trigpoint as tp

N, P, K = 100_000, 64, 10


def latent(rng):
    curved = np.tanh(rng.normal(size=(N, 16)) @ rng.normal(size=(16, P)) / 4)
    return (curved + 0.02 * rng.normal(size=(N, P))).astype(np.float32)


def gaussian(rng):
    return rng.normal(size=(N, P)).astype(np.float32)


def clock(work):
    start = perf_counter()
    result = work()
    return result, perf_counter() - start


def hnsw(X, truth, rows):
    index = faiss.IndexHNSWFlat(P, 16)
    index.hnsw.efConstruction = 100
    _, build = clock(lambda: index.add(X))
    for ef in (32, 64, 128, 256, 512):
        index.hnsw.efSearch = ef
        found = index.search(X[rows], K + 1)[1]
        recall = np.mean([len(set(a[1:]) & set(b)) / K for a, b in zip(found, truth, strict=True)])
        if recall >= 0.99:
            break
    return build + clock(lambda: index.search(X, K + 1))[1], ef, recall


def main():
    rng = np.random.default_rng(0)
    tp.neighbor_graph(rng.normal(size=(25_000, 8)), K)  # compile
    tp.neighbor_graph(rng.normal(size=(2_000, 8)), K)
    for name, X in (("latent 16", latent(rng)), ("gaussian 64", gaussian(rng))):
        graph, ours = clock(lambda X=X: tp.neighbor_graph(X, K))
        print(f"{name}: trigpoint {ours:.1f} s, {graph.method}, recall {graph.recall:.4f}", flush=True)
        brute = NearestNeighbors(n_neighbors=K + 1, algorithm="brute").fit(X)
        rows = np.arange(0, N, 10)
        found, tenth = clock(
            lambda brute=brute, X=X, rows=rows: brute.kneighbors(X[rows], return_distance=False)
        )
        print(f"  scikit-learn brute force {10 * tenth:.1f} s: ratio {10 * tenth / ours:.1f}", flush=True)
        seconds, ef, recall = hnsw(X, found[:1000, 1:], rows[:1000])
        print(
            f"  faiss HNSW {seconds:.1f} s (ef {ef}, recall {recall:.4f}): ratio {seconds / ours:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
