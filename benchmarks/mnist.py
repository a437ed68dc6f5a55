"""MNIST's 70,000 images from raw pixels to 200 labels to a label for every one of them.

    ./dev bench mnist         (needs TRIGPOINT_DATA)

Seconds and peak memory of the whole way; accuracy on the 69,800 others for the default selector, for
200 labels asked for in batches of 20, and for random landmarks (mean of 5); beside scikit-learn's
LabelSpreading on a graph of as many neighbors, from the same random labels.
"""

import gzip
import os
import resource
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.semi_supervised import LabelSpreading

import trigpoint as tp

BUDGET, K = 200, 10


def read(folder):
    parts = {"images": [], "labels": []}
    for split in ("train", "t10k"):
        for kind, offset, suffix in (("images", 16, "idx3"), ("labels", 8, "idx1")):
            raw = gzip.decompress((folder / f"{split}-{kind}-{suffix}-ubyte.gz").read_bytes())
            parts[kind].append(np.frombuffer(raw, np.uint8, offset=offset))
    X = np.concatenate(parts["images"]).reshape(-1, 784).astype(np.float32)
    return X, np.concatenate(parts["labels"]).astype(int)


def accuracy(predicted, y, landmarks):
    rest = np.setdiff1d(np.arange(len(y)), landmarks)
    return np.mean(predicted[rest] == y[rest])


def propagated(phi, landmarks, y):
    return tp.propagate(phi, landmarks, np.eye(10)[y[landmarks]]).argmax(axis=1)


def tell(what, start, detail=""):
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{what:44} {perf_counter() - start:6.1f} s   peak {peak:.1f} GB   {detail}", flush=True)


def main():
    folder = os.environ.get("TRIGPOINT_DATA")
    if not folder:
        sys.exit("mnist: set TRIGPOINT_DATA to the folder that holds mnist/.")
    X, y = read(Path(folder) / "mnist")
    start = perf_counter()
    graph = tp.neighbor_graph(X, K)
    tell("graph", start, repr(graph))
    phi = tp.laplacian(graph)
    picks = tp.select(phi, BUDGET, graph=graph, random_state=0)
    predicted = propagated(phi, picks, y)
    tell("graph, 200 landmarks, labels for all", start, f"{accuracy(predicted, y, picks):.2%} right")
    chances = []
    for seed in range(5):
        drawn = tp.select(phi, BUDGET, method="random", random_state=seed)
        chances.append(accuracy(propagated(phi, drawn, y), y, drawn))
    print(f"random landmarks: {np.mean(chances):.2%} right")
    start = perf_counter()
    learner = tp.ActiveLearner(graph=graph, audit=0.0)
    while len(learner.labels) < BUDGET:
        samples = learner.ask(20)
        learner.tell(samples, y[samples])
    labeled = np.array(list(learner.labels))
    tell(
        "200 labels in batches of 20, graph given",
        start,
        f"{accuracy(learner.predict(), y, labeled):.2%} right",
    )
    start = perf_counter()
    known = np.full(len(y), -1)
    known[drawn] = y[drawn]
    spreading = LabelSpreading(kernel="knn", n_neighbors=K, max_iter=100).fit(X, known)
    tell("LabelSpreading, random labels", start, f"{accuracy(spreading.transduction_, y, drawn):.2%} right")


if __name__ == "__main__":
    main()
