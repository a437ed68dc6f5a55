"""A pool in the views that may fit it: features, graph and phi of each.

"auto" stands for three views: the raw features (or the standardized ones, `views.base_name`), half_white
and white. Up to `MANY` samples each of them has a graph, and the labels decide how much each one counts.
Larger pools have one graph, as whoever needs one view only. The view is then chosen on `SAMPLE` samples and
those with labels: by the squared error of labels that are left out (`_spread`) if there are two a class,
else by the least `nearness`.

Pools of fewer than `ENOUGH` features have the first only. Rows of length 1 have one dimension less, so their
neighbors are nearer, whatever they mean: two features would be seen as angles, one as a sign.

Pools that are graphs, and given distances, have one view, which has no features.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._progress import stage, track
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import check_choice
from trigpoint.alignment import laplacian
from trigpoint.graph import N_NEIGHBORS, NeighborGraph, neighbor_graph
from trigpoint.prediction._spread import Spread, inverse, spread
from trigpoint.propagation import reach, warn_unreached
from trigpoint.views import VIEWS, View, base_name, fit_view, nearness

MANY = 20_000
ENOUGH = 5  # features
SAMPLE = 2000
VIEW_NAMES = ("auto", *VIEWS)
Align = Callable[[NeighborGraph, Any], Any]
GraphOf = Callable[[str, Any], NeighborGraph]


@dataclass(frozen=True, eq=False)
class PoolView:
    """A pool as one view shows it.

    Attributes
    ----------
    name : of the view; "graph" or "distances" where there are no features
    view : View, or None where there are no features
    X : the features in this view, or None
    graph : NeighborGraph
    phi : (n, n), csr_array or array
    """

    name: str
    view: View | None
    X: Any
    graph: NeighborGraph
    phi: Any

    @cached_property
    def inverse(self) -> Floats | None:
        """Of phi with its leak, in small pools: for those who spread labels again and again."""
        return inverse(self.phi)

    def spread(self, landmarks: Ints, values: Floats, order: int = 1, noise: Floats | None = None) -> Spread:
        """By the inverse, if somebody has asked for it, or for noisy values, which are spread many times."""
        C = vars(self).get("inverse") if noise is None else self.inverse
        return spread(self.phi, landmarks, values, C, order, noise)

    @cached_property
    def nearness(self) -> float:
        """The vote for this view without labels; infinite where it has none."""
        k = self.graph.n_neighbors
        return nearness(self.graph.distances.reshape(-1, k)) if k else np.inf

    def reached(self, landmarks: Ints, values: Floats) -> Floats:
        """(n, d) values, NaN where no landmark reaches."""
        return np.where(reach(self.phi, landmarks).reached[:, None], values, np.nan)

    def in_company(self, landmarks: Ints) -> Array:
        """(l,) bool: whether another landmark is in the same part of the graph."""
        parts = reach(self.phi, landmarks).labels[landmarks]
        return np.asarray(np.bincount(parts)[parts] > 1)

    def transform(self, X_new: Any) -> Any:
        return X_new if self.view is None else self.view.transform(X_new)


@dataclass(frozen=True, eq=False)
class ViewedPool:
    """A pool in one view or several.

    Attributes
    ----------
    X : the features as they were given, or None
    views : of which there is at least one
    considered : name -> what was said of each view that was considered, before any is mixed
    n_fitted : the first samples, on which the views were fitted; None for all (`_grown_pool`)
    """

    X: Any
    views: tuple[PoolView, ...]
    considered: dict[str, dict[str, float]]
    n_fitted: int | None = None

    @property
    def n_samples(self) -> int:
        return self.views[0].graph.n_samples

    @cached_property
    def standard(self) -> View:
        """The standardized features, which models of features are fitted on."""
        return fit_view(self.X, "standard")

    @cached_property
    def main(self) -> PoolView:
        """The view of least nearness: the best guess without labels."""
        return min(self.views, key=lambda seen: seen.nearness)


def warn_unknown(pool: ViewedPool, landmarks: Ints, values: Floats) -> None:
    """Say so where nothing is known of a sample: no label reaches it, and there are no features."""
    if np.isnan(values).any():
        warn_unreached(reach(pool.main.phi, landmarks), "nothing is known of them")


def check_view(view: Any, metric: str = "euclidean") -> str:
    """The name of a view; other metrics than the Euclidean one measure raw features."""
    check_choice(view, "view", VIEW_NAMES)
    if metric == "euclidean":
        return str(view)
    if view not in ("auto", "raw"):
        raise InputError("view", f"must be 'auto' or 'raw' with metric={metric!r}", repr(view))
    return "raw"


def viewed_pool(
    X: Any,
    view: str = "auto",
    *,
    n_neighbors: int | None = N_NEIGHBORS,
    metric: str = "euclidean",
    align: Align | None = None,
    graph_of: GraphOf | None = None,
    only_main: bool = False,
    landmarks: Ints | None = None,
    values: Floats | None = None,
) -> ViewedPool:
    """The graph and phi of each view.

    Parameters
    ----------
    X : (n, p) checked features; distances for ``metric="precomputed"``
    view : a name of `VIEW_NAMES`
    n_neighbors, metric : as for `neighbor_graph`
    align : function (graph, X) -> phi; default: the Laplacian
    graph_of : function (name of a view, features in it) -> graph, such as a cache
        Default: `neighbor_graph` with ``n_neighbors`` and ``metric``.
    only_main : whether one view is enough; it is chosen as in large pools
    landmarks, values : (l,), (l, d), optional
        Labels, which help to choose where one view must do.

    Returns
    -------
    ViewedPool

    Notes
    -----
    Cost: for each view `fit_view`, `neighbor_graph` and `laplacian`. Three views up to 20,000 samples, one
    above.

    See Also
    --------
    trigpoint.prediction.predict_classes : the next step.

    Examples
    --------
    >>> import numpy as np
    >>> from trigpoint.prediction import viewed_pool
    >>> pool = viewed_pool(np.random.default_rng(0).normal(size=(60, 8)))
    >>> [view.name for view in pool.views]
    ['raw', 'half_white', 'white']
    """
    align = align or (lambda graph, X: laplacian(graph))
    graph_of = graph_of or (lambda name, features: neighbor_graph(features, n_neighbors, metric=metric))
    name = check_view(view, metric)
    if metric == "precomputed":
        with stage("neighbor graph, distances"):
            graph = neighbor_graph(X, n_neighbors, metric=metric)
        return ViewedPool(None, (PoolView("distances", None, None, graph, align(graph, None)),), {})
    names: tuple[str, ...] = (base_name(X), "half_white", "white") if name == "auto" else (name,)
    names = names if X.shape[1] >= ENOUGH else names[:1]
    said: dict[str, dict[str, float]] = {}
    if len(names) > 1 and X.shape[0] > (SAMPLE if only_main else MANY):
        names, said = _best(X, names, landmarks, values)
    found = [_seen(X, fit_view(X, each), graph_of, align) for each in names]
    if not said:
        said = {seen.name: {"nearness": seen.nearness} for seen in found}
    if only_main and len(found) > 1:
        found = [min(found, key=lambda seen: seen.nearness)]
    return ViewedPool(X, tuple(found), said)


def graph_pool(graph: NeighborGraph, phi: Any = None) -> ViewedPool:
    """Of a pool that is a graph."""
    phi = laplacian(graph) if phi is None else phi
    return ViewedPool(None, (PoolView("graph", None, None, graph, phi),), {})


def _seen(X: Any, view: View, graph_of: GraphOf, align: Align) -> PoolView:
    with stage(f"neighbor graph, {view.name}"):
        features = view.transform(X)
        graph = graph_of(view.name, features)
    return PoolView(view.name, view, features, graph, align(graph, features))


def _best(
    X: Any, names: tuple[str, ...], landmarks: Ints | None, values: Floats | None
) -> tuple[tuple[str, ...], dict[str, dict[str, float]]]:
    """One of the names, and what was said of each."""
    some = np.random.default_rng(0).choice(X.shape[0], SAMPLE, replace=False)
    known = np.empty(0, dtype=np.int64) if landmarks is None else landmarks
    rows = np.concatenate([known, np.setdiff1d(some, known)])
    enough = values is not None and len(known) >= 2 * values.shape[1]
    said: dict[str, dict[str, float]] = {}
    for name in track(names, "views"):
        seen = fit_view(X, name).transform(X[rows])
        graph = neighbor_graph(seen, min(N_NEIGHBORS, len(rows) - 1))
        said[name] = {"nearness": nearness(graph.distances.reshape(len(rows), -1))}
        if enough and values is not None:
            left_out = spread(laplacian(graph), np.arange(len(known)), values).left_out
            said[name]["error"] = float(((left_out - values) ** 2).sum(axis=1).mean())
    best = min(names, key=lambda name: said[name]["error" if enough else "nearness"])
    return (best,), said


def best_view(pool: ViewedPool, landmarks: Ints, values: Floats) -> tuple[PoolView, dict[str, float]]:
    """The view on which values spread with the least squared error where they are left out, and these errors.

    With less than two labels a class (or target) that means nothing, and the least nearness decides.
    """
    if len(pool.views) == 1:
        return pool.main, {}
    errors = {}
    for seen in pool.views:
        left_out = seen.spread(landmarks, values).left_out
        errors[seen.name] = float(np.square(left_out - values).sum(axis=1).mean())
    if len(landmarks) < 2 * values.shape[1]:
        return pool.main, errors
    return min(pool.views, key=lambda seen: (errors[seen.name], seen.nearness)), errors
