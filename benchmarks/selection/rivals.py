"""Who is compared: trigpoint's selectors and its peers', each on the pools where it is feasible.

Where a trial takes minutes of one core it is not made; where it takes some ten seconds or more, on fewer
splits. The page of a run tells who is missing where and why, and how many trials a cell has.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import peers

from trigpoint.selection import METHODS

EVERY = 10**9
NEEDS_FEATURES = ("kmeans", "volume")
LARGEST = {  # samples of our own slow ones
    "mincond": 0,  # hours at 500
    "volume": 2000,
    "gaussian_field": 2000,
    "rrqr": 2000,
    "approx_dpp": 8000,
}
FEWER = {  # samples from which a method has fewer splits, and how many
    "gaussian_field": (1500, 5),
    "v_optimal": (5000, 3),
    "sigma_optimal": (5000, 3),
    "pivoted_cholesky": (5000, 3),
    "graphlearning var_opt": (10000, 3),
    "graphlearning sigma_opt": (10000, 3),
    "graphlearning uncertainty": (1500, 3),
}


@dataclass(frozen=True)
class Rival:
    """A method: how `trigpoint.compare` is told of it, and on which pools it is run."""

    name: str
    how: Any
    package: str = "trigpoint"
    needs_features: bool = False
    needs_classes: bool = False
    largest: int = EVERY

    def reason(self, pool):
        """Why it is not run on a pool; empty where it is."""
        if pool.n > self.largest:
            return "too slow"
        if self.needs_features and not pool.features:
            return "needs features"
        return "needs classes" if self.needs_classes and pool.real else ""

    def splits(self, pool, most):
        size, few = FEWER.get(self.name, (EVERY, most))
        return min(most, few) if pool.n >= size else most


PEERS = (
    Rival("graphlearning var_opt", peers.graphlearning_var_opt, "graphlearning"),
    Rival("graphlearning sigma_opt", peers.graphlearning_sigma_opt, "graphlearning"),
    Rival("apricot facility", peers.apricot_facility, "apricot", True, largest=8000),
    Rival("activeml TypiClust", peers.activeml_typiclust, "skactiveml", True, largest=8000),
    Rival("activeml CoreSet", peers.activeml_coreset, "skactiveml", True, largest=8000),
    Rival("skmatter FPS", peers.skmatter_fps, "skmatter", True),
    Rival("graphlearning uncertainty", peers.graphlearning_uncertainty, "graphlearning", False, True, 2000),
)
OURS = (
    *(
        Rival(name, None, needs_features=name in NEEDS_FEATURES, largest=LARGEST.get(name, EVERY))
        for name in METHODS
    ),
    Rival("gcls two candidates", {"method": "gcls", "strategy": "two_candidates"}),
    Rival("learner", None),
)
RIVALS = {rival.name: rival for rival in (*OURS, *PEERS)}


def missing():
    """Peers that are not installed here."""
    return [rival.name for rival in PEERS if find_spec(rival.package) is None]


def feasible(pool, names):
    """Those of ``names`` that are run on a pool."""
    return [name for name in names if not RIVALS[name].reason(pool)]
