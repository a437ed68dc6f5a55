"""--weight-column of select and propagate."""

from pathlib import Path

import numpy as np
import pytest

import trigpoint as tp


@pytest.fixture
def weighed(blobs):
    """The pool with a column of weights, of which the second half is heavy."""
    m = np.where(np.arange(60) < 30, 1, 50) + np.arange(60) % 7
    lines = Path("pool.csv").read_text().splitlines()
    rows = [f"{line},{weight}" for line, weight in zip(lines[1:], m, strict=True)]
    Path("weighed.csv").write_text("\n".join([lines[0] + ",customers", *rows]) + "\n")
    return blobs, m.astype(float)


@pytest.mark.parametrize("method", ["auto", "kmeans"])
def test_landmarks_are_those_of_the_estimator(run, weighed, method):
    X, m = weighed
    done = run("select", "weighed.csv", "-n", 6, "--weight-column", "customers", "--method", method)
    want = tp.LandmarkSelector(6, method=method).fit(X, sample_weight=m).landmarks_
    assert (done.code, done.err) == (0, "")
    assert [int(row["index"]) for row in done.rows] == want.tolist()


@pytest.mark.parametrize("task", ["classification", "regression", "tags"])
def test_predictions_are_those_of_the_estimator(run, weighed, task):
    X, m = weighed
    known = range(0, 60, 4)
    cells = {"classification": lambda i: "ab"[i % 8 == 0], "tags": lambda i: "a" if i % 8 else "a;b"}
    cell = cells.get(task, lambda i: repr(float(X[i, 0]) + 0.5))
    Path("l.csv").write_text("id,label\n" + "".join(f"s{i},{cell(i)}\n" for i in known))
    words = ["propagate", "weighed.csv", "--labels", "l.csv", "--task", task, "--noise", 0]
    found = run(*words, "--weight-column", "customers", "--json").json
    y = [cell(i) if i in known else None for i in range(60)]
    if task == "regression":
        y = [np.nan if label is None else float(label) for label in y]
        model = tp.ManifoldRegressor(noise=0)
    else:
        y = [None if label is None else set(label.split(";")) for label in y] if task == "tags" else y
        model = tp.ManifoldClassifier(noise=0)
    weights = model.fit(X, y, sample_weight=m).weights_
    assert found["weights"] == pytest.approx(weights, abs=1e-6)
    assert weights != model.fit(X, y).weights_


def test_what_is_refused(run, weighed):
    def told(pool, column, *words):
        return run("select", pool, "-n", 1, "--weight-column", column, *words).err

    assert "--weight-column must be a column of weighed.csv" in told("weighed.csv", "nobody")
    assert "must be a number in each row" in told("weighed.csv", "id")
    assert "has no meaning for --method random" in told("weighed.csv", "customers", "--method", "random")
    assert "--weight-column must be a column of pool.npy" in told("pool.npy", "x")
    Path("bad.csv").write_text("id,x,m\na,1,-1\nb,2,1\nc,3,1\n")
    assert "--weight-column m must be at least 0, and not all zero" in told("bad.csv", "m")
    Path("only.csv").write_text("id,m\na,1\nb,2\nc,3\n")
    assert "only.csv must have a column that can be a feature" in told("only.csv", "m")
