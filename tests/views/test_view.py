import itertools
import pickle
import tracemalloc
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.spatial.distance import pdist
from sklearn.preprocessing import StandardScaler

import trigpoint as tp
from reference import views as oracle
from trigpoint._errors import InputError
from trigpoint.views import VIEWS, base_name

NAMES = ("raw", "standard", "half_white", "white")
WHITENED = ("half_white", "white")

small_integer_clouds = st.tuples(st.integers(1, 12), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-2, 2).map(float))
)


@st.composite
def clouds(draw, kinds=("one", "several"), fewest=2):
    """Gaussian pools in general position, with an offset and few or many strong directions."""
    n, p = draw(st.integers(fewest, 40)), draw(st.integers(1, 25))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.normal(size=(n, p)) * rng.uniform(0.1, 1, p) @ rng.normal(size=(p, p)) + draw(
        st.sampled_from([0, 3])
    )
    return X * (1000.0 ** np.arange(p) if draw(st.sampled_from(kinds)) == "several" and p < 4 else 1)


def seen(X, name, **options):
    return tp.fit_view(X, name, **options).transform(X)


def corners(*sides):
    return np.array(list(itertools.product(*((-a, a) for a in sides))))


def test_the_names():
    assert VIEWS == NAMES


def test_a_box_becomes_a_lesser_box_and_a_cube():
    X = corners(2.0, 1.9, 1.5) + 7
    signs = np.sign(X - 7)
    half = np.sqrt([2.0, 1.9, 1.5])
    assert_allclose(seen(X, "half_white"), signs * half / np.linalg.norm(half), atol=1e-12)
    assert_allclose(seen(X - 7, "white"), signs / np.sqrt(3), atol=1e-12)
    assert_allclose(seen(X, "standard"), signs, atol=1e-12)
    assert {tp.fit_view(X, name).base for name in WHITENED} == {"raw"}


def test_raw_is_the_checked_input_itself():
    X = np.asfortranarray(np.eye(3))
    assert tp.fit_view(X, "raw").transform(X) is X
    S = sparse.csr_array(np.eye(3))
    same = tp.fit_view(S, "raw").transform(S)
    assert np.shares_memory(same.data, S.data)
    assert tp.fit_view([[1, 2]], "raw").transform([[3, 4]]).dtype == np.float64


def test_standard_by_hand():
    view = tp.fit_view([[0, 5, 0.1], [2, 5, 0.1], [4, 5, 0.1], [2, 5, 0.1]], "standard")
    assert_allclose(
        view.transform([[4, 5, 0.1], [0, 7, 0.1]]), [[2**0.5, 0, 0], [-(2**0.5), 2, 0]], atol=1e-15
    )


