"""The front door of landmark selection: one signature for every method."""

from collections.abc import Mapping
from typing import Any

from scipy.sparse import issparse

from trigpoint._errors import InputError
from trigpoint._types import Ints
from trigpoint._validation import (
    check_alignment,
    check_choice,
    check_dense_size,
    check_features,
    check_initial,
    check_integer,
    check_rng,
    check_sample_weight,
)
from trigpoint.graph import NeighborGraph
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import METHODS, Selector, check_weighs, selector_of, users_of_phi


def select(
    phi: Any,
    n_landmarks: int,
    *,
    method: str = "auto",
    X: Any = None,
    graph: NeighborGraph | None = None,
    initial: Any = None,
    sample_weight: Any = None,
    random_state: Any = 0,
    **options: Any,
) -> Ints:
    """Choose the samples to label.

    Parameters
    ----------
    phi : (n, n) alignment matrix
        Methods that use phi use it unchanged, whatever graph is given.
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
    sample_weight : (n,) how much each sample counts, such as how many customers a row stands for, optional
        For "auto", "facility" and "kmeans". Only ratios matter. A sample of weight 0 counts for nothing.
    random_state : seed, 0 by default: the same call gives the same answer; None draws anew
    options : the method's own, e.g. ``strategy="two_candidates"`` for "gcls"; an unknown option is an error

    Returns
    -------
    landmarks : (n_landmarks,) int64, in order of choice

    Notes
    -----
    Which method? Leave "auto": over 13 pools it has 0.61 of the error of random landmarks, the next best
    0.67, "kmeans" 0.72 and the paper's "gcls" 1.24. "kmeans" needs no graph. "maxmin_geodesic" is
    cheap, and nested: the first k picks are those for k. docs/howto/choose.md is a table of cases.

    Cost of "auto": about 2 n^3 operations up to 4,000 samples, above that time in
    proportion to n, and little for each pick; 7 to 11 s for a million samples on two cores. "gcls" costs
    O(nK) and O(K^2 log n) a pick, with K the nonzeros in a row of phi. "gaussian_field", "mincond" and "rrqr"
    are dense, O(n^3) and more, and refuse large pools; "v_optimal" is "gaussian_field" for pools of any
    size.

    See Also
    --------
    LandmarkSelector : from features, with the view and the graph made for you.
    ActiveLearner : chooses while labels arrive, which is better than all at once.

    Examples
    --------
    >>> import trigpoint as tp
    >>> path = tp.graph_from_edges([[i, i + 1] for i in range(8)])
    >>> tp.select(tp.laplacian(path), 3, method="maxmin_geodesic", graph=path, initial=[0])
    array([8, 4, 2])
    """
    selector = check_method(method, options)
    phi = check_alignment(phi)
    n = phi.shape[0]
    given = check_initial(initial, n)
    free = n - len(given)
    if free == 0:
        raise InputError("initial", "must leave a sample to choose", f"all {n}")
    already = f" for {n} samples" + (f", {len(given)} of them in initial" if len(given) else "")
    count = check_integer(n_landmarks, "n_landmarks", 1, free, already)
    rng = check_rng(random_state)
    if sample_weight is not None:
        check_weighs(method)
    pool = Pool(phi, *_check_beside(X, graph, n), given, check_sample_weight(sample_weight, n))
    there = {"has_X": X is not None, "has_graph": graph is not None, "dense_phi": not issparse(phi)}
    check_needs(method, options, n, **there)
    landmarks: Ints = selector.choose(pool, count, rng, **options)
    return landmarks


def check_method(method: str, options: Mapping[str, Any]) -> Selector:
    """The record of a method; refuses an unknown name, and options that the method does not take."""
    check_choice(method, "method", METHODS)
    selector = selector_of(method)
    known = selector.options
    for name in options:
        if name not in known:
            takes = ", ".join(known) or "none"
            raise InputError(name, f"is not an option of method={method!r}, whose options are: {takes}")
    if selector.check is not None:
        selector.check(**{**known, **options})
    return selector


def check_needs(
    method: str,
    options: Mapping[str, Any],
    n: int,
    *,
    has_X: bool,
    has_graph: bool,
    dense_phi: bool = False,
) -> None:
    """Refuse a pool of n samples that lacks what the method needs, or is too large for it."""
    selector = selector_of(method)
    if selector.limit is not None:
        check_dense_size(n, selector.limit, selector.name, selector.arrays)
    there = {"X": has_X, "graph": has_graph}
    for name, why in selector.needed(options).items():
        if not there[name]:
            raise InputError(name, f"must be given for method={method!r}{why}", "None")
    if dense_phi and not selector.takes_dense:
        raise _too_dense("phi", method, "a dense array")


def check_counts(method: str, alignment: str, *, plain: bool, dense: bool) -> None:
    """Refuse an alignment that would have no effect on the method, or that the method does not take.

    ``plain`` says that nobody asked for another alignment than the usual one, ``dense`` that phi will be.
    """
    if not plain and not selector_of(method).uses_phi:
        rule = (
            f"has no effect on method={method!r}, which does not use it; those that do: {users_of_phi(dense)}"
        )
        raise InputError("alignment", rule, repr(alignment))
    if dense and not selector_of(method).takes_dense:
        raise _too_dense("alignment", method, repr(alignment))


def _too_dense(argument: str, method: str, value: str) -> InputError:
    why = f"method={method!r}, which takes its entries as weights of a graph"
    return InputError(
        argument, f"must be sparse for {why}; a dense one is taken by: {users_of_phi(True)}", value
    )


def _check_beside(X: Any, graph: Any, n: int) -> tuple[Any, NeighborGraph | None]:
    """Features and graph, where they are given, with as many samples as phi."""
    if X is not None:
        X = check_features(X)
        if X.shape[0] != n:
            raise InputError("X", f"must have {n} samples, as phi does", X.shape[0])
    if graph is not None:
        if not isinstance(graph, NeighborGraph):
            raise TypeError(f"graph must be a NeighborGraph; got {type(graph).__name__}.")
        if graph.n_samples != n:
            raise InputError("graph", f"must have {n} samples, as phi does", graph.n_samples)
    return X, graph
