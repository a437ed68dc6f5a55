"""What all recipes have in common, and the way back from the state of one."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from trigpoint._errors import InputError
from trigpoint.features._picture_recipe import picture_recipe_from
from trigpoint.features._text_recipe import text_recipe_from


class Recipe(Protocol):
    """How samples become features.

    Attributes
    ----------
    kind : of pool that it serves: "table", "text" or "images"
    """

    @property
    def kind(self) -> str: ...

    def transform(self, samples: Any) -> Any:
        """(m, p) features of samples, of the pool or new: {column: cells}, texts, or pixels."""

    def state(self) -> dict[str, Any]:
        """Plain values and arrays of numbers, from which `recipe_from` makes the same recipe again."""


@dataclass(frozen=True)
class ColumnUse:
    """How a column of a table is used.

    Attributes
    ----------
    name : of the column
    use : "number", "category", "ordered", "boolean", "date", "percentage" or "embedding"; None: left out
    why : words for how it was read, or why it is left out
    """

    name: str
    use: str | None
    why: str = ""


def recipe_from(state: dict[str, Any]) -> Recipe:
    """The recipe with this state."""
    if state.get("kind") == "embedding":
        from trigpoint.features._embedding_recipe import EmbeddingRecipe

        return EmbeddingRecipe(str(state["column"]), int(state["n_features"]))
    if state.get("kind") == "table":
        from trigpoint.features._table_recipe import table_recipe_from

        return table_recipe_from(state)
    if state.get("kind") == "text":
        return text_recipe_from(state)
    if state.get("kind") == "images":
        return picture_recipe_from(state)
    raise InputError("state", "must be the state of a recipe", repr(state.get("kind")))


def recipe_digest(recipe: Recipe | None) -> str | None:
    """A hash of the state of a recipe: equal recipes give equal features."""
    if recipe is None:
        return None
    total = hashlib.blake2b(digest_size=16)
    for name, value in sorted(recipe.state().items()):
        total.update(name.encode() + b"=")
        if isinstance(value, np.ndarray):
            total.update(f"{value.dtype} {value.shape}".encode() + np.ascontiguousarray(value).tobytes())
        else:
            total.update(json.dumps(value, sort_keys=True, default=repr).encode())
    return total.hexdigest()
