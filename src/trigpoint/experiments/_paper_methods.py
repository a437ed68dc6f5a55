"""The selectors that are compared, under the names of the paper's tables.

The paper starts its randomized methods from three random landmarks, and so do we; the deterministic ones,
and ours, start from nothing.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from trigpoint import selection
from trigpoint._types import Floats, Ints, Sparse
from trigpoint.graph import NeighborGraph

STARTS = 3


@dataclass(frozen=True)
class Method:
    """One column of the tables. ``paper`` is its name there, None where the paper does not have it."""

    name: str
    method: str
    paper: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    starts: int = 0  # random landmarks that it is given to begin with
    slow: bool = False  # has its own, smaller number of trials
    ours: bool = False  # changes with the code

    @property
    def uses_phi(self) -> bool:
        """Whether another alignment matrix can change what it selects."""
        return selection.selector_of(self.method).uses_phi

    @property
    def nested(self) -> bool:
        """Whether the first k of l picks are those for k."""
        return selection.selector_of(self.method).nested

    @property
    def slug(self) -> str:
        """Its name in file names."""
        return "".join(letter if letter.isalnum() else "_" for letter in self.name.lower())


METHODS = {
    known.name: known
    for known in (
        Method("Random", "random", "Random"),
        Method("Nystrom", "nystrom", "Nystrom", starts=STARTS),
        Method("Volume", "volume", "Volume", starts=STARTS),
        Method("K-means", "kmeans", "K-means", starts=STARTS),
        Method("GF", "gaussian_field", "GF", starts=STARTS),
        Method("MaxMinGeo", "maxmin_geodesic", "MaxMinGeo", starts=STARTS),
        Method("ApproxDPP", "approx_dpp", "ApproxDPP", {"sigma": "dimension"}, STARTS),
        Method("MinCond", "mincond", "MinCond", slow=True),
        Method("GCLS", "gcls", "GCLS"),
        Method("GCLS, ties by index", "gcls", options={"ties": "index"}),
        Method("GCLS, two candidates", "gcls", options={"strategy": "two_candidates"}),
        Method("RRQR", "rrqr"),
        Method("Facility (our default)", "facility", ours=True),
    )
}
PAPER = tuple(name for name, known in METHODS.items() if known.paper)


@dataclass(frozen=True, eq=False)
class Pool:
    """What selectors are given."""

    X: Floats
    graph: NeighborGraph
    phi: Sparse


def chosen(known: Method, pool: Pool, count: int, initial: Ints, seed: int) -> Ints:
    """``initial``, then ``count`` more."""
    if count == 0:
        return initial
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # volume sampling below the rank says so
        more = selection.select(
            pool.phi,
            count,
            method=known.method,
            X=pool.X,
            graph=pool.graph,
            initial=initial if len(initial) else None,
            random_state=seed,
            **known.options,
        )
    return np.concatenate([initial, more])


def starts_of(known: Method, n: int, rng: np.random.Generator) -> Ints:
    """The random landmarks that a method is given to begin with."""
    return rng.permutation(n)[: known.starts].astype(np.int64)


def picks_for(known: Method, pool: Pool, budgets: Sequence[int], rng: np.random.Generator) -> dict[int, Ints]:
    """The landmarks for each budget, in order of choice, the random starts among them."""
    starts, seed = starts_of(known, len(pool.X), rng), int(rng.integers(2**31))
    if known.nested:
        longest = chosen(known, pool, max(budgets) - len(starts), starts, seed)
        return {budget: longest[:budget] for budget in budgets}
    return {budget: chosen(known, pool, budget - len(starts), starts, seed) for budget in budgets}
