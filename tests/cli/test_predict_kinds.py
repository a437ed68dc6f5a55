"""New texts and new pictures become features as those of the pool did."""

from pathlib import Path

import numpy as np
import pytest

import trigpoint as tp
from trigpoint.estimators import read_model
from trigpoint.io import read_pool


def columns(done, name):
    return [row[name] for row in done.rows]


@pytest.fixture
def letters(folder):
    """texts.csv of 40 reviews, new.csv whose texts are in a column of the same name, labels."""
    rng = np.random.default_rng(0)
    words = [["good", "fine", "great", "lovely"], ["bad", "poor", "awful", "weak"]]
    texts = [" ".join([*rng.choice(words[i % 2], 3), "tea", f"cup{i % 5}"]) for i in range(46)]
    Path("texts.csv").write_text("id,review\n" + "".join(f"t{i},{texts[i]}\n" for i in range(40)))
    Path("new.csv").write_text("review,id\n" + "".join(f"{texts[i]},t{i}\n" for i in range(38, 46)))
    Path("labels.csv").write_text("id,label\n" + "".join(f"t{i},{'yn'[i % 2]}\n" for i in range(12)))


def test_texts(run, letters):
    words = ["propagate", "texts.csv", "--text-column", "review", "--labels", "labels.csv", "-k", 5]
    made = run(*words, "--save-model", "m.trigpoint")
    assert made.code == 0, made.err
    done = run("predict", "m.trigpoint", "new.csv")
    assert (done.code, done.err) == (0, "")
    assert columns(done, "id") == [f"t{i}" for i in range(38, 46)]
    assert columns(done, "predicted") == ["y", "n"] * 4
    model, recipe = read_model("m.trigpoint"), read_pool("texts.csv", text_column="review").recipe
    X = read_pool("new.csv", text_column="review", recipe=recipe).X
    assert columns(done, "predicted") == model.estimator.predict(X).tolist()
    assert done.rows[0]["probability"] == made.rows[38]["probability"], "a copy"
    assert tp.load_model("m.trigpoint").n_features_in_ == X.shape[1]
    Path("other.csv").write_text("id,words\nx,lovely great great tea cup0\n")
    assert columns(run("predict", "m.trigpoint", "other.csv", "--text-column", "words"), "predicted") == ["y"]
    refused = run("predict", "m.trigpoint", "other.csv")
    assert refused.code == 2
    assert "review" in refused.err
    np.save("x.npy", np.ones((2, 3)))
    assert "x.npy must be a table with a column of texts" in run("predict", "m.trigpoint", "x.npy").err


def test_pictures(run, folder):
    from PIL import Image

    for name, numbers in (("pool", range(30)), ("new", range(28, 36))):
        Path(name).mkdir()
        for i in numbers:
            bright = np.linspace(0, 200, 16)[None, :] if i % 2 else np.linspace(0, 200, 16)[:, None]
            pixels = bright + np.random.default_rng(i).integers(0, 40, (16, 16))
            Image.fromarray(pixels.astype(np.uint8)).save(f"{name}/{i}.png")
    Path("labels.csv").write_text("id,label\n" + "".join(f"{i}.png,{'ab'[i % 2]}\n" for i in range(10)))
    words = ["propagate", "pool", "--image-size", "16", "--labels", "labels.csv"]
    made = run(*words, "--save-model", "m.trigpoint")
    assert made.code == 0, made.err
    (Path("new") / "broken.png").write_bytes(b"no picture")
    done = run("predict", "m.trigpoint", "new")
    assert done.code == 0, done.err
    found = dict(zip(columns(done, "id"), columns(done, "predicted"), strict=True))
    assert found == {f"{i}.png": "ab"[i % 2] for i in range(28, 36)}
    assert "broken.png" in done.err
    pool = dict(zip(columns(made, "id"), columns(made, "probability"), strict=True))
    assert done.rows[0]["probability"] == pool[done.rows[0]["id"]], "a copy"
