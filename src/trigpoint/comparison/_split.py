"""A split: samples drawn as the pool, their graph and Laplacian, and the others held out.

With features the pool's graph is made of the pool alone, and samples held out join it as `extend` has them.
A graph that is given is cut down to the pool, and a sample held out takes the mean of its neighbors in
the pool, weighted by its edges: what least squares would give one more sample. Methods share the split.
"""

import math
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from trigpoint._types import Floats, Ints, Sparse
from trigpoint.alignment import laplacian
from trigpoint.comparison._labeled import Labeled, induced
from trigpoint.graph import NeighborGraph, neighbor_graph
from trigpoint.propagation import extend
from trigpoint.trials import rng_for


@dataclass(frozen=True)
class Setting:
    """How splits are drawn, and graphs made."""

    held_out: float
    n_neighbors: int
    metric: str
    seed: int

    def n_pool(self, n: int) -> int:
        """How many of n samples are the pool."""
        return n - max(1, math.floor(self.held_out * n))

    @property
    def of_graphs(self) -> dict[str, Any]:
        """As estimators and the learner take it."""
        return {"n_neighbors": self.n_neighbors, "metric": self.metric}


@dataclass(frozen=True, eq=False)
class Split:
    keep: Ints  # which labeled samples are the pool, sorted
    held: Ints  # which are held out
    X: Any  # features of the pool, or None
    graph: NeighborGraph
    phi: Sparse
    made: Setting | None = None  # how the graph was made of X; None where it was given


@lru_cache(maxsize=1)
def split(known: Labeled, setting: Setting, number: int) -> Split:
    """The split of that number, the same in every process."""
    order = rng_for(setting.seed, "split", number).permutation(known.n)
    keep, held = np.sort(order[: setting.n_pool(known.n)]), np.sort(order[setting.n_pool(known.n) :])
    X = None if known.X is None else known.X[keep]
    if known.graph is None:
        graph, made = neighbor_graph(X, setting.n_neighbors, metric=setting.metric), setting
    else:
        graph, made = induced(known.graph, keep), None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of weights that underflow: the same for all methods
        return Split(keep, held, X, graph, laplacian(graph), made)


def held_out_values(known: Labeled, drawn: Split, values: Floats) -> Floats:
    """(m, d) values of the samples held out from those of the pool; NaN where none is near."""
    if known.graph is None:
        return extend(drawn.graph, drawn.X, known.X[drawn.held], values)
    ties = known.weights[drawn.held][:, drawn.keep]
    there = np.isfinite(values[:, :1])  # rows are NaN as a whole
    total = ties @ there.astype(np.float64)
    found = ties @ np.where(there, values, 0.0)
    return np.asarray(np.divide(found, total, out=np.full(found.shape, np.nan), where=total > 0))
