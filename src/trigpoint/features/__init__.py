"""Samples as people have them -> features.

A recipe is fitted on a pool: on the columns of a table, on texts or on pictures. It gives each sample a row
of numbers, serves new samples in the same way, and tells its state, so that a file can keep it.
"""

from trigpoint.features._recipe import ColumnUse, Recipe, recipe_from
from trigpoint.features._text_recipe import TextRecipe, fit_text

__all__ = ["ColumnUse", "Recipe", "TextRecipe", "fit_text", "recipe_from"]
