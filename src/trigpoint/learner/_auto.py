"""The default: coverage, weighted by uncertainty to a power that grows as the uncertainty falls.

With f_1 >= f_2 the two largest probabilities of a sample, its uncertainty and its weight in `_coverage` are

    u = 1 - f_1 + f_2 / 2  in [0, 1],     w = max((u / max u)^p, LEAST),     p = 1 / mean(u),

u the mean of 1 - f_1, which is large where the labels are far, and of the margin's 1 - f_1 + f_2, which is
large where classes meet; the mean in p is over the samples without a label. So the questions hand over from
exploring to exploiting by themselves. Where little is known, u is nearly flat and p near 1: this is facility
location. Once most samples are known well, p is large and only the uncertain ones count. Pools
that stay hard, with half the labels wrong whatever is asked, stay with coverage, which is what they need.

The probabilities are those of values that forget: a walk from a sample to the labels ends at every step with
the chance of FORGET labels a sample, which is seldom where walks to the next label are as long as labels are
rare, and often in a cluster that has none. There plain least squares are sure of a class from far away, and
nobody would ask.

LEAST keeps the search alive: where all that is known agrees, there may be a class that nobody has seen.
And in a part of the graph, not connected to others, in which fewer than two classes have a label, every
probability is 1 or flat, and says nothing: there w = 1, until two have.

Real targets: the questions that leave least variance (`_fields`).
"""

import numpy as np
from scipy.sparse.csgraph import connected_components

from trigpoint._types import Array, Floats
from trigpoint.learner._coverage import coverage, weighted_coverage
from trigpoint.learner._situation import Choose, Situation

FORGET = 0.1
LEAST = 0.03  # of the largest weight
SURE = 0.01  # the mean and the largest uncertainty, at least


def auto(now: Situation) -> Choose:
    if not now.tells_classes_apart():
        return coverage(now)
    waiting = np.ones(now.n, dtype=bool)
    waiting[now.known.landmarks] = False
    rate = FORGET * len(now.known.landmarks) / now.n
    found = weights(now.probabilities(rate), waiting)
    found[~contested(now)] = 1.0
    return weighted_coverage(now, found)


def contested(now: Situation) -> Array:
    """(n,) bool: in a part of the graph, not connected to others, that has labels of two classes."""
    n_parts, part = connected_components(now.phi, directed=False)
    seen = np.zeros((n_parts, now.known.values.shape[1]), dtype=bool)
    seen[part[now.known.landmarks], now.known.values.argmax(axis=1)] = True
    return np.asarray((seen.sum(axis=1) > 1)[part])


def weights(probability: Floats, waiting: Array) -> Floats:
    """(n,) w; two classes at least."""
    second, first = np.partition(probability, -2, axis=1)[:, -2:].T
    u = 1.0 - first + second / 2.0
    power = 1.0 / max(float(u[waiting].mean()), SURE) if waiting.any() else 1.0
    return np.asarray(np.maximum((u / max(float(u.max()), SURE)) ** power, LEAST))
