"""Cells of tables: the numbers that they spell, and text that no spreadsheet will run.

Excel and its kin take a cell for a formula when it starts with one of T = { = + - @ tab CR LF and
the full-width forms }. With A the apostrophe, a text cell of the form A* T ... that is no number is
written with one more A in front, and a cell of the form A+ T ... is read with one less. So what we
write comes back exactly, and a spreadsheet shows it as text.
"""

import json
import re
from typing import Any

import numpy as np

from trigpoint._types import Floats

RISKY = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
GUARDED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")


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
    """All cells as numbers, NaN where blank; None where one of them is no number."""
    if "_" not in "".join(cells):
        try:
            return np.fromiter(map(float, cells), np.float64, len(cells))
        except ValueError:
            pass
    found = [number(restored(cell)) for cell in cells]
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
