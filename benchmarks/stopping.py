"""How often the interval of `stop_advice` holds the true error, and what the audit costs.

    ./dev bench stopping [SEEDS]

Digits, 10,000 of MNIST, Extended YaleB and AR (the last three need TRIGPOINT_DATA): a random 75 % of
each pool a seed, batches of 10, an audit share of 10 %. At each budget: the true error on the
unlabeled rest, the mean estimate, the mean width of the 90 % interval, and the share of runs in which it
holds the true error; beside it the error that the same number of labels reach without any audit.
"""

import gzip
import os
import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

import trigpoint as tp

PARTS = ("images-idx3", "labels-idx1")


def pools():
    X, y = load_digits(return_X_y=True)
    yield "digits", X, y, (20, 50, 100, 200)
    folder = os.environ.get("TRIGPOINT_DATA")
    if not folder:
        return
    X, y = mnist(Path(folder) / "mnist")
    keep = np.random.default_rng(0).permutation(len(X))[:10_000]
    yield "MNIST", X[keep], y[keep], (20, 50, 100, 200, 500)
    for name, file, features, budgets in (
        ("Extended YaleB", "extended_yaleb.npz", "randomface504_seed0", (76, 152, 304, 608)),
        ("AR", "ar_faces.npz", "randomface540_seed0", (200, 500, 1000)),
    ):
        data = np.load(Path(folder) / file)
        yield name, data[features].astype(float), data["labels"], budgets


def mnist(folder):
    """The 60,000 training images and their labels, from their IDX files."""
    images, labels = (gzip.decompress((folder / f"train-{name}-ubyte.gz").read_bytes()) for name in PARTS)
    X = np.frombuffer(images, np.uint8, offset=16).reshape(-1, 784).astype(np.float32)
    return X, np.frombuffer(labels, np.uint8, offset=8).astype(int)


def run(X, y, budgets, audit, seed):
    """Per budget: true error, estimate, low, high."""
    learner = tp.ActiveLearner(X, audit=audit, random_state=seed)
    for budget in budgets:
        while len(learner.labels) < budget:
            samples = learner.ask(min(10, budget - len(learner.labels)))
            learner.tell(samples, y[samples])
        rest = np.setdiff1d(np.arange(len(y)), list(learner.labels))
        advice = learner.stop_advice()
        yield np.mean(learner.predict()[rest] != y[rest]), advice.error, advice.low, advice.high


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    held = []
    print(f"{'pool':16}{'l':>6}{'error':>8}{'estimate':>10}{'width':>8}{'held':>7}{'without audit':>15}")
    for name, X, y, budgets in pools():
        found, plain = [], []
        for seed in range(seeds):
            keep = np.random.default_rng(seed).permutation(len(X))[: 3 * len(X) // 4]
            found.append(list(run(X[keep], y[keep], budgets, 0.1, seed)))
            plain.append([row[0] for row in run(X[keep], y[keep], budgets, 0.0, seed)])
        table = np.array(found)  # (seeds, budgets, 4)
        true, estimate, low, high = np.moveaxis(table, 2, 0)
        inside = (low <= true) & (true <= high)
        held.append(inside.mean())
        for b, budget in enumerate(budgets):
            print(
                f"{name:16}{budget:6}{true[:, b].mean():8.1%}{np.nanmean(estimate[:, b]):10.1%}"
                f"{(high - low)[:, b].mean():8.1%}{inside[:, b].mean():7.0%}"
                f"{np.mean(plain, axis=0)[b]:15.1%}",
                flush=True,
            )
    print(f"held in {np.mean(held):.0%} of runs")


if __name__ == "__main__":
    main()
