"""Time and memory of `label_issues` in a large pool, beside the time of its graph, in one process of its own.

    python _scale.py N P     prints one line of JSON

The pool is ten curved sheets with noise, in P dimensions, all of it labeled, and 5 % of the labels are wrong.
The graph is timed first, after a small one that loads and compiles what both need. Seconds are those of all
threads, and of the clock.
"""

import json
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

import trigpoint as tp

SIZES = {"100000": (100_000, 64), "1000000": (1_000_000, 16)}
CLASSES, SHARE, BENDS = 10, 0.05, 3


def sheets(n, p, rng):
    """Features and classes: sine waves of three coordinates, others for each class, and noise."""
    y = rng.integers(CLASSES, size=n)
    X = np.empty((n, p))
    for c in range(CLASSES):
        here = np.flatnonzero(y == c)
        at = rng.uniform(-1.0, 1.0, (len(here), BENDS))
        X[here] = np.sin(at @ rng.normal(size=(BENDS, p)) + rng.uniform(0.0, 2 * np.pi, p))
    return X + 0.3 * rng.normal(size=X.shape), y


def measured(n, p):
    rng = np.random.default_rng(0)
    X, y = sheets(n, p, rng)
    wrong = rng.choice(n, round(SHARE * n), replace=False)
    labels = y.copy()
    labels[wrong] = (y[wrong] + rng.integers(1, CLASSES, len(wrong))) % CLASSES
    few = rng.permutation(n)[:3000]
    tp.label_issues(X[few], labels[few])
    start, clock = process_time(), perf_counter()
    tp.neighbor_graph(X)
    row = {"n": n, "p": p, "graph_cpu": process_time() - start, "graph_clock": perf_counter() - clock}
    start, clock = process_time(), perf_counter()
    found = tp.label_issues(X, labels)
    row |= {"issues_cpu": process_time() - start, "issues_clock": perf_counter() - clock}
    hit = np.isin(found.wrong, wrong)
    row |= {"wrong": len(wrong), "n_wrong": found.n_wrong, "low": found.low, "high": found.high}
    row |= {"precision": float(hit.mean()), "recall": float(hit.sum() / len(wrong))}
    return row | {"peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20}


def apart(size):
    """In a process of its own."""
    words = [sys.executable, str(Path(__file__)), *map(str, SIZES[size])]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    print(json.dumps(measured(int(sys.argv[1]), int(sys.argv[2]))))
