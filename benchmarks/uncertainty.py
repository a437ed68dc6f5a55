"""Posterior standard deviations by random solves: their time, and their error against the inverse.

    ./dev bench uncertainty

A swiss roll and independent Gaussians in 50 dimensions, K = 10, 256 draws. At n = 3,000 the dense
inverse is at hand: the root mean square of the relative errors must agree with the stated one. At
n = 100,000 only the time and the stated error are printed.
"""

from time import perf_counter

import numpy as np
from sklearn.datasets import make_swiss_roll

import trigpoint as tp

K = 10


def pools(n):
    yield "swiss roll", make_swiss_roll(n, random_state=0)[0]
    yield "50-D Gaussian", np.random.default_rng(0).standard_normal((n, 50)).astype(np.float32)


def clock(work):
    start = perf_counter()
    result = work()
    return result, perf_counter() - start


def matrices(n):
    for name, X in pools(n):
        graph = tp.neighbor_graph(X, K)
        yield f"{name}, Laplacian", tp.laplacian(graph)
        if name == "swiss roll":
            yield f"{name}, LTSA", tp.ltsa(graph, X, 2)


def rms(x):
    return float(np.sqrt(np.mean(np.square(x))))


def main():
    for n, n_landmarks in ((3_000, 30), (100_000, 100)):
        landmarks = np.random.default_rng(1).choice(n, n_landmarks, replace=False)
        for name, phi in matrices(n):
            tp.propagation.posterior(phi, landmarks, method="sampled", n_probes=32)  # compiles
            sampled, seconds = clock(lambda: tp.propagation.posterior(phi, landmarks, method="sampled"))  # noqa: B023
            known = sampled.relative_error > 0
            stated = rms(sampled.relative_error[known])
            print(f"n = {n:7,}  {name:24} {seconds:7.2f} s   stated error {100 * stated:.2f} %", end="")
            if n <= 4000:
                exact, dense = clock(lambda: tp.uncertainty(phi, landmarks, method="exact"))  # noqa: B023
                true = rms(sampled.std[known] / exact[known] - 1.0)
                print(f"   true error {100 * true:.2f} %   (inverse: {dense:.2f} s)", end="")
            print(flush=True)


if __name__ == "__main__":
    main()
