"""Features on a cluster: blocks of rows, from an array here, a .npy file that all workers read, or Dask.

All of them can be made again after a worker's death: an array travels in its tasks, a file is read again, and
Dask knows how its blocks were made. For metric="cosine" rows get length 1, and 1 - cos is half of the squared
distance.
"""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import REAL, check_block, check_features
from trigpoint.distributed._cluster import Job
from trigpoint.distributed._partitions import row_bounds
from trigpoint.io import check_rows


@dataclass(frozen=True, eq=False)
class Features:
    """Futures of (rows, p) arrays."""

    partitions: list[Any]
    bounds: Ints
    n_features: int

    @property
    def n_samples(self) -> int:
        return int(self.bounds[-1])


def features(
    job: Job, X: Any, metric: str, n_partitions: int | None, raw: bool = False, beside: int = 0
) -> Features:
    """X on the cluster; an error of input names the argument as a user knows it.

    ``raw`` keeps the lengths of rows, which else are 1 for metric="cosine". ``beside`` is the number of bytes
    that a block needs for each row beside its features.
    """
    if hasattr(X, "to_delayed"):
        parts, bounds, p = _of_dask(job, X)
    else:
        source, shape, itemsize = _opened(X)
        n, p = shape
        bounds = row_bounds(n, n * (p * itemsize + beside), job.client, n_partitions)
        if isinstance(source, str):
            parts = [job.submit("read", _read, source, int(a), int(b)) for a, b in pairwise(bounds)]
        else:
            parts = [job.submit("read", _itself, source[a:b]) for a, b in pairwise(bounds)]
    checked = [
        job.submit("features", _checked, part, int(a), (int(b - a), p), metric, raw)
        for part, (a, b) in zip(parts, pairwise(bounds), strict=True)
    ]
    job.wait("features", checked)
    return Features(checked, bounds, p)


def _opened(X: Any) -> tuple[Any, tuple[int, int], int]:
    """An array, or the path of one, with its shape and bytes a number."""
    if isinstance(X, str | Path):
        path = Path(X)
        if path.suffix != ".npy":
            raise InputError(
                "X", "must be an array, or the path of a .npy file that all workers can read", path
            )
        (n, p), dtype = check_rows(path)
        return str(path.resolve()), (n, p), dtype.itemsize
    if sparse.issparse(X):
        raise InputError("X", "must be dense on a cluster", "a sparse matrix")
    X = check_features(X)
    return X, X.shape, X.itemsize


def _of_dask(job: Job, X: Any) -> tuple[list[Any], Ints, int]:
    if not hasattr(X, "chunks"):
        rule = "must be an array: to_dask_array(lengths=True) makes one of a data frame"
        raise InputError("X", rule, f"a Dask {type(X).__name__}")
    if X.ndim != 2:
        raise InputError("X", "must be two-dimensional", f"shape {X.shape}")
    if np.isnan(X.shape).any():
        raise InputError("X", "must have chunks of known sizes, as after X.compute_chunk_sizes()", X.shape)
    if 0 in X.shape:
        raise InputError("X", "must hold at least one sample and one feature", f"shape {X.shape}")
    if X.dtype.kind not in REAL:
        raise InputError("X", "must hold real numbers", f"dtype {X.dtype}")
    X = X.rechunk({1: -1})
    parts = job.client.compute(list(X.to_delayed().ravel()))
    job.adopt(parts)
    return parts, np.concatenate([[0], np.cumsum(X.chunks[0])]).astype(np.int64), X.shape[1]


def _itself(block: Array) -> Array:
    return block


def _read(path: str, a: int, b: int) -> Array:
    try:
        return np.array(np.load(path, mmap_mode="r")[a:b])
    except OSError as error:
        raise InputError("X", "must be a file that every worker can read", f"{path} ({error})") from None


def _checked(block: Array, first: int, shape: tuple[int, int], metric: str, raw: bool) -> Array:
    if block.shape != shape:
        rule = f"must have the chunks that it tells, {shape} from row {first}"
        raise InputError("X", rule, f"{type(block).__name__} of shape {block.shape}")
    if block.dtype.kind == "f":
        check_block(block, "X", first)
    try:
        rows: Array = check_features(block)
    except InputError as error:
        raise InputError("X", f"{error.rule} (in the rows from {first})", error.value) from None
    if metric != "cosine":
        return rows
    lengths: Floats = np.linalg.norm(rows.astype(np.float64), axis=1)
    if lengths.min() == 0.0:
        row = first + int(lengths.argmin())
        raise InputError("X", "must have no row of zeros for metric='cosine' on a cluster", f"row {row}")
    return rows if raw else rows / lengths[:, None]
