"""Pictures -> features: their pixels as they are, or their gradients (`_gradients`).

Gradients are the default for grey pictures. In color the pixels are: what color a thing has is not in its
edges.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint._validation import check_choice
from trigpoint.features._gradients import gradients

PICTURE_METHODS = ("auto", "gradients", "pixels")


@dataclass(frozen=True)
class PictureRecipe:
    """How pictures become features.

    Attributes
    ----------
    method : "gradients" or "pixels"
    image_size : (height, width) of the pictures
    color : whether a pixel has three numbers
    """

    method: str
    image_size: tuple[int, int]
    color: bool

    @property
    def kind(self) -> str:
        return "images"

    def transform(self, pixels: Any) -> Array:
        """(m, p) float32 features of (m, h, w) or (m, h, w, 3) pixels, 0 to 255."""
        pixels = np.asarray(pixels)
        shape = (*self.image_size, 3) if self.color else self.image_size
        if pixels.shape[1:] != shape:
            wanted = " x ".join(map(str, shape))
            raise InputError("pixels", f"must be pictures of {wanted}", f"shape {pixels.shape}")
        if self.method == "gradients":
            return gradients(pixels)
        rows: Array = pixels.reshape(len(pixels), -1).astype(np.float32)
        return rows

    def state(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "method": self.method,
            "image_size": list(self.image_size),
            "color": self.color,
        }


def picture_recipe(image_size: tuple[int, int], color: bool = False, method: str = "auto") -> PictureRecipe:
    """The recipe for pictures of this size."""
    check_choice(method, "image_features", PICTURE_METHODS)
    if method == "gradients" and color:
        raise InputError("image_features", "must be pixels for pictures in color", repr(method))
    if method == "auto":
        method = "pixels" if color else "gradients"
    return PictureRecipe(method, image_size, color)


def picture_recipe_from(state: dict[str, Any]) -> PictureRecipe:
    height, width = state["image_size"]
    return PictureRecipe(str(state["method"]), (int(height), int(width)), bool(state["color"]))
