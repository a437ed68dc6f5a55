"""Columns of a table -> features, and the recipe that does the same with new rows.

Each column is read and judged (`_fit_columns`), brought to a scale (`_scales`) and written
(`_column_recipe`). Categories with less than 1 % of the rows are pooled in one column, which also serves
categories that are not in the pool. A missing number is the median, a missing boolean the more frequent
answer; a missing category is zeros in all its columns, as far from one category as from any other. A column
"... missing" marks missing values where they are at least 20 % of the rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats
from trigpoint._validation import check_choice
from trigpoint.features._column_recipe import Column, ColumnRecipe, Where, row_of
from trigpoint.features._fit_columns import check_whole, copied, fit_column
from trigpoint.features._recipe import ColumnUse
from trigpoint.features._scales import SCALES, scaled

VERSION = 1
FLAT = ("constant", "nearly constant")
MISSING_RULES = ("impute", "refuse")


@dataclass(frozen=True)
class TableRecipe:
    """How the columns of a table become features; `fit_table` makes it.

    Attributes
    ----------
    columns : what each column in use becomes, in the order of the table
    uses : how every column of the pool is used, or why it is left out
    """

    columns: tuple[ColumnRecipe, ...]
    uses: tuple[ColumnUse, ...]
    kind: str = "table"

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(name for column in self.columns for name in column.features)

    @property
    def straight(self) -> "TableRecipe":
        """The same, with no number bent: outliers stay as far out as they are."""
        return replace(self, columns=tuple(replace(column, bend=False) for column in self.columns))

    @property
    def words(self) -> frozenset[str]:
        """The columns whose cells must be read as text, also where they spell numbers."""
        return frozenset(column.name for column in self.columns if column.use == "category")

    @property
    def unchanged(self) -> list[tuple[int, str]]:
        """The features that are columns of numbers as they are: their places and names."""
        places, place = [], 0
        for column in self.columns:
            if column.as_is:
                places.append((place, column.name))
            place += len(column.features)
        return places

    def transform(self, columns: Mapping[str, Column], *, where: Where | None = None) -> Floats:
        """(m, p) features of rows, of the pool or new; columns beyond those of the pool do not count."""
        lacking = [column.name for column in self.columns if column.name not in columns]
        if lacking:
            told = ", ".join(map(repr, lacking[:5])) + (", ..." if len(lacking) > 5 else "")
            rule = f"must have the columns of the pool; {told} {'is' if len(lacking) == 1 else 'are'} missing"
            raise InputError("columns", rule)
        n = len(columns[self.columns[0].name])
        X = np.empty((n, len(self.feature_names)))
        place = 0
        for column in self.columns:
            width = len(column.features)
            column.write(columns[column.name], X[:, place : place + width], where or row_of)
            place += width
        return X

    def state(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "version": VERSION,
            "columns": [asdict(column) | {"levels": list(column.levels)} for column in self.columns],
            "uses": [asdict(use) for use in self.uses],
        }


def table_recipe_from(state: dict[str, Any]) -> TableRecipe:
    """The recipe with this state."""
    if state.get("version") != VERSION:
        raise InputError("state", f"must be of version {VERSION}", state.get("version"))
    columns = [ColumnRecipe(**column | {"levels": tuple(column["levels"])}) for column in state["columns"]]
    return TableRecipe(tuple(columns), tuple(ColumnUse(**use) for use in state["uses"]))


def fit_table(
    columns: Mapping[str, Column],
    *,
    scale: str = "auto",
    missing: str = "impute",
    chosen: Iterable[str] = (),
    orders: Mapping[str, Sequence[str]] | None = None,
    labels: Column | None = None,
    comma: str | None = None,
    where: Where | None = None,
) -> TableRecipe:
    """How the columns of a pool become features.

    Parameters
    ----------
    columns : {name: (n,) floats, NaN where missing, or n cells of text}
    scale : "robust", "standard", "none", or "auto": robust, unless all are numbers of one kind
    missing : "impute", or "refuse": a missing value is an error
    chosen : columns that are not to be judged, since somebody asked for them
    orders : {name: words from low to high} of columns whose order is known
    labels : (n,) of the samples, where the table holds them: a copy of them is no feature
    comma : what "1,234" means: "thousands" or "decimal"; None: such a column is an error
    where : (row, column) -> the place of a cell in messages

    Returns
    -------
    TableRecipe

    Examples
    --------
    >>> sex = ["m", "f", "NA", "m", "f", "f", "NA"]
    >>> recipe = fit_table({"mass": np.array([1.0, 2, 4, 3, 5, 6, 9]), "sex": sex, "mark": ["x"] * 7})
    >>> recipe.feature_names
    ('mass', 'sex=f', 'sex=m', 'sex=missing')
    >>> recipe.uses[2]
    ColumnUse(name='mark', use=None, why='constant')
    """
    check_choice(scale, "scale", SCALES)
    check_choice(missing, "missing", MISSING_RULES)
    where = where or row_of
    asked, known = set(chosen), orders or {}
    found: dict[str, ColumnRecipe | str] = {}
    for name, cells in columns.items():
        one = fit_column(name, cells, known.get(name), comma, where, name in asked)
        if (
            isinstance(one, ColumnRecipe)
            and labels is not None
            and name not in asked
            and copied(one, cells, labels)
        ):
            one = "says the same as the label"
        if isinstance(one, str) and name in asked and one not in FLAT:
            raise InputError("columns", f"must name columns that can be features; {name!r} cannot: {one}")
        if missing == "refuse" and isinstance(one, ColumnRecipe):
            check_whole(one, cells, where)
        found[name] = one
    _keep_one(found, columns)
    recipes = scaled([one for one in found.values() if isinstance(one, ColumnRecipe)], columns, scale, where)
    by_name = {one.name: one for one in recipes}
    uses = tuple(_use(name, by_name.get(name, one)) for name, one in found.items())
    return TableRecipe(tuple(recipes), uses)


def _keep_one(found: dict[str, ColumnRecipe | str], columns: Mapping[str, Column]) -> None:
    """If nothing else is left, numbers that identify or are constant are features."""
    if any(isinstance(one, ColumnRecipe) for one in found.values()):
        return
    for name, why in found.items():
        cells = columns[name]
        if why in ("counts the rows", "identifies the rows", "constant") and isinstance(cells, np.ndarray):
            found[name] = ColumnRecipe(name, "number", fill=float(np.nanmedian(cells)))


def _use(name: str, one: ColumnRecipe | str) -> ColumnUse:
    if isinstance(one, str):
        return ColumnUse(name, None, one)
    return ColumnUse(name, one.use, _how(one))


def _how(one: ColumnRecipe) -> str:
    words = []
    if one.use == "category":
        words.append(f"{len(one.levels)} categories" + ", rare ones as one" * one.pooled)
    elif one.use == "ordered" and one.levels:
        words.append(" < ".join(one.levels))
    elif one.style in ("thousands", "decimal"):
        words.append("thousands separated" if one.style == "thousands" else "decimal commas")
    return "; ".join(words + ["missing values marked"] * one.marked)
