"""Random-face features (Wright et al., 2009; Jiang, Lin & Davis, 2011).

With R of shape (m, p), its entries Gaussian and its rows then scaled to unit length, a picture x becomes

    f = R x / ||R x||.

Distances between pictures survive the projection, as Johnson and Lindenstrauss have it, and the scaling takes
the exposure away. A black picture has no direction, and is refused.
"""

from typing import Any

import numpy as np

from trigpoint._types import Floats
from trigpoint._validation import check_features, check_integer, check_magnitude, check_rng


def random_faces(
    images: Any, n_features: int, *, random_state: int | np.random.Generator | None = None
) -> Floats:
    """Features of pictures, (n, n_features), each row of unit length.

    Parameters
    ----------
    images : (n, h, w) or (n, p)
    n_features : the papers take 540 for AR and 504 for Extended Yale B
    random_state : R depends on it, on n_features and on p alone

    Examples
    --------
    >>> import numpy as np
    >>> from trigpoint.datasets import make_faces, random_faces
    >>> features = random_faces(make_faces(3, random_state=0).images, 20, random_state=0)
    >>> features.shape, np.allclose(np.linalg.norm(features, axis=1), 1)
    ((3, 20), True)
    """
    n_features = check_integer(n_features, "n_features", 1)
    rng = check_rng(random_state)
    array = np.asarray(images)
    X = check_features(array.reshape(len(array), -1) if array.ndim == 3 and array.size else array, "images")
    check_magnitude(X, "images")
    black = np.flatnonzero(~X.any(axis=1))
    if len(black):
        found = f"{len(black)}, first at {black[0]}"
        raise ValueError(f"images must have no all-zero picture, which has no direction; got {found}.")
    R = rng.standard_normal((n_features, X.shape[1]))
    R /= np.linalg.norm(R, axis=1, keepdims=True)
    features = X @ R.T  # float64, as R is
    return np.asarray(features / np.linalg.norm(features, axis=1, keepdims=True))
