import numpy as np
import pytest
from numpy.testing import assert_allclose

from trigpoint.datasets import make_swiss_roll, make_torus
from trigpoint.datasets._surfaces import swiss_roll, torus

MAKERS = pytest.mark.parametrize("make", [make_torus, make_swiss_roll])


def test_the_torus_is_that_of_the_recorded_samples(reference_folder):
    clean, noisy = (np.load(reference_folder / f"toolbox_torus_{k}.npz") for k in (0, 1))
    assert_allclose(torus(clean["Y"]), clean["X"], atol=1e-12)
    gap = noisy["X"] - torus(noisy["Y"])
    assert 0 <= gap.min() <= gap.max() <= 0.05, "the second sample carries uniform noise"
    for recorded in (clean["Y"], noisy["Y"]):
        assert 0 <= recorded.min() <= recorded.max() <= 5 * np.pi / 3


def test_points_of_the_torus_by_hand():
    quarter = np.pi / 2
    points = torus(np.array([[0, 0], [quarter, 0], [np.pi, quarter]]))
    assert_allclose(points, [[4, 0, 0], [3, 0, 1], [0, 2, 0]], atol=1e-12)


def test_angles_are_uniform_on_the_open_torus():
    values = make_torus(4000, random_state=0).values / (5 * np.pi / 3)
    assert values.min() >= 0
    assert values.max() <= 1
    for column in values.T:
        counts = np.histogram(column, bins=8, range=(0, 1))[0]
        assert ((counts - 500) ** 2 / 500).sum() < 24.3  # chi-square, 7 degrees, p = 0.001


def test_the_sheet_is_rolled_without_stretching():
    h = 1e-5
    values = make_swiss_roll(200, random_state=0).values
    along, up = ((swiss_roll(values + step) - swiss_roll(values - step)) / (2 * h) for step in np.eye(2) * h)
    assert_allclose(np.linalg.norm(along, axis=1), 1, atol=1e-6)
    assert_allclose(np.linalg.norm(up, axis=1), 1, atol=1e-6)
    assert_allclose((along * up).sum(axis=1), 0, atol=1e-6)


def test_the_ends_of_the_roll():
    t = np.linspace(1.5 * np.pi, 4.5 * np.pi, 200_001)
    spiral = np.stack([t * np.cos(t), t * np.sin(t)], axis=1)
    length = np.linalg.norm(np.diff(spiral, axis=0), axis=1).sum()
    ends = swiss_roll(np.array([[0.0, 3.0], [length, 5.0]]))
    assert_allclose(ends, [[0, 3, -1.5 * np.pi], [0, 5, 4.5 * np.pi]], atol=1e-5)
    values = make_swiss_roll(3000, random_state=0).values
    assert values[:, 0].max() == pytest.approx(length, rel=0.01)
    assert values[:, 0].max() <= length
    assert values[:, 1].max() == pytest.approx(21, rel=0.01)


@MAKERS
def test_noise_is_added_to_the_points_alone(make):
    clean, noisy = (make(3000, noise=noise, random_state=0) for noise in (0.0, 0.3))
    assert_allclose(noisy.values, clean.values)
    assert_allclose((noisy.X - clean.X).std(axis=0), 0.3, rtol=0.05)
    assert clean.X.dtype == clean.values.dtype == np.float64
    exact = torus if make is make_torus else swiss_roll
    assert_allclose(clean.X, exact(clean.values))


@MAKERS
@pytest.mark.parametrize("noise", [-0.1, np.nan, np.inf, "1", None])
def test_noise_is_checked(make, noise):
    with pytest.raises(ValueError, match="noise must be a finite number at least 0; got"):
        make(3, noise=noise)
