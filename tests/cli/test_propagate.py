from pathlib import Path

import numpy as np
import pytest

import trigpoint as tp
from trigpoint.io import read_labels, read_pool


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
@pytest.mark.parametrize("alignment", ["laplacian", "lle"])  # the second may overshoot below 0
def test_classes_are_those_of_the_estimator(run, folder, alignment, predictor):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((80, 3))
    np.save("pool.npy", X)
    y = np.array([["red", "green", "blue"][i % 3] for i in range(80)], dtype=object)
    y[20:] = None
    Path("labels.csv").write_text("id,label\n" + "".join(f"{i},{y[i]}\n" for i in range(20)))
    words = ["propagate", "pool.npy", "--labels", "labels.csv", "-k", 8, "--alignment", alignment]
    done = run(*words, "--predictor", predictor)
    model = tp.ManifoldClassifier(n_neighbors=8, alignment=alignment, predictor=predictor).fit(X, y)
    assert (done.code, done.err) == (0, "")
    assert [row["predicted"] for row in done.rows] == model.transduction_.tolist()
    uncertainty = [float(row["uncertainty"]) for row in done.rows]
    np.testing.assert_allclose(uncertainty, model.uncertainty_, atol=1e-12)
    shares = [float(row["probability"]) for row in done.rows]
    np.testing.assert_allclose(shares, model.label_distributions_.max(axis=1), atol=1e-12)
    told = run(*words, "--predictor", predictor, "--json").json
    assert told["predictor"] == predictor
    assert told["weights"] == pytest.approx(model.weights_, abs=1e-12)
    assert told["left_out_errors"] == pytest.approx(model.left_out_errors_, abs=1e-12)
    assert told["view"] == {"name": model.view_.name, "base": "raw", "considered": model.views_considered_}
    assert (told["temperature"] is None) == (predictor == "propagation")


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
def test_numbers_are_those_of_the_estimator(run, blobs, predictor):
    X = blobs[:30]
    np.save("half.npy", X)
    known = np.arange(0, 30, 4)
    y = np.full(30, np.nan)
    y[known] = X[known, 0]
    Path("labels.csv").write_text("id,label\n" + "".join(f"{i},{float(y[i])!r}\n" for i in known))
    done = run("propagate", "half.npy", "--labels", "labels.csv", "--predictor", predictor)
    model = tp.ManifoldRegressor(predictor=predictor).fit(X, y)
    assert done.out.splitlines()[0] == "id,value,std"
    np.testing.assert_allclose([float(row["value"]) for row in done.rows], model.transduction_, atol=1e-9)
    np.testing.assert_allclose([float(row["std"]) for row in done.rows], model.uncertainty_, atol=1e-9)
    bare = run("propagate", "half.npy", "--labels", "labels.csv", "--no-std")
    assert bare.out.splitlines()[0] == "id,value"
    told = run("propagate", "half.npy", "--labels", "labels.csv", "--predictor", predictor, "--json").json
    assert told["weights"] == pytest.approx(model.weights_, abs=1e-9)
    assert told["left_out_errors"] == pytest.approx(model.left_out_errors_, abs=1e-9)
    assert told["temperature"] is None


def test_several_targets_keep_their_names(run, blobs):
    Path("labels.csv").write_text("id,x,y\ns3,1,2\ns40,3,4\ns50,5,7\ns9,1,0\n")
    done = run("propagate", "pool.csv", "--labels", "labels.csv", "--label-column", "x,y")
    assert done.out.splitlines()[0] == "id,value_x,value_y,std_x,std_y"
    assert done.rows[3]["value_x"] == "1.0"


def test_too_few_values_to_tell_a_scale_leave_no_std(run, blobs):
    Path("labels.csv").write_text("id,label\ns3,1.5\ns40,2.5\n")
    words = ["propagate", "pool.csv", "--labels", "labels.csv"]
    done = run(*words, "--predictor", "propagation", "--view", "raw")
    assert done.code == 0
    assert done.err.startswith("trigpoint: no standard deviations: ")
    assert done.err.count("\n") == 1
    assert {round(float(row["value"]), 9) for row in done.rows} == {1.5, 2.5}
    assert {row["std"] for row in done.rows} == {""}
    mixed = run(*words)
    assert mixed.err == ""
    assert all(float(row["std"]) >= 0 for row in mixed.rows)


