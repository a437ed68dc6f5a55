"""A head as a signed distance on a lattice: negative inside, about one unit from center to crown.

Coordinates of the head: x to the viewer's right, y up, z out of the face. Parts are ellipsoids and
capsules; with D_1 and D_2 the distances to two parts and h = max(0, 1 - |D_1 - D_2| / k),

    join(D_1, D_2) = min(D_1, D_2) - k h^2 / 4,    carve(D_1, D_2) = -join(-D_1, D_2),

which blend over a width of about k. Distances to an ellipsoid of radii r are |p/r| (|p/r| - 1) / |p/r^2|,
the first-order estimate. The gradient of the distance is the normal of the surface.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.ndimage import gaussian_filter

from trigpoint._types import Array

STEP = 0.028
LOW, HIGH = np.array([-0.92, -1.46, -1.06]), np.array([0.92, 1.12, 1.06])


@dataclass(frozen=True, eq=False)
class Head:
    """Volumes over the lattice LOW + STEP * (i, j, k)."""

    distance: Array
    normal: tuple[Array, Array, Array]  # not of unit length
    albedo: Array


@cache
def head() -> Head:
    axes = [np.arange(low, high, STEP, dtype=np.float32) for low, high in zip(LOW, HIGH, strict=True)]
    x, y, z = np.meshgrid(*axes, indexing="ij", sparse=True)
    side = np.abs(x)  # left and right are alike
    face = _face(x, side, y, z)
    hair = _hair(side, y, z)
    distance = _join(face, hair, 0.03)
    albedo = np.where(hair < face, np.float32(0.38), _skin(side, y, z))
    albedo = gaussian_filter(albedo, 0.8)  # no jags where colors meet
    gradient = np.gradient(distance, STEP)
    return Head(distance, (gradient[0], gradient[1], gradient[2]), albedo)


def _face(x: Array, side: Array, y: Array, z: Array) -> Array:
    skull = _ellipsoid(x, y - 0.27, z + 0.14, 0.60, 0.68, 0.74)
    shape = _join(skull, _ellipsoid(x, y + 0.18, z - 0.16, 0.47, 0.72, 0.50), 0.15)
    shape = _join(shape, _ellipsoid(x, y + 0.76, z - 0.45, 0.17, 0.13, 0.15), 0.20)  # chin
    shape = _join(shape, _ellipsoid(side - 0.30, y + 0.12, z - 0.44, 0.13, 0.11, 0.12), 0.15)  # cheek
    shape = _join(shape, _capsule(side, y, z, (0.06, 0.24, 0.63), (0.32, 0.25, 0.50), 0.05), 0.10)  # brow
    shape = _carve(shape, _ellipsoid(side - 0.20, y - 0.09, z - 0.72, 0.14, 0.10, 0.15), 0.10)  # socket
    shape = _join(shape, _ellipsoid(side - 0.20, y - 0.09, z - 0.50, 0.105, 0.085, 0.095), 0.02)  # eye
    shape = _join(shape, _capsule(x, y, z, (0.0, 0.16, 0.65), (0.0, -0.16, 0.83), 0.055), 0.08)  # nose
    shape = _join(shape, _ellipsoid(x, y + 0.17, z - 0.80, 0.085, 0.075, 0.085), 0.06)
    shape = _join(shape, _ellipsoid(side - 0.095, y + 0.20, z - 0.70, 0.06, 0.06, 0.08), 0.04)
    shape = _join(shape, _capsule(side, y, z, (0.0, -0.405, 0.67), (0.17, -0.435, 0.585), 0.042), 0.03)
    shape = _join(shape, _capsule(side, y, z, (0.0, -0.51, 0.665), (0.14, -0.475, 0.595), 0.052), 0.03)
    shape = _carve(shape, _capsule(side, y, z, (0.0, -0.452, 0.74), (0.19, -0.452, 0.63), 0.012), 0.05)
    shape = _join(shape, _ellipsoid(side - 0.585, y - 0.02, z + 0.08, 0.06, 0.19, 0.12), 0.05)  # ear
    shape = _carve(shape, _ellipsoid(side - 0.66, y - 0.03, z + 0.05, 0.05, 0.10, 0.06), 0.04)
    return _join(shape, _capsule(x, y, z, (0.0, -0.55, -0.16), (0.0, -1.60, -0.30), 0.33), 0.12)  # neck


def _hair(side: Array, y: Array, z: Array) -> Array:
    """A shell over the skull, cut at the hairline: high over the brow, above the ear, low at the nape."""
    shell = _ellipsoid(side, y - 0.30, z + 0.17, 0.63, 0.725, 0.79)
    line = 0.20 + 0.40 * _rise(z, 0.12, 0.42) - 0.55 * _rise(-z, 0.20, 0.45)
    return -_join(-shell, y - line, 0.10)


def _rise(t: Array, low: float, high: float) -> Array:
    """From 0 below ``low`` to 1 above ``high``, smoothly."""
    t = np.clip((t - low) / (high - low), 0.0, 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t))


def _skin(side: Array, y: Array, z: Array) -> Array:
    """How bright the skin is: lips, brows, irises and pupils are darker, the white of the eye is not."""
    front = z > 0.3
    lips = front & (((side / 0.20) ** 2 + ((y + 0.457) / 0.095) ** 2) < 1.0)
    brow = front & (np.abs(y - 0.255) < 0.03) & (np.abs(side - 0.21) < 0.13)
    eye = front & (((side - 0.20) / 0.095) ** 2 + ((y - 0.09) / 0.055) ** 2 < 1.0)
    iris = front & ((side - 0.20) ** 2 + (y - 0.09) ** 2 < 0.045**2)
    skin = np.full(np.broadcast_shapes(side.shape, y.shape, z.shape), 0.86, dtype=np.float32)
    for region, bright in ((lips, 0.58), (brow, 0.40), (eye, 1.0), (iris, 0.15)):
        skin[np.broadcast_to(region, skin.shape)] = bright
    return skin


def _ellipsoid(x: Array, y: Array, z: Array, a: float, b: float, c: float) -> Array:
    scaled = np.sqrt((x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2)
    slope = np.sqrt((x / a**2) ** 2 + (y / b**2) ** 2 + (z / c**2) ** 2)
    return scaled * (scaled - 1.0) / np.maximum(slope, 1e-6)


def _capsule(
    x: Array, y: Array, z: Array, start: tuple[float, ...], end: tuple[float, ...], radius: float
) -> Array:
    p = (x - start[0], y - start[1], z - start[2])
    d = [e - s for s, e in zip(start, end, strict=True)]
    along = np.clip(sum(a * b for a, b in zip(p, d, strict=True)) / sum(b * b for b in d), 0.0, 1.0)
    gap = [(a - along * b) ** 2 for a, b in zip(p, d, strict=True)]
    return np.asarray(np.sqrt(gap[0] + gap[1] + gap[2]) - radius)


def _join(one: Array, two: Array, width: float) -> Array:
    h = np.maximum(0.0, 1.0 - np.abs(one - two) / width)
    return np.asarray(np.minimum(one, two) - 0.25 * width * h * h)


def _carve(one: Array, two: Array, width: float) -> Array:
    return -_join(-one, two, width)
