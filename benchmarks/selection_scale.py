"""The default and the modern selectors in large pools, and against graphlearning's V-optimality.

    ./dev bench selection_scale [--quick] [METHOD ...]

First a swiss roll and a mixture of 50 Gaussians in 64 dimensions, n = 100,000, K = 10, 1,000 landmarks
(--quick: n = 20,000 and 200, the default only). Every method runs in a process of its own, after a call that
compiles. Printed: seconds of tp.select, and of the processor; the peak memory of the process, pool and graph
included; the error of tp.propagate on the unlabeled samples, and over that of random landmarks, the mean of
three draws. The error of the roll is relative to the spread of the true coordinates, that of the mixture the
wrong share.

Then the swiss roll, n = 20,000 and 100 landmarks, beside graphlearning's var_opt, one pick at a time on the
100 leading eigenpairs of the same graph, as in the bake-off: seconds, how many times as fast, and errors.
"""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from _figures import Figure, alone, peak_gb, show

import trigpoint as tp
from trigpoint.datasets import make_swiss_roll

sys.path.insert(0, str(Path(__file__).parent / "selection"))  # the peers of the bake-off
METHODS = ("auto", "pivoted_cholesky", "sigma_optimal", "v_optimal", "aligned", "spectral_kmeans")
K, CLASSES = 10, 50


def roll(n):
    surface = make_swiss_roll(n, random_state=0)
    return surface.X, surface.values


def mixture(n):
    rng = np.random.default_rng(0)
    centers, y = 0.75 * rng.standard_normal((CLASSES, 64)), rng.integers(0, CLASSES, n)
    return (centers[y] + rng.standard_normal((n, 64))).astype(np.float32), y


POOLS = {"swiss roll": roll, "64-D mixture": mixture}


def error(phi, truth, picks):
    """Relative, or the share of wrong classes; samples out of reach get the mean, or are wrong."""
    rest = np.setdiff1d(np.arange(len(truth)), picks)
    if truth.ndim == 2:
        z = tp.propagate(phi, picks, truth[picks])
        z = np.where(np.isnan(z), truth[picks].mean(axis=0), z)
        return np.linalg.norm((z - truth)[rest]) / np.linalg.norm((truth - truth.mean(axis=0))[rest])
    classes, labels = np.unique(truth[picks], return_inverse=True)
    z = tp.propagate(phi, picks, np.eye(len(classes))[labels])
    right = classes[np.nan_to_num(z, nan=-1.0).argmax(axis=1)] == truth
    return 1.0 - (right & ~np.isnan(z).any(axis=1))[rest].mean()


def error_of_random(phi, truth, n_landmarks):
    draws = [np.random.default_rng(seed).permutation(len(truth))[:n_landmarks] for seed in range(3)]
    return np.mean([error(phi, truth, picks) for picks in draws])


def compile_kernels(method):
    tp.select(tp.laplacian(tp.neighbor_graph(roll(3000)[0], 6)), 5, method=method, random_state=0)


def run(pipe, pool, n, n_landmarks, method):
    X, truth = POOLS[pool](n)
    phi = tp.laplacian(tp.neighbor_graph(X, K))
    compile_kernels(method)
    start, busy = perf_counter(), process_time()
    picks = tp.select(phi, n_landmarks, method=method, random_state=0)
    seconds, busy = perf_counter() - start, process_time() - busy
    peak = peak_gb()
    wrong, random = error(phi, truth, picks), error_of_random(phi, truth, n_landmarks)
    name, detail = f"{pool}, {method}", f"{n_landmarks:,} of {n:,}, {seconds:.1f} s by the clock"
    pipe.send(Figure(name, busy, "s of CPU", detail=detail))
    pipe.send(Figure(f"{name}: memory", peak, "GB", detail="pool and graph included"))
    pipe.send(Figure(f"{name}: error", wrong, "", "random landmarks", random))


def against_graphlearning(pipe, n, n_landmarks, methods):
    from peers import graphlearning_var_opt

    X, truth = roll(n)
    phi = tp.laplacian(tp.neighbor_graph(X, K))
    graphlearning_var_opt(None, None, phi[:300][:, :300], 3, None)  # imports and compiles
    start = perf_counter()
    picks = graphlearning_var_opt(None, None, phi, n_landmarks, None)
    theirs = perf_counter() - start
    wrong, peer = error(phi, truth, picks), "graphlearning's V-optimality"
    for method in methods:
        compile_kernels(method)
        start = perf_counter()
        picks = tp.select(phi, n_landmarks, method=method, random_state=0)
        ours = perf_counter() - start
        pipe.send(Figure(f"beside graphlearning, {method}", ours, "s", peer, theirs))
        pipe.send(Figure(f"beside graphlearning, {method}: error", error(phi, truth, picks), "", peer, wrong))


def figures(quick, methods=()):
    n, n_landmarks = (20_000, 200) if quick else (100_000, 1_000)
    methods = methods or (METHODS[:1] if quick else METHODS)
    if find_spec("graphlearning") is not None:
        yield from alone(against_graphlearning, *((2_000, 30) if quick else (20_000, 100)), methods)
    for pool in POOLS:
        for method in methods:
            yield from alone(run, pool, n, n_landmarks, method)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("methods", nargs="*")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    show(figures(given.quick, given.methods))
