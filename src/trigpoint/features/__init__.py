"""Samples as people have them -> features.

A recipe is fitted on a pool: on the columns of a table, on texts or on pictures. It gives each sample a row
of numbers, serves new samples in the same way, and tells its state, so that a file can keep it.
"""

from trigpoint.features._picture_recipe import PICTURE_METHODS, PictureRecipe, picture_recipe
from trigpoint.features._recipe import ColumnUse, Recipe, recipe_digest, recipe_from
from trigpoint.features._text_recipe import TEXT_METHODS, TextRecipe, fit_text, fitted_text, text_method

__all__ = [
    "PICTURE_METHODS",
    "TEXT_METHODS",
    "ColumnUse",
    "PictureRecipe",
    "Recipe",
    "TextRecipe",
    "fit_text",
    "fitted_text",
    "picture_recipe",
    "recipe_digest",
    "recipe_from",
    "text_method",
]
