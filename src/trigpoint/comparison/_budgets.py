"""How many landmarks: four budgets from very small to large.

    smallest   2 a class (20 for real values), at most an eighth of the pool
    largest    a sixth of the pool up to 1000, but 8 times the smallest, at most half of the pool

and two between them, evenly on a logarithmic scale.
"""

from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._validation import check_integer

COUNT = 4
REAL = 20


def default_budgets(n_pool: int, classes: int) -> tuple[int, ...]:
    """
    >>> default_budgets(1348, 10), default_budgets(45, 2)
    ((20, 45, 100, 224), (4, 7, 12, 22))
    """
    low = max(1, min(2 * classes or REAL, n_pool // 8))
    high = max(low, min(max(8 * low, min(n_pool // 6, 1000)), n_pool // 2))
    return tuple(sorted({round(budget) for budget in np.geomspace(low, high, COUNT)}))


def check_budgets(budgets: Any, n_pool: int, classes: int) -> tuple[int, ...]:
    """Distinct budgets, ascending, that leave a sample of the pool unlabeled."""
    if budgets is None:
        return default_budgets(n_pool, classes)
    if isinstance(budgets, str) or not hasattr(budgets, "__len__") or len(budgets) == 0:
        raise InputError("budgets", "must be a list of at least one integer", repr(budgets))
    of = f" for pools of {n_pool} samples"
    found = {check_integer(budget, "budgets", 1, n_pool - 1, of) for budget in budgets}
    return tuple(sorted(found))
