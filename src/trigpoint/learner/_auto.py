"""The default: coverage, weighted by how unsure the predictions are.

With f_1 >= f_2 the two largest probabilities of a sample, its uncertainty and its weight in `_coverage` are

    u = max(1 - f_1 + f_2 / 2, c),     w = max((u / max u)^POWER, LEAST).

1 - f_1 is large where labels are far, and the margin's 1 - f_1 + f_2 where classes meet; the first u is their
mean. Where little is known it is nearly flat, and this is facility location. Once most samples are known
well, only the others count. LEAST keeps the search alive: where all that is known agrees, there may be a
class that nobody has seen.

In a part of the graph, not connected to others, where fewer than two classes have a label, probabilities
say little. With m labels there, all alike, the chance that the next one is of another class is
c = 1 / (m + 2) (Laplace's rule of succession); elsewhere c = 0. So such a part is asked of, and ever less
while the answers agree.

Real targets: the questions that leave least variance (`_fields`).
"""

import numpy as np
from scipy.sparse.csgraph import connected_components

from trigpoint._types import Floats
from trigpoint.learner._coverage import coverage, weighted_coverage
from trigpoint.learner._situation import Choose, Situation

POWER = 2.0
LEAST = 0.03  # of the largest weight


def auto(now: Situation) -> Choose:
    if not now.tells_classes_apart():
        return coverage(now)
    return weighted_coverage(now, weights(now.probabilities, chance_of_another_class(now)))


def chance_of_another_class(now: Situation) -> Floats:
    """(n,) c."""
    if "parts" not in now.kept:
        now.kept["parts"] = connected_components(now.phi, directed=False)
    n_parts, part = now.kept["parts"]
    counts = np.zeros((n_parts, now.known.values.shape[1]))
    np.add.at(counts, part[now.known.landmarks], now.known.values)
    alike = (counts > 0).sum(axis=1) < 2
    return np.asarray(np.where(alike, 1.0 / (counts.sum(axis=1) + 2.0), 0.0)[part])


def weights(probability: Floats, chance: Floats) -> Floats:
    """(n,) w; two classes at least."""
    second, first = np.partition(probability, -2, axis=1)[:, -2:].T
    u = np.maximum(1.0 - first + second / 2.0, chance)
    return np.asarray(np.maximum((u / max(float(u.max()), 1e-300)) ** POWER, LEAST))
