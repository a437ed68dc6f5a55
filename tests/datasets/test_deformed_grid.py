import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.ndimage import map_coordinates

from trigpoint.datasets import make_deformed_grid
from trigpoint.datasets._deformed_grid import ORDERS, crossings, draw, key_points, render

STILL = np.zeros((1, 3 + len(ORDERS), 2))


def displacement(coefficients, x, y):
    """d(p) from its definition, for one scene and one point."""
    u, v = (x + 0.5) / 110, (y + 0.5) / 110
    waves = [np.cos(np.pi * i * u) * np.cos(np.pi * j * v) for i, j in ORDERS]
    return np.array([1.0, x - 54.5, y - 54.5, *waves]) @ coefficients


def bilinear(image, points):
    return map_coordinates(image, points[:, ::-1].T, order=1, mode="nearest")


def test_the_reference_by_hand():
    assert_array_equal(key_points(STILL)[0], crossings())
    assert crossings()[[0, 1, 10, 99]].tolist() == [[5, 5], [16, 5], [5, 16], [104, 104]]
    image = render(STILL)[0]
    assert (image[5::11] < 0.11).all(), "a dark line every 11 pixels"
    assert (image[:, 5::11] < 0.11).all()
    assert image[10, 10] == pytest.approx(0.95)


def test_a_shift_moves_the_grid_the_other_way():
    shift = STILL.copy()
    shift[0, 0] = [2.0, -1.0]
    assert_allclose(key_points(shift)[0] - crossings(), np.tile([-2.0, 1.0], (100, 1)))
    assert_allclose(render(shift)[0][1:, :-2], render(STILL)[0][:-1, 2:], atol=1e-6)


@given(st.integers(0, 10_000))
@settings(max_examples=20)
def test_key_points_are_seen_where_the_deformation_puts_them(seed):
    coefficients = draw(1, np.random.default_rng(seed))
    seen = key_points(coefficients)
    for (x, y), q in zip(seen[0, ::7], crossings()[::7], strict=True):
        assert_allclose(displacement(coefficients[0], x, y), q - [x, y], atol=1e-9)
    moved = np.abs(seen[0] - crossings())
    assert moved.max() < 5.5, "half a period"
    image = render(coefficients)[0]
    assert bilinear(image, seen[0]).max() < 0.4, "crossings are dark"
    cells = seen[0].reshape(10, 10, 2)
    middles = (cells[1:, 1:] + cells[:-1, :-1] + cells[1:, :-1] + cells[:-1, 1:]).reshape(-1, 2) / 4
    assert bilinear(image, middles).min() > 0.9, "and the cells between them light"
    steps = np.diff(cells[..., 0], axis=1), np.diff(cells[..., 1], axis=0)
    assert min(step.min() for step in steps) > 4, "nothing folds"


def test_many_deformations_are_worth_the_name():
    moved = np.abs(key_points(draw(200, np.random.default_rng(0))) - crossings()).max(axis=(1, 2))
    assert np.median(moved) > 2.5
    assert moved.max() < 5.5


def test_patches_are_cut_from_their_scenes():
    grid = make_deformed_grid(3, random_state=0)
    assert grid.scenes.shape == (3, 110, 110)
    assert grid.images.shape == (75, 22, 22)
    assert grid.image.tolist() == [k for k in range(3) for _ in range(25)]
    assert grid.corner[:7].tolist() == [[0, 0], [0, 22], [0, 44], [0, 66], [0, 88], [22, 0], [22, 22]]
    assert grid.image.dtype == grid.corner.dtype == np.int64
    assert grid.scenes.dtype == grid.images.dtype == np.float32
    for patch, image, (row, column) in zip(grid.images, grid.image, grid.corner, strict=True):
        assert_array_equal(patch, grid.scenes[image, row : row + 22, column : column + 22])
    assert grid.names == ("x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4")


def test_the_values_of_a_patch_are_its_own_crossings_from_its_corner():
    grid = make_deformed_grid(4, random_state=3)
    seen = key_points(draw(4, np.random.default_rng(3)))
    for values, image, (row, column) in zip(grid.values, grid.image, grid.corner, strict=True):
        inside = ((crossings() >= [column, row]) & (crossings() < [column + 22, row + 22])).all(axis=1)
        assert_allclose(values.reshape(4, 2), seen[image][inside] - [column, row])
    rest = np.array([5, 5, 16, 5, 5, 16, 16, 16])
    assert np.abs(grid.values - rest).max() < 5.5


def test_scenes_move_smoothly():
    start = draw(5, np.random.default_rng(0))
    near = np.abs(render(start + 1e-6) - render(start))
    assert near.max() < 1e-3
    assert np.abs(render(start * 0.5) - render(start)).mean() > 0.01


def test_more_rounds_would_move_no_crossing(monkeypatch):
    coefficients = draw(500, np.random.default_rng(1))
    seen = key_points(coefficients)
    monkeypatch.setattr("trigpoint.datasets._deformed_grid.ROUNDS", 80)
    assert_allclose(key_points(coefficients), seen, rtol=0, atol=1e-12)
