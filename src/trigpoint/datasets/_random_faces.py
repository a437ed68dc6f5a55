"""Random-face features (Wright et al., 2009; Jiang, Lin & Davis, 2011).

With R of shape (m, p), its entries Gaussian and its rows then scaled to unit length, a picture x becomes

    f = R x / ||R x||.

Distances between pictures survive the projection, as Johnson and Lindenstrauss have it, and the scaling takes
the exposure away. A black picture has no direction, and is refused. Pictures are first scaled by powers of
two, which is exact, so that no square leaves the range of float64.
"""

from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats
from trigpoint._validation import check_features, check_integer, check_rng


def random_faces(
    images: Any, n_features: int, *, random_state: int | np.random.Generator | None = 0
) -> Floats:
    """Features of pictures, (n, n_features), each row of unit length.

    Parameters
    ----------
    images : (n, h, w) or (n, p)
    n_features : the papers take 540 for AR and 504 for Extended Yale B
    random_state : int (0 by default), numpy Generator, or None, which draws anew
        R depends on it, on n_features and on p alone.

    Examples
    --------
    >>> import numpy as np
    >>> from trigpoint.datasets import make_faces, random_faces
    >>> features = random_faces(make_faces(3).images, 20)
    >>> features.shape, np.allclose(np.linalg.norm(features, axis=1), 1)
    ((3, 20), True)
    """
    n_features = check_integer(n_features, "n_features", 1)
    rng = check_rng(random_state)
    X = _rows(images)
    largest = np.maximum(X.max(axis=1), -X.min(axis=1)).astype(np.float64)
    black = np.flatnonzero(largest == 0)
    if len(black):
        found = f"{len(black)}, first at {black[0]}"
        raise InputError("images", "must have no all-zero picture, which has no direction", found)
    R = rng.standard_normal((n_features, X.shape[1]))
    R /= np.linalg.norm(R, axis=1, keepdims=True)
    features = np.ldexp(X.astype(np.float64, copy=False), -np.frexp(largest)[1][:, None]) @ R.T
    return np.asarray(features / np.linalg.norm(features, axis=1, keepdims=True))


def _rows(images: Any) -> Array:
    if sparse.issparse(images):
        raise InputError("images", "must be a dense array", f"a sparse one of shape {images.shape}")
    try:
        stacked = np.ndim(images) == 3 and np.size(images) > 0 and not np.ma.is_masked(images)
    except ValueError:  # rows of different lengths, which the check then names
        stacked = False
    if stacked:
        array = np.asarray(images)
        images = array.reshape(len(array), -1)
    return np.asarray(check_features(images, "images"))
