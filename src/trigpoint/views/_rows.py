"""Rows of a pool in small blocks, as float64: no step of a view needs a second copy of X.

Dense blocks always have BLOCK rows in a product, the last one filled up with zeros. BLAS rounds the same
row differently in matrices of different heights; in blocks of one height it does not. So a sample gets the
same coordinates whoever comes with it, and duplicates stay duplicates.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._types import Array, Floats, Ints, Sparse

BLOCK = 384  # rows: a multiple of the tiles of BLAS, which have 4 to 48
NOISE = 1e-12  # what is left of a row, relative to its pool, is rounding below this
FIT = 10_000  # rows that a view is fitted on, at most


def fit_rows(X: Any, rng: np.random.Generator) -> Ints:
    """The rows of X that a view is fitted on: all, or FIT of them at random."""
    n = X.shape[0]
    return np.arange(n) if n <= FIT else np.sort(rng.choice(n, FIT, replace=False))


@dataclass(frozen=True, eq=False)
class Steps:
    """What happens to a row before it is projected: (x - shift) / scale, length 1, minus center.

    Each step is left out where it is None or False. Sparse rows stay sparse where nothing is subtracted.
    """

    shift: Floats | None = None
    scale: Floats | None = None
    unit: bool = False
    center: Floats | None = None

    def of(self, X: Any, rows: slice | Ints) -> Any:
        """The chosen rows of X after these steps: a float64 array, or a `csr_array`."""
        block = X[rows]
        if issparse(block) and self.shift is None and self.center is None:
            return self._sparse(block.astype(np.float64, copy=True))  # a slice may be X itself
        dense = np.array(block.toarray() if issparse(block) else block, dtype=np.float64, order="C")
        if self.shift is not None:
            dense -= self.shift
        if self.scale is not None:
            dense /= self.scale
        if self.unit:
            to_unit_rows(dense, 0.0 if self.shift is None else NOISE)
        if self.center is not None:
            dense -= self.center
        return dense

    def _sparse(self, block: Sparse) -> Sparse:
        if self.scale is not None:
            block.data /= self.scale[block.indices]
        if self.unit:
            filled = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
            squares = np.bincount(filled, weights=block.data**2, minlength=block.shape[0])
            block.data /= np.sqrt(np.where(squares > 0, squares, 1.0))[filled]
        return block


def to_unit_rows(rows: Floats, floor: float) -> None:
    """Scale rows to length 1 in place; what is no longer than ``floor`` becomes a row of zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    rows[lengths <= floor] = 0.0
    rows /= np.where(lengths > floor, lengths, 1.0)[:, None]


def product(block: Any, matrix: Floats) -> Floats:
    """block @ matrix, where the result of a row does not depend on the other rows."""
    missing = BLOCK - block.shape[0]
    if issparse(block) or missing <= 0:
        return block @ matrix  # type: ignore[no-any-return]
    return (np.pad(block, ((0, missing), (0, 0))) @ matrix)[: len(block)]


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows that a view is fitted on, after some steps: a matrix A that is never there as a whole."""

    X: Any
    chosen: Ints
    steps: Steps = Steps()

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.chosen), self.X.shape[1]

    def blocks(self) -> Iterator[tuple[slice, Any]]:
        """Dense rows in blocks; sparse rows at once, as they are small."""
        height = len(self.chosen) if issparse(self.X) else BLOCK
        for start in range(0, len(self.chosen), height):
            part = slice(start, start + height)
            yield part, self.steps.of(self.X, self.chosen[part])

    def times(self, Z: Floats) -> Floats:
        """A Z"""
        return np.concatenate([block @ Z for _, block in self.blocks()])

    def transposed_times(self, Y: Floats) -> Floats:
        """A^T Y"""
        total = np.zeros((self.shape[1], Y.shape[1]))
        for part, block in self.blocks():
            total += block.T @ Y[part]
        return total

    def inner_times(self, Z: Floats) -> Floats:
        """A^T A Z"""
        total = np.zeros_like(Z)
        for _, block in self.blocks():
            total += block.T @ (block @ Z)
        return total

    def inner(self) -> Floats:
        """A^T A"""
        total = np.zeros((self.shape[1], self.shape[1]))
        for _, block in self.blocks():
            total += as_dense(block.T @ block)
        return total

    def outer(self) -> Floats:
        """A A^T"""
        total = np.empty((self.shape[0], self.shape[0]))
        for i, left in self.blocks():
            for j, right in self.blocks():
                total[i, j] = as_dense(left @ right.T)
        return total

    def moments(self) -> tuple[Floats, Floats]:
        """Mean and variance of each column, which is exactly 0 for a dense column of one value."""
        return self._sparse_moments() if issparse(self.X) else self._dense_moments()

    def _dense_moments(self) -> tuple[Floats, Floats]:
        n, p = self.shape
        first = self.steps.of(self.X, self.chosen[:1])[0]  # differences from it are 0 where all is the same
        mean, square = np.zeros(p), np.zeros(p)
        for _, block in self.blocks():
            block -= first
            mean += block.sum(axis=0) / n
            square += np.einsum("ij,ij->j", block, block) / n
        return first + mean, np.maximum(square - mean**2, 0.0)

    def _sparse_moments(self) -> tuple[Floats, Floats]:
        n, p = self.shape
        A = self.steps.of(self.X, self.chosen)
        mean = np.bincount(A.indices, A.data, p) / n
        squares = np.bincount(A.indices, (A.data - mean[A.indices]) ** 2, p)
        return mean, (squares + (n - np.bincount(A.indices, minlength=p)) * mean**2) / n


def as_dense(matrix: Any) -> Array:
    return matrix.toarray() if issparse(matrix) else matrix  # type: ignore[no-any-return]
