"""A person who waves both arms: a shoulder and an elbow angle on each side, seen through four key points.

With s = -1 for the arm at the left of the picture and s = 1 for the right one, shoulder angle a above the
horizontal and the forearm bent up by b,

    elbow = shoulder + U (s cos a, -sin a),    hand = elbow + F (s cos(a + b), -sin(a + b)),

x to the right and y down, in pixels. Limbs are capsules that taper; a hand is a palm with five fingers.
"""

import numpy as np

from trigpoint._types import Array, Floats
from trigpoint._validation import check_integer, check_rng
from trigpoint.datasets._draw import coverage, layer, painted, segment_distance
from trigpoint.datasets._records import Pictures

NAMES = (
    "left_elbow_x",
    "left_elbow_y",
    "left_hand_x",
    "left_hand_y",
    "right_elbow_x",
    "right_elbow_y",
    "right_hand_x",
    "right_hand_y",
)
RANGES = np.radians([[-50.0, 40.0], [0.0, 100.0], [-50.0, 40.0], [0.0, 100.0]])
HEIGHT, WIDTH = 66, 88
SHOULDERS = np.array([[33.5, 36.0], [53.5, 36.0]])
UPPER_ARM, FOREARM = 13.0, 12.0
BACKDROP, SHIRT, SLEEVE, SKIN, HAIR = 0.16, 0.46, 0.58, 0.88, 0.28
PALM, FINGER = 2.5, 0.8
FINGERS = np.radians([-75.0, -33.0, -8.0, 16.0, 42.0])  # from the axis of the forearm, thumb first
LENGTHS = np.array([3.9, 5.6, 6.0, 5.7, 4.9])
REACH = 8  # a hand lies within so many pixels of its center


def make_jazz_hands(n_samples: int = 2000, *, random_state: int | np.random.Generator | None = 0) -> Pictures:
    """Pictures of a person with moving arms, (n, 66, 88), with x and y of both elbows and hands in pixels.

    For either arm the shoulder angle is uniform in [-50, 40] degrees above the horizontal and the bend of the
    elbow in [0, 100]; pixel (row, column) has its center at y = row, x = column.

    ``random_state`` is an int (0 by default), a numpy Generator, or None, which draws anew.

    Examples
    --------
    >>> from trigpoint.datasets import make_jazz_hands
    >>> people = make_jazz_hands(3)
    >>> people.images.shape, people.values.shape
    ((3, 66, 88), (3, 8))
    """
    n_samples = check_integer(n_samples, "n_samples", 1)
    angles = check_rng(random_state).uniform(RANGES[:, 0], RANGES[:, 1], (n_samples, 4))
    return Pictures(render(angles), key_points(angles).reshape(n_samples, 8), NAMES)


def key_points(angles: Floats) -> Floats:
    """Left elbow, left hand, right elbow, right hand as x, y: (n, 4, 2)."""
    points = []
    for sign, shoulder, (a, b) in zip((-1, 1), SHOULDERS, (angles.T[:2], angles.T[2:]), strict=True):
        elbow = shoulder + UPPER_ARM * np.stack([sign * np.cos(a), -np.sin(a)], axis=1)
        points += [elbow, elbow + FOREARM * np.stack([sign * np.cos(a + b), -np.sin(a + b)], axis=1)]
    return np.stack(points, axis=1)


def render(angles: Floats) -> Array:
    """The pictures of shoulder and elbow angles, left and right, (n, 4) in radians."""
    return painted(_paint, angles, HEIGHT, WIDTH)


def _paint(angles: Floats) -> Array:
    points = key_points(angles).astype(np.float32)
    y, x = np.mgrid[-REACH : HEIGHT + REACH, -REACH : WIDTH + REACH].astype(np.float32)[
        :, None
    ]  # room for hands
    images = np.repeat(_body(x, y), len(angles), axis=0)
    for sign, shoulder, elbow, hand in ((-1, 0, 0, 1), (1, 1, 2, 3)):
        start = np.broadcast_to(SHOULDERS[shoulder].astype(np.float32), (len(angles), 2))
        _limb(images, x, y, start, points[:, elbow], (3.9, 3.1), SLEEVE)
        _limb(images, x, y, points[:, elbow], points[:, hand], (2.7, 1.8), SKIN)
        _hand(images, points[:, elbow], points[:, hand], sign)
    return images[:, REACH:-REACH, REACH:-REACH]


