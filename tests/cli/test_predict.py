"""A pool in, a model out; new samples in, labels out."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import trigpoint as tp
from trigpoint.estimators import read_model
from trigpoint.io import read_pool


@pytest.fixture
def shop(folder):
    """pool.csv of 60 rows with a category and a gap, new.csv with other columns in another order, labels."""
    rng = np.random.default_rng(0)
    kinds = np.arange(75) % 3
    size, price = rng.normal(2 * kinds, 0.7), rng.normal(100 * kinds, 40)
    color = np.array(["red", "green", "blue"])[(kinds + (rng.random(75) < 0.2)) % 3]
    rows = [f"s{i},{size[i]:.3f},{price[i]:.1f},{color[i]}" for i in range(75)]
    rows[7] = f"s7,,{price[7]:.1f},red"
    Path("pool.csv").write_text("id,size,price,color\n" + "\n".join(rows[:60]) + "\n")
    new = [f"{color[i]},{price[i]:.1f},s{i},{i},{size[i]:.3f}" for i in (*range(55, 60), *range(60, 75))]
    Path("new.csv").write_text("color,price,id,page,size\n" + "\n".join(new) + "\n")
    Path("labels.csv").write_text("id,label\n" + "".join(f"s{i},{'xyz'[kinds[i]]}\n" for i in range(24)))
    values = "".join(f"s{i},{size[i]:.3f},{price[i] / 2}\n" for i in range(24))
    Path("numbers.csv").write_text("id,score,cost\n" + values)
    return kinds


def columns(done, name):
    return [row[name] for row in done.rows]


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
def test_new_rows_get_classes(run, shop, predictor):
    words = ["propagate", "pool.csv", "--labels", "labels.csv", "--predictor", predictor, "-k", 7]
    pool = run(*words, "--save-model", "m.trigpoint")
    assert (pool.code, pool.out) == (0, run(*words).out), "the table is the same with a model"
    done = run("predict", "m.trigpoint", "new.csv")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == pool.out.splitlines()[0] == "id,predicted,probability,uncertainty"
    assert columns(done, "id") == [f"s{i}" for i in range(55, 75)]
    samples = read_pool("pool.csv")
    y = np.full(60, None, dtype=object)
    y[:24] = ["xyz"[k] for k in shop[:24]]
    fitted = tp.ManifoldClassifier(7, predictor=predictor).fit(samples.X, y)
    new = read_pool("new.csv", recipe=samples.recipe).X
    assert columns(done, "predicted") == fitted.predict(new).tolist()
    shares = np.array(columns(done, "probability"), dtype=float)
    assert_allclose(shares, fitted.predict_proba(new).max(axis=1), atol=1e-9)
    assert_allclose(np.array(columns(done, "uncertainty"), dtype=float), 1 - shares, atol=1e-12)
    for copy, row in zip(done.rows, pool.rows[55:], strict=False):
        assert copy["predicted"] == row["predicted"]
        assert float(copy["probability"]) == pytest.approx(float(row["probability"]), abs=1e-12)


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
def test_new_rows_get_values(run, shop, predictor):
    words = ["propagate", "pool.csv", "--labels", "numbers.csv", "--predictor", predictor]
    pool = run(*words, "--label-column", "score", "--save-model", "m.trigpoint")
    done = run("predict", "m.trigpoint", "new.csv")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == "id,value,std"
    samples = read_pool("pool.csv")
    known = [float(line.split(",")[1]) for line in Path("numbers.csv").read_text().splitlines()[1:]]
    fitted = tp.ManifoldRegressor(predictor=predictor).fit(samples.X, [*known, *[np.nan] * 36])
    values, std = fitted.predict(read_pool("new.csv", recipe=samples.recipe).X, return_std=True)
    assert_allclose(np.array(columns(done, "value"), dtype=float), values, atol=1e-9)
    assert_allclose(np.array(columns(done, "std"), dtype=float), std, rtol=1e-6)
    assert [row["value"] for row in done.rows[:5]] == pytest.approx([row["value"] for row in pool.rows[55:]])
    both = run(*words, "--label-column", "score,cost", "--no-std", "--save-model", "m.trigpoint")
    assert both.code == 0
    assert run("predict", "m.trigpoint", "new.csv").out.splitlines()[0] == "id,value_score,value_cost"


def test_new_rows_get_tags(run, shop):
    sets = ["small;cheap", "", "dear"]
    Path("tags.csv").write_text("id,label\n" + "".join(f's{i},"{sets[shop[i]]}"\n' for i in range(24)))
    words = ["propagate", "pool.csv", "--labels", "tags.csv", "--task", "tags"]
    pool = run(*words, "--save-model", "m.trigpoint")
    assert pool.code == 0, pool.err
    done = run("predict", "m.trigpoint", "new.csv")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == pool.out.splitlines()[0]
    for copy, row in zip(done.rows, pool.rows[55:], strict=False):
        assert copy["predicted"] == row["predicted"]
        assert float(copy["uncertainty"]) == pytest.approx(float(row["uncertainty"]), abs=1e-9)
    assert "predicts 3 tags: cheap, dear, small" in run("predict", "m.trigpoint", "--about").out


def test_files_and_json(run, shop):
    run("propagate", "pool.csv", "--labels", "labels.csv", "-o", "out.csv", "--save-model", "m.trigpoint")
    done = run("predict", "m.trigpoint", "new.csv", "-o", "new-labels.csv", "-v")
    assert done.out == ""
    assert "trigpoint: prediction: " in done.err
    assert done.err.splitlines()[-1] == "trigpoint: 20 samples in new-labels.csv."
    assert Path("new-labels.csv").read_text() == run("predict", "m.trigpoint", "new.csv").out
    told = run("predict", "m.trigpoint", "new.csv", "--json").json
    assert {key: told[key] for key in ("model", "new", "n_samples", "task", "n_unreached")} == {
        "model": "m.trigpoint",
        "new": "new.csv",
        "n_samples": 20,
        "task": "classification",
        "n_unreached": 0,
    }
    assert told["predictions"][0]["id"] == "s55"
    said = run(
        "propagate", "pool.csv", "--labels", "labels.csv", "--json", "--save-model", "m.trigpoint"
    ).json
    assert said["model"] == "m.trigpoint"


def test_what_the_model_was_made_from(run, shop):
    run("propagate", "pool.csv", "--labels", "labels.csv", "-o", "out.csv", "--save-model", "m.trigpoint")
    done = run("predict", "m.trigpoint", "--about")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "m.trigpoint: predicts 3 classes: x, y, z"
    assert lines[2].startswith("  pool      pool.csv, a table, fingerprint ")
    assert "  labels    24" in lines
    assert any(line.startswith("  error     ") and line.endswith("% of labels left out") for line in lines)
    assert "  columns   size (number), price (number), color (category)" in lines
    told = run("predict", "m.trigpoint", "--about", "--json").json
    assert told == {"model": "m.trigpoint", **json.loads(json.dumps(read_model("m.trigpoint").about))}
    refused = run("predict", "m.trigpoint", "new.csv", "--about")
    assert refused.err == "trigpoint: --about must be used without NEW and --output.\n"


@pytest.mark.parametrize("form", ["npy", "npz", "mtx"])
def test_arrays(run, blobs, form):
    from scipy import sparse
    from scipy.io import mmwrite

    write = {
        "npy": np.save,
        "npz": lambda path, X: np.savez(path, X=X),
        "mtx": lambda path, X: mmwrite(path, sparse.csr_array(X)),
    }[form]
    write(f"x.{form}", blobs)
    write(f"new.{form}", blobs[3:50:4] + 0.01)
    Path("labels.csv").write_text("id,label\n3,low\n40,high\n8,low\n33,high\n")
    graph = ["--no-graph"] if form == "mtx" else []
    made = run("propagate", f"x.{form}", *graph, "--labels", "labels.csv", "--save-model", "m.trigpoint")
    assert made.code == 0, made.err
    done = run("predict", "m.trigpoint", f"new.{form}")
    assert done.code == 0, done.err
    assert columns(done, "predicted") == ["low"] * 7 + ["high"] * 5
    write(f"wide.{form}", np.column_stack([blobs, blobs]))
    refused = run("predict", "m.trigpoint", f"wide.{form}")
    assert refused.code == 2
    assert (
        refused.err
        == f"trigpoint: wide.{form} must have 2 features a sample, as the model knows them; got 4.\n"
    )


def test_features_beside_a_table(run, shop):
    X = np.random.default_rng(0).normal(size=(60, 5)) + shop[:60, None]
    np.save("emb.npy", X)
    np.save("new-emb.npy", X[:20])
    words = ["propagate", "pool.csv", "--features", "emb.npy", "--labels", "labels.csv"]
    assert run(*words, "-o", "out.csv", "--save-model", "m.trigpoint").code == 0
    with_table = run("predict", "m.trigpoint", "new.csv", "--features", "new-emb.npy")
    alone = run("predict", "m.trigpoint", "new-emb.npy")
    assert columns(with_table, "id")[0] == "s55"
    assert columns(with_table, "predicted") == columns(alone, "predicted")
    refused = run("predict", "m.trigpoint", "new.csv")
    assert refused.err == (
        "trigpoint: new.csv must be an array, or come with --features FILE: "
        "the model was made from given features; got a table.\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("m.trigpoint", "NEW must be a file or a folder of new samples; --about prints the model"),
        ("m.trigpoint no.csv", "NEW must be a file or folder that exists; there is no no.csv"),
        ("no.trigpoint new.csv", "MODEL must be a file that exists; there is no no.trigpoint"),
        ("pool.csv new.csv", "pool.csv must be a file written by trigpoint.save_model; it is no archive"),
        ("m.trigpoint less.csv", "less.csv must have the columns of the pool; 'price' is missing"),
        ("m.trigpoint x.npy", "x.npy must be a table, as the pool of the model was; got a .npy file"),
        ("m.trigpoint edges.csv", "edges.csv must hold features; it is a graph"),
        ("m.trigpoint new.csv --features x.npy", "--features must be left out: the model reads a table"),
        ("m.trigpoint new.csv -o new.csv", "new.csv must differ from all inputs and other outputs"),
        ("m.trigpoint new.csv --json -o -", "--output must name a file, because --json is printed"),
    ],
)
def test_refusals(run, sold, words, said):
    done = run("predict", *words.split())
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1


@pytest.fixture
def sold(run, shop):
    """With a model, and files that do not fit it."""
    run("propagate", "pool.csv", "--labels", "labels.csv", "-o", "o.csv", "--save-model", "m.trigpoint")
    Path("less.csv").write_text("id,size,color\ns1,2.0,red\n")
    Path("edges.csv").write_text("source,target\n" + "".join(f"n{i},n{i + 1}\n" for i in range(9)))
    np.save("x.npy", np.ones((3, 5)))


def test_models_that_cannot_be(run, shop):
    Path("edges.csv").write_text("source,target\n" + "".join(f"n{i},n{i + 1}\n" for i in range(9)))
    Path("ends.csv").write_text("id,label\nn0,a\nn9,b\n")
    graph = run("propagate", "edges.csv", "--labels", "ends.csv", "--save-model", "g.trigpoint")
    assert graph.err == "trigpoint: --save-model g.trigpoint needs features; edges.csv is a graph.\n"
    other = run("propagate", "pool.csv", "--labels", "labels.csv", "--save-model", "m.zip")
    assert other.err == "trigpoint: m.zip must end in .trigpoint.\n"


def test_samples_that_nothing_is_known_of(run, blobs):
    Path("labels.csv").write_text("id,label\n3,low\n8,low\n5,high\n")
    np.save("new.npy", blobs[[0, 45]] + 0.01)
    words = ["propagate", "pool.npy", "--labels", "labels.csv", "--predictor", "propagation", "-k", 5]
    run(*words, "-o", "out.csv", "--save-model", "m.trigpoint")
    done = run("predict", "m.trigpoint", "new.npy")
    assert done.rows[1] == {"id": "1", "predicted": "", "probability": "", "uncertainty": "1.0"}
    assert done.err == "trigpoint: 1 of 2 samples have no prediction, because no label reaches them.\n"


def test_ids_come_from_the_column_that_named_the_pool(run, shop):
    for name in ("pool.csv", "new.csv"):
        table = Path(name).read_text().splitlines()
        Path(name).write_text("\n".join([table[0].replace("id", "order no"), *table[1:]]))
    made = ["propagate", "pool.csv", "--id-column", "order no", "--labels", "labels.csv"]
    assert run(*made, "--save-model", "m.trigpoint").code == 0
    assert columns(run("predict", "m.trigpoint", "new.csv"), "id") == [f"s{i}" for i in range(55, 75)]
    assert columns(run("predict", "m.trigpoint", "new.csv", "--id-column", "page"), "id")[0] == "55"
    Path("new.csv").write_text("color,price,size\nred,3,1\nblue,150,2\n")
    assert columns(run("predict", "m.trigpoint", "new.csv"), "id") == ["0", "1"], (
        "the column need not be there"
    )
    np.save("new.npy", np.eye(3))
    assert (
        "new.npy must be a table, as the pool of the model was"
        in run("predict", "m.trigpoint", "new.npy").err
    )


def test_a_model_of_a_data_frame_serves_files(run, folder):
    rng = np.random.default_rng(0)
    kinds = np.arange(60) % 2
    frame = pd.DataFrame(
        {"size": rng.normal(3 * kinds, 1.0), "town": np.where(rng.random(60) < 0.5, "Ulm", "Bonn")}
    )
    frame["late"] = (kinds == 1) ^ (rng.random(60) < 0.1)
    frame.loc[4, "size"] = np.nan
    y = [int(k) if i < 20 else None for i, k in enumerate(kinds)]
    clf = tp.ManifoldClassifier().fit(frame, y)
    tp.save_model("m.trigpoint", clf)
    loaded = tp.load_model("m.trigpoint")
    assert_allclose(loaded.predict_proba(frame[30:]), clf.predict_proba(frame[30:]))
    for late in (frame["late"], frame["late"].astype(int), frame["late"].map({True: "yes", False: "no"})):
        frame.assign(late=late)[30:].to_csv("new.csv", index=False)
        done = run("predict", "m.trigpoint", "new.csv")
        shares = np.array(columns(done, "probability"), dtype=float)
        assert_allclose(shares, clf.predict_proba(frame[30:]).max(axis=1))
    learner = tp.ActiveLearner(frame[:50])
    asked = learner.ask(12)
    learner.tell(asked, kinds[asked].tolist())
    learner.add(frame[50:])
    tp.save_model("l.trigpoint", learner.to_estimator())
    assert tp.load_model("l.trigpoint").predict(frame).tolist() == learner.predict(frame).tolist()
