"""The front door of landmark selection: one signature for every method."""

from collections.abc import Callable
from typing import Any

from trigpoint._types import Ints
from trigpoint._validation import check_alignment, check_choice, check_initial, check_integer, check_rng
from trigpoint.graph import NeighborGraph
from trigpoint.selection._maxmin_geodesic import maxmin_geodesic
from trigpoint.selection._random import random_landmarks

_METHODS: dict[str, Callable[..., Ints]] = {
    "random": random_landmarks,
    "maxmin_geodesic": maxmin_geodesic,
}
AUTO = "maxmin_geodesic"


def select(
    phi: Any,
    n_landmarks: int,
    *,
    method: str = "auto",
    graph: NeighborGraph | None = None,
    initial: Any = None,
    random_state: Any = None,
) -> Ints:
    """Choose the samples to label.

    Parameters
    ----------
    phi : (n, n) alignment matrix
    n_landmarks : how many new landmarks to choose
    method : "auto", "random" or "maxmin_geodesic"
        "auto" is "maxmin_geodesic", a plain coverage method.
    graph : the neighbor graph, for methods that measure along it
    initial : samples that have labels already
        Chosen landmarks keep away from them; none of them is returned.
    random_state : seed

    Returns
    -------
    landmarks : (n_landmarks,) int64, in order of choice
    """
    phi = check_alignment(phi)
    n = phi.shape[0]
    name = AUTO if method == "auto" else check_choice(method, "method", ("auto", *_METHODS))
    given = check_initial(initial, n)
    free = n - len(given)
    already = f" for {n} samples" + (f", {len(given)} of them in initial" if len(given) else "")
    count = check_integer(n_landmarks, "n_landmarks", 1, free, already)
    if graph is not None and not isinstance(graph, NeighborGraph):
        raise TypeError(f"graph must be a NeighborGraph; got {type(graph).__name__}.")
    if graph is not None and graph.n_samples != n:
        raise ValueError(f"graph must have {n} samples, as phi does; got {graph.n_samples}.")
    return _METHODS[name](phi, count, graph=graph, initial=given, rng=check_rng(random_state))
