"""Models in files: what is loaded predicts the same, and nothing but a model is loaded."""

import json
import os
import subprocess
import sys
import warnings
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone

import trigpoint as tp
from trigpoint.estimators import read_model
from trigpoint.estimators._saved import MODEL
from trigpoint.io import read_archive, read_pool

NAMES = {"text": ["b", "ä"], "ints": [4, -7], "bools": [True, False], "floats": [1.0, 2.0]}


def problem(seed=0, n=36, p=6, dtype=np.float64):
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % 2
    return (rng.normal(size=(n + 12, p)) + 2 * np.append(codes, codes[:12])[:, None]).astype(dtype), codes


def labels(codes, kind, count=18):
    y = np.full(len(codes), None, dtype=object)
    y[:count] = [NAMES[kind][k] for k in codes[:count]]
    return y


def again(estimator, path):
    tp.save_model(path, estimator)
    return tp.load_model(path)


def same(a, b):
    """Fitted attributes and parameters, as far as they can be compared."""
    assert type(a) is type(b)
    assert vars(a).keys() == vars(b).keys()
    for name, value in vars(a).items():
        other = getattr(b, name)
        if isinstance(value, np.ndarray):
            assert other.dtype == value.dtype, name
            assert_array_equal(other, value)
        elif sparse.issparse(value):
            assert_array_equal(other.toarray(), value.toarray())
        elif isinstance(value, str | int | float | dict | list) and not name.startswith("_"):
            assert other == value, name
        else:
            assert type(other) is type(value), name


cases = st.fixed_dictionaries(
    {},
    optional={
        "predictor": st.sampled_from(["auto", "propagation", "linear"]),
        "view": st.sampled_from(["auto", "raw", "standard", "white"]),
        "alignment": st.sampled_from(["laplacian", "diffusion", "lle"]),
        "noise": st.sampled_from(["auto", 0, 0.2]),
        "metric": st.sampled_from(["euclidean", "cosine"]),
    },
)


def settled(parameters):
    """Without what does not go together."""
    if parameters.get("metric") == "cosine":
        parameters = parameters | {"view": "raw"}
    if parameters.get("predictor") == "propagation":
        parameters = parameters | {"noise": "auto"}
    return parameters


@pytest.mark.slow
@given(
    cases.map(settled),
    st.sampled_from(["text", "ints", "bools", "floats"]),
    st.sampled_from([np.asarray, np.asfortranarray, np.float32, sparse.csr_array]),
    st.sampled_from([None, "labeled", [0.3, 0.7]]),
    st.integers(0, 9),
)
@pytest.mark.filterwarnings("ignore")
def test_classifiers_come_back(tmp_path_factory, parameters, kind, form, prior, seed):
    X, codes = problem(seed)
    X = form(X)
    fitted = tp.ManifoldClassifier(6, class_prior=prior, **parameters).fit(X[:36], labels(codes, kind))
    found = again(fitted, tmp_path_factory.mktemp("model") / "m")
    same(fitted, found)
    assert_array_equal(found.predict_proba(X), fitted.predict_proba(X))
    assert_array_equal(found.predict(X), fitted.predict(X))
    assert repr(found) == repr(fitted)


