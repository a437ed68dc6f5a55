"""One column of a table -> its features.

A number v, also a percentage, a date (days since 1970) or a rank of ordered words, becomes
z = (v - center) / spread, or z / sqrt(1 + (z / 3)^2) where it is bent: close to z if that is
small, and never beyond 3.
A category becomes one-hot columns: one for each level, one for all others where these are pooled, and one for
missing values where these are marked; where there is no column for it, a category is zeros.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints
from trigpoint.features._cells import missing, value_of

Column: TypeAlias = Floats | Sequence[str]
Where: TypeAlias = Callable[[int, str], str]  # (row, column) -> how a person finds the cell

BEND = 3.0  # spreads, that a bent number never exceeds
LONGEST = 50  # characters of a cell in a message
MISSING = ""  # the level of a missing category


def row_of(row: int, column: str) -> str:
    return f"row {row + 1}, column {column!r}"


def cut(word: str) -> str:
    return repr(word if len(word) <= LONGEST else word[:LONGEST] + "...")


def distinct(cells: Column) -> tuple[list[str], Ints]:
    """The distinct words of a column, without the spaces around them, and the (n,) place of each cell's."""
    places: dict[str, int] = {}
    words = map(_spelled, cells) if isinstance(cells, np.ndarray) else (cell.strip() for cell in cells)
    codes = np.fromiter((places.setdefault(word, len(places)) for word in words), np.int64, len(cells))
    return list(places), codes


def _spelled(value: float) -> str:
    """A number that is a category: whole ones without a point."""
    if np.isnan(value):
        return MISSING
    return str(int(value)) if float(value).is_integer() else repr(float(value))


@dataclass(frozen=True)
class ColumnRecipe:
    """How one column becomes features.

    Attributes
    ----------
    name : of the column
    use, style : how its cells are read (`Reading`); use "category" for mere words
    levels : categories with a column each, or ordered words from low to high
    pooled : whether categories beyond ``levels`` have a column
    fill : the value of missing cells
    marked : whether missing cells have a column
    center, spread, bend : (v - center) / spread, bent where ``bend``
    """

    name: str
    use: str
    style: str = "plain"
    levels: tuple[str, ...] = ()
    pooled: bool = False
    fill: float = 0.0
    marked: bool = False
    center: float = 0.0
    spread: float = 1.0
    bend: bool = False

    @property
    def features(self) -> list[str]:
        """Names of its features."""
        if self.use == "category":
            levels = [*self.levels, *["other"] * self.pooled, *["missing"] * self.marked]
            return [f"{self.name}={level}" for level in levels]
        return [self.name] + [f"{self.name} missing"] * self.marked

    @property
    def as_is(self) -> bool:
        """Whether numbers stay as they are."""
        return self.use == "number" and self.style == "plain" and self._unscaled and not self.marked

    @property
    def _unscaled(self) -> bool:
        return self.center == 0.0 and self.spread == 1.0 and not self.bend

    def write(self, cells: Column, out: Floats, where: Where) -> None:
        """Fill (n, d) with its features."""
        if self.use == "category":
            words, codes = distinct(cells)
            out[:] = np.array([self._place(word) for word in words])[codes, None] == np.arange(out.shape[1])
            return
        values = self.values(cells, where)
        absent = np.isnan(values)
        if self.marked:
            out[:, 1] = absent
        values = np.where(absent, self.fill, values) if absent.any() else values
        out[:, 0] = self.scaled(values)

    def _place(self, word: str) -> int:
        """Which one-hot column is 1; -1 where none is."""
        if missing(word):
            return len(self.levels) + self.pooled if self.marked else -1
        return self.levels.index(word) if word in self.levels else len(self.levels) if self.pooled else -1

    def values(self, cells: Column, where: Where) -> Floats:
        """(n,) numbers, NaN where missing."""
        if isinstance(cells, np.ndarray) and self.style != "words":
            return np.asarray(cells, dtype=np.float64)
        words, codes = distinct(cells)
        found = np.empty(len(words))
        for j, word in enumerate(words):
            value = self._value(word)
            if value is None:
                row = int(np.flatnonzero(codes == j)[0])
                raise InputError(f"{where(row, self.name)}:", f"must be a {self.use}", cut(word))
            found[j] = value
        return found[codes]

    def _value(self, word: str) -> float | None:
        if missing(word):
            return float("nan")
        if self.style == "words":
            lower = word.lower()
            return float(self.levels.index(lower)) if lower in self.levels else float("nan")
        value = value_of(word, self.use, self.style)
        lenient = self.use in ("boolean", "ordered")
        return float("nan") if value is None and lenient else value

    def scaled(self, values: Floats) -> Floats:
        if self._unscaled:
            return values
        z = np.clip(values / self.spread - self.center / self.spread, -1e150, 1e150)
        return z / np.hypot(1.0, z / BEND) if self.bend else z
