"""Pools of texts: their features, by a recipe of their own or by that of an earlier pool."""

from pathlib import Path
from typing import Any

from trigpoint._errors import InputError
from trigpoint.features import Recipe, fit_text


def text_features(texts: list[str], path: Path, recipe: Recipe | None) -> tuple[Any, Recipe]:
    """(n, d) features, and the recipe that made them."""
    if recipe is not None and recipe.kind != "text":
        raise InputError("recipe", f"must be one for texts, as {path} is read", f"one for {recipe.kind}")
    try:
        used = fit_text(texts) if recipe is None else recipe
    except InputError as error:  # of texts: name the file
        raise InputError(path, error.rule, error.value) from None
    return used.transform(texts), used
