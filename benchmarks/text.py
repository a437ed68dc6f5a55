"""Texts: what the features are worth, from the choice of labels to the error of the rest.

    ./dev bench text [--data FOLDER] [--n-samples N] [--quick]

For banking77 (10,003 questions to a bank, 77 intents; `pools/banking77.csv` in the folder, by default
$TRIGPOINT_DATA) and, where installed packages allow it, for first sentences of docstrings, with the module as
the class. With 2 and 8 labels a class: the error of the rest, with all defaults (`LandmarkSelector`,
`ManifoldClassifier`), for both kinds of features; and that of logistic regression on TF-IDF of words, with
the same number of labels, drawn at random (mean of five draws) or chosen by us. Of its C among 1, 10, 100 the
best for the truth is taken, which no user could know. Seconds are of the processor.
"""

import argparse
import csv
import importlib
import inspect
import os
import time
from pathlib import Path

import numpy as np
from _figures import Figure, show
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

import trigpoint as tp
from trigpoint.features import fitted_text

MODULES = """scipy.stats scipy.signal scipy.optimize scipy.special scipy.ndimage scipy.linalg scipy.sparse
    numpy.ma sklearn.metrics sklearn.datasets sklearn.preprocessing matplotlib.pyplot pandas networkx polars
    pyarrow.compute asyncio email socket unittest"""
LEAST = 25  # docstrings of a module
DRAWS = 5


def banking(folder):
    with (folder / "pools" / "banking77.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [row["text"] for row in rows], [row["category"] for row in rows]


def docstrings():
    """First paragraphs of the docstrings of what a module offers, and the module."""
    texts, modules = {}, []
    for name in MODULES.split():
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        things = [getattr(module, key, None) for key in dir(module) if not key.startswith("_")]
        parts = [
            getattr(x, key, None) for x in things if inspect.isclass(x) for key in vars(x) if key[0] != "_"
        ]
        for thing in (*things, *parts):
            said = (inspect.getdoc(thing) or "") if callable(thing) else ""
            first = " ".join(said.split("\n\n")[0].split())
            if 25 <= len(first) <= 400:
                texts.setdefault(first, name)
    modules = list(texts.values())
    kept = {name for name in modules if modules.count(name) >= LEAST}
    pairs = [(text, name) for text, name in texts.items() if name in kept]
    return [text for text, _ in pairs], [name for _, name in pairs]


def error_of(found, y, labeled):
    rest = np.setdiff1d(np.arange(len(y)), labeled)
    return float(np.mean(found[rest] != y[rest]))


def logistic(words, y, labeled):
    models = [LogisticRegression(C=C, max_iter=1000) for C in (1, 10, 100)]
    return min(error_of(m.fit(words[labeled], y[labeled]).predict(words), y, labeled) for m in models)


def compare(name, texts, classes, methods, n_draws):
    y = np.unique(classes, return_inverse=True)[1]
    k, n = int(y.max()) + 1, len(y)
    words = TfidfVectorizer(sublinear_tf=True, min_df=2).fit_transform(texts).tocsr()
    random = {}
    for budget in (2 * k, 8 * k):
        draws = [np.random.default_rng(seed).permutation(n)[:budget] for seed in range(n_draws)]
        random[budget] = float(np.mean([logistic(words, y, draw) for draw in draws]))
    for method in methods:
        X = fitted_text(texts, method)[1]
        for size, (budget, reference) in zip(("few", "many"), random.items(), strict=True):
            start = time.process_time()
            picks = tp.LandmarkSelector(n_landmarks=budget).fit(X).landmarks_
            told = np.full(n, -1)
            told[picks] = y[picks]
            ours = error_of(tp.ManifoldClassifier().fit(X, told).transduction_, y, picks)
            seconds = time.process_time() - start
            detail = f"{budget} labels of {n}, {seconds:.0f} s"
            title, peer = f"{name}, {method}, {size} labels: error", "TF-IDF, logistic, random labels"
            yield Figure(title, ours, "", peer, reference, detail, at=budget)
            yield Figure(f"{title} of TF-IDF, logistic on them", logistic(words, y, picks), "")


def figures(quick, data=None, n_samples=None, methods=("words", "embeddings")):
    data, n_samples = data or Path(os.environ.get("TRIGPOINT_DATA", ".")), 300 if quick else n_samples
    pools = {"docstrings": docstrings()}
    if (data / "pools" / "banking77.csv").exists() and not quick:
        pools = {"banking77": banking(data), **pools}
    for name, (texts, classes) in pools.items():
        part = np.random.default_rng(0).permutation(len(texts))[:n_samples]
        some = methods[:1] if quick else methods
        draws = 1 if quick else DRAWS
        yield from compare(name, [texts[i] for i in part], [classes[i] for i in part], some, draws)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--n-samples", type=int, default=None, help="a random part of each pool")
    parser.add_argument("--methods", nargs="+", default=["words", "embeddings"])
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    show(figures(given.quick, given.data, given.n_samples, given.methods))


if __name__ == "__main__":
    main()
