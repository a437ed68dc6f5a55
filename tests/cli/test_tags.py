"""trigpoint propagate --task tags."""

from pathlib import Path

import numpy as np
import pytest

import trigpoint as tp
from trigpoint.io import read_labels


@pytest.fixture
def tagged(blobs):
    """60 samples; 12 labels, of which every third has no tag."""
    sets = [{"low", "even"} if i < 30 and i % 2 == 0 else {"low"} if i < 30 else set() for i in range(60)]
    known = range(0, 60, 5)
    cells = [";".join(sorted(sets[i])) or "[]" for i in known]
    Path("tags.csv").write_text(
        "id,label\n" + "".join(f"s{i},{cell}\n" for i, cell in zip(known, cells, strict=True))
    )
    return blobs, [sets[i] if i in known else None for i in range(60)]


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
def test_tags_are_those_of_the_estimator(run, tagged, predictor):
    X, sets = tagged
    words = ["propagate", "pool.csv", "--labels", "tags.csv", "--task", "tags", "--predictor", predictor]
    done = run(*words)
    model = tp.ManifoldClassifier(predictor=predictor).fit(X, sets)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == "id,predicted,probability_even,probability_low,uncertainty"
    want = [";".join(model.classes_[row == 1]) if row.any() else "[]" for row in model.transduction_]
    assert [row["predicted"] for row in done.rows] == want
    for j, tag in enumerate(["even", "low"]):
        found = [float(row[f"probability_{tag}"]) for row in done.rows]
        np.testing.assert_allclose(found, model.label_distributions_[:, j], atol=1e-12)
    found = [float(row["uncertainty"]) for row in done.rows]
    np.testing.assert_allclose(found, model.uncertainty_, atol=1e-12)
    facts = run(*words, "--json", "--labels-at-random", "--report", "page.html").json
    assert facts["task"] == "tags"
    assert facts["weights"] == pytest.approx(model.weights_, abs=1e-12)
    assert facts["error_of_rest"]["n_random"] == 12
    assert "even;low" in Path("page.html").read_text()


def test_predictions_are_labels_again(run, tagged):
    run("propagate", "pool.csv", "--labels", "tags.csv", "--task", "tags", "-o", "out.csv")
    ids = [f"s{i}" for i in range(60)]
    again = read_labels("out.csv", ids, task="tags", label_column="predicted")
    given = read_labels("tags.csv", ids, task="tags")
    told = dict(zip(again.indices.tolist(), again.values, strict=True))
    assert len(told) == 60
    assert all(
        set(told[i]) == set(tags) for i, tags in zip(given.indices.tolist(), given.values, strict=True)
    )


def test_what_has_no_meaning_for_tags(run, tagged):
    words = ["pool.csv", "--labels", "tags.csv", "--task", "tags"]
    done = run("propagate", *words, "--noise", "0.1")
    assert done.code != 0
    assert "--noise must be auto or 0 for tags" in done.err
    for command in ("compare", "check"):
        done = run(command, *words)
        assert done.code != 0
        assert "--task must be" in done.err
    Path("lists.jsonl").write_text('{"id":"s1","label":["a"]}\n{"id":"s2","label":["a","b"]}\n')
    for command in ("compare", "check"):
        done = run(command, "pool.csv", "--labels", "lists.jsonl")
        assert done.code != 0
        assert f"--labels must hold one label a sample for {command}" in done.err
    Path("none.csv").write_text("id,label\ns1,[]\n")
    done = run("propagate", "pool.csv", "--labels", "none.csv", "--task", "tags")
    assert "--labels must hold at least one tag" in done.err
