"""Propagation on a cluster: least squares with hard landmarks, as `trigpoint.propagate`.

    rows      every worker holds some rows of phi, and conjugate gradients pass values across the cuts
              (`_row_solver`). For Laplacians of `HUGE` entries, from which on one machine takes multigrid,
              and where phi fits no worker.
    columns   every worker holds all of phi and solves for some columns of the values, as one machine would;
              nothing travels between workers meanwhile. Elsewhere, if phi fits (`FACTOR` times its bytes, and
              the vectors, within 0.6 of a worker's memory).

Both reach the same relative residual, and so the same values, to about 1e-6, whatever the partitions.
"""

from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints, Sparse
from trigpoint._validation import check_choice, check_landmarks, check_magnitude, check_number, check_values
from trigpoint.distributed._cluster import SHARE, Job, heard, worker_memory
from trigpoint.distributed._grouping import is_laplacian
from trigpoint.distributed._partitions import DistributedMatrix, check_matrix, matrix_bytes
from trigpoint.distributed._row_solver import UnsolvedError, solve_rows
from trigpoint.distributed._whole import whole_matrix
from trigpoint.propagation import HUGE, check_no_classes, warn_outside
from trigpoint.propagation import propagate as propagate_here

SPLITS = ("auto", "columns", "rows")
FACTOR = (
    6  # copies of phi that a solution holds at its peak: the blocks, the whole, the system, its renumbering
)
ENTRY = 12  # bytes
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
        "auto" is "rows" for large Laplacians, and where phi fits no worker; else "columns".

    Returns
    -------
    (n,) or (n, d) float64
        As `trigpoint.propagate` with its defaults: NaN, with a warning, where no landmark reaches.

    Notes
    -----
    Cost: conjugate gradients: O(m) for m entries of phi and each column and iteration. By columns, phi goes
    to every worker once; by rows, borders of blocks move in every iteration.

    See Also
    --------
    trigpoint.propagate : on one machine.
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
        z = SOLVE[split](job, phi, landmarks, columns, tol)
    return z.reshape((-1, *values.shape[1:]))


def _solve_auto(job: Job, phi: DistributedMatrix, landmarks: Ints, values: Floats, tol: float) -> Floats:
    """What rows cannot solve, columns can, if they fit."""
    fits = _fits(job, phi, values.shape[1])
    if not fits:
        return solve_rows(job, phi, landmarks, values, tol)
    if len(worker_memory(job.client)) > 1 and _is_large(job, phi) and is_laplacian(job, phi):
        try:
            return solve_rows(job, phi, landmarks, values, tol)
        except (InputError, UnsolvedError):
            pass
    return _solve_columns(job, phi, landmarks, values, tol)


def _is_large(job: Job, phi: DistributedMatrix) -> bool:
    return matrix_bytes(job, phi) >= ENTRY * HUGE


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
            whole_matrix(job, phi, worker),
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


SOLVE = {"auto": _solve_auto, "columns": _solve_columns, "rows": solve_rows}


def _columns(phi: Sparse, landmarks: Ints, values: Floats, tol: float) -> Any:
    return heard(propagate_here, phi, landmarks, values, tol=tol)
