"""The whole way at n = 1,000,000, p = 16: graph, Laplacian, 10 classes from 1,000 random landmarks.

The pool lies near a curved 4-dimensional manifold in 16 dimensions; classes are regions of it.
Printed: seconds a stage, peak memory of the process, accuracy, solver. Run: ./dev bench pipeline [n]
"""

import resource
import sys
from time import perf_counter

import numpy as np

import trigpoint as tp


def pool(n, rng):
    latent = rng.uniform(size=(n, 4))
    X = np.empty((n, 16), dtype=np.float32)
    turn = rng.normal(size=(4, 16))
    for a in range(0, n, 50_000):
        block = latent[a : a + 50_000] @ turn
        X[a : a + 50_000] = np.tanh(block) + 0.01 * rng.normal(size=block.shape)
    centers = rng.uniform(size=(10, 4))
    y = np.argmin([((latent - c) ** 2).sum(axis=1) for c in centers], axis=0)
    return X, y


def main():
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    rng = np.random.default_rng(0)
    X, y = pool(n, rng)
    begin = start = perf_counter()

    def stage(name, detail=""):
        nonlocal start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"{name}: {perf_counter() - start:.1f} s, peak memory so far {peak:.2f} GB {detail}", flush=True
        )
        start = perf_counter()

    graph = tp.neighbor_graph(X, 10)
    stage("graph", f"({graph!r})")
    phi = tp.laplacian(graph)
    stage("laplacian", f"({phi.nnz / n:.1f} nonzeros a row)")
    landmarks = tp.select(phi, 1000, method="random", random_state=0)
    one_hot = np.eye(10)[y[landmarks]]
    solution = tp.propagation.solve(phi, landmarks, one_hot)
    hit = np.delete(solution.values.argmax(axis=1) == y, landmarks).mean()
    stage(
        "propagation",
        f"({solution.solver}, {solution.iterations} iterations, residual {solution.residual:.1e}, "
        f"accuracy {hit:.2%})",
    )
    print(f"total: {(perf_counter() - begin) / 60:.1f} minutes; the pool itself {X.nbytes / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
