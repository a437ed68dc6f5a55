"""Neighbor graphs against peers in the same run and at equal recall.

    ./dev bench neighbors [POOL ...] [--rounds 3] [--quick]

Pools: 100,000 samples of 64 features near a 16-dimensional latent manifold; a noisy swiss roll turned into
10 dimensions, 100,000 samples; MNIST's 60,000 pictures where TRIGPOINT_DATA has them; 100,000 independent
Gaussians of 64 features (no structure); K = 10, and a peer has to find as many of the true neighbors as we
do (--quick: 30,000 samples of latent and swiss, without HNSW). `./dev bench million` has 1,000,000 samples.

Rivals of tp.neighbor_graph, each with the fewest that reach the recall:

    pynndescent    n_neighbors K + 1, 18, 20, 22, ..., 30, 36, 45, 60 with its other defaults
    faiss IVF      4 sqrt(n) lists, 1, 2, 4, ... probes
    faiss HNSW     M 16 and 32 links, efConstruction 40, 100 and 200, efSearch 16, 32, 64, ...

Recall is that of 1,000 rows. An index is asked for these rows only, a graph of pynndescent has to be made
to be known. In large pools, settings are tried on a fifth of the samples first. Of several indices the one is
taken whose CPU time to build and to search (told from the 1,000 rows) is least. Finding out is not counted,
nor is compiling. Two threads each. The best time by the clock of the rounds counts, and the least CPU time is
told beside it (on a busy machine, trust the latter). The time of scikit-learn's brute force is that of
1,000 rows, multiplied.
"""

import argparse
import gzip
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

import faiss
import numba
import numpy as np
from _figures import Figure, show, timed
from pynndescent import NNDescent
from sklearn.neighbors import NearestNeighbors
from threadpoolctl import threadpool_limits

import trigpoint as tp

N, P, K, THREADS, ROWS = 100_000, 64, 10, 2, 1000
WHOLE, PART = 50_000, 100_000  # larger pools try settings on a fifth, at most on so many, first
COUNTS = (18, 20, 22, 24, 26, 28, 30, 36, 45, 60)  # of neighbors, for pynndescent
RECALL = 0.99  # of `million.py`


def latent(n, rng):
    turn, X = rng.normal(size=(16, P)) / 4, np.empty((n, P), dtype=np.float32)
    for a in range(0, n, 100_000):
        m = min(100_000, n - a)
        X[a : a + m] = np.tanh(rng.normal(size=(m, 16)) @ turn) + 0.02 * rng.normal(size=(m, P))
    return X


def swiss(n, rng):
    turn = 1.5 * np.pi * (1 + 2 * rng.random(n))
    roll = np.column_stack([turn * np.cos(turn), 21 * rng.random(n), turn * np.sin(turn)])
    turned = roll @ np.linalg.qr(rng.normal(size=(10, 10)))[0][:3]
    return (turned + 0.3 * rng.normal(size=(n, 10))).astype(np.float32)


def mnist(n, rng):
    file = Path(os.environ.get("TRIGPOINT_DATA", "")) / "mnist" / "train-images-idx3-ubyte.gz"
    if not file.is_file():
        return None
    pixels = np.frombuffer(gzip.decompress(file.read_bytes()), np.uint8, offset=16).reshape(-1, 784)
    return pixels.astype(np.float32)


def gaussian(n, rng):
    return rng.normal(size=(n, P)).astype(np.float32)


POOLS = {"latent": latent, "swiss": swiss, "mnist": mnist, "gaussian": gaussian}


@dataclass(frozen=True)
class Rival:
    name: str
    recall: float
    work: Callable[[], object]  # from the pool to all neighbors
    setting: object


