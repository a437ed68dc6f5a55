import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trigpoint.datasets import make_lips
from trigpoint.datasets._lips import RANGES, key_points, render

SKIN = 0.6  # brighter is skin or teeth, darker is lip or the inside


def drawn(n, seed=0):
    return np.random.default_rng(seed).uniform(RANGES[:, 0], RANGES[:, 1], (n, 4))


def pixel(image, x, y):
    return image[int(np.rint(y)), int(np.rint(x))]


def test_a_closed_mouth_by_hand():
    left, right, top, bottom = key_points(np.array([[0.0, 14.0, 0.0, 0.0]]))[0]
    assert left.tolist() == [8.0, 18.5]
    assert right.tolist() == [36.0, 18.5]
    assert_allclose(top, [22.0, 18.5 - 0.8 * 5.6])
    assert_allclose(bottom, [22.0, 18.5 + 5.8])


@pytest.mark.parametrize(("column", "expected"), [(22, 14.02), (24, 13.46), (25, 13.22), (27, 13.31)])
def test_the_upper_lip_has_a_bow(column, expected):
    """The outer edge 18.5 - 5.6 g b, with g and b by hand at t = 0, 1/7, 3/14 and 5/14."""
    image = render(np.array([[0.0, 14.0, 0.0, 0.0]]))[0].astype(np.float64)
    for line in (image[:, column], image[:, 44 - column]):
        skin, lip = line[int(expected) - 2], line[int(expected) + 2]
        edge = (
            int(expected) - 1.5 + ((line[int(expected) - 1 : int(expected) + 2] - lip) / (skin - lip)).sum()
        )
        assert edge == pytest.approx(expected, abs=0.3)


def test_each_parameter_moves_what_it_names():
    steps = np.vstack([np.zeros(4), np.diag([2.0, 2.0, 2.0, 1.0])])
    usual, opened, wide, smiling, shifted = key_points(steps + np.array([5.0, 14.0, 1.0, 0.0]))
    left, right, top, bottom = usual
    assert opened[3, 1] - opened[2, 1] > bottom[1] - top[1] + 1
    assert_array_equal(opened[:2], [left, right])
    assert wide[1, 0] - wide[0, 0] == right[0] - left[0] + 4
    assert_allclose(smiling[:2, 1], [left[1] - 1, right[1] - 1])
    assert_allclose(shifted - [1, 0], usual)


def test_key_points_lie_on_the_edge_of_the_lips():
    parameters = drawn(200)
    for image, (left, right, top, bottom) in zip(render(parameters), key_points(parameters), strict=True):
        for (x, y), way in ((left, -1), (right, 1)):
            rows = image[int(np.rint(y)) - 2 : int(np.rint(y)) + 5]  # a smile is steep at its corners
            assert rows[:, int(np.rint(x)) + 2 * way].min() > SKIN, "skin beyond the corner"
            assert rows[:, int(np.rint(x)) - 3 * way].min() < SKIN, "the mouth within it"
        (x, above), below = top, bottom[1]
        assert pixel(image, x, above - 2) > SKIN > pixel(image, x, above + 2)
        assert pixel(image, x, below + 3) > pixel(image, x, below - 2) + 0.05


def test_the_mouth_is_dark_inside_where_it_is_open():
    shut, opened = render(np.array([[0.0, 14.0, 0.0, 0.0], [12.0, 14.0, 0.0, 0.0]]))
    assert opened.min() < 0.08
    assert (opened < 0.25).sum() > 40 > 5 > (shut < 0.1).sum()
    assert opened[17:20, 20:25].max() > 0.85, "teeth"


def test_a_shift_to_the_other_side_is_the_mirror_image():
    parameters = drawn(5)
    assert_allclose(render(parameters * [1, 1, 1, -1])[:, :, ::-1], render(parameters), atol=1e-6)


def test_key_points_stay_in_the_picture():
    x, y = make_lips(2000, random_state=0).values.reshape(-1, 2).T
    assert x.min() >= 1
    assert x.max() <= 43
    assert y.min() >= 1
    assert y.max() <= 38


@pytest.mark.parametrize("axis", range(4))
def test_pictures_move_smoothly(axis):
    start = drawn(10) * 0.9
    near, far = (np.abs(render(start + h * np.eye(4)[axis]) - render(start)) for h in (1e-3, 1.0))
    assert near.max() < 0.0025, "edges are a pixel wide"
    assert far.mean() > 0.002
