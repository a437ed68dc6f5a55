"""Are the columns of a pool of the same kind, or must they be brought to one scale first?

Pixels, embeddings and word weights are of one kind: their scales mean something. In a table of ages, incomes
and shares they do not, and the column with the largest numbers decides every distance.

With v the variances of the q columns that are not constant, e = (sum v)^2 / sum v^2 of them hold the
variance: q, if they are equal, and 1, if one has it all. Columns are of different kinds if
e - 1 <= 0.3 (q - 1). Thirty pools lie apart there: (e - 1) / (q - 1) is at most 0.25 in tables of different
kinds, elsewhere at least 0.32.
"""

from typing import Any

from scipy.sparse import issparse

from trigpoint._types import Floats
from trigpoint._validation import check_features, check_rng
from trigpoint.views._rows import Rows, fit_rows

FEW = 0.3  # of the columns


def base_name(X: Any, *, random_state: Any = 0) -> str:
    """What "half_white" and "white" start from: "raw", or "standard" if columns are of different kinds.

    It looks at the rows that `fit_view` takes with the same ``random_state``. Sparse features are "raw".

    Parameters
    ----------
    X : (n_samples, n_features)
    random_state : seed, as in `fit_view`

    Returns
    -------
    name : "raw" or "standard"

    Notes
    -----
    Cost: the variances of the columns, of at most 10,000 rows.

    See Also
    --------
    trigpoint.fit_view : uses it.

    Examples
    --------
    >>> import numpy as np
    >>> from trigpoint.views import base_name
    >>> base_name(np.random.default_rng(0).normal(size=(50, 4)) * [1, 1, 1, 1000])
    'standard'
    """
    X = check_features(X, convert=False)
    chosen = fit_rows(X, check_rng(random_state))
    return base_of(X, Rows(X, chosen).moments()[1])


def base_of(X: Any, variances: Floats) -> str:
    """The same, for columns whose variances are known."""
    return "standard" if not issparse(X) and different_kinds(variances) else "raw"


def different_kinds(variances: Floats) -> bool:
    """Whether few of the columns hold the variance."""
    largest = variances.max()
    if largest <= 0:
        return False
    v = variances[variances > 0] / largest  # so that squares neither overflow nor vanish
    e = v.sum() ** 2 / (v**2).sum()
    return bool(e - 1.0 <= FEW * (len(v) - 1))
