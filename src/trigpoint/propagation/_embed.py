"""Coordinates for any other model: the smallest non-trivial eigenvectors of phi."""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._errors import InputError
from trigpoint._types import Floats
from trigpoint._validation import (
    check_alignment,
    check_integer,
    check_landmarks,
    check_magnitude,
    check_rng,
    check_unused,
    check_values,
)
from trigpoint.propagation._eigen import Quadratic, fix_signs, smallest_eigenvectors
from trigpoint.propagation._null_vector import trivial_vectors
from trigpoint.propagation._reach import components, reach, warn_unreached
from trigpoint.propagation._spectral import labelled_eigenvectors


def embed(
    phi: Any,
    n_components: int,
    *,
    landmarks: Any = None,
    values: Any = None,
    gamma: float | None = None,
    random_state: Any = 0,
) -> Floats:
    """Coordinates that follow the manifold, as features for any other model.

    Without landmarks: the eigenvectors of phi of smallest eigenvalue, beside the trivial one (the
    constant, or the square roots of the degrees for a symmetric-normalized Laplacian). On a graph
    of several components the first coordinates only separate the components, largest first. The
    others follow the manifold within components.

    Parameters
    ----------
    phi : (n, n) symmetric sparse matrix or dense array
    n_components : int
        Number of coordinates.
    landmarks, values : (l,) int and (l,) or (l, d), optional
        Known values. The coordinates are then the spectral method's: at the landmarks they tend to
        affine functions of the values.
    gamma : float, optional
        Weight of the known values, default the mean diagonal of phi.
    random_state : int, Generator or None
        Start vector of the eigenvalue solver.

    Returns
    -------
    (n, n_components) float64
        Orthonormal columns by ascending eigenvalue, signed so that the entry of largest magnitude
        is positive. With landmarks, NaN in components that hold none.

    Notes
    -----
    Cost: eigenvectors of a sparse matrix, by Lanczos or shift and invert: some hundred products with phi,
    O(nK) each, or a factorization where that is cheap. A map to look at is better made by
    `trigpoint.report.map_coordinates`.

    See Also
    --------
    propagate : if only the labels are wanted.

    Examples
    --------
    >>> import trigpoint as tp
    >>> phi = tp.laplacian(tp.graph_from_edges([[0, 1], [1, 2], [2, 3]]))
    >>> tp.embed(phi, 1)[:, 0].round(3)
    array([ 0.653,  0.271, -0.271, -0.653])
    """
    phi = check_alignment(phi)
    check_magnitude(phi.data if issparse(phi) else phi, "phi")
    if landmarks is None or values is None:
        if landmarks is not None or values is not None:
            raise InputError("landmarks and values", "must be given together", "only one of them")
        check_unused("embed without landmarks", gamma=(gamma, None))
        return _plain(phi, n_components, random_state)
    landmarks = check_landmarks(landmarks, phi.shape[0])
    columns = check_values(values, len(landmarks)).reshape(len(landmarks), -1)
    found = reach(phi, landmarks)
    warn_unreached(found, "their coordinates are NaN")
    pairs, _ = labelled_eigenvectors(phi, landmarks, columns, found, gamma, n_components, random_state)
    Y = np.full((phi.shape[0], pairs.vectors.shape[1]), np.nan)
    Y[found.reached] = pairs.vectors
    return Y


def _plain(phi: Any, n_components: int, random_state: Any) -> Floats:
    n = phi.shape[0]
    if n < 2:
        raise InputError("phi", "must hold at least 2 samples for an embedding", n)
    k = check_integer(n_components, "n_components", 1, n - 1, f" for {n} samples")
    n_groups, labels = components(phi)
    trivial = trivial_vectors(phi, labels)
    known = 0 if trivial is None else min(n_groups - 1, k)
    Y = np.empty((n, k))
    if trivial is not None:
        Y[:, :known] = fix_signs(trivial.contrasts(known))
    if known < k:
        M = Quadratic(phi, np.empty((n, 0)), 0.0)
        Y[:, known:] = smallest_eigenvectors(M, k - known, trivial, check_rng(random_state)).vectors
    return Y
