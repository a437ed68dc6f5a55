"""A hierarchy of groups of groups: the levels of multigrid for matrices with the signs of a Laplacian.

Each level has the groups of the level above as its samples (`alignment/_groups`), and the matrix P^T A P, P
the indicator of groups. So levels stay as sparse as the graph, in any dimension. Smoothed aggregates, which
converge in fewer cycles on grids, fill up on graphs of many dimensions.

All levels are renumbered: samples of a group follow each other, and groups of a group do. So neighbors share
cache lines, and P is a list of ranges.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from trigpoint._kernels import compiled_csr
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.alignment import groups
from trigpoint.propagation._structure import principal

LAST = 500  # samples: a level that is not larger is solved by its inverse
DENSE = 2500  # samples: nor is a larger one if no group can be made
FEWER = 0.7  # groups a sample, at most
FAINT = 1e-14  # of the diagonal: what a group is grounded by at the least, so that no level is singular
NONE = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class Level:
    """A matrix in single precision and in units of A's median diagonal, and where its samples go.

    Attributes
    ----------
    indptr, indices, data : of its rows, columns ascending
    inverse : (n,) 1 / diagonal
    owner : (n,) int32, the sample of the next level, ascending; empty for the last
    """

    indptr: Array
    indices: Array
    data: Array
    inverse: Array
    owner: Array


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Levels of A, the finest first.

    Attributes
    ----------
    order : (n,) the samples in the order of the first level
    A : the matrix in this order, in double precision
    levels : tuple of Level
    inverse : of the last level, dense; None if that is too large or not positive definite
    """

    order: Ints
    A: Sparse
    levels: tuple[Level, ...]
    inverse: Array | None


def hierarchy(A: Sparse) -> Hierarchy:
    """Of a symmetric A whose entries off the diagonal are <= 0, and whose rows sum to 0 or more."""
    unit = float(np.median(A.diagonal()))
    matrices, owners = _coarser(A)
    turned = matrices.pop()
    order = rank = np.arange(turned.shape[0])
    levels, inverse = [_level(turned, np.empty(0, np.int32), unit)], _inverse(turned, unit)
    while matrices:
        home = rank[owners.pop()]
        order = np.argsort(home, kind="stable")
        turned = principal(matrices.pop(), order)
        levels.insert(0, _level(turned, home[order].astype(np.int32), unit))
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
    return Hierarchy(order, turned, tuple(levels), inverse)


def _coarser(A: Sparse) -> tuple[list[Sparse], list[Array]]:
    """The matrices of all levels, and the owners between them, in the order of A."""
    ground = np.maximum(A @ np.ones(A.shape[0]), FAINT * A.diagonal())
    matrices, owners = [A], []
    while matrices[-1].shape[0] > LAST:
        found = groups(matrices[-1], NONE, ground)
        if len(found.centers) > FEWER * matrices[-1].shape[0]:
            break
        ground = found.total(ground)
        matrices.append(found.phi)
        owners.append(found.owner)
    return matrices, owners


def _level(A: Sparse, owner: Array, unit: float) -> Level:
    indptr, indices, data = compiled_csr(A)
    inverse = (unit / A.diagonal()).astype(np.float32)
    return Level(indptr, indices, (data / unit).astype(np.float32), inverse, owner)


def _inverse(A: Sparse, unit: float) -> Array | None:
    """None where A is too large, or not positive definite."""
    if A.shape[0] > DENSE:
        return None
    try:
        half = linalg.inv(linalg.cholesky(A.toarray() / unit, lower=True))
    except linalg.LinAlgError:
        return None
    found: Floats = half.T @ half
    return found.astype(np.float32)
