"""A head that turns, nods and is lit from another side: three values, like the faces of ISOMAP.

The head (`_head`) is seen from far away along z. With R = R_tilt R_pan, a ray of pixel (x, y) runs
through the points R^T (x, y, z), z falling. It steps by the distance D to the surface until D = 0, and
the pixel is shaded there by Lambert's law with normal n, albedo a and light l,

    I = a (A + (1 - A) max(0, n . l)),    l = (sin t cos e, sin e, cos t cos e),

t the azimuth of the light and e its fixed height. A ray that misses by less than a pixel is covered in
part, so that the outline moves smoothly; where the nose hides the cheek, pixels change one by one.
"""

import numpy as np
from scipy.ndimage import map_coordinates

from trigpoint._types import Array, Floats
from trigpoint._validation import check_integer, check_rng
from trigpoint.datasets._draw import painted
from trigpoint.datasets._head import LOW, STEP, head
from trigpoint.datasets._records import Pictures

NAMES = ("pan", "tilt", "light")
RANGES = np.array([[-75.0, 75.0], [-10.0, 10.0], [-75.0, 75.0]])  # degrees
SIZE = 64
PIXEL = 2.12 / SIZE  # in units of the head
CENTER = 0.03  # the height at the middle of the picture
AMBIENT = 0.15
HEIGHT = np.radians(20.0)  # of the light
REACH = 1.1  # rays run from z = REACH to -REACH
TOUCH = 0.002  # closer than this is on the surface
SHORTEST = 0.005  # step of a ray


def make_faces(n_samples: int = 698, *, random_state: int | np.random.Generator | None = 0) -> Pictures:
    """Pictures of a head, (n, 64, 64), with pan, tilt and the azimuth of the light in degrees.

    The values are uniform: pan and light in [-75, 75], tilt in [-10, 10]. Positive is to the
    viewer's right, and up.

    ``random_state`` is an int (0 by default), a numpy Generator, or None, which draws anew.

    Examples
    --------
    >>> from trigpoint.datasets import make_faces
    >>> faces = make_faces(2)
    >>> faces.images.shape, faces.names
    ((2, 64, 64), ('pan', 'tilt', 'light'))
    """
    n_samples = check_integer(n_samples, "n_samples", 1)
    values = check_rng(random_state).uniform(RANGES[:, 0], RANGES[:, 1], (n_samples, 3))
    return Pictures(render(values), values, NAMES)


def render(values: Floats) -> Array:
    """The pictures of pan, tilt and light, (n, 3) in degrees."""
    return painted(_paint, values, SIZE, SIZE)


def _paint(values: Floats) -> Array:
    pan, tilt, light = np.radians(values).T
    turn = _rotation(pan, tilt)  # (n, 3, 3)
    points, gap = _nearest(turn)
    seen = np.flatnonzero(gap < PIXEL)
    points = points[:, seen]
    model = head()
    normal = np.stack([_look_up(part, points) for part in model.normal])  # (3, rays that are seen)
    normal /= np.maximum(np.sqrt((normal * normal).sum(axis=0)), 1e-6)
    facing = (normal * _to_light(turn, light)[:, seen // SIZE**2]).sum(axis=0)
    bright = _look_up(model.albedo, points) * (AMBIENT + (1.0 - AMBIENT) * np.maximum(0.0, facing))
    images = np.zeros(len(gap))
    images[seen] = bright * (1.0 - gap[seen] / PIXEL)
    return images.reshape(len(values), SIZE, SIZE)


def _to_light(turn: Floats, light: Floats) -> Floats:
    """The direction of the light as the head sees it, (3, n)."""
    height = np.full_like(light, np.sin(HEIGHT))
    seen = np.stack([np.sin(light) * np.cos(HEIGHT), height, np.cos(light) * np.cos(HEIGHT)])
    return np.asarray(np.einsum("nij,in->jn", turn, seen))


def _rotation(pan: Floats, tilt: Floats) -> Floats:
    """R_tilt R_pan, (n, 3, 3): the head's coordinates to the viewer's."""
    c, s, ct, st = np.cos(pan), np.sin(pan), np.cos(tilt), np.sin(tilt)
    zero = np.zeros_like(pan)
    rows = [c, zero, s, -s * st, ct, c * st, -s * ct, -st, c * ct]
    return np.stack(rows, axis=1).reshape(-1, 3, 3)


def _nearest(turn: Floats) -> tuple[Array, Array]:
    """Where each ray meets the head or passes it most closely, (3, n * pixels), and how closely."""
    side = (np.arange(SIZE) - (SIZE - 1) / 2) * PIXEL
    y, x = np.meshgrid(CENTER - side, side, indexing="ij")
    start = np.stack([x.ravel(), y.ravel(), np.full(x.size, REACH)])
    at = np.einsum("nij,ip->jnp", turn, start).reshape(3, -1).astype(np.float32)
    step = np.repeat(-turn[:, 2, :].T, x.size, axis=1).astype(np.float32)
    volume = head().distance
    best, gap = at.copy(), np.full(at.shape[1], np.inf, dtype=np.float32)
    rays, gone = np.arange(at.shape[1]), np.zeros(at.shape[1], dtype=np.float32)
    while len(rays):
        distance = _look_up(volume, at)
        closer = distance < gap[rays]
        best[:, rays[closer]] = at[:, closer]
        gap[rays[closer]] = distance[closer]
        ahead = np.maximum(distance, SHORTEST)
        going = (distance > TOUCH) & (gone + ahead < 2 * REACH)
        rays, step, ahead = rays[going], step[:, going], ahead[going]
        at, gone = at[:, going] + ahead * step, gone[going] + ahead
    return best, np.maximum(gap - TOUCH, 0.0)


def _look_up(volume: Array, points: Array) -> Array:
    """A volume between its lattice points, trilinear; beyond its ends, the nearest value."""
    place = (points - LOW[:, None].astype(np.float32)) / np.float32(STEP)
    return map_coordinates(volume, place, order=1, mode="nearest", output=np.float32)  # type: ignore[no-any-return]
