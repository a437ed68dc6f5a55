"""What takes long and nobody waits for: advice, the bound, and standard deviations in large pools.

A thread of its own takes the newest labels that a round has left behind, and tells what they are worth. Where
it is slower than the rounds, it leaves some out. The bound is `landmark_bound`'s ``bound_inf`` of the labeled
samples. A call takes about a second for 70,000 samples. Pools of more than `BOUNDED` go without, and where a
call was slow the next waits for twice the labels.
"""

import math
import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np

from trigpoint._types import Floats
from trigpoint.alignment import laplacian
from trigpoint.bound import landmark_bound
from trigpoint.graph import NeighborGraph
from trigpoint.learner import ActiveLearner
from trigpoint.studio._news import Advice, Beliefs, Bound
from trigpoint.studio._round import AT_ONCE, largest_std, value_beliefs

BOUNDED = 100_000
SLOW = 3.0  # seconds


class Study:
    """Advice and bound for one set of labels after another.

    ``std`` is what the last labels left of each sample's standard deviation, for rounds to tell.
    """

    def __init__(
        self, graph: NeighborGraph, regresses: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._graph, self._regresses, self._clock = graph, regresses, clock
        self._enough = 0  # labels from which on there is a bound again
        self.std: Floats | None = None

    def news(self, learner: ActiveLearner, version: int) -> Iterator[Advice | Beliefs | Bound]:
        """``learner`` must have a label, and nobody else may change it."""
        yield advice(learner, version)
        if self._regresses and learner.n_samples > AT_ONCE:
            self.std = largest_std(learner)
            yield value_beliefs(learner, version, self.std)
        count = len(learner.labels)
        if self._graph.n_samples <= BOUNDED and count >= self._enough:
            start = self._clock()
            found = bound(self._graph, learner, version)
            self._enough = 2 * count if self._clock() - start > SLOW else 0
            if found is not None:
                yield found


def advice(learner: ActiveLearner, version: int) -> Advice:
    found = learner.stop_advice()
    return Advice(
        version,
        _finite(found.error),
        _finite(found.low),
        _finite(found.high),
        found.n_labels,
        found.n_audits,
        found.next_labels,
        _finite(found.expected_error),
    )


def bound(graph: NeighborGraph, learner: ActiveLearner, version: int) -> Bound | None:
    """The bound of the labeled samples; None where it is infinite."""
    landmarks = np.array(list(learner.labels), dtype=np.int64)
    if len(landmarks) == graph.n_samples:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of an accuracy that no picture shows
        value = landmark_bound(laplacian(graph), landmarks).bound_inf
    return Bound(version, len(landmarks), float(value)) if math.isfinite(value) else None


def _finite(x: float) -> float | None:
    return float(x) if math.isfinite(x) else None
