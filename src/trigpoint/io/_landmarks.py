"""Landmarks from a file, as indices into the pool, in order of choice."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Ints
from trigpoint._validation import check_landmarks
from trigpoint.io._arrays import read_npy
from trigpoint.io._cells import number
from trigpoint.io._files import TABLES, check_file, kind_of
from trigpoint.io._read_table import read_table
from trigpoint.io._table import ID_NAMES, MissingColumnError, Table, check_ids, id_name, positions

RANK = "rank"


def read_landmarks(path: str | Path, ids: Sequence[str] | Array, *, id_column: str | None = None) -> Ints:
    """(l,) int64: a table of ids, by its column rank where it has one; or an .npy of indices."""
    path = Path(path)
    kind = kind_of(path, (*TABLES, "npy"))
    check_file(path)
    if kind == "npy":
        return check_landmarks(read_npy(path), len(ids), str(path))
    chosen: list[Any] = []

    def plan(names: list[str]) -> dict[str, bool]:
        name = names[0] if len(names) == 1 and id_column is None else id_name(path, names, id_column)
        if name is None:
            rule = "must have a column called id, or say id_column="
            raise MissingColumnError(path, rule, names, column=ID_NAMES[0])
        rank = next((n for n in names if n.strip().lower() == RANK), None)
        chosen[:] = [name, rank]
        return dict.fromkeys([name] if rank in (None, name) else [name, rank], True)

    table = read_table(path, kind, plan)
    name, rank = chosen
    place = positions(table, check_ids(table, table.text(name)), list(range(table.n_rows)), ids)
    picks = np.array([place[i] for i in range(table.n_rows)], dtype=np.int64)
    return picks if rank in (None, name) else picks[np.argsort(_ranks(table, rank), kind="stable")]


def _ranks(table: Table, name: str) -> list[float]:
    ranks = []
    for i, cell in enumerate(table.text(name)):
        rank = number(cell)
        if rank is None or not np.isfinite(rank):
            raise InputError(
                f"{table.path}, {table.where(i)}, column {name!r}:", "must be a number", repr(cell)
            )
        ranks.append(rank)
    return ranks
