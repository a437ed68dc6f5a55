"""Labels of some samples: from a table by id, or from an array with one entry a sample.

A blank cell is no label; nor is NaN among real values, nor -1 in an array of integer classes.
Labels are real values where task="regression" says so, and without a word where all are numbers and
one is not whole, or where there are several columns; else they are classes, kept as they are spelled.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint._validation import check_choice
from trigpoint.io._array_labels import TASKS, array_labels, real_labels
from trigpoint.io._cells import number
from trigpoint.io._files import TABLES, check_file, kind_of
from trigpoint.io._json import load_records
from trigpoint.io._label_studio_import import is_label_studio, labels_of_records
from trigpoint.io._pace import paced
from trigpoint.io._read_table import read_table
from trigpoint.io._samples import Labels
from trigpoint.io._table import (
    INDEX_NAMES,
    LABEL_NAMES,
    MissingColumnError,
    Table,
    check_column,
    id_name,
    listed,
    positions,
)


def read_labels(
    path: str | Path,
    ids: Sequence[str] | Array,
    *,
    id_column: str | None = None,
    label_column: str | Sequence[str] | None = None,
    task: str | None = None,
    skip_unknown: bool = False,
) -> Labels:
    """Labels of samples of the pool with these ids.

    Parameters
    ----------
    path : .csv, .tsv, .parquet, .json, .jsonl (tables; Label Studio's exports), .npy, .npz, IDX
        A table without ids, and any array, must have one row for each sample, in the pool's order.
    ids : (n,) ids of the pool
    id_column : as in `read_pool`
    label_column : one name, or several for real values of several dimensions; the name of the
        array in an .npz. By default the column called label, labels, target or class, else the only
        one beside the ids.
    task : "classification", "regression" or None, for what the labels look like
    skip_unknown : leave out ids that are not in the pool, and name them in the result, instead of
        refusing the file

    Returns
    -------
    Labels

    Raises
    ------
    MissingColumnError
        Where the file does not have ``label_column``, or none that it calls a label.
    """
    path = Path(path)
    kind = kind_of(path, (*TABLES, "npy", "npz", "idx"))
    check_file(path)
    if task is not None:
        check_choice(task, "task", TASKS)
    names = None if label_column is None else _names(label_column)
    if kind == "json" and is_label_studio(records := load_records(path)):
        controls = names[0] if names and len(names) == 1 else names
        return _of_task(path, labels_of_records(path, records, ids, controls, skip_unknown), task)
    if kind in TABLES:
        labels = _table_labels(path, kind, ids, id_column, names, task, skip_unknown)
    else:
        labels = array_labels(path, kind, len(ids), names, task)
    if len(labels.indices) == 0 and not labels.unknown:
        raise InputError(path, "must hold at least one label; it holds none")
    return labels


def _names(label_column: str | Sequence[str]) -> list[str]:
    names = [label_column] if isinstance(label_column, str) else list(label_column)
    if not names or len(set(names)) < len(names):
        raise InputError("label_column", "must be one name or several distinct ones", repr(label_column))
    return names


def _of_task(path: Path, labels: Labels, task: str | None) -> Labels:
    if task is not None and labels.task != task and len(labels.indices):
        raise InputError(path, f"must hold labels for {task}; it holds some for {labels.task}")
    return labels


def _table_labels(
    path: Path,
    kind: str,
    ids: Any,
    id_column: str | None,
    label_column: list[str] | None,
    task: str | None,
    skip_unknown: bool,
) -> Labels:
    chosen: list[Any] = []

    def plan(names: list[str]) -> dict[str, bool]:
        name = id_name(path, names, id_column)
        columns = _label_names(path, names, name, label_column)
        chosen[:] = [name, columns]
        return dict.fromkeys([*([] if name is None else [name]), *columns], True)

    table = read_table(path, kind, plan)
    name, columns = chosen
    cells = [table.text(column) for column in columns]
    known = [i for i in paced(range(table.n_rows)) if any(column[i].strip() for column in cells)]
    names = None if name is None else table.text(name)
    unknown: tuple[str, ...] = ()
    if skip_unknown and names is not None:
        pool = set(ids)
        unknown = tuple(dict.fromkeys(names[i] for i in known if names[i] not in pool))
        known = [i for i in known if names[i] in pool]
    indices = positions(table, names, known, ids)
    rows = _agreeing(table, indices, known, cells)
    kept = np.array([indices[i] for i in rows], dtype=np.int64)
    texts = [[column[i] for column in cells] for i in paced(rows)]
    if task == "classification" or (task is None and not _look_real(texts)):
        if len(columns) > 1:
            raise InputError("label_column", f"must name one column of classes in {path}", columns)
        return Labels(kept, [row[0] for row in texts], tuple(columns), unknown)
    values = np.array([_real_row(table, i, columns, cells) for i in rows]).reshape(len(rows), len(columns))
    return replace(real_labels(path, kept, values, tuple(columns), table.where, rows), unknown=unknown)


def _label_names(path: Path, names: list[str], id_: str | None, label_column: list[str] | None) -> list[str]:
    if label_column is not None:
        return [check_column(path, names, name, "label_column") for name in label_column]
    rest = [name for name in names if name != id_ and name not in INDEX_NAMES]
    called = [name for name in rest if name.strip().lower() in LABEL_NAMES]
    if len(called) != 1 and len(rest) != 1:
        rule = "must have a column called label, or say label_column="
        raise MissingColumnError(path, rule, listed(names), column=LABEL_NAMES[0])
    return called[:1] if called else rest


def _agreeing(table: Table, indices: dict[int, int], rows: list[int], cells: list[list[str]]) -> list[int]:
    """The first row of each sample; others must say the same."""
    first: dict[int, int] = {}
    for i in paced(rows):
        j = first.setdefault(indices[i], i)
        for column in cells:
            if column[i] != column[j]:
                where = f"{table.where(j)} says {column[j]!r}, {table.where(i)} says {column[i]!r}"
                raise InputError(table.path, f"must give a sample one label; {where} of the same one")
    return list(first.values())


def _look_real(texts: list[list[str]]) -> bool:
    found = [number(cell) for row in texts for cell in row]
    several = bool(texts) and len(texts[0]) > 1
    return None not in found and (
        several or any(math.isfinite(value) and value % 1 for value in found if value is not None)
    )


def _real_row(table: Table, i: int, columns: list[str], cells: list[list[str]]) -> list[float]:
    row = []
    for name, column in zip(columns, cells, strict=True):
        value = number(column[i])
        if value is None:
            place = f"{table.path}, {table.where(i)}, column {name!r}"
            raise InputError(f"{place}:", "must be a number", repr(column[i]))
        row.append(value)
    return row
