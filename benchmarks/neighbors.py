"""Neighbor graphs, K = 10, against peers in the same run and at equal recall.

Pools: 100,000 samples of 64 features near a 16-dimensional latent manifold; a noisy swiss roll turned into 10
dimensions, 100,000 samples; MNIST's 60,000 pictures where TRIGPOINT_DATA has them; and 100,000 independent
Gaussians of 64 features (no structure).
Timed, in turns: tp.neighbor_graph; pynndescent with the least n_neighbors of 11, 20, 30, 45, 60 that finds as
many of the true 10 as we do; faiss IVF (2 sqrt(n) lists, the fewest probes of 1, 2, 4, ... that do).
The time of scikit-learn's brute force is that of 1,000 rows, multiplied.
Finding out is not counted, nor is compiling. Printed: the best wall time of the rounds and the least CPU
time (on a busy machine, trust the latter). Run: ./dev bench neighbors [POOL ...] [--rounds 3]
"""

import argparse
import gzip
import os
from pathlib import Path
from time import perf_counter, process_time

import faiss
import numpy as np
from pynndescent import NNDescent
from sklearn.neighbors import NearestNeighbors

import trigpoint as tp

N, P, K = 100_000, 64, 10


def latent(rng):
    curved = np.tanh(rng.normal(size=(N, 16)) @ rng.normal(size=(16, P)) / 4)
    return (curved + 0.02 * rng.normal(size=(N, P))).astype(np.float32)


def swiss(rng):
    turn = 1.5 * np.pi * (1 + 2 * rng.random(N))
    roll = np.column_stack([turn * np.cos(turn), 21 * rng.random(N), turn * np.sin(turn)])
    turned = roll @ np.linalg.qr(rng.normal(size=(10, 10)))[0][:3]
    return (turned + 0.3 * rng.normal(size=(N, 10))).astype(np.float32)


def mnist(rng):
    file = Path(os.environ.get("TRIGPOINT_DATA", "")) / "mnist" / "train-images-idx3-ubyte.gz"
    if not file.is_file():
        return None
    return np.frombuffer(gzip.decompress(file.read_bytes()), np.uint8, offset=16).reshape(
        -1, 784
    ) * np.float32(1)


def gaussian(rng):
    return rng.normal(size=(N, P)).astype(np.float32)


def pynndescent(X, n_neighbors):
    return NNDescent(X, n_neighbors=n_neighbors, random_state=0).neighbor_graph[0]


def inverted(X, probes):
    n_lists = int(2 * np.sqrt(len(X)))
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(X.shape[1]), X.shape[1], n_lists)
    index.train(X)
    index.add(X)
    index.nprobe = probes
    return index.search(X, K + 1)[1]


def share(found, truth, rows):
    """Of the true K neighbors of some rows."""
    return np.mean([len(set(found[i]) & set(near)) / K for i, near in zip(rows, truth, strict=True)])


def least(work, X, settings, truth, rows, recall):
    """The first setting that reaches a recall (the last where none does), and what it reached."""
    for setting in settings:
        reached = share(work(X, setting), truth, rows)
        if reached >= recall:
            break
    return setting, reached


def race(works, rounds):
    """Best wall and least CPU time of each, run in turns."""
    times = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            wall, cpu = perf_counter(), process_time()
            work()
            times[name].append((perf_counter() - wall, process_time() - cpu))
    return {name: np.min(found, axis=0) for name, found in times.items()}


def compare(name, X, rounds):
    rows = np.sort(np.random.default_rng(1).choice(len(X), 1000, replace=False))
    brute = NearestNeighbors(n_neighbors=K + 1, algorithm="brute").fit(X)
    begun = perf_counter()
    near = brute.kneighbors(X[rows], return_distance=False)
    whole = (perf_counter() - begun) * len(X) / len(rows)
    truth = [[j for j in found if j != i][:K] for i, found in zip(rows, near, strict=True)]
    graph = tp.neighbor_graph(X, K)
    recall = min(share(graph.neighbors, truth, rows), 0.999)
    print(f"{name} {X.shape}: {graph.method}, recall {graph.recall:.4f}", flush=True)
    print(f"  scikit-learn brute force, from {len(rows)} rows: {whole:.0f} s", flush=True)
    k, at_k = least(pynndescent, X, (11, 20, 30, 45, 60), truth, rows, recall)
    probes, at_probes = least(inverted, X, (1, 2, 4, 8, 16, 32, 64, 128, 256), truth, rows, recall)
    names = {
        "trigpoint": lambda: tp.neighbor_graph(X, K),
        f"pynndescent, n_neighbors {k}, recall {at_k:.4f}": lambda: pynndescent(X, k),
        f"faiss IVF, {probes} probes, recall {at_probes:.4f}": lambda: inverted(X, probes),
    }
    times = race(names, rounds)
    for peer, (wall, cpu) in times.items():
        ratios = times[peer] / times["trigpoint"]
        print(f"  {peer}: {wall:.1f} s, CPU {cpu:.1f} s; ratios {ratios[0]:.1f}, {ratios[1]:.1f}", flush=True)


def main():
    pools = {"latent": latent, "swiss": swiss, "mnist": mnist, "gaussian": gaussian}
    parser = argparse.ArgumentParser()
    parser.add_argument("pools", nargs="*", default=list(pools))
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    tp.neighbor_graph(rng.normal(size=(25_000, 8)), K)  # compile
    pynndescent(rng.normal(size=(5_000, 8)).astype(np.float32), 11)
    for name in asked.pools:
        X = pools[name](np.random.default_rng(0))
        if X is not None:
            compare(name, X, asked.rounds)


if __name__ == "__main__":
    main()