def test_one_value_is_the_value_of_all(run, blobs):
    Path("labels.csv").write_text("id,label\ns3,1.5\n")
    done = run("propagate", "pool.csv", "--labels", "labels.csv", "--task", "regression")
    assert done.err.startswith("trigpoint: no standard deviations: ")
    assert {row["value"] for row in done.rows} == {"1.5"}
    assert {row["std"] for row in done.rows} == {""}


def test_values_without_spread_have_no_deviation(run, folder):
    """Zero times infinity is not a number, and no deviation either."""
    Path("edges.csv").write_text("source,target\na,b\nb,c\nfar,away\n")
    Path("labels.csv").write_text("id,label\na,1.5\nc,1.5\n")
    done = run("propagate", "edges.csv", "--labels", "labels.csv", "--task", "regression")
    assert {row["id"]: row["std"] for row in done.rows} == {
        "a": "0.0",
        "b": "0.0",
        "c": "0.0",
        "far": "inf",
        "away": "inf",
    }


@pytest.mark.parametrize(
    ("label", "names", "unsure"),
    [
        ("low", ["predicted", "probability"], ("uncertainty", "1.0")),
        ("1.5", ["value"], ("std", "inf")),
    ],
)
def test_what_no_label_reaches_is_unknown_and_counted(run, blobs, label, names, unsure):
    Path("one.csv").write_text(f"id,label\ns3,{label}\ns4,{label}\n")
    words = ["propagate", "pool.csv", "--labels", "one.csv", "--predictor", "propagation", "--view", "raw"]
    done = run(*words)
    assert done.err == "trigpoint: 30 of 60 samples have no prediction, because no label reaches them.\n"
    for i, row in enumerate(done.rows):
        assert all((row[name] == "") == (i >= 30) for name in names)
        assert (row[unsure[0]] == unsure[1]) == (i >= 30)
    assert run(*words, "--json").json["n_unreached"] == 30


@pytest.mark.parametrize("predictor", ["auto", "propagation"])
def test_a_graph_is_predicted_along_its_links(run, folder, predictor):
    Path("edges.csv").write_text("source,target\na,b\nb,c\nc,d\nfar,away\n")
    Path("labels.csv").write_text("id,label\na,low\nd,high\n")
    words = ["propagate", "edges.csv", "--labels", "labels.csv", "--predictor", predictor]
    done = run(*words)
    assert [row["predicted"] for row in done.rows] == ["low", "low", "high", "high", "", ""]
    assert done.err == "trigpoint: 2 of 6 samples have no prediction, because no label reaches them.\n"
    told = run(*words, "--json").json
    assert (told["view"], told["weights"], told["n_unreached"]) == (None, {"graph": 1}, 2)
    refused = run("propagate", "edges.csv", "--labels", "labels.csv", "--predictor", "linear")
    assert refused.err == "trigpoint: --predictor linear needs features; edges.csv is a graph.\n"


def test_features_reach_where_links_do_not(run, blobs):
    Path("one.csv").write_text("id,label\ns3,low\ns4,low\ns9,high\n")
    done = run("propagate", "pool.csv", "--labels", "one.csv")
    assert done.err == ""
    assert {row["predicted"] for row in done.rows} == {"low", "high"}


def test_what_predicted_is_told(run, blobs):
    words = ["propagate", "pool.csv", "--labels", "labels.csv"]
    told, loud = run(*words, "--json").json, run(*words, "-v")
    assert loud.out == run(*words).out
    shares = sorted(told["weights"].items(), key=lambda item: -item[1])
    each = [f"{name} {weight:.0%} ({told['left_out_errors'][name]:.1%})" for name, weight in shares]
    line = f"predictors by weight (left-out labels wrong): {', '.join(each)}; "
    line += f"temperature {told['temperature']:.2f}; the view that counts most: {told['view']['name']}\n"
    assert line in loud.err


