"""Samples as people have them -> features.

A recipe is fitted on a pool: on the columns of a table, on texts or on pictures. It gives each sample a row
of numbers, serves new samples in the same way, and tells its state, so that a file can keep it.
"""

from trigpoint.features._cells import missing
from trigpoint.features._judge import copies_labels, counts_rows
from trigpoint.features._recipe import ColumnUse, Recipe, recipe_from
from trigpoint.features._scales import SCALES
from trigpoint.features._table_recipe import MISSING_RULES, TableRecipe, fit_table
from trigpoint.features._told import told_columns

__all__ = [
    "MISSING_RULES",
    "SCALES",
    "ColumnUse",
    "Recipe",
    "TableRecipe",
    "copies_labels",
    "counts_rows",
    "fit_table",
    "missing",
    "recipe_from",
    "told_columns",
]
