"""What a file says of some samples of a pool: their labels, or that they are landmarks.

Labels come from a table by id, or from an array with one entry a sample, in the pool's order. A blank cell
is no label; nor is NaN among real values, nor -1 in an array of integer classes. Labels are real values
where task="regression" says so; where nobody says it, `_task` decides. Classes are kept as they are spelled.
Labels are sets of tags (`_tag_cells`) where task="tags" says so, and where all are JSON lists.

A table with a column called annotator holds answers: a sample may have one of each person, of several of a
person the last counts, and its label is their consensus (`annotators.consensus`). Where a column called final
is true, that answer decides.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import REAL, check_choice, check_landmarks
from trigpoint.io._agreed import agreed
from trigpoint.io._arrays import read_idx, read_npy, read_npz
from trigpoint.io._arrow import is_dataset
from trigpoint.io._files import TABLES, check_file, kind_of
from trigpoint.io._label_studio_labels import label_studio_records, labels_of_records
from trigpoint.io._pace import paced
from trigpoint.io._read_table import read_table
from trigpoint.io._samples import Labels
from trigpoint.io._table import (
    ANNOTATOR_NAMES,
    ID_NAMES,
    INDEX_NAMES,
    LABEL_NAMES,
    MissingColumnError,
    Table,
    check_column,
    check_ids,
    id_name,
    listed,
    number,
    positions,
    text_of,
)
from trigpoint.io._tag_cells import is_list, tags_of, tags_of_array, tags_of_row
from trigpoint.io._task import task_of, told_joined

TASKS = ("classification", "regression", "tags")
RANK = "rank"
FINAL = "final"  # a column of answers: whether one decides among those of others
YES = ("true", "1")


def read_labels(
    path: str | Path,
    ids: Sequence[str] | Array,
    *,
    id_column: str | None = None,
    label_column: str | Sequence[str] | None = None,
    task: str | None = None,
    skip_unknown: bool | Collection[str] = False,
    texts: Sequence[str] | None = None,
) -> Labels:
    """Labels of samples of the pool with these ids.

    Parameters
    ----------
    path : .csv, .tsv, .parquet, .json, .jsonl (tables; Label Studio's exports), .npy, .npz, IDX
        A table without ids, and any array, must have one row for each sample, in the pool's order. In a table
        with a column called annotator a sample may have a row for each annotator.
    ids : (n,) ids of the pool
    id_column : as in `read_pool`
    label_column : one name, or several for real values of several dimensions, or for tags; the name of the
        array in an .npz. By default the column called label, labels, target or class, else the only
        one beside the ids.
    task : "classification", "regression", "tags" or None, for what the labels look like
    skip_unknown : leave out ids that are not in the pool, and name them in the result, instead of
        refusing the file: all such ids, or those given (`Samples.skipped`)
    texts : of the samples, by which tasks of Label Studio without ids are found, too

    Returns
    -------
    Labels

    Raises
    ------
    MissingColumnError
        Where the file does not have ``label_column``, or none that it calls a label.

    Notes
    -----
    Cost: one pass over the file, and a dictionary of the ids of the pool.

    See Also
    --------
    trigpoint.read_pool : the pool; its ``ids`` go in here.
    trigpoint.io.import_label_studio : with more to say about exports of Label Studio.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from trigpoint.io import read_labels
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "labels.csv"
    >>> _ = path.write_text("id,label\\nb,tall\\na,short\\n")
    >>> found = read_labels(path, ["a", "b", "c"])
    >>> found.indices, found.values, found.task
    (array([1, 0]), ['tall', 'short'], 'classification')
    """
    path = Path(path)
    kind = "dataset" if is_dataset(path) else kind_of(path, (*TABLES, "npy", "npz", "idx"))
    if kind != "dataset":
        check_file(path)
    if task is not None:
        check_choice(task, "task", TASKS)
    names = None if label_column is None else _names(label_column)
    records = label_studio_records(path, kind)
    if records is not None:
        return _of_task(path, labels_of_records(path, records, ids, names, skip_unknown, task, texts), task)
    if kind in TABLES:
        labels = _table_labels(path, kind, ids, id_column, names, task, skip_unknown)
    else:
        labels = array_labels(path, kind, len(ids), names, task)
    told = skip_unknown is True and labels.unknown
    if len(labels.indices) == 0 and labels.answers is None and not told:
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
    skip_unknown: bool | Collection[str],
) -> Labels:
    chosen: list[Any] = []

    def plan(names: list[str]) -> dict[str, bool]:
        name = id_name(path, names, id_column)
        columns = _label_names(path, names, name, label_column)
        person = next((n for n in names if _is_annotator(n) and n not in (name, *columns)), None)
        final = (
            None if person is None else next((n for n in names if _is_final(n) and n not in columns), None)
        )
        chosen[:] = [name, columns, person, final]
        return dict.fromkeys([n for n in (name, *columns, person, final) if n is not None], True)

    table = read_table(path, kind, plan)
    name, columns, person, final = chosen
    cells = [table.text(column) for column in columns]
    known = [i for i in paced(range(table.n_rows)) if any(column[i].strip() for column in cells)]
    names = None if name is None else table.text(name)
    unknown: tuple[str, ...] = ()
    if skip_unknown and names is not None:
        pool = set(ids)
        strange = [names[i] for i in known if names[i] not in pool]
        out = set(strange) if skip_unknown is True else set(strange).intersection(skip_unknown)
        unknown = tuple(name for name in dict.fromkeys(strange) if name in out)
        known = [i for i in known if names[i] not in out]
    indices = positions(table, names, known, ids)
    rows = known if person is not None else _agreeing(table, indices, known, cells)
    kept = np.array([indices[i] for i in rows], dtype=np.int64)
    texts = [[column[i] for column in cells] for i in paced(rows)]
    lists = bool(texts) and all(len(row) == 1 and is_list(row[0]) for row in texts)
    if lists and task not in (None, "tags"):
        raise InputError(path, f"must hold one label a sample for {task}", "lists, which are tags")
    if lists or task == "tags":
        sets = [_tags(table, i, columns, row) for i, row in zip(rows, texts, strict=True)]
        return _by_people(Labels(kept, sets, tuple(columns), unknown), table, rows, person, final)
    assumed = ""
    if task is None:
        several = bool(texts) and len(texts[0]) > 1
        task, assumed = task_of([number(cell) for row in texts for cell in row], several)
        if task == "classification" and not several:
            assumed = assumed or told_joined([row[0] for row in texts])
    if task == "classification":
        if len(columns) > 1:
            raise InputError("label_column", f"must name one column of classes in {path}", columns)
        labels = Labels(kept, [row[0] for row in texts], tuple(columns), unknown)
        told = np.ones(len(rows), dtype=bool)
    else:
        values = np.array([_real_row(table, i, columns, cells) for i in rows]).reshape(
            len(rows), len(columns)
        )
        labels = real_labels(path, kept, values, tuple(columns), table.where, rows)
        labels, told = replace(labels, unknown=unknown), ~np.isnan(values).all(axis=1)
    labels = replace(labels, assumed=assumed)
    rows = [i for i, kept in zip(rows, told, strict=True) if kept]
    return _by_people(labels, table, rows, person, final)


def _by_people(
    labels: Labels, table: Table, rows: list[int], person: str | None, final: str | None
) -> Labels:
    """What people come to, where the table says who gave the label of each row."""
    if person is None or len(rows) == 0:
        return labels
    names = table.text(person)
    decides = [final is not None and table.text(final)[i].strip().lower() in YES for i in rows]
    return agreed(labels, [names[i].strip() or None for i in rows], decides)


def _tags(table: Table, i: int, columns: list[str], row: list[str]) -> tuple[str, ...]:
    place = f"{table.path}, {table.where(i)}"
    if len(columns) == 1:
        return tags_of(row[0], f"{place}, column {columns[0]!r}")
    return tags_of_row(row, columns, place)


def _is_annotator(name: str) -> bool:
    return name.strip().lower() in ANNOTATOR_NAMES


def _is_final(name: str) -> bool:
    return name.strip().lower() == FINAL


def _label_names(path: Path, names: list[str], id_: str | None, label_column: list[str] | None) -> list[str]:
    if label_column is not None:
        return [check_column(path, names, name, "label_column") for name in label_column]
    rest = [name for name in names if name != id_ and name not in INDEX_NAMES and not _is_annotator(name)]
    called = [name for name in rest if name.strip().lower() in LABEL_NAMES]
    if len(called) != 1 and len(rest) != 1:
        rule = "must have a column called label, or give label_column="
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


def _real_row(table: Table, i: int, columns: list[str], cells: list[list[str]]) -> list[float]:
    row = []
    for name, column in zip(columns, cells, strict=True):
        value = number(column[i])
        if value is None:
            place = f"{table.path}, {table.where(i)}, column {name!r}"
            raise InputError(f"{place}:", "must be a number", repr(column[i]))
        row.append(value)
    return row


def real_labels(
    path: Path, indices: Array, values: Floats, columns: tuple[str, ...], where: Any, rows: Sequence[int]
) -> Labels:
    """Real values (l, d), without the rows that are all NaN; (l,) where d = 1."""
    missing = np.isnan(values)
    for j in np.flatnonzero(
        np.isinf(values).any(axis=1) | (missing.any(axis=1) & ~missing.all(axis=1))
    ).tolist():
        found = values[j].tolist()
        raise InputError(f"{path}, {where(rows[j])}: labels", "must be all finite or all missing", f"{found}")
    kept = ~missing.all(axis=1)
    return Labels(indices[kept], values[kept, 0] if values.shape[1] == 1 else values[kept], columns)


def array_labels(path: Path, kind: str, n: int, names: list[str] | None, task: str | None) -> Labels:
    if kind != "npz" and names is not None:
        rule = f"has no meaning for {path}, which has no columns"
        raise MissingColumnError("label_column", rule, repr(names[0]), column=names[0])
    array = _array(path, kind, names)
    if array.ndim not in (1, 2) or len(array) != n or array.size == 0:
        raise InputError(path, f"must hold one label for each of {n} samples", f"shape {array.shape}")
    if array.dtype.kind not in REAL + "U":
        raise InputError(path, "must hold numbers or text", f"dtype {array.dtype}")
    everything, columns = np.arange(n, dtype=np.int64), tuple(names or ())
    real = array.dtype.kind != "U"
    if task == "tags":
        rows, sets = tags_of_array(array, path)
        return Labels(everything[rows], sets, columns)
    assumed = ""
    if task is None:
        told = array[array != -1].tolist() if real else [None]
        task, assumed = task_of(told, array.ndim == 2)
    if task == "regression":
        if not real:
            raise InputError(path, "must hold numbers for task='regression'", f"dtype {array.dtype}")
        values = array.reshape(n, -1).astype(np.float64)
        found = real_labels(path, everything, values, columns, lambda i: f"row {i + 1}", range(n))
        return replace(found, assumed=assumed)
    if array.ndim == 2:
        raise InputError(path, "must hold one class per sample", f"shape {array.shape}")
    cells = [text_of(value) for value in array.tolist()]
    known = [i for i, cell in enumerate(cells) if cell.strip() and not (real and cell == "-1")]
    return Labels(everything[known], [cells[i] for i in known], columns, assumed=assumed)


def _array(path: Path, kind: str, names: list[str] | None) -> Array:
    if kind == "npy":
        return read_npy(path)
    if kind == "idx":
        return read_idx(path)
    if names is not None and len(names) > 1:
        raise InputError("label_column", f"must name one array of {path}", names)
    found: Array = read_npz(path, names[0] if names else None, least=1, argument="label_column")
    return found


def read_landmarks(path: str | Path, ids: Sequence[str] | Array, *, id_column: str | None = None) -> Ints:
    """(l,) int64: a table of ids, by its column rank where it has one; or an .npy of indices.

    Parameters
    ----------
    path : .csv, .tsv, .parquet, .json, .jsonl or .npy
    ids : (n,) ids of the pool
    id_column : as in `read_pool`

    Returns
    -------
    landmarks : (l,) int64

    Notes
    -----
    Cost: one pass over the file, and a dictionary of the ids of the pool. Ids that are not in it are
    refused.

    See Also
    --------
    trigpoint.io.read_labels : where the table has labels, too.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from trigpoint.io import read_landmarks
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "landmarks.csv"
    >>> _ = path.write_text("id,rank\\nb,2\\nc,1\\n")
    >>> read_landmarks(path, ["a", "b", "c"])
    array([2, 1])
    """
    path = Path(path)
    kind = kind_of(path, (*TABLES, "npy"))
    check_file(path)
    if kind == "npy":
        return check_landmarks(read_npy(path), len(ids), str(path))
    chosen: list[Any] = []

    def plan(names: list[str]) -> dict[str, bool]:
        name = names[0] if len(names) == 1 and id_column is None else id_name(path, names, id_column)
        if name is None:
            rule = "must have a column called id, or give id_column="
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
