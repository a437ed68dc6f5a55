from pathlib import Path

import numpy as np
import pytest

import trigpoint as tp
from trigpoint.io import read_labels, read_pool


@pytest.mark.parametrize("alignment", ["laplacian", "lle"])  # the second may overshoot below 0
def test_classes_are_those_of_the_estimator(run, folder, alignment):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((80, 3))
    np.save("pool.npy", X)
    y = np.array([["red", "green", "blue"][i % 3] for i in range(80)], dtype=object)
    y[20:] = None
    Path("labels.csv").write_text("id,label\n" + "".join(f"{i},{y[i]}\n" for i in range(20)))
    done = run("propagate", "pool.npy", "--labels", "labels.csv", "-k", 8, "--alignment", alignment)
    model = tp.ManifoldClassifier(n_neighbors=8, alignment=alignment).fit(X, y)
    assert (done.code, done.err) == (0, "")
    assert [row["predicted"] for row in done.rows] == model.transduction_.tolist()
    uncertainty = [float(row["uncertainty"]) for row in done.rows]
    np.testing.assert_allclose(uncertainty, model.uncertainty_, atol=1e-12)
    shares = [float(row["probability"]) for row in done.rows]
    np.testing.assert_allclose(shares, model.label_distributions_.max(axis=1), atol=1e-12)


def test_numbers_are_those_of_the_estimator(run, blobs):
    X = blobs[:30]
    np.save("half.npy", X)
    known = np.arange(0, 30, 4)
    y = np.full(30, np.nan)
    y[known] = X[known, 0]
    Path("labels.csv").write_text("id,label\n" + "".join(f"{i},{float(y[i])!r}\n" for i in known))
    done = run("propagate", "half.npy", "--labels", "labels.csv")
    model = tp.ManifoldRegressor().fit(X, y)
    assert done.out.splitlines()[0] == "id,value,std"
    np.testing.assert_allclose([float(row["value"]) for row in done.rows], model.transduction_, atol=1e-9)
    np.testing.assert_allclose([float(row["std"]) for row in done.rows], model.uncertainty_, atol=1e-9)
    bare = run("propagate", "half.npy", "--labels", "labels.csv", "--no-std")
    assert bare.out.splitlines()[0] == "id,value"


def test_several_targets_keep_their_names(run, blobs):
    Path("labels.csv").write_text("id,x,y\ns3,1,2\ns40,3,4\ns50,5,7\ns9,1,0\n")
    done = run("propagate", "pool.csv", "--labels", "labels.csv", "--label-column", "x,y")
    assert done.out.splitlines()[0] == "id,value_x,value_y,std_x,std_y"
    assert done.rows[3]["value_x"] == "1.0"


def test_too_few_values_to_tell_a_scale_leave_no_std(run, blobs):
    Path("labels.csv").write_text("id,label\ns3,1.5\ns40,2.5\n")
    done = run("propagate", "pool.csv", "--labels", "labels.csv")
    assert done.code == 0
    assert done.err.startswith("trigpoint: no standard deviations: ")
    assert done.err.count("\n") == 1
    assert {round(float(row["value"]), 9) for row in done.rows} == {1.5, 2.5}
    assert {row["std"] for row in done.rows} == {""}


@pytest.mark.parametrize(
    ("label", "names", "unsure"),
    [
        ("low", ["predicted", "probability"], ("uncertainty", "1.0")),
        ("1.5", ["value"], ("std", "inf")),
    ],
)
def test_what_no_label_reaches_is_unknown_and_counted(run, blobs, label, names, unsure):
    Path("one.csv").write_text(f"id,label\ns3,{label}\ns4,{label}\n")
    done = run("propagate", "pool.csv", "--labels", "one.csv")
    assert done.err == "trigpoint: 30 of 60 samples have no prediction, because no label reaches them.\n"
    for i, row in enumerate(done.rows):
        assert all((row[name] == "") == (i >= 30) for name in names)
        assert (row[unsure[0]] == unsure[1]) == (i >= 30)
    assert run("propagate", "pool.csv", "--labels", "one.csv", "--json").json["n_unreached"] == 30


def test_the_task_can_be_told(run, folder):
    np.save("pool.npy", np.arange(12.0)[:, None])
    Path("labels.csv").write_text("id,label\n0,0\n11,11\n4,4\n")
    words = ["propagate", "pool.npy", "--labels", "labels.csv", "-k", 2]
    assert run(*words, "--json").json["task"] == "classification"
    numbers = run(*words, "--task", "regression", "--json").json
    assert numbers["task"] == "regression"
    assert [row["value"] for row in numbers["predictions"]][1] == pytest.approx(1, abs=0.5)


def test_ids_and_labels_by_other_names(run, blobs):
    Path("other.csv").write_text("sku,grade,note\ns3,low,x\ns40,high,y\n")
    words = ["propagate", "pool.csv", "--labels", "other.csv"]
    done = run(*words, "--label-id-column", "sku", "--label-column", "grade")
    assert [row["predicted"] for row in done.rows] == ["low"] * 30 + ["high"] * 30


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl"])
def test_predictions_come_back_as_labels(run, blobs, suffix):
    done = run("propagate", "pool.csv", "--labels", "labels.csv", "-o", f"found.{suffix}")
    assert (done.code, done.out) == (0, "")
    labels = read_labels(f"found.{suffix}", read_pool("pool.csv").ids, label_column="predicted")
    assert labels.values == ["low"] * 30 + ["high"] * 30


def test_json_holds_the_predictions_or_where_they_went(run, blobs):
    words = ["propagate", "pool.csv", "--labels", "labels.csv", "--json"]
    inline = run(*words).json
    assert inline["n_labels"] == 2
    assert inline["predictions"][40] == {"id": "s40", "predicted": "high", "probability": 1, "uncertainty": 0}
    assert run(*words, "-o", "found.csv").json["output"] == "found.csv"
