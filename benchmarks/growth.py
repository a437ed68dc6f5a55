"""What it costs to add 1 % to a pool: its graph is extended, in place of a new search.

Pools of 100,000 samples and 64 features: near a 16-dimensional latent manifold (approximate search), and
independent Gaussians (--gaussian: no structure, exact search). 1,000 samples are new. Told, the least of the
rounds, in turns: CPU time of tp.grow_graph and of tp.neighbor_graph of all, and both recalls against the true
K nearest of 1,000 old and of all new samples. --quick: 30,000 samples, one round.

With --learner: error on the unlabeled rest of a learner that starts with 50 samples and grows to all of them
while it is labeled; and of one that is made of all of them at once and told the same labels.
Run: ./dev bench growth [--rounds 3] [--gaussian] [--learner] [--quick]
"""

import argparse
from time import process_time

import numpy as np
from _figures import Figure, show
from sklearn.datasets import load_digits

import trigpoint as tp
from trigpoint.graph import nearest

M, P, K = 1_000, 64, 15


def latent(n, rng):
    curved = np.tanh(rng.normal(size=(n, 16)) @ rng.normal(size=(16, P)) / 4)
    return (curved + 0.02 * rng.normal(size=(n, P))).astype(np.float32)


def gaussian(n, rng):
    return rng.normal(size=(n, P)).astype(np.float32)


def timed(work):
    start = process_time()
    found = work()
    return found, process_time() - start


def recall(graph, X, rows):
    truth = nearest(X, X[rows], K + 1, method="exact")[0][:, -1:]
    found = graph.distances.reshape(-1, K)[rows]
    return float(np.mean(found <= truth * (1 + 1e-9)))


def compare(name, X, rounds):
    n = len(X) - M
    before = tp.neighbor_graph(X[:n], K)
    times = []
    for _ in range(rounds):
        again, search = timed(lambda: tp.neighbor_graph(X, K))
        grown, growth = timed(lambda: tp.grow_graph(before, X[:n], X[n:]))
        times.append((search, growth))
    search, growth = np.min(times, axis=0)
    yield Figure(name, growth, "s of CPU", "a new search", search, f"{M:,} join {n:,}, {again.method}")
    rows = {
        "old": np.sort(np.random.default_rng(1).choice(n, 1000, replace=False)),
        "new": np.arange(n, n + M),
    }
    for which, some in rows.items():
        found = recall(grown, X, some)
        yield Figure(f"{name}: recall, {which} samples", found, "", "a new search", recall(again, X, some))


def errors(X, y, sizes, budget, seed):
    """Share of wrong labels in the rest, when the pool grows through ``sizes``; and if it is made at once."""
    order = np.random.default_rng(seed).permutation(len(X))
    X, y = X[order], y[order]
    learner = tp.ActiveLearner(X[: sizes[0]], random_state=seed, audit=0.0)
    for step, size in enumerate(sizes):
        if size > learner.n_samples:
            learner.add(X[learner.n_samples : size])
        goal = min(budget * (step + 1) // len(sizes), size)
        while len(learner.labels) < goal:
            samples = learner.ask(min(10, goal - len(learner.labels)))
            learner.tell(samples, y[samples])
    rest = np.setdiff1d(np.arange(len(X)), list(learner.labels))
    whole = tp.ActiveLearner(X, random_state=seed, audit=0.0)
    whole.tell(list(learner.labels), list(learner.labels.values()))
    return [float(np.mean(each.predict()[rest] != y[rest])) for each in (learner, whole)]


def learners(runs, which):
    X, y = load_digits(return_X_y=True)
    n, budget = len(X), 40
    ways = {
        "all from the start": [n],
        "50, then all": [50, n],
        "50, doubled again and again": [50, 100, 200, 400, 800, n],
        "50, then two fifths more each time": [*(int(50 * 1.4**k) for k in range(11)), 1690, n],
    }
    for name in which or ways:
        grown, whole = np.mean([errors(X, y, ways[name], budget, seed) for seed in range(runs)], axis=0)
        detail = f"digits, {budget} labels, {runs} runs"
        yield Figure(f"learner, {name}: wrong", 100 * grown, "%", "made at once", 100 * whole, detail)


def figures(quick, rounds=3, pools=("latent",), runs=3):
    some = np.random.default_rng(0).normal(size=(25_000, 8))
    tp.grow_graph(tp.neighbor_graph(some[:-9], K), some[:-9], some[-9:])  # compile
    makers = {"latent": latent, "gaussian": gaussian}
    n = 30_000 if quick else 100_000
    for name in pools:
        yield from compare(name, makers[name](n + M, np.random.default_rng(0)), 1 if quick else rounds)
    if runs and not quick:
        yield from learners(runs, ())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--gaussian", action="store_true")
    parser.add_argument("--learner", type=int, nargs="?", const=3, default=0, metavar="RUNS")
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    if asked.learner:
        show(learners(asked.learner, ()))
    else:
        show(figures(asked.quick, asked.rounds, ("gaussian",) if asked.gaussian else ("latent",), 0))


if __name__ == "__main__":
    main()
