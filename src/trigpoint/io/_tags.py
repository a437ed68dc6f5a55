"""Sets of tags in files.

A cell holds tags with ; between them, such as cat;outdoor, or a JSON list, ["cat", "outdoor"], as list
columns of Parquet and JSON files are read. [] is a sample without tags, a blank cell one that is unlabeled.
We write a list where a tag would not come back from the short form.

Several columns, or an array (n, t), are one tag each: 1 (or true) for samples that have it, 0 (or false) for
others. All blank, NaN or -1 is unlabeled.
"""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.io._table import text_of

BETWEEN = ";"
PRESENCE = {"1": True, "true": True, "0": False, "false": False}


def is_list(cell: str) -> bool:
    """Whether a cell is a JSON list of text or numbers."""
    return _list(cell) is not None


def _list(cell: str) -> list[Any] | None:
    if not cell.lstrip().startswith("["):
        return None
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    plain = isinstance(found, list) and all(isinstance(tag, str | int | float) for tag in found)
    return found if plain else None


def tags_of(cell: str, where: str) -> tuple[str, ...]:
    """The tags of a cell that is not blank, each once, in order."""
    found = _list(cell)
    parts = cell.split(BETWEEN) if found is None else [text_of(tag) for tag in found]
    tags = [part.strip() if found is None else part for part in parts]
    if not all(tags):
        raise InputError(
            f"{where}:", f"must hold tags with {BETWEEN} between them, or [] for none", repr(cell)
        )
    return tuple(dict.fromkeys(tags))


def tags_text(tags: Iterable[Any]) -> str:
    """A set of tags as a cell."""
    names = sorted(str(tag) for tag in tags)
    plain = names and all(_plain(name) for name in names) and not names[0].startswith("[")
    return BETWEEN.join(names) if plain else json.dumps(names, ensure_ascii=False)


def _plain(name: str) -> bool:
    return bool(name) and BETWEEN not in name and name == name.strip()


def tags_of_row(cells: list[str], names: list[str], where: str) -> tuple[str, ...]:
    """Of one cell a tag, not all of them blank."""
    found = []
    for cell, name in zip(cells, names, strict=True):
        has = PRESENCE.get(cell.strip().lower())
        if has is None:
            raise InputError(f"{where}, column {name!r}:", "must be 1 or 0 for a tag", repr(cell))
        found += [name] * has
    return tuple(found)


def tags_of_array(array: Array, path: Any) -> tuple[list[int], list[tuple[str, ...]]]:
    """The labeled rows of an indicator, and their tags: the numbers of columns."""
    values = array.astype(np.float64) if array.dtype.kind in "biuf" else np.full(array.shape, 2.0)
    values = values.reshape(len(values), -1)
    missing = np.isnan(values) | (values == -1)
    partly = missing.any(axis=1) & ~missing.all(axis=1)
    if array.ndim != 2 or partly.any() or not np.isin(values[~missing], (0, 1)).all():
        rule = "must be 1 or 0 for each tag of a sample, or all -1 or NaN for one that is unlabeled"
        raise InputError(path, rule, f"dtype {array.dtype}, shape {array.shape}")
    rows = np.flatnonzero(~missing.all(axis=1)).tolist()
    return rows, [tuple(str(j) for j in np.flatnonzero(values[i] == 1)) for i in rows]
