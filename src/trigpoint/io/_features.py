"""The features of a table: its columns of numbers.

A column is a feature when all its cells are numbers. One that holds mostly numbers and some other
cell ("n/a", "1,5") is refused, not dropped; so are blank cells, NaN and infinity in a feature.
"""

import re

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats
from trigpoint.io._table import Table, listed, number

DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*")


def features_of(table: Table, candidates: list[str], chosen: bool) -> tuple[Floats, list[str]]:
    """The (n, p) features among the candidates, and their names; ``chosen`` ones must all be numbers.

    The table's columns of numbers become views of the features.
    """
    names = feature_names(table, candidates, chosen)
    X = np.empty((table.n_rows, len(names)))
    for j, name in enumerate(names):
        X[:, j] = table.columns[name]
        table.columns[name] = X[:, j]
        _check_finite(table, name, X[:, j])
    return X, names


def feature_names(table: Table, candidates: list[str], chosen: bool) -> list[str]:
    """The candidates that hold numbers."""
    names = []
    for name in candidates:
        column = table.columns[name]
        if isinstance(column, list):
            _check_text(table, name, column, chosen)
        elif chosen or not np.isnan(column).all():  # an all-blank column is no feature, unless asked for
            names.append(name)
    if not names:
        among = listed(list(table.columns))
        raise InputError(table.path, "must have a column of numbers (or give text_column=)", among)
    return names


def _check_text(table: Table, name: str, cells: list[str], chosen: bool) -> None:
    """Refuse text where numbers were meant."""
    odd = [i for i, cell in enumerate(cells) if number(cell) is None]
    spelled = sum(1 for cell in cells if cell.strip()) - len(odd)
    place = f"{table.path}, {table.where(odd[0])}, column {name!r}"
    value = cells[odd[0]] if len(cells[odd[0]]) < 50 else cells[odd[0]][:50] + "..."
    if all(DECIMAL_COMMA.fullmatch(cells[i]) for i in odd):
        raise InputError(f"{place}: numbers", "must have a decimal point", repr(value))
    if chosen:
        raise InputError(f"{place}:", "must be a number, as columns asks for features", repr(value))
    if spelled > len(odd):
        rule = f"must be a number, as {spelled} others of its column are (or choose others with columns=)"
        raise InputError(f"{place}:", rule, repr(value))


def _check_finite(table: Table, name: str, column: Floats) -> None:
    bad = np.flatnonzero(~np.isfinite(column))
    if len(bad):
        value = "a blank cell or NaN" if np.isnan(column[bad[0]]) else "infinity"
        more = f" ({len(bad)} such cells in the column)" if len(bad) > 1 else ""
        place = f"{table.path}, {table.where(int(bad[0]))}, column {name!r}"
        raise InputError(f"{place}:", "must be a finite number", f"{value}{more}")
