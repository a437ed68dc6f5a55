"""Are the columns of a pool of the same kind, or must they be brought to one scale first?

Pixels, embeddings and word weights are of one kind: their scales mean something. In a table of ages, incomes
and shares they do not, and the column with the largest numbers decides every distance.
"""

from typing import Any

from scipy.sparse import issparse

from trigpoint._types import Floats
from trigpoint._validation import check_features, check_rng
from trigpoint.views._rows import Rows, fit_rows

SHARE = 0.5  # of the total variance: a column that holds more than this is of a kind of its own


def base_name(X: Any, *, random_state: Any = 0) -> str:
    """What "half_white" and "white" start from: "raw", or "standard" if columns are of different kinds.

    It looks at the rows that `fit_view` takes with the same ``random_state``. Sparse features are "raw".
    """
    X = check_features(X)
    chosen = fit_rows(X, check_rng(random_state))
    return base_of(X, Rows(X, chosen).moments()[1])


def base_of(X: Any, variances: Floats) -> str:
    """The same, for columns whose variances are known."""
    return "standard" if not issparse(X) and different_kinds(variances) else "raw"


def different_kinds(variances: Floats) -> bool:
    """Whether one column holds more than SHARE of the variance of all."""
    return bool(variances.max() > SHARE * variances.sum())
