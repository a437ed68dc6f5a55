"""A very large pool as a graph of small groups, each around one of its samples.

Groups follow strong links, as the aggregates of algebraic multigrid do (Vanek, Mandel & Brezina, 1996).
Link i - j is strong where its weight is at least a quarter of the strongest of i or of j. Samples are asked
in the order of their degrees, the largest first: one that has no strong neighbor in a group yet founds one,
and takes all its strong neighbors; then those that are left join the group of their strongest neighbor. No
group takes more than `MOST` samples, and on neighbor graphs they have five to seven each. With P the (n, m)
indicator of groups, their Laplacian has the weights P^T W P between them. A matrix whose rows sum to g
instead of 0, as a Laplacian without the rows of landmarks, becomes P^T A P, with rows that sum to P^T g.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trigpoint._kernels import compiled_csr, run_blocks
from trigpoint._kernels.aggregates import between_groups, found_groups, join_groups, strongest_links
from trigpoint._types import Array, Floats, Ints, Sparse

STRONG = 0.25
MOST = 16  # samples of a group
ROWS = 1 << 15  # groups that one thread takes at a time


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of samples, and the matrix between the groups.

    Attributes
    ----------
    centers : (m,) int64, samples
    owner : (n,) int32, the group of each sample
    phi : (m, m) csr_array, their Laplacian, or P^T A P
    """

    centers: Ints
    owner: Array
    phi: Sparse

    def total(self, amounts: Floats | None) -> Floats:
        """(m,) what the samples of each group have together; None: 1 each."""
        return np.bincount(self.owner, amounts, len(self.centers)).astype(np.float64, copy=False)


def groups(phi: Sparse, given: Ints, ground: Floats | None = None) -> Groups:
    """The groups of a Laplacian's samples, the first of them around those that are given.

    ``ground``, (n,), is what rows sum up to; default 0.
    """
    n, arrays = phi.shape[0], compiled_csr(phi)
    strongest = np.empty(n)
    strongest_links(*arrays, 0, strongest)
    order = order_of(phi.diagonal(), given)
    owner, centers, sizes = np.full(n, -1, np.int32), np.empty(n, np.int64), np.zeros(n, np.int32)
    m = found_groups(*arrays, strongest, order, len(given), STRONG, MOST, owner, centers, sizes)
    waiting = order[owner[order] < 0]
    m = join_groups(*arrays, waiting, waiting, m, MOST, owner, centers, sizes)
    sums = np.zeros(m) if ground is None else np.bincount(owner, ground, m).astype(np.float64, copy=False)
    return Groups(centers[:m].copy(), owner, _between(arrays, owner, sums))


def order_of(diagonal: Floats, given: Ints) -> Ints:
    """All samples: those that are given, then the others by their degrees."""
    order = np.argsort(-diagonal, kind="stable")
    rest = np.ones(len(order), dtype=np.bool_)
    rest[given] = False
    return np.concatenate([given, order[rest[order]]])


def _between(arrays: tuple[Array, Array, Array], owner: Array, ground: Floats) -> Sparse:
    m = len(ground)
    members = np.argsort(owner, kind="stable").astype(np.int32)
    ends = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=m))])
    parts: dict[int, tuple[Ints, Array, Floats]] = {}

    def work(start: int, stop: int) -> None:
        parts[start] = between_groups(start, stop, *arrays, owner, members, ends, ground)

    run_blocks(work, m, ROWS, "groups")
    pieces = [parts.pop(start) for start in sorted(parts)]
    counts, columns, values = (np.concatenate(some) for some in zip(*pieces, strict=True))
    return matrix_of(counts, columns, values)


def matrix_of(counts: Ints, columns: Array, values: Floats) -> Sparse:
    """The matrix of so many entries a row, columns ascending."""
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32 if len(columns) < 2**31 else np.int64)
    return sparse.csr_array((values, columns, indptr), shape=(len(counts), len(counts)))