@pytest.mark.slow
@given(
    cases.map(settled),
    st.sampled_from([np.asarray, np.float32, sparse.csr_array]),
    st.integers(1, 3),
    st.booleans(),
    st.integers(0, 9),
)
@pytest.mark.filterwarnings("ignore")
def test_regressors_come_back(tmp_path_factory, parameters, form, width, std, seed):
    X, _ = problem(seed)
    y = np.where(np.arange(36)[:, None] % (2 + np.arange(width)) == 0, X[:36, :width], np.nan)
    y = y[:, 0] if width == 1 else y
    X = form(X)
    fitted = tp.ManifoldRegressor(6, compute_std=std, **parameters).fit(X[:36], y)
    found = again(fitted, tmp_path_factory.mktemp("model") / "m")
    same(fitted, found)
    assert_array_equal(found.predict(X), fitted.predict(X))
    if std:
        assert_array_equal(found.predict(X, return_std=True), fitted.predict(X, return_std=True))


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
@pytest.mark.parametrize("form", [np.asarray, np.float32, sparse.csr_array])
def test_tags_come_back(tmp_path, predictor, form):
    X, codes = problem()
    sets = [{"even"} if k else {"odd", "low"} if i < 9 else set() for i, k in enumerate(codes)]
    fitted = tp.ManifoldClassifier(6, predictor=predictor).fit(form(X)[:36], [*sets[:18], *[None] * 18])
    found = again(fitted, tmp_path / "m")
    same(fitted, found)
    assert_array_equal(found.predict_proba(form(X)), fitted.predict_proba(form(X)))
    assert_array_equal(found.predict(form(X)), fitted.predict(form(X)))
    assert found.score(form(X)[:36], sets) == fitted.score(form(X)[:36], sets)
    assert read_model(tmp_path / "m").about["task"] == "tags"


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_given_distances(tmp_path, form):
    X, codes = problem()
    D = np.linalg.norm(X[:, None] - X[:36], axis=2)
    fitted = tp.ManifoldClassifier(5, metric="precomputed").fit(form(D[:36]), labels(codes, "text"))
    found = again(fitted, tmp_path / "m")
    assert_array_equal(found.predict_proba(form(D)), fitted.predict_proba(form(D)))
    fitted = tp.ManifoldRegressor(5, metric="precomputed").fit(
        form(D[:36]), np.where(codes, np.nan, X[:36, 0])
    )
    found = again(fitted, tmp_path / "m")
    assert_array_equal(found.predict(form(D), return_std=True), fitted.predict(form(D), return_std=True))


@pytest.mark.parametrize(
    "parameters",
    [
        {"alignment": "ltsa", "alignment_options": {"n_components": 2}},
        {"alignment": "isomap", "alignment_options": {"n_components": 2}},
        {"predictor": "propagation", "beta": 3.0},
        {"n_neighbors": np.int64(4)},
    ],
)
def test_other_parameters(tmp_path, parameters):
    X, codes = problem()
    fitted = tp.ManifoldClassifier(**{"n_neighbors": 8, **parameters}).fit(X[:36], labels(codes, "text"))
    found = again(fitted, tmp_path / "m")
    assert_array_equal(found.predict_proba(X), fitted.predict_proba(X))
    assert found.get_params() == fitted.get_params()
    assert clone(found).fit(X[:36], labels(codes, "text")).score(X[:36], fitted.predict(X[:36])) == 1.0


