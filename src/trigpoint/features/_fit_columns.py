"""How to read a column of a pool, and whether it is a feature.

A column of words is read as `_cells` says; words that are nothing else are categories. It is left out if it
is empty or constant, if it identifies the rows (`_judge`), if most of its words are different, or if it
says what the labels say. Rare words among what are mostly numbers are an error, unless they mean "missing".
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint.features._cells import Reading, missing, reading_of, value_of
from trigpoint.features._column_recipe import MISSING, Column, ColumnRecipe, Where, cut, distinct, row_of
from trigpoint.features._judge import ENOUGH, copies_labels, counts_rows, names_samples

RARE = 0.01  # of the rows: categories with fewer are pooled
MARKED = 0.2  # of the rows: missing values that may mean something
HALF = 0.5
WORDS = 4  # a cell, on average, that make a text


def fit_column(
    name: str, cells: Column, order: Sequence[str] | None, comma: str | None, where: Where, chosen: bool
) -> ColumnRecipe | str:
    """How a column is read; or, in words, why it is left out."""
    if isinstance(cells, np.ndarray):
        return _numbers(ColumnRecipe(name, "number"), cells, where, chosen)
    words, codes = distinct(cells)
    real = [word for word in words if not missing(word)]
    if not real:
        return "empty"
    if order is not None:
        levels = tuple(str(level).strip().lower() for level in order)
        reading: Reading | None = Reading("ordered", "words", levels)
    else:
        reading = reading_of(real, comma)
    if reading is not None:
        one = ColumnRecipe(name, reading.use, reading.style, reading.levels)
        return _numbers(one, one.values(cells, where), where, chosen)
    _check_odd(name, words, codes, where)
    return _category(name, words, codes, chosen)


def _numbers(one: ColumnRecipe, values: Floats, where: Where, chosen: bool) -> ColumnRecipe | str:
    endless = np.flatnonzero(np.isinf(values))
    if len(endless):
        more = f" ({len(endless)} such cells in the column)" if len(endless) > 1 else ""
        raise InputError(f"{where(int(endless[0]), one.name)}:", "must be a finite number", f"infinity{more}")
    absent = np.isnan(values)
    real = values[~absent]
    if len(real) == 0:
        return "empty"
    marked = _marked(int(absent.sum()), len(values))
    if len(values) > 1 and (real == real[0]).all() and not marked:
        return "constant"
    if one.use == "number" and not chosen:
        if counts_rows(real):
            return "counts the rows"
        if names_samples(one.name) and _whole_and_different(real):
            return "identifies the rows"
    if one.use == "number" and np.isin(real[:ENOUGH], (0.0, 1.0)).all() and np.isin(real, (0.0, 1.0)).all():
        one = replace(one, use="boolean")
    fill = float(np.median(real))
    if one.use == "boolean":
        fill = float(real.mean() > HALF)
    return replace(one, fill=fill, marked=marked)


def _whole_and_different(values: Floats) -> bool:
    return (
        len(values) >= ENOUGH
        and np.array_equal(values, np.rint(values))
        and len(np.unique(values)) == len(values)
    )


def _enough(count: int, n: int) -> bool:
    return count >= max(2, RARE * n)


def _marked(n_missing: int, n: int) -> bool:
    return 0 < MARKED * n <= n_missing


def _check_odd(name: str, words: list[str], codes: Ints, where: Where) -> None:
    """Refuse words among what are mostly numbers, unless all are frequent, as those of categories are."""
    counts = np.bincount(codes, minlength=len(words))
    real = [j for j, word in enumerate(words) if not missing(word)]
    odd = [j for j in real if value_of(words[j], "number", "plain") is None]
    n_odd, n_real = int(counts[odd].sum()), int(counts[real].sum())
    frequent = all(_enough(int(counts[j]), len(codes)) for j in real)
    if 2 * n_odd < n_real and not frequent:
        row = int(np.flatnonzero(np.isin(codes, odd))[0])
        others = f"must be a number, as {n_real - n_odd} others of its column are"
        raise InputError(
            f"{where(row, name)}:", f"{others} (or leave the column out with drop=)", cut(words[codes[row]])
        )
    commas = [words[j] for j in real if "," in words[j]]
    if commas and all(value_of(words[j], "number", "thousands") is not None for j in real):
        row = int(np.flatnonzero(codes == words.index(commas[0]))[0])
        rule = "may be a fraction or thousands; write it with a decimal point, or without a comma"
        raise InputError(f"{where(row, name)}:", rule, cut(commas[0]))


def _category(name: str, words: list[str], codes: Ints, chosen: bool) -> ColumnRecipe | str:
    counts: dict[str, int] = {}
    for word, count in zip(words, np.bincount(codes, minlength=len(words)).tolist(), strict=True):
        level = MISSING if missing(word) else word
        counts[level] = counts.get(level, 0) + count
    n, n_missing = len(codes), counts.get(MISSING, 0)
    n_words = len(counts) - (MISSING in counts)
    if len(counts) == 1 and n > 1:
        return "constant"
    if not chosen and 2 * n_words > n - n_missing:
        return _unlike(name, counts, n - n_missing)
    kept = tuple(sorted(level for level, count in counts.items() if level and _enough(count, n)))
    if not kept:
        return _unlike(name, counts, n - n_missing)
    pooled = _enough(n - n_missing - sum(counts[level] for level in kept), n)
    marked = _marked(n_missing, n)
    if len(kept) + pooled + marked == 1:
        return "nearly constant"
    return ColumnRecipe(name, "category", "words", kept, pooled, marked=marked)


def _unlike(name: str, counts: dict[str, int], n: int) -> str:
    """Why words that are mostly different are left out."""
    words = [level for level in counts if level != MISSING]
    if sum(len(word.split()) for word in words) >= WORDS * len(words):
        return f"free text: --text-column {name} uses it"
    if len(words) == n:
        return "all different"
    return f"{len(words)} of {n} different"


def copied(one: ColumnRecipe, cells: Column, labels: Column) -> bool:
    """Whether a column says what the labels do, where both are known."""
    values, present = _codes(cells) if one.use == "category" else _present(one.values(cells, row_of))
    targets, known = _present(labels) if isinstance(labels, np.ndarray) else _codes(labels)
    both = present & known
    return bool(2 * both.sum() > known.sum()) and copies_labels(values[both], targets[both])


def _codes(cells: Column) -> tuple[Array, Array]:
    """A number for each word, and which cells are not missing."""
    words, codes = distinct(cells)
    return codes, ~np.array([missing(word) for word in words])[codes]


def _present(values: Floats) -> tuple[Array, Array]:
    return values, ~np.isnan(values)


def check_whole(one: ColumnRecipe, cells: Column, where: Where) -> None:
    _, present = _codes(cells) if one.use == "category" else _present(one.values(cells, where))
    rows = np.flatnonzero(~present)
    if len(rows):
        more = f" ({len(rows)} such cells in the column)" if len(rows) > 1 else ""
        rule = "must not be missing, as missing='refuse' asks"
        raise InputError(f"{where(int(rows[0]), one.name)}:", rule, f"a missing value{more}")
