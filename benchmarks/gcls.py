"""GCLS, exact, beside the neighbor search that comes before it; and the other fast selectors.

    ./dev bench gcls

2-D points, K = 10. For n = 100,000 and 1,000,000: seconds of scipy's cKDTree search, of 10,000
GCLS picks (and of the first alone, so that the time of a pick is told apart from reading the matrix),
and the peak memory of selecting in a process that holds nothing but phi. Then 10,000 landmarks of a
million by the samplers, and mincond at the paper's size.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy import sparse
from scipy.spatial import cKDTree

import trigpoint as tp

K, N_LANDMARKS = 10, 10_000


def clock(work, repeats=3):
    """The least of a few runs."""
    seconds = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        seconds.append(perf_counter() - start)
    return min(seconds)


def gcls_beside_the_search(n):
    X = np.random.default_rng(0).random((n, 2))
    search = clock(lambda: cKDTree(X).query(X, K + 1), 1 if n > 500_000 else 3)
    graph = tp.neighbor_graph(X, K)
    for weights in ("self_tuning", "binary"):
        phi = tp.laplacian(graph, weights=weights)
        first = clock(lambda: tp.select(phi, 1, method="gcls"))  # noqa: B023
        full = clock(lambda: tp.select(phi, N_LANDMARKS, method="gcls"))  # noqa: B023
        pick = 1e6 * (full - first) / (N_LANDMARKS - 1)
        held, size = peak_memory(phi)
        print(
            f"gcls exact, n = {n:9,}, {weights:11}  search {search:5.2f} s   gcls {full:5.2f} s"
            f" = {full / search:.2f} x   a pick {pick:4.1f} us   memory {held / size:.2f} x phi",
            flush=True,
        )
    return graph, phi


def peak_memory(phi):
    """Bytes that a process holds at most while it loads phi and selects; and those of phi."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "phi.npz"
        sparse.save_npz(path, phi, compressed=False)
        child = subprocess.run(
            [sys.executable, __file__, str(path)], capture_output=True, text=True, check=True
        )
    return int(child.stdout), phi.data.nbytes + phi.indices.nbytes + phi.indptr.nbytes


def select_and_tell(path):
    tp.select(sparse.eye_array(8).tocsr(), 2, method="gcls")  # compiles
    before = memory("VmRSS")
    tp.select(sparse.load_npz(path), N_LANDMARKS, method="gcls")
    print(memory("VmHWM") - before)


def memory(field):
    """Bytes that this process holds (VmRSS) or held at most (VmHWM); Linux only."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split(f"{field}:")[1].split()[0])


def other_selectors(graph, phi):
    tp.select(phi, 2, method="approx_dpp", graph=graph)  # compiles
    for method in ("random", "nystrom", "approx_dpp"):
        seconds = clock(lambda: tp.select(phi, N_LANDMARKS, method=method, graph=graph, random_state=0), 1)  # noqa: B023
        print(f"{method}, n = {phi.shape[0]:,}, l = {N_LANDMARKS:,}: {seconds:.2f} s", flush=True)
    X = np.random.default_rng(0).random((500, 2))
    small = tp.laplacian(tp.neighbor_graph(X, K))
    print(f"mincond, n = 500, l = 100: {clock(lambda: tp.select(small, 100, method='mincond'), 1):.2f} s")


def main():
    tp.select(tp.laplacian(tp.neighbor_graph(np.random.default_rng(0).random((50, 2)), 5)), 5, method="gcls")
    for n in (100_000, 1_000_000):
        graph, phi = gcls_beside_the_search(n)
    other_selectors(graph, phi)


if __name__ == "__main__":
    select_and_tell(sys.argv[1]) if len(sys.argv) > 1 else main()
