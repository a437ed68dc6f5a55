import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from trigpoint.datasets import make_faces, random_faces


def test_features_match_the_definition():
    images = np.random.default_rng(1).random((5, 4, 3))
    features = random_faces(images, 6, random_state=0)
    R = np.random.default_rng(0).standard_normal((6, 12))
    for i in range(5):
        projected = np.array([row @ images[i].ravel() / np.sqrt(row @ row) for row in R])
        assert_allclose(features[i], projected / np.sqrt(projected @ projected))


def test_features_are_those_of_the_recorded_ones(data_folder):
    with np.load(data_folder / "ar_faces.npz") as stored:
        images, recorded = stored["images"][:50], stored["randomface540_seed0"][:50]
    assert_allclose(random_faces(images, 540, random_state=0), recorded, atol=1e-6)


@given(st.integers(1, 5), st.integers(1, 8), st.integers(0, 99))
def test_features_are_of_unit_length_whatever_the_exposure(n, m, seed):
    images = np.random.default_rng(seed).random((n, 3, 4)) + 0.1
    features = random_faces(images, m, random_state=seed)
    assert features.shape == (n, m)
    assert features.dtype == np.float64
    assert_allclose(np.linalg.norm(features, axis=1), 1)
    exposure = np.linspace(0.5, 40, n)[:, None, None]
    assert_allclose(random_faces(images * exposure, m, random_state=seed), features, atol=1e-9)
    assert_array_equal(random_faces(images.reshape(n, 12), m, random_state=seed), features)
    assert_allclose(random_faces(images[:1], m, random_state=seed), features[:1], atol=1e-12)


@pytest.mark.parametrize("largest", [1e-170, 1e-310, 1e200, 1.7e308])
def test_no_magnitude_is_too_small_or_too_large(largest):
    images = np.random.default_rng(0).random((3, 2, 4)) + 0.1
    images[:, 0, 0] = 1.5
    features = random_faces(images, 5, random_state=0)
    images[1] *= largest / 1.5
    assert_allclose(random_faces(images, 5, random_state=0), features, rtol=1e-9)
    kept = images[::2]  # as many rows on both sides: how many there are may change how BLAS rounds
    assert_array_equal(random_faces(2.0**40 * kept, 5, random_state=0), random_faces(kept, 5, random_state=0))


def test_single_precision_and_bytes_are_projected_in_double():
    images = np.random.default_rng(0).integers(1, 256, (4, 9))
    expected = random_faces(images.astype(np.float64), 5, random_state=0)
    for dtype in (np.uint8, np.float32):
        assert_array_equal(random_faces(images.astype(dtype), 5, random_state=0), expected)


def test_angles_between_pictures_survive():
    X = make_faces(30, random_state=0).images
    features = random_faces(X, 800, random_state=0)
    flat = X.reshape(30, -1) / np.linalg.norm(X.reshape(30, -1), axis=1, keepdims=True)
    assert np.abs(features @ features.T - flat @ flat.T).max() < 0.12


def test_what_has_no_direction_is_refused():
    images = np.ones((4, 2, 2))
    images[[1, 3]] = 0
    with pytest.raises(ValueError, match="no all-zero picture, which has no direction; got 2, first at 1"):
        random_faces(images, 3)


@pytest.mark.parametrize(
    ("images", "message"),
    [
        (np.ones(4), "images must be two-dimensional"),
        (np.ones((0, 2, 2)), "images must be two-dimensional"),
        (np.ones((2, 2, 2, 2)), "images must be two-dimensional"),
        (np.full((2, 2, 2), np.nan), "images must hold finite numbers only"),
        (
            sparse.csr_array(np.ones((2, 2))),
            r"images must be a dense array; got a sparse one of shape \(2, 2\)",
        ),
        (np.ma.array(np.ones((2, 2)), mask=[[0, 1], [0, 0]]), "images must have no masked entries; got 1"),
        (
            np.ma.array(np.ones((1, 2, 2)), mask=[[[0, 1], [1, 0]]]),
            "images must have no masked entries; got 2",
        ),
        ([[1.0, 2.0], [3.0]], "images must be an array of real numbers"),
        (np.array([["a", "b"]]), "images must hold real numbers"),
    ],
)
def test_images_are_checked(images, message):
    with pytest.raises(ValueError, match=message):
        random_faces(images, 3)


@pytest.mark.parametrize("bad", [0, 1.5, None])
def test_the_number_of_features_is_checked(bad):
    with pytest.raises(ValueError, match="n_features must be an integer and be at least 1"):
        random_faces(np.ones((2, 2)), bad)


def test_the_default_seed_is_zero_and_none_draws_anew():
    images = np.random.default_rng(0).random((3, 4, 3))
    assert_array_equal(random_faces(images, 5), random_faces(images, 5, random_state=0))
    assert not np.array_equal(*(random_faces(images, 5, random_state=None) for _ in range(2)))
