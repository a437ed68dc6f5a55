"""The front door of landmark selection: one signature for every method."""

import inspect
from collections.abc import Callable
from typing import Any

from trigpoint._errors import InputError
from trigpoint._types import Ints
from trigpoint._validation import (
    check_alignment,
    check_choice,
    check_features,
    check_initial,
    check_integer,
    check_rng,
)
from trigpoint.graph import NeighborGraph
from trigpoint.selection._aligned import aligned
from trigpoint.selection._approx_dpp import approx_dpp
from trigpoint.selection._facility import facility
from trigpoint.selection._gaussian_field import gaussian_field
from trigpoint.selection._gcls import gcls
from trigpoint.selection._kmeans import kmeans
from trigpoint.selection._maxmin_geodesic import maxmin_geodesic
from trigpoint.selection._mincond import mincond
from trigpoint.selection._nystrom import nystrom
from trigpoint.selection._pivoted_cholesky import pivoted_cholesky
from trigpoint.selection._pool import Pool
from trigpoint.selection._random import random_landmarks
from trigpoint.selection._rrqr import rrqr
from trigpoint.selection._sigma_optimal import sigma_optimal
from trigpoint.selection._spectral_kmeans import spectral_kmeans
from trigpoint.selection._v_optimal import v_optimal
from trigpoint.selection._volume import volume

_METHODS: dict[str, Callable[..., Ints]] = {
    "facility": facility,
    "random": random_landmarks,
    "nystrom": nystrom,
    "volume": volume,
    "kmeans": kmeans,
    "maxmin_geodesic": maxmin_geodesic,
    "approx_dpp": approx_dpp,
    "gaussian_field": gaussian_field,
    "mincond": mincond,
    "rrqr": rrqr,
    "gcls": gcls,
    "aligned": aligned,
    "v_optimal": v_optimal,
    "sigma_optimal": sigma_optimal,
    "spectral_kmeans": spectral_kmeans,
    "pivoted_cholesky": pivoted_cholesky,
}
AUTO = "facility"


def select(
    phi: Any,
    n_landmarks: int,
    *,
    method: str = "auto",
    X: Any = None,
    graph: NeighborGraph | None = None,
    initial: Any = None,
    random_state: Any = None,
    **options: Any,
) -> Ints:
    """Choose the samples to label.

    Parameters
    ----------
    phi : (n, n) alignment matrix
    n_landmarks : how many new landmarks to choose
    method : str
        "random", "nystrom", "volume" (needs X), "kmeans" (X), "gaussian_field", "maxmin_geodesic"
        (graph), "approx_dpp" (graph), "mincond", "rrqr", "gcls", "aligned", "v_optimal", "sigma_optimal",
        "spectral_kmeans", "pivoted_cholesky" or "facility": docs/selection.md tells what each of them
        does and costs. "auto" is "facility", coverage measured on the graph.
    X : (n, p) features, for methods that measure them
    graph : the neighbor graph, for methods that measure along it
    initial : samples that have labels already
        The method takes them into account; none of them is returned.
    random_state : seed
    options : the method's own, e.g. ``strategy="two_candidates"`` for "gcls"; others are refused by name

    Returns
    -------
    landmarks : (n_landmarks,) int64, in order of choice

    Examples
    --------
    >>> import trigpoint as tp
    >>> path = tp.graph_from_edges([[i, i + 1] for i in range(8)])
    >>> tp.select(tp.laplacian(path), 3, method="maxmin_geodesic", graph=path, initial=[0])
    array([8, 4, 2])
    """
    name = AUTO if method == "auto" else check_choice(method, "method", ("auto", *_METHODS))
    choose = _METHODS[name]
    _check_options(options, choose, method)
    phi = check_alignment(phi)
    n = phi.shape[0]
    given = check_initial(initial, n)
    free = n - len(given)
    if free == 0:
        raise InputError("initial", "must leave a sample to choose", f"all {n}")
    already = f" for {n} samples" + (f", {len(given)} of them in initial" if len(given) else "")
    count = check_integer(n_landmarks, "n_landmarks", 1, free, already)
    rng = check_rng(random_state)
    pool = Pool(phi, _check_pool_features(X, n), _check_graph(graph, n), given, method)
    return choose(pool, count, rng, **options)


def _check_options(options: dict[str, Any], choose: Callable[..., Ints], method: str) -> None:
    parameters = inspect.signature(choose).parameters.values()
    known = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    for name in options:
        if name not in known:
            takes = ", ".join(known) if known else "none"
            raise InputError(name, f"is not an option of method={method!r}, whose options are: {takes}")


def _check_pool_features(X: Any, n: int) -> Any:
    if X is None:
        return None
    X = check_features(X)
    if X.shape[0] != n:
        raise InputError("X", f"must have {n} samples, as phi does", X.shape[0])
    return X


def _check_graph(graph: Any, n: int) -> NeighborGraph | None:
    if graph is None:
        return None
    if not isinstance(graph, NeighborGraph):
        raise TypeError(f"graph must be a NeighborGraph; got {type(graph).__name__}.")
    if graph.n_samples != n:
        raise InputError("graph", f"must have {n} samples, as phi does", graph.n_samples)
    return graph
