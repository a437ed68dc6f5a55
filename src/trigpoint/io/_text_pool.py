"""Pools of texts: their features, by a recipe of their own or by that of an earlier pool."""

from pathlib import Path
from typing import Any

from trigpoint._errors import InputError
from trigpoint.features import Recipe, fitted_text


def text_features(texts: list[str], path: Path, method: str, recipe: Recipe | None) -> tuple[Any, Recipe]:
    """(n, d) features, and the recipe that made them."""
    if recipe is not None and recipe.kind != "text":
        raise InputError("recipe", f"must be one for texts, as {path} is read", f"one for {recipe.kind}")
    if recipe is not None:
        return recipe.transform(texts), recipe
    try:
        fitted, X = fitted_text(texts, method)
    except InputError as error:  # of texts: name the file
        raise InputError(path, error.rule, error.value) from None
    return X, fitted
