"""What the painters share: soft edges, layers, and many pictures a few at a time.

A shape is a signed distance D to its edge in pixels, negative inside; its coverage is

    a = min(1, max(0, 1/2 - D)),

so that an edge is one pixel wide and moves smoothly. A layer of brightness c leaves (1 - a) I + a c.
Pixel (row, column) has its center at y = row, x = column.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from trigpoint._types import Array, Floats

Images: TypeAlias = NDArray[np.float32]

CHUNK = 40  # pictures at a time


def painted(paint: Callable[[Floats], Array], parameters: Floats, height: int, width: int) -> Images:
    """The pictures of all parameters, (n, height, width) in [0, 1], computed a chunk at a time."""
    images = np.empty((len(parameters), height, width), dtype=np.float32)
    for start in range(0, len(parameters), CHUNK):
        part = paint(parameters[start : start + CHUNK])
        np.clip(part, 0.0, 1.0, out=images[start : start + CHUNK], casting="same_kind")
    return images


def coverage(distance: Array) -> Array:
    """How much of each pixel a shape covers."""
    return np.clip(0.5 - distance, 0.0, 1.0)


def layer(images: Array, color: Array | float, alpha: Array) -> None:
    """Paint over the images, in place."""
    images += alpha * (color - images)


def segment_distance(x: Array, y: Array, start: Array, end: Array) -> tuple[Array, Array]:
    """Distance of points to segments, and how far along the segment (0 to 1) the nearest point lies.

    ``start`` and ``end`` are (n, 2); x and y broadcast against (n, 1, 1).
    """
    x0, y0 = (start[:, k, None, None] for k in (0, 1))
    dx, dy = (end[:, k, None, None] - start[:, k, None, None] for k in (0, 1))
    along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0.0, 1.0)
    return np.hypot(x - x0 - along * dx, y - y0 - along * dy), along
