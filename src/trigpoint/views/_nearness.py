"""A vote for a view that needs no labels.

    nearness = median_i d_i1 / d_iK,  K = min(10, number of neighbors)

It is small where some samples are much nearer than the next ones: where clusters and manifolds show. It has
no unit, so views can be compared by it. It is right more often than not, and wrong on some tables.
"""

from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._validation import check_features

FAR = 10  # the neighbor to compare with


def nearness(distances: Any) -> float:
    """Median over samples of the nearest neighbor's distance relative to the tenth's; smaller is better.

    Parameters
    ----------
    distances : (n_samples, n_neighbors)
        Distances to the neighbors of each sample, nearest first. With fewer than ten neighbors, the last
        one takes the place of the tenth. A sample with that many duplicates counts as 0.

    Returns
    -------
    float in [0, 1]

    Notes
    -----
    Cost: O(n). It is a guess without labels, mostly right on pictures and wrong on some tables
    (docs/views.md).

    See Also
    --------
    trigpoint.ManifoldClassifier : lets the labels decide.

    Examples
    --------
    >>> from trigpoint.views import nearness
    >>> nearness([[1.0, 2.0], [1.0, 4.0]])
    0.375
    """
    distances = check_features(distances, "distances")
    nearest, far = distances[:, 0], distances[:, min(FAR, distances.shape[1]) - 1]
    if (nearest < 0).any() or (far < nearest).any():
        raise InputError("distances", "must be at least 0 and sorted, nearest first")
    return float(np.median(nearest / np.where(far > 0, far, 1)))
