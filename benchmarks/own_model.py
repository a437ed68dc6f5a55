"""Questions for a model of the user's: the error of logistic regression after each way of asking.

    ./dev bench own_model [--seeds 3] [--pools a,b] [--budget 100] [--batch 10]

Pools are those of `endtoend`, cut to 1,000 samples; most need TRIGPOINT_DATA. Ways:

random                        labels drawn at random
margin, entropy               plain uncertainty sampling, as other packages have it: ten random labels, then
                              the samples of smallest margin or largest entropy
auto, uncertainty, coverage   `ActiveLearner` with this model
ours                          `ActiveLearner` without it: questions for our own predictor

Errors (%) are those of the rest and held out. At the end: the geometric mean of the errors relative to those
of random, 0.2 % added to both, and the worst pool.
"""

import argparse
import os
import sys
import warnings
from pathlib import Path

import numpy as np
from _figures import Figure, show
from scipy.sparse import issparse
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

import trigpoint as tp

sys.path.insert(0, str(Path(__file__).parent / "endtoend"))  # its pools
from pools import POOLS, split

NAMES = ("digits", "cancer", "usps", "isolet", "satellite", "segment", "spam", "umist", "mnist")
WAYS = ("random", "margin", "entropy", "auto", "uncertainty", "coverage", "ours")
MOST = 1333  # samples, of which a quarter is held out
FLOOR = 0.002


def model(X):
    return make_pipeline(
        MaxAbsScaler() if issparse(X) else StandardScaler(), LogisticRegression(max_iter=300)
    )


def plain(X, y, way, budget, batch, seed):
    """Uncertainty sampling without coverage."""
    rng = np.random.default_rng(seed)
    told = rng.permutation(len(y))[:batch]
    while len(told) < budget:
        left = np.setdiff1d(np.arange(len(y)), told)
        if len(set(y[told])) < 2:
            told = np.append(told, rng.choice(left, batch, replace=False))
            continue
        p = model(X).fit(X[told], y[told]).predict_proba(X[left])
        ranked = np.sort(p, axis=1)
        sure = (
            ranked[:, -1] - ranked[:, -2]
            if way == "margin"
            else (p * np.log(np.maximum(p, 1e-12))).sum(axis=1)
        )
        told = np.append(told, left[np.argsort(sure, kind="stable")[:batch]])
    return told[:budget]


def asked(X, y, way, budget, batch, seed):
    if way == "random":
        return np.random.default_rng(seed).permutation(len(y))[:budget]
    if way in ("margin", "entropy"):
        return plain(X, y, way, budget, batch, seed)
    options = {} if way == "ours" else {"model": model(X), "method": way}
    learner = tp.ActiveLearner(X, audit=0.0, **options)
    while len(learner.labels) < budget:
        samples = learner.ask(min(batch, budget - len(learner.labels)))
        learner.tell(samples, y[samples])
    return np.array(list(learner.labels))


def errors(drawn, told):
    rest = np.setdiff1d(np.arange(drawn.n), told)
    fitted = model(drawn.X).fit(drawn.X[told], drawn.y[told])
    return [
        np.mean(fitted.predict(drawn.X[rest]) != drawn.y[rest]),
        np.mean(fitted.predict(drawn.X_held) != drawn.y_held),
    ]


def figures(quick, seeds=3, pools=NAMES, budget=100, batch=10):
    folder = Path(os.environ.get("TRIGPOINT_DATA", "no-data"))
    pools, ways, seeds = (("digits",), ("random", "margin", "auto"), 1) if quick else (pools, WAYS, seeds)
    found = {way: [] for way in ways}
    for name in pools:
        if POOLS[name].lacks(folder):
            continue
        for way in ways:
            table = []
            for seed in range(seeds):
                drawn = split(name, seed, folder, MOST, 0)
                told = asked(drawn.X, drawn.y, way, min(budget, drawn.n // 2), batch, seed)
                table.append(errors(drawn, told))
            found[way].append(np.mean(table, axis=0))
            for where, value in zip(("rest", "held out"), found[way][-1], strict=True):
                yield Figure(f"{name}, {way}, {where}: error", 100 * value, "%")
    if not found["random"]:
        return
    base = np.array(found["random"]) + FLOOR
    for way in ways[1:]:
        ratios = (np.array(found[way]) + FLOOR) / base
        mean, worst = np.exp(np.log(ratios).mean(axis=0)), ratios.max(axis=0)
        for where, m, w in zip(("rest", "held out"), mean, worst, strict=True):
            yield Figure(f"{way} to random, {where}", m, "", detail=f"{len(ratios)} pools")
            yield Figure(f"{way} to random, {where}: worst pool", w, "")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--pools", default=",".join(NAMES))
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--batch", type=int, default=10)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    show(figures(given.quick, given.seeds, given.pools.split(","), given.budget, given.batch))


if __name__ == "__main__":
    main()
