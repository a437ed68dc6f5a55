"""How an edge is weighed from what the graph lists beside it: one formula, entry by entry."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from trigpoint._types import Floats


@dataclass(frozen=True, eq=False)
class Weighing:
    """The weight of an edge is formula(x), or with scales formula(x^2 / (s_i s_j)).

    Attributes
    ----------
    listed : (m,) float64, x of each edge in the graph's lists
    formula : entry by entry, into a new array
    scales : (n,) float64, s; or None
    vanishes : whether some weights are 0
    """

    listed: Floats
    formula: Callable[[Floats], Floats]
    scales: Floats | None = None
    vanishes: bool = False

    def __call__(self, listed: Floats, own: Floats | None = None, other: Floats | None = None) -> Floats:
        """The weights of edges between samples of these scales."""
        if own is None or other is None:
            return self.formula(listed)
        return self.formula(exponents(listed, own, other))


def exponents(listed: Floats, own: Floats, other: Floats) -> Floats:
    """d_ij^2 / (s_i s_j), as a product of ratios because squares may overflow where ratios do not."""
    with np.errstate(over="ignore"):
        powers = (listed / own) * (listed / other)
    return np.minimum(powers, 1e300)  # finite, even times c
