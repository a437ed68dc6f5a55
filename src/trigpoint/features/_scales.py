"""Center and spread of the numbers of a table.

    robust     center m, the median; spread (q3 - q1) / 1.349, which is the standard deviation of normal
               numbers; bent, so that no outlier is beyond 3 spreads. If q3 = q1, as where more than half of
               the values are equal, the spread is the median of |v - m| where v != m.
    standard   mean and standard deviation
    none       as they are

"auto" is "robust", unless all columns are numbers of one kind, such as pixels or coordinates of an
embedding (`views.base_name`): those stay as they are, since their scales mean something.

A category counts as much as a number. Of numbers with unit variance, E (v - v')^2 = 2; one-hot rows of
different categories differ by 1 + 1. So one-hot columns are 0 and 1, and a boolean is 0 and sqrt 2.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt

import numpy as np

from trigpoint.features._column_recipe import Column, ColumnRecipe, Where
from trigpoint.views import base_name

SCALES = ("auto", "robust", "standard", "none")
NORMAL = 1.349  # quartiles of normal numbers are so many standard deviations apart
STEP = sqrt(2.0)  # between the answers of a boolean


def scaled(
    recipes: list[ColumnRecipe], columns: Mapping[str, Column], scale: str, where: Where
) -> list[ColumnRecipe]:
    numbers = [one for one in recipes if one.use not in ("category", "boolean")]
    if scale == "none" or not recipes:
        return recipes
    if scale == "auto":
        alone = len(recipes) == 1 and len(recipes[0].features) == 1
        plain = len(numbers) == len(recipes) and not any(one.marked for one in recipes)
        if alone or (plain and _one_kind(numbers, columns, where)):
            return recipes
    return [_in_scale(one, columns[one.name], scale, where) for one in recipes]


def _one_kind(numbers: list[ColumnRecipe], columns: Mapping[str, Column], where: Where) -> bool:
    X = np.empty((len(columns[numbers[0].name]), len(numbers)))
    for j, one in enumerate(numbers):
        one.write(columns[one.name], X[:, j : j + 1], where)
    return base_name(X) == "raw"


def _in_scale(one: ColumnRecipe, cells: Column, scale: str, where: Where) -> ColumnRecipe:
    if one.use == "category":
        return one
    if one.use == "boolean":
        return replace(one, spread=1 / STEP)
    values = one.values(cells, where)
    values = values[~np.isnan(values)]
    if scale == "standard":
        size = float(np.abs(values).max()) or 1.0
        center, spread = float((values / size).mean()) * size, float((values / size).std()) * size
        return replace(one, center=center, spread=spread or 1.0)
    low, center, high = np.quantile(values, (0.25, 0.5, 0.75))
    spread = float((high - low) / NORMAL)
    if not spread > 0:
        apart = np.abs(values - center)
        spread = float(np.median(apart[apart > 0])) if apart.any() else 1.0
    return replace(one, center=float(center), spread=spread, bend=True)