@given(clouds())
def test_standard_matches_the_definition_and_a_peer(X):
    view = tp.fit_view(X, "standard")
    assert_allclose(view.transform(X[::2] + 1), oracle.standard(X, X[::2] + 1), rtol=1e-9, atol=1e-9)
    assert_allclose(view.transform(X), StandardScaler().fit_transform(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", WHITENED)
@given(X=clouds())
def test_whitened_views_match_the_definition(name, X):
    view = tp.fit_view(X, name)
    assert view.base == oracle.base(X)
    new = np.vstack([X, X[::2] * 1.5 - 0.25])
    expected = oracle.whitened(X, new, name, view.base)[1]
    found = view.transform(new)
    assert found.shape == expected.shape == (len(new), view.n_components)
    assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("name", WHITENED)
@given(X=clouds(fewest=3))
def test_sparse_pools_match_the_definition_without_centering(name, X):
    X = np.where(X > 0, X, 0)
    X[0] = 0
    X[1] = np.arange(len(X[1])) + 1  # something must be there
    S = sparse.csr_array(X)
    view = tp.fit_view(S, name)
    assert view.base == "raw"
    expected = oracle.whitened(X, X, name, "raw", centered=False)[1]
    assert_allclose(view.transform(S), expected, atol=1e-6)
    assert_allclose(view.transform(X), expected, atol=1e-6)
    assert not view.transform(S)[0].any()


def test_sparse_columns_are_scaled_and_stay_sparse():
    rng = np.random.default_rng(0)
    S = sparse.random_array((30, 6), density=0.4, rng=rng, format="csr")
    S = sparse.csr_array(sparse.hstack([S, np.full((30, 1), 0.1), sparse.csr_array((30, 1))]))
    before = S.copy()
    view = tp.fit_view(S, "standard")
    found = view.transform(S)
    expected = StandardScaler(with_mean=False).fit_transform(S)
    assert sparse.issparse(found)
    assert_allclose(found.toarray(), expected.toarray(), rtol=1e-12)
    assert_allclose(view.transform(S.toarray()), expected.toarray(), rtol=1e-12)
    found.data[:] = 0
    found.eliminate_zeros()
    assert_array_equal(S.toarray(), before.toarray())


@pytest.mark.parametrize("name", NAMES)
def test_a_view_of_dense_features_takes_sparse_samples(name):
    X = np.random.default_rng(0).poisson(1.0, (500, 7)).astype(float)
    view = tp.fit_view(X, name)
    found = view.transform(sparse.coo_array(X))
    assert_array_equal(found.toarray() if name == "raw" else found, view.transform(X))


# laws


@pytest.mark.parametrize("name", NAMES)
@given(X=clouds(), data=st.data())
def test_the_order_of_samples_does_not_matter(name, X, data):
    order = np.array(data.draw(st.permutations(range(len(X)))))
    assert_allclose(seen(X[order], name), seen(X, name)[order], atol=1e-6)


@pytest.mark.parametrize("name", ["standard", *WHITENED])
@given(X=clouds(), factor=st.sampled_from([1e-40, 0.3, 7.0, 1e30]))
def test_the_unit_does_not_matter(name, X, factor):
    assert_allclose(seen(factor * X, name), seen(X, name), atol=1e-6)


@pytest.mark.parametrize("name", WHITENED)
@given(X=clouds(kinds=("one",)), seed=st.integers(0, 99))
def test_a_rotation_of_features_does_not_matter_where_the_base_is_raw(name, X, seed):
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(X.shape[1], X.shape[1])))[0]
    if base_name(X) == base_name(X @ Q) == "raw":
        assert_allclose(pdist(seen(X @ Q, name)), pdist(seen(X, name)), atol=1e-6)


@given(clouds(), st.floats(-5, 5))
def test_an_offset_does_not_matter_to_half_white(X, offset):
    assert_allclose(seen(X + offset, "half_white"), seen(X, "half_white"), atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
@given(X=small_integer_clouds, data=st.data())
def test_a_sample_does_not_depend_on_its_company(name, X, data):
    rows = np.array(data.draw(st.lists(st.integers(0, len(X) - 1), min_size=1, max_size=20)))
    view = tp.fit_view(X, name)
    assert_array_equal(view.transform(X[rows]), view.transform(X)[rows])


@pytest.mark.parametrize("p", [1, 3, 64, 300])
@pytest.mark.parametrize("name", NAMES)
def test_duplicates_stay_duplicates_in_blocks_and_threads(name, p, monkeypatch):
    monkeypatch.setattr("trigpoint.views._view.TASK", 768)
    few = np.random.default_rng(p).normal(size=(50, p)) + 1
    rows = np.random.default_rng(0).integers(50, size=2000)
    view = tp.fit_view(few[rows], name)
    alone = np.vstack([view.transform(few[i : i + 1]) for i in range(50)])
    assert_array_equal(view.transform(few[rows]), alone[rows])


@given(small_integer_clouds)
def test_any_pool_gives_finite_rows_of_length_one_or_zero(X):
    for form in (X, X.astype(np.float32), sparse.csr_array(X)):
        for name in WHITENED:
            found = seen(form, name)
            lengths = np.linalg.norm(found.astype(float), axis=1)
            assert len(found) == len(X)
            assert found.shape[1] >= 1
            assert (np.isclose(lengths, 1, atol=1e-6) | (lengths == 0)).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_same_call_gives_the_same_answer(name, monkeypatch):
    X = np.random.default_rng(0).normal(size=(300, 9))
    assert_array_equal(seen(X, name), seen(X, name))
    assert_array_equal(seen(X, name, random_state=1), seen(X, name))  # all samples are seen
    monkeypatch.setattr("trigpoint.views._rows.FIT", 100)
    assert_array_equal(seen(X, name), seen(X, name))
    if name != "raw":
        assert (seen(X, name, random_state=1) != seen(X, name)).any()


@given(clouds(fewest=3))
def test_components_of_white_are_uncorrelated_before_rows_are_scaled(X):
    view = tp.fit_view(X, "white")
    prepared = oracle.standard(X, X) if view.base == "standard" else X
    Y = (oracle.unit(prepared) - view.steps.center) @ view.projection
    assert_allclose(Y.T @ Y / len(X), np.eye(view.n_components), atol=1e-6)


def test_large_pools_are_fitted_on_some_of_their_rows(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 5)) + 2
    monkeypatch.setattr("trigpoint.views._rows.FIT", 400)
    chosen = np.sort(np.random.default_rng(3).choice(900, 400, replace=False))
    for name in ("standard", *WHITENED):
        for form in (X, sparse.csr_array(X)):
            whole, part = tp.fit_view(form, name, random_state=3), tp.fit_view(form[chosen], name)
            a, b = whole.transform(form), part.transform(form)
            assert_array_equal(*(m.toarray() if sparse.issparse(m) else m for m in (a, b)))


