"""Posterior standard deviations by random solves: their time, and their error against the inverse.

    ./dev bench uncertainty [--quick]

A swiss roll and independent Gaussians in 50 dimensions, K = 10, 256 draws. At n = 3,000 the dense
inverse is at hand: the root mean square of the relative errors must agree with the stated one. At
n = 100,000 (--quick: not at all) only the time and the stated error are printed.
"""

import numpy as np
from _figures import Figure, main, timed
from sklearn.datasets import make_swiss_roll

import trigpoint as tp

K = 10


def pools(n):
    yield "swiss roll", make_swiss_roll(n, random_state=0)[0]
    yield "50-D Gaussian", np.random.default_rng(0).standard_normal((n, 50)).astype(np.float32)


def matrices(n):
    for name, X in pools(n):
        graph = tp.neighbor_graph(X, K)
        yield f"{name}, Laplacian", tp.laplacian(graph)
        if name == "swiss roll":
            yield f"{name}, LTSA", tp.ltsa(graph, X, 2)


def rms(x):
    return float(np.sqrt(np.mean(np.square(x))))


def figures(quick):
    for n, n_landmarks in ((1_000, 30),) if quick else ((3_000, 30), (100_000, 100)):
        landmarks = np.random.default_rng(1).choice(n, n_landmarks, replace=False)
        size = "large" if n > 4000 else "small"
        for name, phi in matrices(n):
            tp.propagation.posterior(phi, landmarks, method="sampled", n_probes=32)  # compiles
            sampled, seconds = timed(lambda: tp.propagation.posterior(phi, landmarks, method="sampled"))  # noqa: B023
            known = sampled.relative_error > 0
            stated = 100 * rms(sampled.relative_error[known])
            yield Figure(f"{name}, {size}: time", seconds, "s", detail=f"n = {n:,}")
            yield Figure(f"{name}, {size}: stated error", stated, "%")
            if size == "small":
                exact = tp.uncertainty(phi, landmarks, method="exact")
                true = 100 * rms(sampled.std[known] / exact[known] - 1.0)
                yield Figure(f"{name}, {size}: true error", true, "%", "stated", stated)


if __name__ == "__main__":
    main(figures, __doc__)
