"""Laws that hold for every generator of pictures."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from trigpoint.datasets import (
    _draw,
    make_deformed_grid,
    make_faces,
    make_jazz_hands,
    make_lips,
    make_swiss_roll,
    make_torus,
)

SHAPES = {make_faces: (64, 64, 3), make_lips: (40, 45, 8), make_jazz_hands: (66, 88, 8)}
PICTURES = pytest.mark.parametrize("make", SHAPES, ids=lambda make: make.__name__)
ALL = [*SHAPES, make_deformed_grid, make_torus, make_swiss_roll]


@PICTURES
@given(st.integers(1, 4), st.integers(0, 99))
@settings(max_examples=10)
def test_pictures_have_their_shape_and_range(make, n, seed):
    height, width, d = SHAPES[make]
    pictures = make(n, random_state=seed)
    assert pictures.images.shape == (n, height, width)
    assert pictures.images.dtype == np.float32
    assert pictures.values.shape == (n, d)
    assert pictures.values.dtype == np.float64
    assert len(pictures.names) == len(set(pictures.names)) == d
    assert pictures.images.min() >= 0
    assert pictures.images.max() <= 1
    assert pictures.images.std(axis=(1, 2)).min() > 0.05, "a picture shows something"
    assert np.isfinite(pictures.values).all()
    assert pictures.X.shape == (n, height * width)
    assert np.shares_memory(pictures.X, pictures.images)


@pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)
def test_a_generator_is_a_function_of_its_seed(make):
    one, same, other = (make(3, random_state=seed) for seed in (7, 7, 8))
    assert_array_equal(one.X, same.X)
    assert_array_equal(one.values, same.values)
    assert not np.array_equal(one.X, other.X)
    assert not np.array_equal(one.values, other.values)
    rng = np.random.default_rng(7)
    assert_array_equal(make(3, random_state=rng).X, one.X)
    assert not np.array_equal(make(3, random_state=rng).X, one.X), "a Generator moves on"


@pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)
def test_the_default_seed_is_zero_and_none_draws_anew(make):
    assert_array_equal(make(3).X, make(3, random_state=0).X)
    assert not np.array_equal(make(3, random_state=None).values, make(3, random_state=None).values)


@PICTURES
def test_values_fill_their_ranges(make):
    parameters = {make_faces: 3, make_lips: 4, make_jazz_hands: 4}[make]
    values = make(300, random_state=0).values
    centered = values - values.mean(axis=0)
    sizes = np.linalg.svd(centered / centered.std(axis=0), compute_uv=False)
    assert sizes[parameters - 1] > 0.05 * sizes[0], "as many directions as there are parameters"
    assert abs(np.corrcoef(values[:-1, 0], values[1:, 0])[0, 1]) < 0.2, "samples do not follow each other"


@PICTURES
def test_chunks_of_samples_do_not_show(make, monkeypatch):
    whole = make(7, random_state=0).images
    monkeypatch.setattr(_draw, "CHUNK", 3)
    assert_allclose(make(7, random_state=0).images, whole, atol=1e-5)


@pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)
def test_numbers_of_samples_and_seeds_are_checked(make):
    name = "n_images" if make is make_deformed_grid else "n_samples"
    for bad in (0, -1, 2.5, True, None, "3"):
        with pytest.raises(ValueError, match=f"{name} must be an integer and be at least 1; got {bad!r}"):
            make(bad)
    with pytest.raises(ValueError, match="random_state must be None, an integer"):
        make(2, random_state=-1)


def test_coverage_is_half_at_the_edge_and_one_pixel_wide():
    assert _draw.coverage(np.array([-0.5, -0.25, 0.0, 0.25, 0.5])).tolist() == [1.0, 0.75, 0.5, 0.25, 0.0]


def test_the_distance_to_a_segment():
    x, y = np.array([[[0.0, 5.0, 13.0, -3.0]]]), np.array([[[3.0, 2.0, 4.0, 4.0]]])
    distance, along = _draw.segment_distance(x, y, np.array([[0.0, 0.0]]), np.array([[10.0, 0.0]]))
    assert distance.ravel().tolist() == [3.0, 2.0, 5.0, 5.0]
    assert along.ravel().tolist() == [0.0, 0.5, 1.0, 0.0]


def test_a_layer_takes_its_share():
    images = np.array([0.2, 0.2, 0.2])
    _draw.layer(images, 1.0, np.array([0.0, 0.5, 1.0]))
    assert_allclose(images, [0.2, 0.6, 1.0])


def test_what_is_painted_too_bright_is_white():
    images = _draw.painted(
        lambda values: values.reshape(-1, 1, 2), np.array([[-0.5, 0.25], [1.5, 1.0]]), 1, 2
    )
    assert images.tolist() == [[[0.0, 0.25]], [[1.0, 1.0]]]