def test_twenty_classes_in_units_that_differ(run, folder):
    """Raw distances know the last column only."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 20
    X = np.column_stack([rng.normal(0, 0.15, (400, 20)) + np.eye(20)[y], rng.normal(0, 1e5, 400)])
    np.save("pool.npy", X)
    Path("labels.csv").write_text("id,label\n" + "".join(f"{i},class {y[i]}\n" for i in range(60)))
    done = run("propagate", "pool.npy", "--labels", "labels.csv")
    assert (done.code, done.err) == (0, "")
    assert np.mean([row["predicted"] == f"class {y[i]}" for i, row in enumerate(done.rows)]) > 0.98


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


def test_answers_of_several_annotators(run, blobs):
    rows = ["id,label,annotator"]
    for i in range(0, 60, 3):
        right, wrong = ("low", "high") if i < 30 else ("high", "low")
        rows += [f"s{i},{right},ada", f"s{i},{wrong if i % 5 == 0 else right},bo"]
    Path("labels.csv").write_text("\n".join(rows) + "\n")
    done = run("propagate", "pool.csv", "--labels", "labels.csv")
    line = "2 annotators: 80% of 20 pairs of answers agree; 4 samples disputed, 4 of them without a label."
    assert (done.code, done.err.strip().endswith(line)) == (0, True)
    told = run("propagate", "pool.csv", "--labels", "labels.csv", "--json").json
    assert (told["n_labels"], told["n_disputed"], told["n_undecided"]) == (16, 4, 4)
    assert told["agreement"]["share"] == pytest.approx(0.8)
    assert told["annotators"]["ada"]["n_answers"] == 20
    assert told["annotators"]["ada"]["quality"] == pytest.approx(told["annotators"]["bo"]["quality"])
    Path("agreed.csv").write_text(
        "id,label\n" + "".join(f"s{i},{'low' if i < 30 else 'high'}\n" for i in range(0, 60, 3) if i % 5)
    )
    same = run("propagate", "pool.csv", "--labels", "agreed.csv")
    assert (same.out, same.err) == (done.out, "")
    assert "annotators" not in run("propagate", "pool.csv", "--labels", "agreed.csv", "--json").json


def test_one_annotator_needs_no_consensus(run, blobs):
    Path("labels.csv").write_text("id,label,annotator\ns3,a,ada\ns40,b,ada\n")
    done = run("propagate", "pool.csv", "--labels", "labels.csv")
    assert done.err.strip().endswith("1 annotator, no sample with two answers.")
    Path("labels.csv").write_text("id,label,annotator\ns3,a,ada\ns3,b,bo\n")
    refused = run("propagate", "pool.csv", "--labels", "labels.csv")
    assert refused.code == 2
    assert "--labels must hold a sample on whose label people agree" in refused.err


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_labels_drawn_at_random_tell_the_error_of_the_rest(run, folder, predictor, task):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 5))
    np.save("pool.npy", X)
    drawn = rng.permutation(120)[:40]
    values = X[:, 0] + rng.normal(0, 0.3, 120)
    answers = np.where(values > 0, "b", "a") if task == "classification" else values
    Path("labels.csv").write_text("id,label\n" + "".join(f"{i},{answers[i]}\n" for i in drawn))
    words = ["propagate", "pool.npy", "--labels", "labels.csv", "--predictor", predictor]
    done = run(*words, "--labels-at-random", "--no-std", "--json")
    learner = tp.ActiveLearner(X, task=task, predictor=predictor)
    learner.tell(drawn, answers[drawn], random=True)
    advice = learner.stop_advice()
    found = done.json["error_of_rest"]
    assert (found["n_random"], found["n_wrong"]) == (40, advice.n_wrong)
    ends = [found["estimate"], found["low"], found["high"]]
    np.testing.assert_allclose(ends, [advice.error, advice.low, advice.high], rtol=1e-6)
    if task == "classification":
        counts = f"{40 - advice.n_wrong} of 40 random labels right"
        interval = f"{advice.low:.2%} to {advice.high:.2%}"
    else:
        counts, interval = "40 random labels", f"{advice.low:.4g} to {advice.high:.4g}"
    assert f", 90 % interval {interval} ({counts})." in done.err
    assert done.err.startswith("trigpoint: error of the rest: ")
    silent = run(*words, "--no-std", "--json")
    assert (silent.err, silent.json["error_of_rest"]) == ("", None)


def test_labels_that_no_other_reaches_do_not_tell_the_error(run, folder):
    Path("edges.csv").write_text("source,target\na,b\nc,d\ne,f\n")
    Path("labels.csv").write_text("id,label\na,x\nc,y\n")
    for predictor in ("auto", "propagation"):
        words = ["propagate", "edges.csv", "--labels", "labels.csv", "--predictor", predictor]
        done = run(*words, "--labels-at-random", "--json")
        assert done.json["error_of_rest"]["estimate"] is None
        assert "error of the rest: unknown (0 of 2 random labels right)." in done.err


def test_the_report_tells_the_error_of_the_rest(run, blobs):
    words = ["propagate", "pool.csv", "--labels", "labels.csv", "--report", "page.html"]
    run(*words, "-o", "found.csv", "--labels-at-random")
    assert "estimate 0." in Path("page.html").read_text()


def test_wrong_labels_count_less_and_are_told(run, folder):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(k * 6, 1, (60, 5)) for k in range(3)])
    np.save("pool.npy", X)
    names = np.repeat(["a", "b", "c"], 60)
    told = names.copy()
    told[[3, 70, 130]] = ["b", "c", "a"]
    Path("labels.csv").write_text("id,label\n" + "".join(f"{i},{told[i]}\n" for i in range(0, 180)))
    done = run("propagate", "pool.npy", "--labels", "labels.csv", "--json")
    assert "about 3 of 180 labels look wrong, and count less; `trigpoint check` lists them" in done.err
    assert done.json["noise"] == pytest.approx(3 / 180, rel=0.3)
    assert [row["predicted"] for row in done.json["predictions"]] == names.tolist()
    kept = run("propagate", "pool.npy", "--labels", "labels.csv", "--json", "--noise", "0")
    assert (kept.err, kept.json["noise"]) == ("", 0.0)
    assert [row["predicted"] for row in kept.json["predictions"]] == told.tolist()
    bad = run("propagate", "pool.npy", "--labels", "labels.csv", "--noise", "most")
    assert (bad.code, "--noise must be 'auto', or the share of wrong labels" in bad.err) == (2, True)


def test_labels_in_the_pool_are_no_features(run, folder):
    rng = np.random.default_rng(0)
    rows = [f"s{i},{rng.normal() + 9 * (i % 2)},{rng.normal()},{'xy'[i % 2]}" for i in range(40)]
    Path("pool.csv").write_text("id,a,b,species\n" + "\n".join(rows) + "\n")
    done = run("propagate", "pool.csv", "--labels", "pool.csv", "--label-column", "species")
    assert done.columns.endswith("left out: id (the ids), species (the label).\n")
    done = run("propagate", "pool.csv", "--labels", "pool.csv", "--label-column", "specie")
    assert (done.code, done.columns) == (2, "")
    assert "--label-column must be a column of pool.csv" in done.err


def test_whole_numbers_raise_the_question_of_task(run, blobs):
    masses = "".join(f"s{i},{2700 + 173 * i}\n" for i in range(0, 60, 4))
    Path("masses.csv").write_text("id,mass_g\n" + masses)
    done = run("propagate", "pool.csv", "--labels", "masses.csv", "--no-std", "--json")
    assert done.err == (
        "trigpoint: the labels are whole numbers with 15 different values, from 2700 to 12388: "
        "taken for quantities (--task classification takes them for classes).\n"
    )
    assert done.json["task"] == "regression"
    assert done.json["task_assumed"].startswith("the labels are whole numbers")
    told = run("propagate", "pool.csv", "--labels", "masses.csv", "--task", "classification", "--json")
    assert told.json["task"] == "classification"
    assert "task_assumed" not in told.json


def test_ids_of_labels_do_not_meet_row_numbers(run, folder):
    rows = [f"{i + 1},{i % 2 * 5 + i / 40},{i % 3}" for i in range(40)]
    Path("orders.csv").write_text("order_id,a,b\n" + "\n".join(rows) + "\n")
    Path("said.csv").write_text("order_id,label\n" + "".join(f"{i + 1},{'xy'[i % 2]}\n" for i in range(12)))
    words = ["orders.csv", "--labels", "said.csv", "--label-id-column", "order_id"]
    for command in (["propagate"], ["check"], ["compare", "--budgets", 4]):
        done = run(command[0], *words, *command[1:])
        assert (done.code, done.out) == (2, "")
        assert "--label-id-column must name the ids of the pool; it is a column of orders.csv" in done.err
    done = run("propagate", *words, "--id-column", "order_id")
    assert [row["predicted"] for row in done.rows] == ["xy"[i % 2] for i in range(40)]