def test_small_and_odd_pools(tmp_path):
    for X, y in (
        ([[0.0], [1.0]], ["a", None]),  # one class
        (np.zeros((6, 3)), [1, 2, 1, -1, -1, -1]),  # copies
        (
            np.concatenate([np.zeros((9, 2)), np.full((9, 2), 1e6)]),
            [1, *[-1] * 17],
        ),  # two parts
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = tp.ManifoldClassifier(predictor="propagation").fit(X, y)
            mixed = tp.ManifoldClassifier().fit(X, y)
        for one in (fitted, mixed):
            found = again(one, tmp_path / "m")
            assert_array_equal(found.predict_proba(X), one.predict_proba(X))
            assert_array_equal(found.transduction_, one.transduction_)


def test_data_frames_keep_their_names(tmp_path):
    pandas = pytest.importorskip("pandas")
    X, codes = problem()
    frame = pandas.DataFrame(X, columns=list("abcdef"))
    fitted = tp.ManifoldClassifier().fit(frame[:36], labels(codes, "text"))
    found = again(fitted, tmp_path / "m")
    assert found.feature_names_in_.tolist() == list("abcdef")
    assert_array_equal(found.predict(frame), fitted.predict(frame))
    with pytest.raises(ValueError, match="feature names should match"):
        found.predict(frame[list("bacdef")])


def test_frames_keep_how_they_became_features(tmp_path):
    pandas = pytest.importorskip("pandas")
    X, codes = problem()
    kinds = np.array(["red", "blue", None], dtype=object)[np.arange(len(X)) % 3]
    frame = pandas.DataFrame(X, columns=list("abcdef")).assign(kind=kinds)
    fitted = tp.ManifoldClassifier().fit(frame[:36], labels(codes, "text"))
    found = again(fitted, tmp_path / "m")
    assert (found.recipe_, found.columns_) == (fitted.recipe_, fitted.columns_)
    assert [use.use for use in found.columns_] == ["number"] * 6 + ["category"]
    assert_array_equal(found.predict_proba(frame), fitted.predict_proba(frame))
    assert read_model(tmp_path / "m").recipe == fitted.recipe_  # so that files are read in the same way


def test_another_process_predicts_the_same(tmp_path):
    X, codes = problem()
    fitted = tp.ManifoldClassifier().fit(X[:36], labels(codes, "text"))
    tp.save_model(tmp_path / "m", fitted)
    np.save(tmp_path / "X.npy", X)
    code = (
        "import numpy as np, trigpoint as tp\n"
        f"p = tp.load_model({str(tmp_path / 'm')!r}).predict_proba(np.load({str(tmp_path / 'X.npy')!r}))\n"
        f"np.save({str(tmp_path / 'p.npy')!r}, p)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert_array_equal(np.load(tmp_path / "p.npy"), fitted.predict_proba(X))


def test_the_size_is_that_of_the_features_and_the_graphs(tmp_path):
    X = np.random.default_rng(0).normal(size=(500, 50))
    fitted = tp.ManifoldClassifier(view="white").fit(X, [0, 1] * 10 + [-1] * 480)
    tp.save_model(tmp_path / "m", fitted)
    graph = fitted.graph_
    parts = X.nbytes + graph.indices.nbytes + graph.distances.nbytes + graph.indptr.nbytes
    assert (tmp_path / "m").stat().st_size < 1.6 * parts


def test_what_it_was_made_from(tmp_path):
    X, codes = problem()
    np.save(tmp_path / "pool.npy", X[:36])
    samples = read_pool(tmp_path / "pool.npy")
    fitted = tp.ManifoldClassifier().fit(samples.X, labels(codes, "ints"))
    tp.save_model(tmp_path / "m", fitted, samples=samples, notes={"who": "Ada"})
    found = read_model(tmp_path / "m")
    about = found.about
    assert found.recipe is None
    assert (about["task"], about["classes"]) == ("classification", ["-7", "4"])
    assert (about["n_samples"], about["n_features"], about["n_labels"]) == (36, 6, 18)
    assert about["pool"]["fingerprint"] == samples.fingerprint
    assert about["pool"]["kind"] == "array"
    assert about["versions"]["numpy"] == np.__version__
    assert about["left_out_error"] == fitted.left_out_error_
    assert about["notes"] == {"who": "Ada"}
    assert about["made"].endswith("+00:00")


def read_model_again(estimator, folder):
    tp.save_model(folder / "again", estimator)
    return tp.load_model(folder / "again")


def test_the_recipe_serves_new_rows(tmp_path):
    rows = [f"{k % 7 / 2},{'red' if k % 3 else 'blue'}" for k in range(30)]
    (tmp_path / "pool.csv").write_text("size,color\n" + "\n".join(rows) + "\n")
    (tmp_path / "new.csv").write_text("color,size,more\nred,1.5,x\nblue,,y\n")
    samples = read_pool(tmp_path / "pool.csv")
    fitted = tp.ManifoldClassifier(5).fit(samples.X, [0, 1, 1] * 5 + [-1] * 15)
    tp.save_model(tmp_path / "m", fitted, samples=samples)
    found = read_model(tmp_path / "m")
    new = read_pool(tmp_path / "new.csv", recipe=found.recipe)
    assert_array_equal(new.X, read_pool(tmp_path / "new.csv", recipe=samples.recipe).X)
    assert found.recipe.state() == samples.recipe.state()
    assert_array_equal(found.estimator.predict_proba(new.X), fitted.predict_proba(new.X))
    assert found.about["pool"]["columns"][1]["name"] == "color"
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"color": ["red", "blue"], "size": [1.5, np.nan]})  # read as the file was
    assert_array_equal(found.estimator.predict_proba(frame), fitted.predict_proba(new.X))
    again_found = read_model_again(found.estimator, tmp_path)
    assert_array_equal(again_found.predict_proba(frame), fitted.predict_proba(new.X))


def test_what_cannot_be_saved(tmp_path):
    X, codes = problem()
    y = np.where(codes, np.nan, 1.0)
    with pytest.raises(tp.InputError, match="must be a ManifoldClassifier or ManifoldRegressor; got a dict"):
        tp.save_model(tmp_path / "m", {})
    with pytest.raises(ValueError, match="not fitted yet"):
        tp.save_model(tmp_path / "m", tp.ManifoldClassifier())

    class Mine(tp.ManifoldClassifier):
        pass

    with pytest.raises(tp.InputError, match="must be a ManifoldClassifier or ManifoldRegressor; got a Mine"):
        tp.save_model(tmp_path / "m", Mine().fit(X[:36], labels(codes, "text")))
    drawn = tp.ManifoldRegressor(random_state=np.random.default_rng(0)).fit(X[:36], y)
    with pytest.raises(tp.InputError, match=r"must hold plain values.*'random_state'.*a Generator"):
        tp.save_model(tmp_path / "m", drawn)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "m"
    X = np.arange(10.0)[:, None] + [[0.0, 0.5]]
    tp.save_model(path, tp.ManifoldClassifier(3).fit(X, ["a", "b"] * 2 + [None] * 6))
    return path


