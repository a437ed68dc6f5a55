"""A mouth that opens, widens, smiles and shifts: four parameters, seen through four key points.

With half-width W, center x_0 and t = (x - x_0) / W, the line where the lips meet, raised at its corners by a
smile s, and the edges of the lips above and below it at openness o, are

    m = Y + s (1/2 - t^2),    g = 1 - t^2 (1 + t^2) / 2,
    inner edges:  m - c o g                  m + (1 - c) o g
    outer edges:  m - (c o + U) g b          m + ((1 - c) o + L) g

where b dips by a fifth at t = 0 (the bow of the upper lip), c is the share of the opening that goes up, and
the lips grow thinner, U and L ~ 1 / W, as the mouth grows wider. All four curves meet at t = -1 and
t = 1, the corners. Key points are the corners, and the outer edges at t = 0.
"""

import numpy as np

from trigpoint._types import Array, Floats
from trigpoint._validation import check_integer, check_rng
from trigpoint.datasets._draw import coverage, layer, painted
from trigpoint.datasets._records import Pictures

NAMES = ("left_x", "left_y", "right_x", "right_y", "top_x", "top_y", "bottom_x", "bottom_y")
RANGES = np.array([[0.0, 12.0], [10.0, 17.5], [-2.0, 5.0], [-1.5, 1.5]])  # open, wide, smile, shift; pixels
HEIGHT, WIDTH = 40, 45
MIDDLE, LINE, USUAL = 22.0, 18.5, 14.0  # x and y of the mouth, half of its usual width
UPPER, LOWER = 5.6, 5.8  # thickness of the lips at that width
RISE = 0.3  # the share of the opening that the upper lip makes
BOW = 0.2
SKIN, LIP, INSIDE, TEETH, TONGUE = 0.74, 0.44, 0.06, 0.93, 0.22


def make_lips(n_samples: int = 2000, *, random_state: int | np.random.Generator | None = 0) -> Pictures:
    """Pictures of a mouth, (n, 40, 45), with x and y of its corners, top and bottom in pixels.

    Openness in [0, 12], half-width in [10, 17.5], smile in [-2, 5] and shift in [-1.5, 1.5] pixels are
    uniform; pixel (row, column) has its center at y = row, x = column.

    ``random_state`` is an int (0 by default), a numpy Generator, or None, which draws anew.

    Examples
    --------
    >>> from trigpoint.datasets import make_lips
    >>> lips = make_lips(3)
    >>> lips.images.shape, lips.values.shape
    ((3, 40, 45), (3, 8))
    """
    n_samples = check_integer(n_samples, "n_samples", 1)
    parameters = check_rng(random_state).uniform(RANGES[:, 0], RANGES[:, 1], (n_samples, 4))
    return Pictures(render(parameters), key_points(parameters).reshape(n_samples, 8), NAMES)


def key_points(parameters: Floats) -> Floats:
    """Left corner, right corner, top and bottom as x, y: (n, 4, 2)."""
    opening, wide, smile, shift = parameters.T
    center = MIDDLE + shift
    corner = LINE - smile / 2
    middle = LINE + smile / 2
    top = middle - (RISE * opening + UPPER * USUAL / wide) * (1 - BOW)
    bottom = middle + (1 - RISE) * opening + LOWER * USUAL / wide
    x = np.stack([center - wide, center + wide, center, center], axis=1)
    return np.stack([x, np.stack([corner, corner, top, bottom], axis=1)], axis=2)


def render(parameters: Floats) -> Array:
    """The pictures of openness, half-width, smile and shift, (n, 4) in pixels."""
    return painted(_paint, parameters, HEIGHT, WIDTH)


def _paint(parameters: Floats) -> Array:
    opening, wide, smile, shift = (column[:, None, None] for column in parameters.T)  # (n, 1, 1)
    y, x = np.arange(HEIGHT)[None, :, None], np.arange(WIDTH)[None, None, :] - MIDDLE - shift
    t = x / wide
    g = 1 - t * t * (1 + t * t) / 2  # negative beyond the corners, where upper and lower edges trade sides
    middle = LINE + smile * (0.5 - t * t)
    upper, lower = middle - RISE * opening * g, middle + (1 - RISE) * opening * g
    bow = 1 - BOW * np.exp(-((t / 0.16) ** 2))
    top = middle - (RISE * opening + UPPER * USUAL / wide) * g * bow
    bottom = lower + LOWER * USUAL / wide * g
    images = _skin(x, y, top, bottom, g)
    layer(images, _lips(y, top, upper, lower, bottom), _between(y, top, bottom))
    layer(images, _inside(x, y, upper, lower), _between(y, upper, lower))
    seam = np.exp(-0.5 * ((y - middle) / 0.7) ** 2) * np.clip(5 * g, 0, 1) / (1 + opening)
    layer(images, 0.15, 0.8 * seam)
    return images


def _between(y: Array, top: Array, bottom: Array) -> Array:
    """How much of each pixel lies between two curves; the distance to a steep one is not measured upright."""
    over, under = (1 / np.hypot(1, np.gradient(curve, axis=2)) for curve in (top, bottom))
    return np.asarray(np.maximum(0, coverage((top - y) * over) + coverage((y - bottom) * under) - 1))


def _skin(x: Array, y: Array, top: Array, bottom: Array, g: Array) -> Array:
    """Skin: lighter in the middle, a groove over the bow, a shadow below the lower lip."""
    round_ = SKIN + 0.10 * (1 - (x / 26.0) ** 2 - ((y - LINE) / 34.0) ** 2)
    groove = -0.06 * np.exp(-0.5 * (x / 1.7) ** 2) * np.clip((top - y) / 6.0, 0, 1)
    shadow = -0.18 * np.exp(-0.5 * ((y - bottom - 1.2) / 1.8) ** 2) * np.clip(g, 0, 1)
    return np.asarray(round_ + groove + shadow)


def _lips(y: Array, top: Array, upper: Array, lower: Array, bottom: Array) -> Array:
    """Both lips: the upper one darkens downwards, the lower one shines where it faces the light."""
    up = np.clip((y - top) / np.maximum(upper - top, 1.0), 0, 1)
    down = np.clip((y - lower) / np.maximum(bottom - lower, 1.0), 0, 1)
    below = np.clip(0.5 + y - (upper + lower) / 2, 0, 1)
    dark, shine = LIP + 0.06 - 0.14 * up, LIP + 0.02 + 0.48 * down * (1 - down) - 0.04 * down
    return np.asarray(dark + below * (shine - dark))


def _inside(x: Array, y: Array, upper: Array, lower: Array) -> Array:
    """Teeth hang from the upper jaw, which does not move; the tongue lies below."""
    bright = np.full(np.broadcast_shapes(x.shape, y.shape, upper.shape), INSIDE)
    layer(bright, TONGUE, coverage(0.45 * lower + 0.55 * upper + 2.5 + 0.04 * x * x - y))
    gaps = 1 - 0.3 * np.exp(-0.5 * (((x + 1.5) % 3.0 - 1.5) / 0.4) ** 2)
    layer(bright, TEETH * gaps * np.exp(-0.004 * x * x), coverage(y - LINE - 2.0 + 0.02 * x * x))
    return bright
