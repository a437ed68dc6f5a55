"""Propagation on a cluster: least squares with hard landmarks, as `trigpoint.propagate`.

    columns   every worker holds all of phi and solves for some columns of the values, as one machine would;
              nothing travels between workers meanwhile. Where phi fits (`FACTOR` times its bytes, and the
              vectors, within 0.6 of a worker's memory).
    rows      every worker holds some rows of phi, and conjugate gradients pass values across the cuts
              (`_row_solver`). Where phi fits no worker.

Both reach the same relative residual, and so the same values, to about 1e-6, whatever the partitions.
"""

from typing import Any

import numpy as np

from trigpoint._types import Floats, Ints, Sparse
from trigpoint._validation import check_choice, check_landmarks, check_magnitude, check_number, check_values
from trigpoint.distributed._cluster import SHARE, Job, heard, worker_memory
from trigpoint.distributed._partitions import DistributedMatrix, check_matrix, joined_matrix, matrix_bytes
from trigpoint.distributed._row_solver import solve_rows
from trigpoint.propagation import check_no_classes, warn_outside
from trigpoint.propagation import propagate as propagate_here

SPLITS = ("auto", "columns", "rows")
FACTOR = (
    6  # copies of phi that a solution holds at its peak: the blocks, the whole, the system, its renumbering
)
VECTORS = 10  # of n numbers, for each column


def propagate(
    phi: DistributedMatrix, landmarks: Any, values: Any, *, tol: float = 1e-10, split: str = "auto"
) -> Floats:
    """Infer the values of all samples from those of the landmarks, on a cluster.

    Parameters
    ----------
    phi : DistributedMatrix
        Such as `trigpoint.distributed.laplacian` returns.
    landmarks : (l,) int
        Indices of the samples whose values are known.
    values : (l,) or (l, d)
        Their values.
    tol : float
        Relative residual to reach.
    split : "auto", "columns" or "rows"
        "columns" where phi fits a worker, else "rows"; "auto" looks at the memory of the workers.

    Returns
    -------
    (n,) or (n, d) float64
        As `trigpoint.propagate` with its defaults: NaN, with a warning, where no landmark reaches.
    """
    check_matrix(phi)
    n = phi.shape[0]
    landmarks = check_landmarks(landmarks, n)
    check_no_classes(values)
    values = check_values(values, len(landmarks))
    check_magnitude(values, "values")
    check_choice(split, "split", SPLITS)
    tol = check_number(tol, "tol", 0.0, strict=True)
    columns = values.reshape(len(landmarks), -1)
    with Job(phi.client, "propagate") as job:
        if split == "auto":
            split = "columns" if _fits(job, phi, columns.shape[1]) else "rows"
        solve = _solve_columns if split == "columns" else solve_rows
        z = solve(job, phi, landmarks, columns, tol)
    return z.reshape((-1, *values.shape[1:]))


def _fits(job: Job, phi: DistributedMatrix, n_columns: int) -> bool:
    room = worker_memory(job.client)
    each = -(-n_columns // len(room))
    needed = FACTOR * matrix_bytes(job, phi) + VECTORS * 8 * phi.shape[0] * (each + 1)
    return bool(needed <= SHARE * min(room.values()))


def _solve_columns(job: Job, phi: DistributedMatrix, landmarks: Ints, values: Floats, tol: float) -> Floats:
    workers = sorted(worker_memory(job.client))
    groups = np.array_split(np.arange(values.shape[1]), min(len(workers), values.shape[1]))
    futures = [
        job.submit(
            "columns",
            _columns,
            list(phi.partitions),
            landmarks,
            values[:, group],
            tol,
            workers=[worker],
            allow_other_workers=True,
        )
        for group, worker in zip(groups, workers, strict=False)
    ]
    found = job.results("conjugate gradients", futures)
    for message, category in dict.fromkeys(one for _, told in found for one in told):
        warn_outside(message, category)
    return np.concatenate([z for z, _ in found], axis=1)


def _columns(blocks: list[Sparse], landmarks: Ints, values: Floats, tol: float) -> Any:
    phi = joined_matrix(blocks)
    blocks.clear()
    return heard(propagate_here, phi, landmarks, values, tol=tol)
