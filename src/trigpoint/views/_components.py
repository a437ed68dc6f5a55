"""The leading principal components of rows that are only there in blocks.

The components of A (n, p) are the eigenvectors v of A^T A, with A^T A v = n s^2 v. Where the columns of A
have mean 0, s is the standard deviation along v. One of three ways finds them:

- p small: eigenvectors of A^T A (p, p).
- n small and less than p: eigenvectors u of A A^T (n, n), and v = A^T u / |A^T u|.
- neither: the same from a Krylov space [S, M S, M^2 S, ...] with M the smaller of the two matrices and S a
  random start (Rayleigh-Ritz). The first components are accurate, the last approximate. They are still
  orthonormal and uncorrelated, and s is still exact along them.

The order of the rows does not matter: the random numbers belong to features.
"""

import numpy as np

from trigpoint._types import Floats
from trigpoint.views._rows import Rows

SMALL = 1000  # up to this size, all eigenvectors are cheap
STEPS = 10  # blocks of the Krylov space, each with the same number of columns


def components(
    A: Rows, most: int, share: float, total: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Directions (p, k) and s (k,), largest first: as few as hold ``share`` of the variance, or ``most``.

    ``total`` is the variance of all columns together; it must be greater than 0.
    """
    n, p = A.shape
    wide, small = n < p, min(n, p) <= SMALL
    if small:
        squares, vectors = np.linalg.eigh(A.outer() if wide else A.inner())
    else:
        squares, vectors = _ritz(A, wide, 2 * most, rng)
    squares = np.maximum(squares[::-1], 0.0)
    held = np.cumsum(squares) / (n * total)
    k = min(most, 1 + int(np.searchsorted(held, share)), int((squares > 0).sum()))
    vectors, squares = vectors[:, ::-1][:, :k], squares[:k]
    if wide:
        vectors = A.transposed_times(vectors)
        vectors /= np.linalg.norm(vectors, axis=0)
    if wide and not small:
        squares, vectors = _uncorrelated(A, vectors)
    return vectors * _signs(vectors), np.sqrt(squares / n)


def _ritz(A: Rows, wide: bool, size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Eigenpairs of M, smallest first, from a space of ``size`` dimensions."""

    def times(Z: Floats) -> Floats:
        return A.times(A.transposed_times(Z)) if wide else A.inner_times(Z)

    block = rng.standard_normal((A.shape[1], -(-size // STEPS)))
    block = A.times(block) if wide else block
    basis = images = np.empty((len(block), 0))
    for _ in range(STEPS):
        new = _new_directions(block, basis)
        if not new.shape[1]:
            break
        block = times(new)
        basis, images = np.hstack([basis, new]), np.hstack([images, block])
    small = basis.T @ images
    squares, turn = np.linalg.eigh((small + small.T) / 2)
    return squares, basis @ turn


def _uncorrelated(A: Rows, vectors: Floats) -> tuple[Floats, Floats]:
    """The same space, turned so that A has uncorrelated coordinates in it; largest first."""
    coordinates = A.times(vectors)
    squares, turn = np.linalg.eigh(coordinates.T @ coordinates)
    return squares[::-1], vectors @ turn[:, ::-1]


def _new_directions(block: Floats, basis: Floats) -> Floats:
    """Orthonormal columns for what ``block`` adds to ``basis``, apart from rounding."""
    sizes = np.linalg.norm(block, axis=0)
    for _ in range(2):  # twice is enough
        block, R = np.linalg.qr(block - basis @ (basis.T @ block))
        new = np.abs(np.diag(R)) > 1e-10 * sizes
        block, sizes = block[:, new], np.ones(int(new.sum()))
    return block


def _signs(vectors: Floats) -> Floats:
    """What makes the largest entry of each column positive; the first of those that differ by rounding."""
    sizes = np.abs(vectors)
    first = np.argmax(sizes > (1 - 1e-6) * sizes.max(axis=0), axis=0)
    return np.where(vectors[first, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
