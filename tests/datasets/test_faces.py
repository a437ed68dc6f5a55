import numpy as np
import pytest
from numpy.testing import assert_allclose

from trigpoint.datasets import make_faces
from trigpoint.datasets._faces import CENTER, PIXEL, _nearest, _rotation, render
from trigpoint.datasets._head import LOW, STEP, head

NOSE = np.array([0.0, -0.165, 0.885])  # its tip, in coordinates of the head


def tip_of_the_nose(pan, tilt):
    """Column and row of the pixel that shows it."""
    a, b = np.radians([pan, tilt])
    x, z = NOSE[2] * np.sin(a), NOSE[2] * np.cos(a)
    y = NOSE[1] * np.cos(b) + z * np.sin(b)
    return x / PIXEL + 31.5, (CENTER - y) / PIXEL + 31.5


def test_values_lie_in_their_ranges():
    values = make_faces(60, random_state=0).values
    most = np.array([75.0, 10.0, 75.0])
    assert (np.abs(values) <= most).all()
    assert (values.min(axis=0) < -0.9 * most).all()
    assert (values.max(axis=0) > 0.9 * most).all()


@pytest.mark.parametrize("tilt", [-10, 0, 10])
def test_the_nose_points_where_pan_says(tilt):
    for pan, outermost in ((75.0, np.max), (-75.0, np.min)):
        shown = render(np.array([[pan, tilt, 0.0]]))[0] > 0.1
        column, row = tip_of_the_nose(pan, tilt)
        near = shown[int(row) - 4 : int(row) + 5]
        assert abs(outermost(np.flatnonzero(near.any(axis=0))) - column) < 1.5


def test_tilt_moves_the_face_up():
    rows = []
    for tilt in (-10.0, 0.0, 10.0):
        bare = render(np.array([[75.0, tilt, 0.0]]))[0] > 0.1
        nose = bare[24:52, 58:]  # only the nose reaches so far out
        rows.append(24 + np.flatnonzero(nose.any(axis=1)).mean())
    assert rows[0] > rows[1] + 0.5 > rows[2] + 1.0


def test_the_mirror_image_is_the_head_turned_the_other_way():
    values = np.array([[40.0, 5.0, -30.0], [-70.0, -8.0, 60.0], [0.0, 3.0, 20.0]])
    mirrored = render(values * [-1, 1, -1])[:, :, ::-1]
    gap = np.abs(render(values) - mirrored)
    assert gap.mean() < 0.003
    assert np.abs(render(values) - render(values * [-1, 1, 1])[:, :, ::-1]).mean() > 0.03, "light has a side"


@pytest.mark.parametrize("pan", [-30.0, 0.0, 30.0])
def test_the_side_that_faces_the_light_is_brighter(pan):
    for light in (-70.0, 70.0):
        image = render(np.array([[pan, 0.0, light]]))[0]
        left, right = image[:, :32].mean(), image[:, 32:].mean()
        assert (right > 1.3 * left) if light > 0 else (left > 1.3 * right)


def test_light_does_not_move_the_head():
    lit, other = render(np.array([[20.0, 0.0, -75.0], [20.0, 0.0, 75.0]])) > 0
    assert (lit == other).all()
    assert 0.4 < lit.mean() < 0.75
    assert not lit[:2, :8].any(), "a dark background"


def test_skin_that_the_light_misses_has_the_ambient_share():
    right, left = render(np.array([[0.0, 0.0, 75.0], [0.0, 0.0, -75.0]]))
    assert_allclose(right[36:42, 20:24], 0.86 * 0.15, rtol=1e-3)
    assert_allclose(left[36:42, 40:44], 0.86 * 0.15, rtol=1e-3)


def test_each_picture_has_its_own_values():
    values = make_faces(4, random_state=0).values
    assert_allclose(render(values), np.concatenate([render(row[None]) for row in values]), atol=1e-5)


def test_rays_that_just_miss_are_covered_in_part():
    values = np.array([[20.0, 5.0, 0.0]])
    gap = _nearest(_rotation(*np.radians(values[:, :2]).T))[1].reshape(64, 64)
    image = render(values)[0]
    rim = (gap > 0) & (gap < PIXEL)
    assert rim.sum() > 60
    assert (image[rim] <= 1 - gap[rim] / PIXEL + 1e-6).all()
    assert image[rim].max() > 0.1
    assert not image[gap >= PIXEL].any()


def test_pictures_move_smoothly():
    start = np.array([[10.0, 2.0, 15.0], [-60.0, -5.0, -40.0]])
    for axis in np.eye(3):
        changes = [np.abs(render(start + h * axis) - render(start)).mean() for h in (0.01, 0.1, 1.0)]
        assert changes[0] < 0.0005
        assert 0.0 < changes[1] < 0.002
        assert 0.0005 < changes[2] < 0.02


def test_the_rotation_is_pan_then_tilt():
    turn = _rotation(np.radians([90.0, 0.0, 30.0]), np.radians([0.0, 30.0, 20.0]))
    assert_allclose(turn[0] @ [0, 0, 1], [1, 0, 0], atol=1e-12)
    assert_allclose(turn[1] @ [0, 0, 1], [0, 0.5, np.sqrt(0.75)], atol=1e-12)
    assert_allclose(turn[2] @ turn[2].T, np.eye(3), atol=1e-12)
    assert np.linalg.det(turn[2]) == pytest.approx(1)


def test_the_distance_to_the_head_is_safe_to_step_by():
    model = head()
    slope = np.sqrt(sum(part**2 for part in model.normal))
    assert slope[model.distance > 0].max() < 1.2, "a ray must not step through the surface"
    assert np.median(slope[model.distance > 0]) > 0.9, "nor creep"
    center = tuple(np.rint(-LOW / STEP).astype(int))
    assert model.distance[center] < 0
    assert model.distance[0, 0, -1] > 0
    assert 0.1 < model.albedo.min() < model.albedo.max() <= 1
