"""MNIST's 70,000 images from raw pixels to 200 labels to a label for every one of them.

    ./dev bench mnist [--quick]         (needs TRIGPOINT_DATA)

Seconds and peak memory of the whole way; accuracy on the 69,800 others for the default selector, for
200 labels asked for in batches of 20, and for random landmarks (mean of 5); beside scikit-learn's
LabelSpreading on a graph of as many neighbors, from the same random labels. --quick: 2,000 images.
"""

import gzip
import os
from pathlib import Path

import numpy as np
from _figures import Figure, main, peak_gb, timed
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


def one_shot(X, y):
    graph = tp.neighbor_graph(X, K)
    phi = tp.laplacian(graph)
    picks = tp.select(phi, BUDGET, graph=graph, random_state=0)
    return graph, phi, accuracy(propagated(phi, picks, y), y, picks)


def in_the_loop(graph, y):
    learner = tp.ActiveLearner(graph=graph, audit=0.0)
    while len(learner.labels) < BUDGET:
        samples = learner.ask(20)
        learner.tell(samples, y[samples])
    return accuracy(learner.predict(), y, np.array(list(learner.labels)))


def figures(quick):
    folder = os.environ.get("TRIGPOINT_DATA")
    if not folder:
        return
    X, y = read(Path(folder) / "mnist")
    if quick:
        X, y = X[:2000], y[:2000]
    (graph, phi, right), seconds = timed(lambda: one_shot(X, y))
    yield Figure("graph, 200 landmarks, labels for all", seconds, "s", detail=repr(graph))
    yield Figure("memory", peak_gb(), "GB")
    yield Figure("default landmarks", 100 * right, "% right")
    chances = []
    for seed in range(5):
        drawn = tp.select(phi, BUDGET, method="random", random_state=seed)
        chances.append(accuracy(propagated(phi, drawn, y), y, drawn))
    yield Figure("random landmarks", 100 * np.mean(chances), "% right")
    right, seconds = timed(lambda: in_the_loop(graph, y))
    yield Figure(
        "200 labels in batches of 20", 100 * right, "% right", detail=f"{seconds:.0f} s, graph given"
    )
    known = np.full(len(y), -1)
    known[drawn] = y[drawn]
    spreading, seconds = timed(
        lambda: LabelSpreading(kernel="knn", n_neighbors=K, max_iter=100).fit(X, known)
    )
    right = accuracy(spreading.transduction_, y, drawn)
    yield Figure("LabelSpreading, random labels", 100 * right, "% right", detail=f"{seconds:.0f} s")


if __name__ == "__main__":
    main(figures, __doc__)
