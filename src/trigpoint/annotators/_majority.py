"""The class that most people name; people's quality decides only among classes that as many people name.

A person of quality q counts as the logarithm of the odds of a right answer to any one wrong one,
w = log(q (k - 1) / (1 - q)), as in `_class_model` where nobody confuses classes in particular.
"""

import math
from collections import Counter
from collections.abc import Hashable, Mapping

TIE = 1e-6  # difference of weights


def majority(
    votes: Mapping[Hashable, Hashable], quality: Mapping[Hashable, float], n_classes: int
) -> Hashable | None:
    """Of person -> class; None where nothing decides, also where a person's quality is not known."""
    counts = Counter(votes.values())
    most = max(counts.values())
    best = [label for label, count in counts.items() if count == most]
    if len(best) == 1:
        return best[0]
    if not all(name in quality for name in votes):
        return None
    weights = {
        label: math.fsum(_weight(quality[name], n_classes) for name, vote in votes.items() if vote == label)
        for label in best
    }
    first, second = sorted(weights.values(), reverse=True)[:2]
    return None if first - second <= TIE else max(weights, key=weights.__getitem__)


def _weight(quality: float, n_classes: int) -> float:
    k = max(n_classes, 2)
    q = min(max(quality, 1.0 / k), 1.0 - 1e-9)
    return math.log(q * (k - 1) / (1.0 - q))
