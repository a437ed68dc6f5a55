"""Tables, whatever file they come from, and their cells.

A plan says of each column that is wanted whether it must stay text (ids, labels, "007"); the others
become numbers where every cell is one, or lists of numbers, and stay text where not. Missing cells are NaN
or "".

Excel and its kin take a cell for a formula when it starts with one of T = { = + - @ tab CR LF and
the full-width forms }. With A the apostrophe, a text cell of the form A* T ... that is no number is
written with one more A in front, and a cell of the form A+ T ... is read with one less. So what we
write comes back exactly, and a spreadsheet shows it as text.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats
from trigpoint.features import missing
from trigpoint.io._lists import Lists

Column: TypeAlias = Floats | list[str]
Plan: TypeAlias = Callable[[list[str]], dict[str, bool]]  # names -> {wanted name: must it stay text?}

ID_NAMES = ("id", "name", "filename")
LABEL_NAMES = ("label", "labels", "target", "class")
ANNOTATOR_NAMES = ("annotator",)
INDEX_NAMES = ("", "Unnamed: 0", "__index_level_0__")  # what pandas makes of its index
RISKY = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
GUARDED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")


class MissingColumnError(InputError):
    """A file does not have a column that was asked for, or that it cannot be read without.

    Attributes
    ----------
    column : its name, as asked for; "label" or "id" where nobody said a name
    """

    column: str

    def __init__(self, argument: object, rule: str, value: object = None, column: str = "") -> None:
        super().__init__(argument, rule, value)
        self.column = column


@dataclass(frozen=True, eq=False)
class Table:
    path: Path
    columns: dict[str, Column]  # in the file's order
    n_rows: int
    where: Callable[[int], str]  # how a person finds row i in the file: "line 7"
    comma: str | None = None  # what "1,234" means, "thousands" or "decimal", where the file tells
    orders: dict[str, list[str]] = field(default_factory=dict)  # of ordered words, from low to high
    lists: dict[str, Lists] = field(default_factory=dict)  # columns of lists of numbers

    def text(self, name: str) -> list[str]:
        column = self.columns[name]
        if not isinstance(column, list):
            raise TypeError(f"column {name!r} was not planned as text")
        return column


def table_of(
    path: Path, found: Mapping[str, Column | Lists], n_rows: int, where: Callable[[int], str]
) -> Table:
    """A table of columns of any kind."""
    lists = {name: column for name, column in found.items() if isinstance(column, Lists)}
    columns = {name: column for name, column in found.items() if not isinstance(column, Lists)}
    return Table(path, columns, n_rows, where, lists=lists)


def check_names(path: Path, names: list[str]) -> None:
    """Column names are there, not blank and distinct; the first may be blank, as pandas writes its index."""
    if not names:
        raise InputError(path, "must have columns; it has none")
    seen: set[str] = set()
    for position, name in enumerate(names):
        if not name.strip() and position > 0:
            raise InputError(path, f"must name every column; column {position + 1} has no name")
        if name in seen:
            raise InputError(path, f"must have distinct column names; {name!r} is there twice")
        seen.add(name)


def check_column(path: Path, names: list[str], name: str, argument: str) -> str:
    if name not in names:
        rule = f"must be a column of {path} ({listed(names)})"
        raise MissingColumnError(argument, rule, repr(name), column=name)
    return name


def listed(names: list[str], most: int = 20) -> str:
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown}, ... {len(names)} in all"


def id_name(path: Path, names: list[str], id_column: str | None) -> str | None:
    """The id column: the one asked for, else the first called id, name or filename, else pandas' index."""
    if id_column is not None:
        return check_column(path, names, id_column, "id_column")
    for name in names:
        if name.strip().lower() in ID_NAMES:
            return name
    return next((name for name in names if name in INDEX_NAMES), None)


def check_ids(table: Table, ids: list[str]) -> list[str]:
    """Ids are not blank and distinct."""
    seen: dict[str, int] = {}
    for i, name in enumerate(ids):
        if not name.strip():
            raise InputError(table.path, f"must give every sample an id; {table.where(i)} has none")
        first = seen.setdefault(name, i)
        if first != i:
            places = f"{table.where(first)} and {table.where(i)}"
            raise InputError(table.path, f"must have distinct ids; {name!r} is in {places}")
    return ids


def positions(table: Table, names: list[str] | None, rows: list[int], ids: Any) -> dict[int, int]:
    """{row: position in the pool} of some rows, by their ids; by order where there are none."""
    if names is None:
        if table.n_rows != len(ids):
            rule = f"an id column, or one row for each of the {len(ids)} samples"
            raise InputError(table.path, f"must have {rule}", f"{table.n_rows} rows without ids")
        return {i: i for i in rows}
    place = {name: i for i, name in enumerate(ids)}
    unknown = [i for i in rows if names[i] not in place]
    if unknown:
        first = f"first {names[unknown[0]]!r} in {table.where(unknown[0])}"
        hint = f"the first id of the pool is {str(ids[0])!r}" if len(ids) else "the pool is empty"
        if [str(name) for name in ids[:2]] == ["0", "1"]:
            hint = "the ids of the pool are row numbers, unless id_column= names its column of ids"
        value = f"{len(unknown)} unknown, {first}; {hint}"
        raise InputError(table.path, "must hold ids of the pool only", value)
    return {i: place[names[i]] for i in rows}


def guarded(cell: str) -> str:
    return "'" + cell if RISKY.match(cell) and number(cell) is None else cell


def restored(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and GUARDED.match(cell) else cell


def number(cell: str) -> float | None:
    """The number that a cell spells, NaN where it is blank, None where it is something else."""
    if not cell.strip():
        return float("nan")
    if "_" in cell:  # Python's 1_000 is nobody's number in a file
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def numbers(cells: list[str]) -> Floats | None:
    """All cells as numbers, NaN where missing; None where one of them is no number."""
    if "_" not in "".join(cells):
        try:
            return np.fromiter(map(float, cells), np.float64, len(cells))
        except ValueError:
            pass
    found = [float("nan") if missing(cell.strip()) else number(restored(cell)) for cell in cells]
    return None if None in found else np.array(found, dtype=np.float64)


def text_of(value: Any) -> str:
    """A value of a typed file as a cell: blank where missing, whole floats as integers."""
    if isinstance(value, str):
        return value
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return json.dumps(value, default=str) if isinstance(value, dict | list) else str(value)
