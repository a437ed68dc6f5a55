"""A memory-mapped pool is looked at in blocks: no check and no view makes an array as large as the pool."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import trigpoint as tp
from trigpoint._validation import check_features, check_finite, check_magnitude, extremes, held_type

N, P = 100_000, 100
VIEWS = ("raw", "standard", "half_white", "white")


@pytest.fixture(scope="module")
def mapped(tmp_path_factory):
    """40 MB of float32 on disk."""
    file = tmp_path_factory.mktemp("pool") / "x.npy"
    rng = np.random.default_rng(0)
    np.save(file, (rng.normal(size=(N, P)) * rng.uniform(1, 3, P)).astype(np.float32))
    return np.load(file, mmap_mode="r")


def peak_of(call, *arguments):
    tracemalloc.start()
    try:
        found = call(*arguments)
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def seen(X, name):
    return tp.fit_view(X, name).transform(X)


@pytest.mark.parametrize("check", [check_features, lambda X: check_magnitude(X, "X")])
def test_checks_read_a_block_at_a_time(check, mapped):
    assert peak_of(check, mapped)[1] < 1_000_000


def test_the_raw_view_of_a_map_is_the_map(mapped):
    found, peak = peak_of(seen, mapped, "raw")
    assert np.shares_memory(found, mapped)
    assert peak < 1_000_000


@pytest.mark.parametrize("name", VIEWS[1:])
def test_a_view_makes_one_array_of_the_type_of_the_pool(name, mapped):
    seen(mapped[:500], name)  # imports
    found, peak = peak_of(seen, mapped, name)
    assert found.dtype == np.float32
    assert peak < found.nbytes + 25_000_000  # blocks, and the 10,000 rows that a view is fitted on


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_of_small_whole_numbers_is_that_of_real_ones(name):
    X = np.random.default_rng(0).integers(0, 200, (2000, 12)).astype(np.uint8)
    found = seen(X, name)
    assert found.dtype == np.float32
    assert_allclose(found, seen(X.astype(np.float64), name), rtol=1e-5, atol=1e-6)


def test_a_view_turns_whole_numbers_a_block_at_a_time():
    X = np.random.default_rng(0).integers(0, 200, (N, P)).astype(np.uint8)
    seen(X[:500], "standard")
    found, peak = peak_of(seen, X, "standard")
    assert peak < found.nbytes + 25_000_000  # another array of float32 would take 40,000,000


def test_small_whole_numbers_are_held_as_float32():
    X = np.random.default_rng(0).integers(0, 200, (N, P)).astype(np.uint8)
    found, peak = peak_of(check_features, X)
    assert_array_equal(found, X)
    assert found.nbytes == 4 * X.nbytes
    assert peak < found.nbytes + 1_000_000


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint16", "float16", "float32"])
def test_what_float32_holds_exactly(dtype):
    assert held_type(np.dtype(dtype)) == np.float32
    info = np.finfo(dtype) if dtype.startswith("float") else None
    ends = [0, 1] if dtype == "bool" else [info.min, info.max, info.tiny] if info else None
    ends = ends or [np.iinfo(dtype).min, np.iinfo(dtype).max]
    array = np.array([ends], dtype=dtype)
    assert_array_equal(check_features(array).astype(dtype), array)


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float64"])
def test_what_it_does_not(dtype):
    assert held_type(np.dtype(dtype)) == np.float64


@pytest.mark.parametrize("dtype", [np.uint8, np.int16])
def test_the_graph_of_small_whole_numbers(dtype):
    X = np.random.default_rng(0).integers(0, 5, (300, 8)).astype(dtype)
    found, expected = tp.neighbor_graph(X, 6), tp.neighbor_graph(X.astype(np.float64), 6)
    assert_array_equal(found.neighbors, expected.neighbors)
    assert_array_equal(found.distances, expected.distances)


@given(st.integers(1, 7), st.integers(0, 200), st.sampled_from("CF"), st.data())
def test_extremes_and_places_of_bad_numbers(step, n_bad, order, data):
    X = np.asarray(np.random.default_rng(n_bad).normal(size=(23, 5)), order=order)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("trigpoint._validation._step", lambda entries: step)
        assert extremes(X) == (X.min(), X.max())
        check_finite(X, "X")
        places = data.draw(st.lists(st.integers(0, X.size - 1), min_size=1, max_size=9, unique=True))
        for place in places:
            X[np.unravel_index(place, X.shape)] = data.draw(st.sampled_from([np.nan, np.inf, -np.inf]))
        first = divmod(min(places), 5)
        told = f"{len(places)} NaN or infinite, first {X[first]} at {first}"
        with pytest.raises(tp.InputError) as caught:
            check_finite(X, "X")
        assert told in str(caught.value)