def test_memory_holds_no_second_pool():
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(40_000, 120)).astype(np.float32)
    words = sparse.random_array((12_000, 3_000), density=0.002, rng=rng, format="csr")
    for X, name in itertools.product((dense, words), WHITENED):
        tracemalloc.start()
        found = seen(X, name)
        peak = tracemalloc.get_traced_memory()[1] - found.nbytes
        tracemalloc.stop()
        assert peak < (dense.nbytes / 2 if X is dense else 50e6)  # the words as a dense array: 288 MB


# forms of input


@pytest.mark.parametrize("name", NAMES)
def test_float32_read_only_fortran_and_integers(name):
    X = np.random.default_rng(0).integers(-4, 5, size=(450, 6))
    expected = seen(X, name)
    assert expected.dtype == np.float64
    for form in (np.asfortranarray(X * 1.0), X.tolist(), np.repeat(X * 1.0, 2, axis=0)[::2]):
        assert_array_equal(seen(form, name), expected)
    single = X.astype(np.float32)
    single.flags.writeable = False
    found = seen(single, name)
    assert found.dtype == np.float32
    assert_array_equal(found, expected.astype(np.float32))
    assert seen(sparse.csr_array(single), name).dtype == np.float32


@pytest.mark.parametrize("name", NAMES)
def test_the_input_is_left_alone(name):
    X = np.random.default_rng(0).normal(size=(50, 4))
    for form in (X, sparse.csr_array(X)):
        before = form.copy()
        seen(form, name)
        assert abs(form - before).max() == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "X",
    [
        [[3.0]],
        [[0.0, 0.0]],
        [[0.1, 0.2, 0.3]] * 5,
        np.zeros((4, 3)),
        [[1.0], [2.0], [4.0]],
        np.outer(np.arange(1, 60), [0.1, 0.7, 0.3]),
        np.full((1000, 2), 1e-90),
    ],
    ids=["one number", "one zero", "constant", "zeros", "one column", "rank one", "tiny"],
)
def test_pools_with_nothing_to_see(X, name):
    X = np.asarray(X)
    for form in (X, X.astype(np.float32), sparse.csr_array(X)):
        found = seen(form, name)
        found = found.toarray() if sparse.issparse(found) else found
        assert np.isfinite(found).all()
        assert found.shape[0] == len(X)
        assert found.shape[1] >= 1


def test_what_does_not_vary_is_zero_and_not_rounding():
    constant = np.full((7, 3), 0.1)
    assert not seen(constant, "standard").any()
    for name in WHITENED:
        view = tp.fit_view(constant, name)
        assert view.n_components == 1
        assert not view.transform(constant + 1).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_of_one_direction_have_nothing_to_whiten(dtype):
    rng = np.random.default_rng(0)
    ray = np.outer(rng.uniform(1, 2, 60), rng.uniform(1, 1.2, 6)).astype(dtype)
    assert len(np.unique(oracle.unit(ray), axis=0)) > 1  # by rounding
    view = tp.fit_view(ray, "white")
    assert (view.base, view.n_components) == ("raw", 1)
    assert not view.transform(ray).any()


