"""Does the automatic choice of a solver pay? Processor seconds of "auto", "direct" and "jacobi_cg".

    ./dev bench solvers [--quick]

Curves, surfaces, solids and clouds of many dimensions, K = 10 and flat weights (c = 1), and LTSA and LLE
matrices, K = 12. "sharp" and "heavy tails" are clouds with the default weights and K = 15: hard on the
condition, and the second on forecasts of CG, too; "leaky" adds a thousandth of the diagonal. The best of
three runs counts. Factorizations that are foreseen to take ten seconds, and CG where it is known to stall,
are left out. --quick: the first few, and once.
"""

from time import process_time

import numpy as np
from _figures import Figure, main
from scipy import sparse
from sklearn.datasets import load_digits, make_swiss_roll

import trigpoint as tp
from trigpoint.propagation import solve
from trigpoint.propagation._direct import direct_price

DEAR = 1e10  # nanoseconds foreseen
STALLING = ("path", "LTSA", "LLE")


def path(n):
    links = np.ones(n - 1)
    phi = sparse.diags_array([-links, -links], offsets=[-1, 1], shape=(n, n))
    return sparse.csr_array(phi + sparse.diags_array(-np.asarray(phi.sum(axis=1))))


def grid(side, dimension):
    phi = sparse.csr_array((1, 1))
    for _ in range(dimension):
        phi = sparse.kron(phi, sparse.eye_array(side)) + sparse.kron(
            sparse.eye_array(phi.shape[0]), path(side)
        )
    return sparse.csr_array(phi)


def cloud(X):
    return tp.laplacian(tp.neighbor_graph(X, 10), perplexity=None)


def leaky(phi):
    return sparse.csr_array(phi + 1e-3 * sparse.diags_array(phi.diagonal()))


def matrices():
    rng = np.random.default_rng(0)
    digits, roll = load_digits(return_X_y=True)[0], make_swiss_roll(20_000, random_state=0)[0]
    yield "digits", cloud(digits), 50, 10
    yield "path", path(20_000), 1, 1
    yield "grid, 2-D", grid(300, 2), 2, 1
    yield "grid, 3-D", grid(35, 3), 50, 3
    yield "swiss roll", cloud(roll), 100, 10
    yield "cube, 3-D", cloud(rng.random((20_000, 3))), 100, 10
    yield "cube, 5-D", cloud(rng.random((20_000, 5))), 100, 10
    yield "Gaussian, 50-D", cloud(rng.standard_normal((20_000, 50)).astype(np.float32)), 100, 10
    yield "sharp, 10-D", tp.laplacian(tp.neighbor_graph(rng.standard_normal((20_000, 10)))), 200, 10
    tails = tp.laplacian(tp.neighbor_graph(rng.standard_t(1, size=(20_000, 10))))
    yield "heavy tails, 10-D", tails, 200, 10
    yield "heavy tails, leaky", leaky(tails), 200, 10
    graph = tp.neighbor_graph(roll, 12)
    yield "LTSA, swiss roll", tp.ltsa(graph, roll, 2), 200, 3
    yield "LLE, swiss roll", tp.lle(graph, roll), 200, 3
    yield "LLE, digits", tp.lle(tp.neighbor_graph(digits, 12), digits), 100, 10


def seconds(phi, landmarks, values, solver, runs):
    best, found = np.inf, None
    for _ in range(runs):
        start = process_time()
        found = solve(phi, landmarks, values, solver=solver)
        best = min(best, process_time() - start)
    return best, found


def figures(quick):
    for count, (name, phi, n_landmarks, columns) in enumerate(matrices()):
        if quick and count == 5:
            return
        rng = np.random.default_rng(1)
        landmarks = np.sort(rng.choice(phi.shape[0], n_landmarks, replace=False))
        values = rng.standard_normal((n_landmarks, columns))
        system, runs = (phi, landmarks, values), 1 if quick else 3
        auto, found = seconds(*system, "auto", runs)
        others = {}
        if direct_price(phi)(columns) < DEAR:
            others["direct"] = seconds(*system, "direct", runs)[0]
        if not name.startswith(STALLING):
            others["jacobi_cg"] = seconds(*system, "jacobi_cg", runs)[0]
        best = min(others, key=others.get) if others else ""
        detail = f"{found.solver}, {found.iterations} iterations, residual {found.residual:.0e}"
        yield Figure(name, auto, "s of CPU", best, others.get(best), detail)


if __name__ == "__main__":
    main(figures, __doc__)