@dataclass(frozen=True)
class Task:
    """A pool, and the truth about some of its rows."""

    X: np.ndarray
    k: int
    rows: np.ndarray
    truth: list[set[int]]
    brute: float  # seconds of a whole search by brute force, told from the rows

    def part(self):
        return task(self.X[: min(PART, len(self.X) // 5)], self.k)

    def recall(self, found, of_rows=False):
        """The share of the true neighbors that are among the found ones."""
        some = found if of_rows else found[self.rows]
        return float(
            np.mean(
                [
                    len(near.intersection(line)) / self.k
                    for near, line in zip(self.truth, some.tolist(), strict=True)
                ]
            )
        )


def task(X, k):
    rows = np.sort(np.random.default_rng(1).choice(len(X), ROWS, replace=False))
    brute = NearestNeighbors(n_neighbors=k + 1, algorithm="brute").fit(X)
    near, seconds = timed(lambda: brute.kneighbors(X[rows], return_distance=False))
    truth = [
        set([j for j in line if j != i][:k]) for i, line in zip(rows.tolist(), near.tolist(), strict=True)
    ]
    return Task(X, k, rows, truth, seconds * len(X) / ROWS)


def pynndescent(X, n_neighbors):
    return NNDescent(X, n_neighbors=n_neighbors, n_jobs=THREADS, random_state=0).neighbor_graph[0]


def by_pynndescent(task, recall):
    """None where the largest setting does not reach the recall."""
    counts = [count for count in (task.k + 1, *COUNTS) if count > task.k]
    if len(task.X) > WHOLE:  # what does not do for a part does not do for all
        first = by_pynndescent(task.part(), recall)
        counts = counts if first is None else counts[counts.index(first.setting) :]
    for count in counts:
        reached = task.recall(pynndescent(task.X, count))
        if reached >= recall:
            name = f"pynndescent, n_neighbors {count}"
            return Rival(name, reached, lambda k=count: pynndescent(task.X, k), count)
    return None


def worked(work):
    """What it returns, and its CPU time: settings are chosen by it, also where the machine is busy."""
    start = process_time()
    result = work()
    return result, process_time() - start


def inverted(X):
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(X.shape[1]), X.shape[1], int(4 * np.sqrt(len(X))))
    index.train(X)
    index.add(X)
    return index


def navigable(X, links, construction):
    index = faiss.IndexHNSWFlat(X.shape[1], links)
    index.hnsw.efConstruction = construction
    index.add(X)
    return index


def fewest(index, task, recall, settings, set_to):
    """The first setting that reaches the recall on the rows, that recall, and the time of a whole search."""
    for setting in settings:
        set_to(index, setting)
        found, seconds = worked(lambda: index.search(task.X[task.rows], task.k + 1)[1])
        reached = task.recall(found, of_rows=True)
        if reached >= recall:
            return setting, reached, seconds * len(task.X) / ROWS
    return None


def set_probes(index, probes):
    index.nprobe = probes


def set_search(index, breadth):
    index.hnsw.efSearch = breadth


def whole(build, setting, set_to, task):
    index = build()
    set_to(index, setting)
    return index.search(task.X, task.k + 1)[1]


def by_inverted(task, recall):
    found = fewest(inverted(task.X), task, recall, (1, 2, 4, 8, 16, 32, 64, 128, 256), set_probes)
    if found is None:
        return None
    probes, reached, _ = found
    work = partial(whole, partial(inverted, task.X), probes, set_probes, task)
    return Rival(f"faiss IVF, {probes} probes", reached, work, probes)


def by_navigable(task, recall, settings=None):
    """Of all links and constructions the one that is told to take least. Longer builds are not tried."""
    if len(task.X) > WHOLE:
        first = by_navigable(task.part(), recall)
        settings = () if first is None else (first.setting, (32, 200))
    best, least = None, np.inf
    for links, construction in settings or [(links, ef) for links in (16, 32) for ef in (40, 100, 200)]:
        index, built = worked(partial(navigable, task.X, links, construction))
        if built > least:
            continue
        found = fewest(index, task, recall, (16, 32, 64, 128, 256, 512), set_search)
        if found is not None and built + found[2] < least:
            best, least = (links, construction, *found[:2]), built + found[2]
        if best is not None and len(task.X) > WHOLE:
            break
    if best is None:
        return None
    links, construction, breadth, reached = best
    work = partial(whole, partial(navigable, task.X, links, construction), breadth, set_search, task)
    name = f"faiss HNSW, M {links}, efConstruction {construction}, efSearch {breadth}"
    return Rival(name, reached, work, (links, construction))


RIVALS = {"pynndescent": by_pynndescent, "faiss IVF": by_inverted, "faiss HNSW": by_navigable}


def race(works, rounds):
    """Name -> best time by the clock and least CPU time, run in turns."""
    times = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            wall, cpu = perf_counter(), process_time()
            work()
            times[name].append((perf_counter() - wall, process_time() - cpu))
    return {name: np.min(found, axis=0) for name, found in times.items()}


def compare(name, X, k, rounds, recall=None, rivals_of=RIVALS):
    """Ours beside each rival at the same recall: a given one, or ours."""
    with threadpool_limits(THREADS):
        faiss.omp_set_num_threads(THREADS)
        numba.set_num_threads(min(THREADS, numba.config.NUMBA_NUM_THREADS))
        known = task(X, k)
        graph = tp.neighbor_graph(X, k)
        ours = known.recall(graph.neighbors)
        detail = (
            f"{len(X):,} x {X.shape[1]}, K = {k}, {graph.method}, brute force would take {known.brute:.0f} s"
        )
        yield Figure(f"{name}: recall", ours, "", detail=detail)
        del graph
        rivals = {}
        for rival, tuned in rivals_of.items():
            found = tuned(known, min(ours, 0.999) if recall is None else recall)
            if found is None:
                print(f"{name}: no setting of {rival} reaches the recall", flush=True)
            else:
                rivals[rival] = found
        works = {"trigpoint": lambda: tp.neighbor_graph(X, k)} | {
            key: one.work for key, one in rivals.items()
        }
        times = race(works, rounds)
    (wall, cpu), best = times.pop("trigpoint"), None
    for rival, (longer, busy) in times.items():
        one = rivals[rival]
        said = (
            f"{one.name}: recall {one.recall:.4f}; CPU {cpu:.1f} s and {busy:.1f} s, ratio {busy / cpu:.2f}"
        )
        yield Figure(f"{name}: beside {rival}", wall, "s", rival, longer, said)
        if best is None or longer < times[best][0]:
            best = rival
    if best is not None:
        yield Figure(f"{name}: beside the best of them", wall, "s", rivals[best].name, times[best][0])


def compile_kernels():
    rng = np.random.default_rng(0)
    tp.neighbor_graph(rng.normal(size=(25_000, 8)), K)
    pynndescent(rng.normal(size=(5_000, 8)).astype(np.float32), 11)


def figures(quick, pools=(), rounds=3):
    compile_kernels()
    n = {"latent": 30_000, "swiss": 30_000} if quick else dict.fromkeys(POOLS, N)
    for name in pools or n:
        X = POOLS[name](n.get(name, N), np.random.default_rng(0))
        if X is not None:
            some = {key: RIVALS[key] for key in ("pynndescent", "faiss IVF")} if quick else RIVALS
            yield from compare(name, X, K, 1 if quick else rounds, rivals_of=some)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pools", nargs="*", choices=[*POOLS, []], default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    show(figures(asked.quick, asked.pools, asked.rounds))


if __name__ == "__main__":
    main()