@pytest.mark.parametrize(("name", "last"), [("half_white", 1), ("half_white", 1000), ("white", 1000)])
def test_the_middle_of_a_pool_is_zero_and_not_rounding(name, last):
    rng = np.random.default_rng(0)
    middle, steps = rng.uniform(1, 2, 5), rng.normal(size=(30, 5)) * [1, 1, 1, 1, last]
    X = np.vstack([middle + steps, middle - steps, middle])
    assert (X.mean(axis=0) != middle).any()  # by rounding
    view = tp.fit_view(X, name)
    assert view.base == ("raw" if last == 1 else "standard")
    found = view.transform(X)
    assert not found[-1].any()
    assert_allclose(np.linalg.norm(found[:-1], axis=1), 1)


# the record


@pytest.mark.parametrize("name", NAMES)
def test_the_record(name):
    X = np.random.default_rng(0).normal(size=(60, 5)) * [1, 1, 1, 1, 90]
    view = tp.fit_view(X, name)
    assert isinstance(view, tp.View)
    assert (view.name, view.n_features_in, view.n_components) == (name, 5, 5)
    assert view.base == ("raw" if name == "raw" else "standard")
    assert repr(view) == f"View('{name}', base='{view.base}', 5 -> 5)"
    again = pickle.loads(pickle.dumps(view))
    assert repr(again) == repr(view)
    assert_array_equal(again.transform(X), view.transform(X))
    with pytest.raises(FrozenInstanceError):
        view.name = "raw"
    for copy in (view, again):
        for array in (copy.projection, copy.steps.shift, copy.steps.scale, copy.steps.center):
            assert array is None or not array.flags.writeable


# errors


def refused(argument, X, name="white", **options):
    with pytest.raises(InputError) as caught:
        tp.fit_view(X, name, **options)
    assert caught.value.argument == argument
    return str(caught.value)


def test_wrong_arguments_are_named():
    X = np.eye(3)
    assert "'half_white'" in refused("name", X, "whitened")
    refused("name", X, None)
    refused("random_state", X, random_state=-1)
    refused("X", [1.0, 2.0])
    refused("X", np.empty((0, 3)))
    refused("X", [["a"]])
    refused("X", X * 1e200)
    for bad in (np.nan, np.inf):
        for name in NAMES:
            refused("X", [[1.0, bad]], name)
            refused("X", sparse.csr_array([[1.0, bad]]), name)


@pytest.mark.parametrize("name", NAMES)
def test_new_samples_must_fit(name):
    view = tp.fit_view(np.eye(3), name)
    with pytest.raises(InputError, match=r"X must have 3 features.*got 2"):
        view.transform(np.eye(2))
    with pytest.raises(InputError, match="finite"):
        view.transform([[0, np.nan, 1]])
    if name != "raw":
        with pytest.raises(InputError, match="magnitude"):
            view.transform([[0, 1e200, 1]])


def test_the_base_is_standard_where_few_columns_hold_the_variance():
    corners = np.array([[i >> k & 1 for k in range(6)] for i in range(64)]) * 2.0  # variances 1
    assert base_name(corners) == "raw"
    corners[:, 3:] *= 0.01  # three of six: (3 - 1) / (6 - 1) is 0.4
    assert base_name(corners) == "raw"
    corners[:, 2] *= 0.45  # about 0.2875
    assert base_name(corners) == "standard"
    assert base_name(sparse.csr_array(corners)) == "raw"
    assert base_name(corners[:, :2]) == "raw"
    assert base_name(corners * 1e-60) == base_name(corners * 1e60) == "standard"
    assert base_name([[20.0, 30_000.0], [40.0, 31_000.0], [60.0, 90_000.0]]) == "standard"
    assert base_name(np.ones((4, 2))) == "raw"
    assert base_name([[1.0], [2.0]]) == "standard"


@given(clouds(), st.integers(0, 9))
def test_base_name_tells_what_fit_view_takes(X, seed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("trigpoint.views._rows.FIT", 5)
        assert base_name(X, random_state=seed) == tp.fit_view(X, "white", random_state=seed).base


def test_faces_in_other_light_come_together(data_folder):
    """The reason for views: what varies most, the light, says least about whose face it is."""
    faces = np.load(data_folder / "extended_yaleb.npz")
    X, y = faces["images_48x42"].reshape(len(faces["labels"]), -1)[::3], faces["labels"][::3]
    wrong = {}
    for name in ("raw", "white"):
        graph = tp.neighbor_graph(seen(X, name), 1)
        wrong[name] = np.mean(y[graph.neighbors[:, 0]] != y)
    assert wrong["white"] < 0.5 * wrong["raw"]
