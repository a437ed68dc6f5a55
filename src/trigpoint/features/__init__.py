"""From tables, texts and pictures to features.

A recipe is fitted on a pool: on the columns of a table, on texts or on pictures. It gives each sample a row
of numbers, serves new samples in the same way, and tells its state, so that a file can keep it.
"""

from trigpoint.features._cells import missing
from trigpoint.features._embedding_recipe import EmbeddingRecipe
from trigpoint.features._judge import copies_labels, counts_rows
from trigpoint.features._picture_recipe import PICTURE_METHODS, PictureRecipe, picture_recipe
from trigpoint.features._recipe import ColumnUse, Recipe, recipe_digest, recipe_from
from trigpoint.features._scales import SCALES
from trigpoint.features._table_recipe import MISSING_RULES, TableRecipe, fit_table
from trigpoint.features._text_recipe import TEXT_METHODS, TextRecipe, fit_text, fitted_text, text_method
from trigpoint.features._told import told_columns

__all__ = [
    "MISSING_RULES",
    "PICTURE_METHODS",
    "SCALES",
    "TEXT_METHODS",
    "ColumnUse",
    "EmbeddingRecipe",
    "PictureRecipe",
    "Recipe",
    "TableRecipe",
    "TextRecipe",
    "copies_labels",
    "counts_rows",
    "fit_table",
    "fit_text",
    "fitted_text",
    "missing",
    "picture_recipe",
    "recipe_digest",
    "recipe_from",
    "text_method",
    "told_columns",
]
