"""A grid seen through smooth deformations, cut into patches that show four crossings each.

The reference is a picture of 110 x 110 pixels with a dark line every 11 pixels, at 5, 16, ..., 104, so
that the 10 x 10 crossings lie two by two in 5 x 5 patches. A scene shows at pixel p the reference at

    q = p + d(p),    d(p) = sum_k c_k f_k(p),

with f_k the constant, the two coordinates and cosines cos(pi i x / L) cos(pi j y / L) of low order. The
crossing q is seen at the p that solves p = q - d(p): the iteration contracts, since the slope of d is below
1/2 for all coefficients that are drawn, and for the same reason nothing folds. A deformation that moves
anything on a lattice by more than 5 pixels is scaled down to that, and elsewhere moves by about 5 at most:
half a period is 5.5, and beyond it crossings would trade places.
"""

import numpy as np

from trigpoint._types import Array, Floats
from trigpoint._validation import check_integer, check_rng
from trigpoint.datasets._draw import coverage, painted
from trigpoint.datasets._records import DeformedGrid

SIZE, PATCH, PERIOD, FIRST = 110, 22, 11, 5
ORDERS = ((1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (1, 2))  # of the cosines
SHIFT, LINEAR, WAVE = 1.0, 0.035, 0.75  # largest coefficients: constant, coordinates, cosines
LARGEST = 5.0  # displacement in x or y, pixels
ROUNDS = 20  # of 3000 drawn deformations, none moves on by more than rounding
PAPER, INK, WEIGHT = 0.95, 0.10, 0.9  # brightness, and half the width of a line
NAMES = tuple(f"{axis}{k}" for k in range(1, 5) for axis in "xy")


def make_deformed_grid(
    n_images: int = 120, *, random_state: int | np.random.Generator | None = 0
) -> DeformedGrid:
    """Patches of deformed grids, (25 n_images, 22, 22), with x and y of four crossings each.

    The crossings of a patch are those that lie in it before the deformation, row by row; their values are
    pixels from the center of the patch's upper left pixel. Patches come image by image, row by row.

    ``random_state`` is an int (0 by default), a numpy Generator, or None, which draws anew.

    Examples
    --------
    >>> from trigpoint.datasets import make_deformed_grid
    >>> grid = make_deformed_grid(2)
    >>> grid.images.shape, grid.values.shape, grid.scenes.shape
    ((50, 22, 22), (50, 8), (2, 110, 110))
    """
    n_images = check_integer(n_images, "n_images", 1)
    coefficients = draw(n_images, check_rng(random_state))
    scenes = render(coefficients)
    corner = np.mgrid[0:SIZE:PATCH, 0:SIZE:PATCH].reshape(2, -1).T  # (25, 2) row, column
    side = SIZE // PATCH
    cells = (n_images, side, 2, side, 2, 2)  # image, row of patches, row in it, column, column in it, xy
    seen = key_points(coefficients).reshape(cells).transpose(0, 1, 3, 2, 4, 5).reshape(n_images, -1, 4, 2)
    values = (seen - corner[None, :, None, ::-1]).reshape(-1, 8)
    cut = scenes.reshape(n_images, side, PATCH, side, PATCH).transpose(0, 1, 3, 2, 4)
    return DeformedGrid(
        images=cut.reshape(-1, PATCH, PATCH),
        values=values,
        names=NAMES,
        scenes=scenes,
        image=np.repeat(np.arange(n_images, dtype=np.int64), len(corner)),
        corner=np.tile(corner.astype(np.int64), (n_images, 1)),
    )


def draw(n_images: int, rng: np.random.Generator) -> Floats:
    """Coefficients of d, (n, k, 2), uniform and then scaled down where a picture would move too far."""
    limits = np.array([SHIFT, LINEAR, LINEAR, *(WAVE for _ in ORDERS)])
    coefficients = rng.uniform(-1.0, 1.0, (n_images, len(limits), 2)) * limits[:, None]
    lattice = np.stack(np.meshgrid(*[np.linspace(0, SIZE - 1, 23)] * 2), axis=-1).reshape(-1, 2)
    largest = np.abs(_basis(lattice) @ coefficients).max(axis=(1, 2))
    return np.asarray(coefficients * np.minimum(1.0, LARGEST / largest)[:, None, None])


def crossings() -> Floats:
    """The crossings of the reference as x, y, row by row: (100, 2)."""
    at = np.arange(FIRST, SIZE, PERIOD, dtype=np.float64)
    y, x = np.meshgrid(at, at, indexing="ij")
    return np.stack([x.ravel(), y.ravel()], axis=1)


def key_points(coefficients: Floats) -> Floats:
    """Where the crossings are seen in each scene, x and y: (n, 100, 2)."""
    reference = crossings()
    points = np.broadcast_to(reference, (len(coefficients), *reference.shape))
    for _ in range(ROUNDS):
        points = reference - _basis(points) @ coefficients
    return points


def render(coefficients: Floats) -> Array:
    """The scenes, (n, 110, 110)."""
    return painted(_paint, coefficients, SIZE, SIZE)


def _paint(coefficients: Floats) -> Array:
    y, x = np.mgrid[:SIZE, :SIZE]
    pixels = np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float64)
    seen = pixels + _basis(pixels) @ coefficients  # (n, SIZE^2, 2)
    off = np.abs((seen - FIRST + PERIOD / 2) % PERIOD - PERIOD / 2)
    bare = (1.0 - coverage(off - WEIGHT)).prod(axis=2)  # neither line covers the pixel
    return np.asarray(INK + (PAPER - INK) * bare).reshape(-1, SIZE, SIZE)


def _basis(points: Array) -> Floats:
    """The functions f_k at some points, (..., k)."""
    u = (points + 0.5) / SIZE  # in [0, 1] across the picture
    x, y = u[..., 0], u[..., 1]
    waves = [np.cos(np.pi * i * x) * np.cos(np.pi * j * y) for i, j in ORDERS]
    centered = points - (SIZE - 1) / 2
    return np.stack([np.ones_like(x), centered[..., 0], centered[..., 1], *waves], axis=-1)