def _body(x: Array, y: Array) -> Array:
    """Backdrop, trunk, neck and head, which do not move: (1, h, w)."""
    images = BACKDROP + 0.10 * np.exp(-(((x - 43.5) / 45.0) ** 2) - ((y - 30.0) / 40.0) ** 2)
    folds = 0.05 * np.cos((x - 43.5) / 5.0)
    ends = np.array(
        [[[38.0, 39.0]], [[38.5, 75.0]], [[49.0, 39.0]], [[48.5, 75.0]], [[43.5, 39.0]], [[43.5, 75.0]]]
    )
    trunk = np.minimum(
        segment_distance(x, y, ends[0], ends[1])[0], segment_distance(x, y, ends[2], ends[3])[0]
    )
    trunk = np.minimum(trunk, segment_distance(x, y, ends[4], ends[5])[0])
    layer(images, SHIRT + folds, coverage(trunk - 7.5))
    neck = segment_distance(x, y, np.array([[43.5, 24.0]]), np.array([[43.5, 32.0]]))[0]
    layer(images, SKIN - 0.18, coverage(neck - 3.2))
    layer(images, HAIR, coverage(_oval(x - 43.5, y - 16.5, 7.4, 8.6)))
    layer(images, SKIN + 0.02 * np.cos((x - 43.5) / 3.0), coverage(_oval(x - 43.5, y - 18.6, 6.2, 7.6)))
    for side in (-2.6, 2.6):
        layer(images, 0.15, coverage(np.hypot(x - 43.5 - side, y - 17.2) - 0.9))
    smile = np.abs(np.hypot(x - 43.5, y - 19.6) - 3.2) + 2.0 * np.maximum(0.0, 21.4 - y)
    layer(images, 0.35, coverage(smile - 0.3))
    return images


def _oval(x: Array, y: Array, a: float, b: float) -> Array:
    scaled = np.hypot(x / a, y / b)
    return scaled * (scaled - 1.0) / np.maximum(np.hypot(x / a**2, y / b**2), 1e-6)


def _limb(
    images: Array, x: Array, y: Array, start: Array, end: Array, radii: tuple[float, float], color: float
) -> None:
    """A capsule from one radius to the other, darker towards its edges, as round things are."""
    distance, along = segment_distance(x, y, start, end)
    radius = radii[0] + (radii[1] - radii[0]) * along
    layer(images, color - 0.14 * (distance / radius) ** 2, coverage(distance - radius))


def _hand(images: Array, elbow: Array, hand: Array, sign: int) -> None:
    """Palm and fingers, painted in a window about each hand."""
    window = np.arange(-REACH, REACH + 1)
    place = np.rint(hand).astype(np.int64)  # (n, 2) x, y
    rows = place[:, 1, None, None] + REACH + window[None, :, None]
    columns = place[:, 0, None, None] + REACH + window[None, None, :]
    x, y = (columns - REACH).astype(np.float32), (rows - REACH).astype(np.float32)
    axis = np.arctan2(hand[:, 1] - elbow[:, 1], hand[:, 0] - elbow[:, 0])
    distance = np.hypot(x - hand[:, 0, None, None], y - hand[:, 1, None, None]) - PALM
    for angle, length in zip(FINGERS, LENGTHS, strict=True):
        way = axis + sign * angle
        tip = hand + length * np.stack([np.cos(way), np.sin(way)], axis=1)
        distance = np.minimum(distance, segment_distance(x, y, hand, tip)[0] - FINGER)
    samples = np.arange(len(hand))[:, None, None]
    part = images[samples, rows, columns]
    layer(part, SKIN, coverage(distance))
    images[samples, rows, columns] = part
