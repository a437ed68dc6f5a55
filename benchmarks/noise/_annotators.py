"""Two to five annotators of different skill: errors of the consensus, ours beside majority vote and cleanlab.

    python benchmarks/noise/_annotators.py --data DIR [--pools a,b] [--seeds 1] [--most 700]

All get the same answers. Skills are uniform in [0.5, 0.95]. Errors are uniform, or depend on the class: some
classes are harder, and seven of ten errors go to the class whose mean is nearest. Everybody answers
everything, or each sample has one to three answers. Models are fitted to the labels of the majority and
predict each sample without its label: logistic regression and kNN in five folds, and ours
(`predict_classes(...).left_out`). cleanlab (get_label_quality_multiannotator) and `tp.consensus` get the same
probabilities. A tie counts as the share of wrong classes among those that are tied.
"""

import argparse
import importlib.util
import os
import warnings
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import trigpoint as tp
from trigpoint.io import read_idx
from trigpoint.prediction import predict_classes, viewed_pool

POOLS = ("isolet", "mnist", "satellite", "segment", "spam", "umist", "usps")
PEOPLE = (2, 3, 4, 5)
ERRORS = ("uniform", "by class")
WHO = ("all answer", "1 to 3 answer")
MODELS = ("logistic", "knn", "ours")


def main(data, pools=POOLS, seeds=1, most=700):
    """Print the tables; the rows, one for each cell, are returned."""
    if importlib.util.find_spec("cleanlab") is None:
        print("cleanlab is not installed; its columns are left out", flush=True)
    rows = []
    for pool in pools:
        X, y = load(Path(data), pool, most)
        seen = viewed_pool(X)
        for number in range(seeds):
            for n_people in PEOPLE:
                for errors in ERRORS:
                    for who in WHO:
                        rng = np.random.default_rng([number, n_people, ERRORS.index(errors), WHO.index(who)])
                        where = {"pool": pool, "people": n_people, "errors": errors, "who": who}
                        rows.append(where | cell(X, y, seen, n_people, errors, who, rng))
        print(f"{pool}: {len(y)} samples, {y.max() + 1} classes", flush=True)
    tell(rows)
    return rows


def load(data, name, most):
    if name == "mnist":
        X = read_idx(data / "mnist" / "t10k-images-idx3-ubyte.gz")
        y = read_idx(data / "mnist" / "t10k-labels-idx1-ubyte.gz")
    else:
        with np.load(data / "pools" / f"{name}.npz") as stored:
            X, y = stored["X"], stored["y"]
    some = np.random.default_rng(5).permutation(len(y))[:most]
    return X.reshape(len(X), -1)[some].astype(float), np.unique(y[some], return_inverse=True)[1]


def cell(X, y, seen, n_people, errors, who, rng):
    """Errors of everyone on the same answers."""
    k = int(y.max()) + 1
    said = answers(X, y, n_people, errors, who, rng)
    counts = np.array([np.bincount(row[row >= 0], minlength=k) for row in said])
    tied = counts == counts.max(axis=1, keepdims=True)
    vote = (tied * rng.random(tied.shape)).argmax(axis=1)
    samples, people = np.nonzero(said >= 0)
    labels = said[samples, people]
    found = {"majority": 1.0 - (tied[np.arange(len(y)), y] / tied.sum(axis=1)).mean()}
    found["ours"] = wrong(tp.consensus(samples, labels, people, classes=range(k)), y)
    for model in MODELS:
        p = probabilities(model, X, seen, vote, k)
        given = {"classes": range(k), "probabilities": p}
        found[f"ours + {model}"] = wrong(tp.consensus(samples, labels, people, **given), y)
        found[f"cleanlab + {model}"] = cleanlab_error(said, p, y)
    return found


def answers(X, y, n_people, errors, who, rng):
    """(n, n_people) class numbers, -1 where somebody did not answer."""
    n, k = len(y), int(y.max()) + 1
    Z = StandardScaler().fit_transform(X)
    means = np.stack([Z[y == c].mean(axis=0) for c in range(k)])
    apart = ((means[:, None] - means[None]) ** 2).sum(axis=2)
    np.fill_diagonal(apart, np.inf)
    near = apart.argmin(axis=1)
    said = np.empty((n, n_people), dtype=np.int64)
    for a, skill in enumerate(rng.uniform(0.5, 0.95, n_people)):
        odds = np.full(k, np.log(skill / (1.0 - skill)))
        other = (y + rng.integers(1, k, n)) % k
        if errors == "by class":
            odds = skilled(skill, rng.standard_normal(k), y)
            other = np.where(rng.random(n) < 0.7, near[y], other)
        said[:, a] = np.where(rng.random(n) < 1.0 / (1.0 + np.exp(-odds))[y], y, other)
    if who != WHO[0]:
        place = rng.random((n, n_people)).argsort(axis=1).argsort(axis=1)
        said[place >= rng.integers(1, min(3, n_people) + 1, n)[:, None]] = -1
    return said


