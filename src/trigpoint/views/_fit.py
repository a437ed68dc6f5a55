"""Fit a view on a pool, without labels.

The two whitened views take principal components with standard deviations s and divide them by a power of s:

    half_white  99 %   of the variance, at most 100 components, s^(1/2)
    white       99.9 % of the variance, at most 200 components, s; rows have length 1 before, too

Dense rows are centered. Sparse rows are not, so they stay sparse; in both views they start with length 1.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from trigpoint._kernels import serial_blas
from trigpoint._types import Floats
from trigpoint._validation import check_choice, check_features, check_magnitude, check_rng, held_type
from trigpoint.views._components import components
from trigpoint.views._kinds import base_of
from trigpoint.views._rows import NOISE, Rows, Steps, fit_rows
from trigpoint.views._view import VIEWS, View


class Whitening(NamedTuple):
    share: float  # of the variance that the components hold
    most: int
    power: float  # of s
    unit: bool  # whether rows have length 1 before


WHITENING = {
    "half_white": Whitening(0.99, 100, 0.5, unit=False),
    "white": Whitening(0.999, 200, 1.0, unit=True),
}


def fit_view(X: Any, name: str, *, random_state: Any = 0) -> View:
    """Learn from a pool how to see its samples, and new ones, in another metric.

    Parameters
    ----------
    X : (n_samples, n_features), dense or sparse
    name : "raw", "standard", "half_white" or "white"
        Features as they are; each column divided by its standard deviation; principal components divided by
        s^(1/2), or by s, with rows of length 1. The last two bring the columns to one scale first if they
        are of different kinds (`base_name`).
    random_state : seed; in pools of more than 10,000 samples it draws those that the view is fitted on

    Returns
    -------
    View
        ``view.transform(X)`` are the features in it.

    Notes
    -----
    Cost: it is fitted on at most 10,000 rows m: O(m p) for "standard", O(m p min(m, p)) for the last two up
    to 1,000 features or rows; with more of both a few products with X find up to 200 components. `transform`
    takes O(n p) or, for q components, O(n p q).

    See Also
    --------
    trigpoint.views.nearness : which view looks best, without labels.
    ManifoldClassifier : ``view="auto"`` compares them by the labels.

    Examples
    --------
    >>> import numpy as np, trigpoint as tp
    >>> X = np.random.default_rng(0).normal(size=(300, 8))
    >>> view = tp.fit_view(X, "half_white")
    >>> view
    View('half_white', base='raw', 8 -> 8)
    >>> view.transform(X[:2]).shape
    (2, 8)
    """
    check_choice(name, "name", VIEWS)
    X = check_features(X, convert=False)
    rng = check_rng(random_state)
    if name == "raw":
        return View(name, "raw", X.shape[1], Steps())
    check_magnitude(X.data if issparse(X) else X, "X")
    chosen = fit_rows(X, rng)
    mean, variances = Rows(X, chosen).moments()
    base = "standard" if name == "standard" else base_of(X, variances)
    steps = Steps(None if issparse(X) else mean, _scale(mean, variances)) if base == "standard" else Steps()
    if name == "standard":
        return View(name, base, X.shape[1], steps)
    with serial_blas():  # the last bits must not depend on the number of threads
        return _whitened(name, base, Rows(X, chosen, steps), rng)


def _scale(mean: Floats, variances: Floats) -> Floats:
    """Standard deviations; 1 for columns that differ by rounding only."""
    constant = variances <= NOISE**2 * (mean**2 + variances)
    return np.sqrt(np.where(constant, 1.0, variances))


def _whitened(name: str, base: str, pool: Rows, rng: np.random.Generator) -> View:
    X, p = pool.X, pool.shape[1]
    share, most, power, unit = WHITENING[name]
    before = Steps(pool.steps.shift, pool.steps.scale, unit or issparse(X))
    mean, variances = Rows(X, pool.chosen, before).moments()
    squares = float((mean**2 + variances).sum())  # mean squared length of a row
    total = squares if issparse(X) else float(variances.sum())
    noise = max(NOISE, 8 * float(np.finfo(held_type(X.dtype)).eps))
    if total <= noise**2 * squares:
        return View(name, base, p, before, np.zeros((p, 1)))
    steps = Steps(before.shift, before.scale, before.unit, None if issparse(X) else mean)
    directions, s = components(Rows(X, pool.chosen, steps), most, share, total, rng)
    floor = NOISE * squares**0.5 * float(s[-1]) ** -power
    return View(name, base, p, steps, np.ascontiguousarray(directions / s**power), floor)
