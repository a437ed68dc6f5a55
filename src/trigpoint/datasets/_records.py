"""What the generators and loaders return: samples, and the values or classes that are true of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trigpoint._types import Floats, Ints


@dataclass(frozen=True, eq=False)
class Surface:
    """Points on a surface in space.

    Attributes
    ----------
    X : (n, 3) float64
    values : (n, 2) float64, the coordinates on the surface
    names : what the columns of values are
    """

    X: Floats
    values: Floats
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Pictures:
    """Pictures that show real values.

    Attributes
    ----------
    images : (n, h, w) float32 in [0, 1], upright
    values : (n, d) float64
    names : what the columns of values are
    """

    images: NDArray[np.float32]
    values: Floats
    names: tuple[str, ...]

    @property
    def X(self) -> NDArray[np.float32]:  # noqa: N802, the name of the field
        """The images as (n, h * w) features; a view."""
        return self.images.reshape(len(self.images), -1)


@dataclass(frozen=True, eq=False)
class DeformedGrid(Pictures):
    """Patches of deformed pictures of a grid.

    Attributes
    ----------
    scenes : (m, 110, 110) float32, the whole pictures
    image : (n,) int64, which scene a patch is cut from
    corner : (n, 2) int64, row and column of the patch's upper left pixel in its scene
    """

    scenes: NDArray[np.float32]
    image: Ints
    corner: Ints


@dataclass(frozen=True, eq=False)
class Portraits:
    """Pictures that belong to classes.

    Attributes
    ----------
    images : (n, h, w) float32 in [0, 1], upright
    labels : (n,) int64
    condition : (n,) int64, how each was taken, where the data say so; else None
    """

    images: NDArray[np.float32]
    labels: Ints
    condition: Ints | None = None

    @property
    def X(self) -> NDArray[np.float32]:  # noqa: N802, the name of the field
        """The images as (n, h * w) features; a view."""
        return self.images.reshape(len(self.images), -1)
