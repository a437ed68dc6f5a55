"""Labels in an array, one entry or row a sample of the pool, in its order."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats
from trigpoint._validation import REAL
from trigpoint.io._arrays import read_npy, read_npz
from trigpoint.io._cells import text_of
from trigpoint.io._idx import read_idx
from trigpoint.io._samples import Labels
from trigpoint.io._table import MissingColumnError

TASKS = ("classification", "regression")


def real_labels(
    path: Path, indices: Array, values: Floats, columns: tuple[str, ...], where: Any, rows: Sequence[int]
) -> Labels:
    """Real values (l, d), without the rows that are all NaN; (l,) where d = 1."""
    missing = np.isnan(values)
    for j in np.flatnonzero(
        np.isinf(values).any(axis=1) | (missing.any(axis=1) & ~missing.all(axis=1))
    ).tolist():
        found = values[j].tolist()
        raise InputError(
            f"{path}, {where(rows[j])}: labels", "must be finite, all or none of them", f"{found}"
        )
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
    if task is None:
        task = TASKS[real and (array.ndim == 2 or _fractional(array))]
    if task == "regression":
        if not real:
            raise InputError(path, "must hold numbers for task='regression'", f"dtype {array.dtype}")
        values = array.reshape(n, -1).astype(np.float64)
        return real_labels(path, everything, values, columns, lambda i: f"row {i + 1}", range(n))
    if array.ndim == 2:
        raise InputError(path, "must hold one class a sample", f"shape {array.shape}")
    cells = [text_of(value) for value in array.tolist()]
    known = [i for i, cell in enumerate(cells) if cell.strip() and not (real and cell == "-1")]
    return Labels(everything[known], [cells[i] for i in known], columns)


def _array(path: Path, kind: str, names: list[str] | None) -> Array:
    if kind == "npy":
        return read_npy(path)
    if kind == "idx":
        return read_idx(path)
    if names is not None and len(names) > 1:
        raise InputError("label_column", f"must name one array of {path}", names)
    found: Array = read_npz(path, names[0] if names else None, least=1, argument="label_column")
    return found


def _fractional(array: Array) -> bool:
    return bool((np.isfinite(array) & (array != np.rint(array))).any())
