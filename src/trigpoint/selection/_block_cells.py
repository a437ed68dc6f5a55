"""The cells of a pool in parts, for a cluster on which no process holds all of phi.

The pool is cut into regions, by whoever calls. Each region is covered on the edges inside it with its share
of the cells (`region_centers`); a sample that no center of its region reaches joins the cell of the neighbor
to which it is tied hardest. From there on all is as in `_facility`: the graph of the cells, whose weights are
sums over blocks of rows, and the choice among their centers. Only the centers differ from those of the whole.
"""

import numpy as np
from scipy import sparse

from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.selection._cells import owners
from trigpoint.selection._covering import best_covering, covering
from trigpoint.selection._facility import COARSE, WHOLE, weights
from trigpoint.selection._resolvent import ALPHA, sparse_resolvent
from trigpoint.selection._scale import scale_for


def shares(sizes: Ints, given: Ints, total: int = WHOLE) -> Ints:
    """How many of the ``total`` cells each region makes: by its samples, and at least those given."""
    ends = np.cumsum(sizes) * total // max(int(np.sum(sizes)), 1)
    return np.minimum(np.maximum(np.diff(ends, prepend=0), np.maximum(given, 1)), sizes)


def block_degrees(rows: Sparse, first: int) -> Floats:
    """sum_j |phi_ij|, j != i, of a block's samples."""
    degrees: Floats = abs(rows) @ np.ones(rows.shape[1]) - np.abs(rows.diagonal(first))
    return degrees


def region_centers(part: Sparse, given: Ints, count: int, m: Floats | None = None) -> tuple[Ints, Ints]:
    """Centers, the given samples first, and the number of the center of each sample; -1 for none.

    ``part`` is phi on the region's rows and columns; all numbers are within the region.
    """
    W = abs(part)
    W.setdiag(0.0)
    W.eliminate_zeros()
    phi = sparse.csr_array(sparse.diags_array(W.sum(axis=1)) - W)
    S = sparse_resolvent(phi, ALPHA, COARSE).S
    more = covering(S, np.ones(phi.shape[0]) if m is None else m, count - len(given), given)
    centers = np.concatenate([given, more])
    return centers, owners(phi, S, centers)[0]


def block_coarse(
    rows: Sparse, first: int, owner: Ints, degrees: Floats, n_cells: int, m: Floats | None
) -> tuple[Sparse, Array]:
    """What a block's rows add to the weights between cells, and to R, the sizes and the totals, (3, n_cells).

    ``owner`` and ``degrees`` are those of all samples.
    """
    typical = _typical(degrees)
    own = slice(first, first + rows.shape[0])
    row_of = np.repeat(owner[own], np.diff(rows.indptr))
    column_of = owner[rows.indices]
    between = (row_of >= 0) & (column_of >= 0) & (row_of != column_of)
    entries = np.abs(rows.data[between]) / typical
    W = sparse.csr_array((entries, (row_of[between], column_of[between])), shape=(n_cells, n_cells))
    there = owner[own] >= 0
    cell = owner[own][there]
    counted = [np.maximum(degrees[own] / typical, 1.0), np.ones(len(there))]
    counted.append(counted[1] if m is None else m)
    return W, np.array([np.bincount(cell, each[there], n_cells) for each in counted])


def chosen_cells(parts: list[tuple[Sparse, Array]], n_landmarks: int, n_given: int) -> Ints:
    """Cells in order of choice; the first ``n_given`` are chosen already."""
    W = sum((one for one, _ in parts[1:]), parts[0][0]).toarray()
    R, sizes, totals = np.sum([sums for _, sums in parts], axis=0)
    A = -(W + W.T) / 2
    A.flat[:: len(A) + 1] = 0.0
    A.flat[:: len(A) + 1] = -A.sum(axis=1)
    scale = scale_for(A, R, n_given + n_landmarks)
    each = weights(scale.shares, sizes, totals)
    return best_covering(scale.S, each, n_landmarks, np.arange(n_given))


def _typical(degrees: Floats) -> float:
    """The median of the positive degrees; 1 where none is."""
    positive = degrees[degrees > 0]
    return float(np.median(positive)) if len(positive) else 1.0
