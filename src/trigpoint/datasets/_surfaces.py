"""Surfaces in space whose coordinates are known.

The torus is open: u and v run over [0, 5 pi / 3], so that both are functions on it,

    X = ((3 + cos u) cos v, (3 + cos u) sin v, sin u).

The Swiss roll is a sheet of length S and height 21 rolled up without stretching: at length s along it the
angle t solves L(t) - L(t_0) = s, L(t) = (t sqrt(1 + t^2) + asinh t) / 2 being the arc length of the spiral,
and X = (t cos t, h, t sin t). Distances along the surface are those between the values (s, h).
"""

import numpy as np

from trigpoint._types import Floats
from trigpoint._validation import check_integer, check_number, check_rng
from trigpoint.datasets._records import Surface

OPEN = 5 * np.pi / 3
FROM, TO, HEIGHT = 1.5 * np.pi, 4.5 * np.pi, 21.0


def make_torus(
    n_samples: int = 500, *, noise: float = 0.0, random_state: int | np.random.Generator | None = 0
) -> Surface:
    """Points of an open torus and their angles (u, v), uniform in [0, 5 pi / 3].

    ``noise`` is the standard deviation of Gaussian noise on X.
    ``random_state`` is an int (0 by default), a numpy Generator, or None, which draws anew.

    Examples
    --------
    >>> from trigpoint.datasets import make_torus
    >>> make_torus(4).X.shape
    (4, 3)
    """
    n_samples, noise = check_integer(n_samples, "n_samples", 1), check_number(noise, "noise", 0.0)
    rng = check_rng(random_state)
    values = rng.uniform(0.0, OPEN, (n_samples, 2))
    return Surface(torus(values) + noise * rng.standard_normal((n_samples, 3)), values, ("u", "v"))


def make_swiss_roll(
    n_samples: int = 1000, *, noise: float = 0.0, random_state: int | np.random.Generator | None = 0
) -> Surface:
    """Points of a Swiss roll and their places on the sheet (length, height), uniform on it.

    ``noise`` is the standard deviation of Gaussian noise on X.
    ``random_state`` is an int (0 by default), a numpy Generator, or None, which draws anew.

    Examples
    --------
    >>> from trigpoint.datasets import make_swiss_roll
    >>> make_swiss_roll(4).names
    ('length', 'height')
    """
    n_samples, noise = check_integer(n_samples, "n_samples", 1), check_number(noise, "noise", 0.0)
    rng = check_rng(random_state)
    values = rng.uniform(0.0, np.array([_length(TO) - _length(FROM), HEIGHT]), (n_samples, 2))
    X = swiss_roll(values) + noise * rng.standard_normal((n_samples, 3))
    return Surface(X, values, ("length", "height"))


def torus(values: Floats) -> Floats:
    u, v = values.T
    return np.stack([(3 + np.cos(u)) * np.cos(v), (3 + np.cos(u)) * np.sin(v), np.sin(u)], axis=1)


def swiss_roll(values: Floats) -> Floats:
    t = _angle(values[:, 0])
    return np.stack([t * np.cos(t), values[:, 1], t * np.sin(t)], axis=1)


def _length(t: Floats | float) -> Floats:
    return np.asarray((t * np.sqrt(1 + np.square(t)) + np.arcsinh(t)) / 2)


def _angle(length: Floats) -> Floats:
    """The angle at some length along the sheet: Newton from above on a convex L, so it never overshoots."""
    goal = length + _length(FROM)
    t = np.sqrt(2 * goal)  # L(t) > t^2 / 2
    for _ in range(10):
        t = t - (_length(t) - goal) / np.sqrt(1 + t * t)
    return t
