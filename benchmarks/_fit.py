"""How a cost grows: the exponent of a power law.

    cost = c x^e,   log cost = log c + e log x,   by least squares on the logarithms

With two sizes the fit goes through both. `project` reads the law at a larger size. It is a projection: what
does not fit into memory, or turns to another algorithm, does not follow it.
"""

from collections.abc import Sequence

import numpy as np


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> tuple[float, float]:
    """(e, c); NaN where there are fewer than two different sizes with a positive cost."""
    pairs = [(x, y) for x, y in zip(sizes, costs, strict=True) if x > 0 and y > 0]
    if len({x for x, _ in pairs}) < 2:
        return float("nan"), float("nan")
    logs = np.log(np.array(pairs, dtype=float))
    slope, level = np.polyfit(logs[:, 0], logs[:, 1], 1)
    return float(slope), float(np.exp(level))


def project(sizes: Sequence[float], costs: Sequence[float], size: float) -> float:
    """The cost at a size, by the law of the others, from the largest measured one on."""
    law, _ = exponent(sizes, costs)
    largest = int(np.argmax(sizes))
    return float(costs[largest] * (size / sizes[largest]) ** law)