def loaded(path):
    """The estimator, or None where it is refused in one line that names the file."""
    try:
        return tp.load_model(path)
    except tp.InputError as error:
        said = str(error)
    assert str(path) in said
    assert "\n" not in said
    return None


def test_mutated_files_are_refused_or_the_same(model, tmp_path):
    whole, path = model.read_bytes(), tmp_path / "m"
    expected = tp.load_model(model).label_distributions_
    rng, refused = np.random.default_rng(0), 0
    for _ in range(300):
        data = bytearray(whole)
        way = rng.integers(4)
        start = int(rng.integers(len(data)))
        if way == 0:
            data[start] ^= 1 << int(rng.integers(8))
        elif way == 1:
            del data[start : start + int(rng.integers(1, 100))]
        elif way == 2:
            data[start:start] = rng.bytes(int(rng.integers(1, 30)))
        else:
            data = data[:start]
        path.write_bytes(data)
        found = loaded(path)
        refused += found is None
        if found is not None:
            assert_array_equal(found.label_distributions_, expected)
    assert refused > 250


def test_other_contents_are_refused(model, tmp_path):
    """Whole archives with another thing at one place: refused in one line, or as good as a model."""
    path = tmp_path / "m"
    about, arrays = read_archive(model, MODEL)
    rng = np.random.default_rng(1)
    text = json.dumps(about)
    places = list(_places(about["kept"]))
    refused = 0
    for _ in range(100):
        changed, beside = json.loads(text), dict(arrays)
        if rng.random() < 0.3:
            name = str(rng.choice(list(beside)))
            beside[name] = [beside[name][:0], beside[name].ravel()[::-1] * 0 + 99, np.array(["x"])][
                rng.integers(3)
            ]
        else:
            *way, last = places[rng.integers(len(places))]
            inner = changed["kept"]
            for step in way:
                inner = inner[step]
            inner[last] = [None, 7, -1, "x", [], {}, {"array": "0"}, {"again": 1}, 1e9][rng.integers(9)]
        _rewrite(path, changed, beside)
        found = loaded(path)
        refused += found is None
        if found is not None:
            assert found.predict(found._pool.X[:1]).shape == (1,)
    assert refused > 50


def _places(plain, way=()):
    if isinstance(plain, dict | list):
        for step, inner in plain.items() if isinstance(plain, dict) else enumerate(plain):
            yield (*way, step)
            yield from _places(inner, (*way, step))


def _rewrite(path, about, arrays):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("about.json", json.dumps(about))
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w") as stream:
                np.lib.format.write_array(stream, np.asarray(array))


def test_a_pickle_is_never_loaded(model, tmp_path):
    class Bomb:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "exploded"),)

    about, arrays = read_archive(model, MODEL)
    bomb = np.empty(1, dtype=object)
    bomb[0] = Bomb()
    for name in arrays:
        _rewrite(tmp_path / "m", about, {**arrays, name: bomb})
        with pytest.raises(tp.InputError, match="got pickled objects, which are never loaded"):
            tp.load_model(tmp_path / "m")
    assert not (tmp_path / "exploded").exists()


def test_a_model_of_a_newer_format_is_refused(model, tmp_path):
    about, arrays = read_archive(model, MODEL)
    _rewrite(tmp_path / "m", {**about, "format": 2}, arrays)
    with pytest.raises(tp.InputError, match=r"must be of format 1 at most; .* which a newer trigpoint wrote"):
        tp.load_model(tmp_path / "m")


def test_other_files_are_refused(tmp_path):
    X, _ = problem()
    tp.ActiveLearner(X).save(tmp_path / "learner")
    with pytest.raises(tp.InputError, match=r"written by trigpoint\.save_model, a model; it is 'learner'"):
        tp.load_model(tmp_path / "learner")
    np.savez(tmp_path / "x.npz", X=X)
    with pytest.raises(tp.InputError, match=r"must be a file written by trigpoint\.save_model"):
        tp.load_model(tmp_path / "x.npz")
