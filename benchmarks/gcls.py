"""GCLS, exact, beside the neighbor search that comes before it; and the other fast selectors.

    ./dev bench gcls [--quick]

2-D points, K = 10. For n = 100,000 and 1,000,000: seconds of scipy's cKDTree search, of 10,000
GCLS picks (and of the first alone, so that the time of a pick is told apart from reading the matrix),
and the peak memory of selecting in a process that holds nothing but phi. Then 10,000 landmarks of a
million by the samplers, and mincond at the paper's size.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from _figures import Figure, clock, main, status
from scipy import sparse
from scipy.spatial import cKDTree

import trigpoint as tp

K, N_LANDMARKS = 10, 10_000


def gcls_beside_the_search(n):
    X = np.random.default_rng(0).random((n, 2))
    search = clock(lambda: cKDTree(X).query(X, K + 1), 1 if n > 500_000 else 3)
    graph, size = tp.neighbor_graph(X, K), "a million" if n == 1_000_000 else f"{n:,}"
    for weights in ("self_tuning", "binary"):
        phi = tp.laplacian(graph, weights=weights)
        first = clock(lambda: tp.select(phi, 1, method="gcls"), 3)  # noqa: B023
        full = clock(lambda: tp.select(phi, N_LANDMARKS, method="gcls"), 3)  # noqa: B023
        held, whole = peak_memory(phi)
        name = f"{N_LANDMARKS:,} of {size}, {weights}"
        yield Figure(name, full, "s", "scipy's cKDTree search", search)
        yield Figure(f"{name}: a pick", 1e6 * (full - first) / (N_LANDMARKS - 1), "µs")
        yield Figure(f"{name}: memory", held / whole, "times Φ", detail="Φ included")


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
    before = status("VmRSS")
    tp.select(sparse.load_npz(path), N_LANDMARKS, method="gcls")
    print(int(status("VmHWM") - before))


def other_selectors(n):
    X = np.random.default_rng(0).random((n, 2))
    graph = tp.neighbor_graph(X, K)
    phi = tp.laplacian(graph)
    tp.select(phi, 2, method="approx_dpp", graph=graph)  # compiles
    for method in ("random", "nystrom", "approx_dpp"):
        seconds = clock(lambda: tp.select(phi, N_LANDMARKS, method=method, graph=graph, random_state=0))  # noqa: B023
        yield Figure(f"{method}, {N_LANDMARKS:,}", seconds, "s", detail=f"n = {n:,}")
    small = tp.laplacian(tp.neighbor_graph(X[:500], K))
    yield Figure("mincond, 100 of 500", clock(lambda: tp.select(small, 100, method="mincond")))


def figures(quick):
    tp.select(tp.laplacian(tp.neighbor_graph(np.random.default_rng(0).random((50, 2)), 5)), 5, method="gcls")
    for n in (100_000,) if quick else (100_000, 1_000_000):
        yield from gcls_beside_the_search(n)
    yield from other_selectors(100_000 if quick else 1_000_000)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].endswith(".npz"):
        select_and_tell(sys.argv[1])
    else:
        main(figures, __doc__)
