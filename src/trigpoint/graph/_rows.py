"""Compressed rows, sorted as the neighbor graph wants them: nearest first, ties by index."""

import numpy as np

from trigpoint._types import Array, Floats


def sorted_rows(
    rows: Array, cols: Array, distances: Floats, n: int, keep: int | None = None
) -> tuple[Array, Array]:
    """indptr and the order that sorts the entries; each row keeps its ``keep`` nearest (None: all)."""
    order = np.lexsort((cols, distances, rows))
    if keep is not None:
        starts = np.searchsorted(rows[order], np.arange(n))
        order = order[np.arange(len(order)) - starts[rows[order]] < keep]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows[order], minlength=n))])
    return indptr, order
