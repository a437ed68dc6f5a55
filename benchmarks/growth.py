"""What it costs to add 1 % to a pool: its graph is extended, in place of a new search.

Pools of 100,000 samples and 64 features: near a 16-dimensional latent manifold (approximate search), and
independent Gaussians (--gaussian: no structure, exact search). 1,000 samples are new. Printed, the least of
the rounds, in turns: clock and CPU time of tp.neighbor_graph of all, of tp.grow_graph, the ratio, and both
recalls against the true K nearest of 1,000 old and of all new samples. On a busy machine, trust CPU times.

With --learner: error on the unlabeled rest of a learner that starts with 50 samples and grows to all of them
while it is labeled; and of one that is made of all of them at once and told the same labels.
Run: ./dev bench growth [--rounds 3] [--gaussian] [--learner]
"""

import argparse
from time import perf_counter, process_time

import numpy as np
from sklearn.datasets import load_digits

import trigpoint as tp
from trigpoint.graph import nearest

N, M, P, K = 100_000, 1_000, 64, 15


def latent(rng):
    curved = np.tanh(rng.normal(size=(N + M, 16)) @ rng.normal(size=(16, P)) / 4)
    return (curved + 0.02 * rng.normal(size=(N + M, P))).astype(np.float32)


def gaussian(rng):
    return rng.normal(size=(N + M, P)).astype(np.float32)


def timed(work):
    wall, cpu = perf_counter(), process_time()
    found = work()
    return found, (perf_counter() - wall, process_time() - cpu)


def recall(graph, X, rows):
    truth = nearest(X, X[rows], K + 1, method="exact")[0][:, -1:]
    found = graph.distances.reshape(-1, K)[rows]
    return float(np.mean(found <= truth * (1 + 1e-9)))


def compare(name, X, rounds):
    before = tp.neighbor_graph(X[:N], K)
    times = []
    for _ in range(rounds):
        again, search = timed(lambda: tp.neighbor_graph(X, K))
        grown, growth = timed(lambda: tp.grow_graph(before, X[:N], X[N:]))
        times.append((search, growth))
    (wall, cpu), (grown_wall, grown_cpu) = np.min(times, axis=0)
    old = np.sort(np.random.default_rng(1).choice(N, 1000, replace=False))
    new = np.arange(N, N + M)
    print(f"{name}, {N:,} x {P} and {M:,} new, K = {K}: {again.method}")
    print(f"  search  {wall:.2f} s, CPU {cpu:.2f} s")
    print(f"  growth  {grown_wall:.2f} s, CPU {grown_cpu:.2f} s: {grown_cpu / cpu:.1%} of the CPU time")
    for who, graph in (("search", again), ("growth", grown)):
        print(f"  recall of {who}: old {recall(graph, X, old):.4f}, new {recall(graph, X, new):.4f}")


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


def learners(runs):
    X, y = load_digits(return_X_y=True)
    n, budget = len(X), 40
    ways = {
        "all from the start": [n],
        "50, then all": [50, n],
        "50, doubled again and again": [50, 100, 200, 400, 800, n],
        "50, then two fifths more each time": [*(int(50 * 1.4**k) for k in range(11)), 1690, n],
    }
    print(f"digits, {budget} labels: share of wrong labels in the rest, mean of {runs} runs")
    for name, sizes in ways.items():
        grown, whole = np.mean([errors(X, y, sizes, budget, seed) for seed in range(runs)], axis=0)
        print(f"  {name}: {grown:.2%}; made at once, with the same labels: {whole:.2%}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--gaussian", action="store_true")
    parser.add_argument("--learner", type=int, nargs="?", const=3, default=0, metavar="RUNS")
    asked = parser.parse_args()
    if asked.learner:
        learners(asked.learner)
        return
    some = np.random.default_rng(0).normal(size=(25_000, 8))
    tp.grow_graph(tp.neighbor_graph(some[:-9], K), some[:-9], some[-9:])  # compile
    pools = {"gaussian": gaussian} if asked.gaussian else {"latent": latent}
    for name, make in pools.items():
        compare(name, make(np.random.default_rng(0)), asked.rounds)


if __name__ == "__main__":
    main()
