import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.ndimage import map_coordinates

from trigpoint.datasets import make_jazz_hands
from trigpoint.datasets._jazz_hands import RANGES, SHOULDERS, key_points, render


def drawn(n, seed=0):
    return np.random.default_rng(seed).uniform(RANGES[:, 0], RANGES[:, 1], (n, 4))


def test_arms_by_hand():
    points = key_points(np.radians([[0.0, 90.0, -30.0, 30.0]]))[0]
    assert_allclose(points[0], [33.5 - 13, 36.0])
    assert_allclose(points[1], [33.5 - 13, 36.0 - 12], err_msg="bent up by a right angle")
    assert_allclose(points[2], [53.5 + 13 * np.sqrt(0.75), 36.0 + 6.5])
    assert_allclose(points[3], points[2] + [12, 0])


def test_bones_keep_their_length():
    points = key_points(drawn(100))
    for shoulder, elbow, hand in ((SHOULDERS[0], 0, 1), (SHOULDERS[1], 2, 3)):
        assert_allclose(np.linalg.norm(points[:, elbow] - shoulder, axis=1), 13)
        assert_allclose(np.linalg.norm(points[:, hand] - points[:, elbow], axis=1), 12)


def test_angles_fill_their_ranges():
    points = make_jazz_hands(2000, random_state=0).values.reshape(-1, 4, 2)
    for sign, shoulder, elbow, hand in ((-1, SHOULDERS[0], 0, 1), (1, SHOULDERS[1], 2, 3)):
        upper, lower = points[:, elbow] - shoulder, points[:, hand] - points[:, elbow]
        raised, whole = (np.degrees(np.arctan2(-bone[:, 1], sign * bone[:, 0])) for bone in (upper, lower))
        bend = whole - raised
        assert_allclose([raised.min(), raised.max(), bend.min(), bend.max()], [-50, 40, 0, 100], atol=0.5)


def test_elbows_and_hands_are_where_the_picture_shows_them():
    angles = drawn(300)
    images, points = render(angles), key_points(angles)
    column, row = np.rint(points).astype(int).transpose(2, 0, 1)  # (300, 4)
    shown = images[np.arange(300)[:, None], row, column]
    assert shown[:, 1::2].min() > 0.85, "hands are of skin"
    assert shown[:, ::2].min() > 0.7, "elbows are of skin, at the end of a sleeve"
    free = np.abs(points[:, 1] - [43.5, 30]).max(axis=1) > 24  # far from head and trunk
    elsewhere = images[np.arange(300), row[:, 1], 87 - column[:, 1]]
    assert elsewhere[free & (np.abs(87 - points[:, 1, 0] - points[:, 3, 0]) > 14)].max() < 0.7


def test_a_hand_has_fingers():
    angles = np.radians([[0.0, 0.0, 0.0, 0.0]])
    x, y = key_points(angles)[0, 1]
    around = np.linspace(np.pi / 3, 5 * np.pi / 3, 180)  # away from the forearm
    ring = map_coordinates(render(angles)[0], [y + 4.7 * np.sin(around), x + 4.7 * np.cos(around)], order=1)
    tips = (ring[1:-1] > ring[:-2]) & (ring[1:-1] >= ring[2:]) & (ring[1:-1] > 0.4)
    assert tips.sum() >= 3, "bright, darker and bright again"
    assert ring.min() < 0.3
    assert min(ring[:60].max(), ring[-60:].max()) > 0.4, "on both sides of the palm"


def test_an_arm_moves_alone():
    still, moved = render(np.radians([[0.0, 20.0, 10.0, 30.0], [-40.0, 0.0, 10.0, 30.0]]))
    assert_array_equal(still[:, 44:], moved[:, 44:])
    assert np.abs(still[:, :44] - moved[:, :44]).max() > 0.5


def test_the_mirror_image_swaps_the_arms():
    angles = drawn(5)
    mirrored = render(angles[:, [2, 3, 0, 1]])[:, :, ::-1]
    points, swapped = key_points(angles), key_points(angles[:, [2, 3, 0, 1]])[:, [2, 3, 0, 1]]
    assert_allclose(swapped * [-1, 1] + [87, 0], points)
    assert np.abs(render(angles) - mirrored).mean() < 0.002


def test_key_points_stay_in_the_picture():
    corners = np.array(np.meshgrid(*[np.linspace(*pair, 7) for pair in RANGES])).reshape(4, -1).T
    for points in (key_points(corners), make_jazz_hands(500, random_state=0).values.reshape(-1, 4, 2)):
        assert points.min() >= 5
        assert (points.max(axis=(0, 1)) <= [82, 60]).all()


@pytest.mark.parametrize("axis", range(4))
def test_pictures_move_smoothly(axis):
    start = drawn(10) * 0.9
    near, far = (np.abs(render(start + h * np.eye(4)[axis]) - render(start)) for h in (1e-4, 0.3))
    assert near.max() < 0.01
    assert far.mean() > 0.002