def skilled(skill, apart, y):
    """Odds of the classes that lie so far apart, with this share of right answers in all."""
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        if (1.0 / (1.0 + np.exp(-(apart + middle))))[y].mean() < skill:
            low = middle
        else:
            high = middle
    return apart + middle


def probabilities(model, X, seen, vote, k):
    if model == "ours":
        return predict_classes(seen, np.arange(len(vote)), vote, k).left_out
    fold = np.random.default_rng(0).integers(5, size=len(vote))
    p = np.zeros((len(vote), k))
    for number in range(5):
        out = fold == number
        one = LogisticRegression(max_iter=200) if model == "logistic" else KNeighborsClassifier(10)
        fitted = make_pipeline(StandardScaler(), one).fit(X[~out], vote[~out])
        p[np.ix_(out, fitted.classes_)] = fitted.predict_proba(X[out])
    return p


def wrong(found, y):
    """Share of errors; where nothing decides, as of a class drawn among the most likely."""
    y = y[found.samples]
    p = found.probabilities
    top = p >= p.max(axis=1, keepdims=True) - 1e-6
    return 1.0 - (top[np.arange(len(y)), y] / top.sum(axis=1)).mean()


def cleanlab_error(said, p, y):
    try:
        import pandas as pd
        from cleanlab.multiannotator import get_label_quality_multiannotator
    except ImportError:
        return np.nan
    table = pd.DataFrame(np.where(said >= 0, said, np.nan))
    np.random.seed(0)  # noqa: NPY002 (cleanlab breaks ties by the global generator)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = {"return_detailed_quality": False, "return_annotator_stats": False, "verbose": False}
        found = get_label_quality_multiannotator(table, p, **options)
    return float((found["label_quality"]["consensus_label"].to_numpy() != y).mean())


PAIRS = (
    ("ours", "majority"),
    *((f"ours + {model}", "majority") for model in MODELS),
    *((f"ours + {model}", f"cleanlab + {model}") for model in MODELS),
)


def tell(rows):
    names = [name for name in rows[0] if name not in ("pool", "people", "errors", "who")]
    groups = [("all", rows)]
    for field, values in (("people", PEOPLE), ("errors", ERRORS), ("who", WHO)):
        groups += [
            (f"{value} people" if field == "people" else value, [r for r in rows if r[field] == value])
            for value in values
        ]
    print("\nmean error of the consensus, %")
    print(f"{'':<16}" + "".join(f"{name:>21}" for name in names))
    for group, some in groups:
        means = [100 * np.mean([row[name] for row in some]) for name in names]
        print(f"{group:<16}" + "".join(f"{mean:>21.1f}" for mean in means))
    print("\ngeometric mean of the ratio of errors (0.05 % added to both), and cells that are worse")
    for ours, other in PAIRS:
        pairs = [(row[ours], row[other]) for row in rows if np.isfinite(row[other])]
        if not pairs:
            continue
        ratio = np.exp(np.mean([np.log((a + 5e-4) / (b + 5e-4)) for a, b in pairs]))
        worse = sum(a > b + 1e-9 for a, b in pairs)
        most = 100 * max(a - b for a, b in pairs)
        lost = f"worse in {worse} of {len(pairs)}, at most by {most:.1f} points"
        print(f"{ours:<16} / {other:<20} {ratio:6.2f}   {lost}")
    print("\ncells in which ours is worse, errors in %")
    for row in rows:
        for ours, other in PAIRS:
            if row[ours] > row[other] + 1e-9:
                where = f"{row['pool']}, {row['people']} people, {row['errors']}, {row['who']}"
                print(f"{where:<50} {ours} {100 * row[ours]:.1f}, {other} {100 * row[other]:.1f}")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--data", default=os.environ.get("TRIGPOINT_DATA"), help="folder of the data sets")
    asked.add_argument("--pools", default=",".join(POOLS))
    asked.add_argument("--seeds", type=int, default=1)
    asked.add_argument("--most", type=int, default=700, help="samples of a pool")
    told = asked.parse_args()
    if told.data is None:
        asked.error("--data, or TRIGPOINT_DATA, must name the folder of the data sets")
    main(told.data, tuple(told.pools.split(",")), told.seeds, told.most)
