"""The default: coverage, where each sample weighs as much as it is likely to be wrong.

With f_1 the largest probability of a sample, its weight in `_coverage` is

    w = max(1 - f_1, c, LEAST),

so that a question is worth the mistakes that its answer may mend. Where little is known, w is nearly flat,
and this is facility location. Once most samples are known well, the others count, which lie where classes
meet, or far from labels. LEAST keeps the search alive: where all that is known agrees, there may
be a class that nobody has seen.

In a part of the graph, not connected to others, where fewer than two classes have a label, probabilities
say little. With m labels there, all alike, c = 1 / ((m + 1) (m + 2)): if every share of the first class is as
likely, this is the chance that m answers agree and the next one does not (Laplace's rule). Elsewhere c = 0.
So such a part is asked of, and soon less, while the answers agree.

Real targets: the questions that leave least variance (`_fields`).
"""

import numpy as np
from scipy.sparse.csgraph import connected_components

from trigpoint._types import Floats
from trigpoint.learner._coverage import coverage, weighted_coverage
from trigpoint.learner._situation import Choose, Situation

LEAST = 0.003


def auto(now: Situation) -> Choose:
    if not now.tells_classes_apart():
        return coverage(now)
    return weighted_coverage(now, weights(now))


def weights(now: Situation) -> Floats:
    """(n,) w."""
    uncertainty = 1.0 - now.probabilities.max(axis=1)
    return np.asarray(np.maximum(np.maximum(uncertainty, chance_of_another_class(now)), LEAST))


def chance_of_another_class(now: Situation) -> Floats:
    """(n,) c."""
    if "parts" not in now.kept:
        now.kept["parts"] = connected_components(now.phi, directed=False)
    n_parts, part = now.kept["parts"]
    counts = np.zeros((n_parts, now.known.values.shape[1]))
    np.add.at(counts, part[now.known.landmarks], now.known.values)
    m, alike = counts.sum(axis=1), (counts > 0).sum(axis=1) < 2
    return np.asarray(np.where(alike, 1.0 / ((m + 1.0) * (m + 2.0)), 0.0)[part])
