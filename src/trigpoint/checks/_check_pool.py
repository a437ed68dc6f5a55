"""The health of a pool: one call, one page."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from trigpoint._errors import InputError, UnreachedWarning
from trigpoint._progress import stage
from trigpoint._types import Array, Ints
from trigpoint._validation import check_choice, check_features, check_rng
from trigpoint.checks._columns import (
    constant_columns,
    counting_columns,
    leaking_columns,
    repeated_columns,
)
from trigpoint.checks._copies import by_chance, conflicts, exact_groups, near_groups, text_groups
from trigpoint.checks._findings import (
    class_findings,
    column_findings,
    conflict_findings,
    copy_findings,
    label_findings,
    outlier_findings,
    part_findings,
)
from trigpoint.checks._known_labels import Known, known_labels
from trigpoint.checks._label_issues import TASKS, LabelIssues, class_issues, value_issues
from trigpoint.checks._outliers import outliers
from trigpoint.checks._pool_check import KINDS, SEVERITIES, Finding, PoolCheck
from trigpoint.graph import N_NEIGHBORS, NeighborGraph, neighbor_graph
from trigpoint.prediction import ViewedPool, check_view, graph_pool, viewed_pool
from trigpoint.propagation import decode
from trigpoint.views import base_name, fit_view

GraphOf = Callable[[str, Any], NeighborGraph]
DECIDING = 2000  # labels that say which view fits a large pool


def check_pool(
    X: Any,
    labels: Any = None,
    *,
    ids: Sequence[Any] | Array | None = None,
    columns: Sequence[str] | None = None,
    texts: Sequence[str] | None = None,
    task: str | None = None,
    view: str = "auto",
    n_neighbors: int = N_NEIGHBORS,
    metric: str = "euclidean",
    column_checks: bool = True,
    random_state: Any = 0,
    graph_of: GraphOf | None = None,
) -> PoolCheck:
    """Look for what may be wrong with a pool and its labels.

    Parameters
    ----------
    X : (n, p) features, dense or sparse, or a NeighborGraph
    labels : (n,) classes: unlabeled where -1, None or NaN; or (n,) or (n, d) real targets, NaN where unknown
    ids : (n,) names of the samples, for the page
    columns : (p,) names of the columns, for the page
    texts : (n,) what the features were taken from, if it is text: copies are then equal texts, and near
        copies are mere notes, since features of texts leave words out
    task : "classification", "regression", or None: numbers that are not whole are real targets
    view, n_neighbors, metric : as for `ManifoldClassifier`; "cosine" or "euclidean"
    column_checks : whether columns have a meaning of their own; those of pixels and of texts have none
    random_state : seed: labels that decide on a view in large pools, and the order of equal values, are drawn
    graph_of : function (name of a view, features in it) -> graph, such as a cache

    Returns
    -------
    PoolCheck
        Findings, the worst first. `print` shows it as a page.

    Notes
    -----
    Cost: without labels little more than the graph; with 100,000 labeled samples about four times the graph,
    for a second graph and for what the labels say of each other. Nothing is n x n. A finding is a reason to
    look, not a proof: outliers and rare classes may be right.

    See Also
    --------
    label_issues : only the labels, ranked.
    ManifoldClassifier : ``noise="auto"`` learns from labels of which some are wrong.

    Examples
    --------
    >>> import numpy as np, trigpoint as tp
    >>> X = np.random.default_rng(0).normal(size=(100, 6))
    >>> X[50] = X[3]
    >>> print(tp.check_pool(X))
    100 samples, without labels. Found 1 warning.
    <BLANKLINE>
    warning: 2 samples are exact copies of each other.
        3, 50
        to act: X = np.delete(X, found.redundant, axis=0)
    """
    if task is not None:
        check_choice(task, "task", TASKS)
    check_choice(metric, "metric", ("euclidean", "cosine"))
    check_view(view, metric)
    X = X if isinstance(X, NeighborGraph) else check_features(X)
    n = X.n_samples if isinstance(X, NeighborGraph) else X.shape[0]
    if n < 2:
        raise InputError("X", "must hold at least 2 samples", n)
    named = None if ids is None else _names(ids, n, "ids", "sample")
    heads = None
    if columns is not None and not isinstance(X, NeighborGraph):
        heads = tuple(map(str, _names(columns, X.shape[1], "columns", "column")))
    words = None if texts is None else [str(text) for text in _names(texts, n, "texts", "sample")]
    known = None if labels is None else known_labels(labels, n, task)
    rng = check_rng(random_state)
    graph, pool = _graphs(X, view, n_neighbors, metric, known, graph_of, rng)
    skipped: dict[str, str] = {}
    issues = None
    if known is not None:
        with stage("labels"):
            issues = _issues(pool, known, skipped)
    with stage("columns"):
        found = _columns(X, known, issues, column_checks, skipped, rng)
    counting = [j for each in found if each.kind == "counting" for (j,) in each.columns]
    with stage("samples"):
        found += _samples(X, graph, known, counting, words, skipped)
    if known is not None:
        found += label_findings(known, issues) + class_findings(known, graph)
    order = sorted(found, key=lambda each: (SEVERITIES.index(each.severity), KINDS.index(each.kind)))
    return PoolCheck(
        n_samples=n,
        n_labels=0 if known is None else len(known.samples),
        task=None if known is None else known.task,
        findings=tuple(order),
        skipped=skipped,
        issues=issues,
        suspects=np.empty(0, dtype=np.int64) if known is None else known.suspects(issues),
        labeled=np.empty(0, dtype=np.int64) if known is None else known.samples,
        labels=None if known is None else known.labels,
        corrected=None if known is None else known.corrected(issues),
        ids=named,
        columns=heads,
    )


def _names(names: Sequence[Any] | Array, count: int, argument: str, of: str) -> Array:
    found = np.empty(len(names), dtype=object)
    found[:] = list(names)
    if len(found) != count:
        raise InputError(argument, f"must hold one name for each {of}, {count} in all", len(found))
    return found


def _graphs(
    X: Any,
    view: str,
    n_neighbors: int,
    metric: str,
    known: Known | None,
    graph_of: GraphOf | None,
    rng: np.random.Generator,
) -> tuple[NeighborGraph, ViewedPool]:
    """The graph of the features as they are, or at one scale, for distances; and the views that labels need.

    White views make small differences large and long rows short, so distances are not looked at in them.
    """
    if isinstance(X, NeighborGraph):
        return X, graph_pool(X)
    k = min(n_neighbors, X.shape[0] - 1) if n_neighbors is N_NEIGHBORS else n_neighbors
    make = graph_of or (lambda name, features: neighbor_graph(features, k, metric=metric))
    base = (base_name(X) if metric == "euclidean" else "raw") if view == "auto" else view

    deciding: dict[str, Any] = {}
    if known is not None and known.checkable:
        some = rng.permutation(len(known.samples))[:DECIDING]
        deciding = {"landmarks": known.samples[some], "values": known.targets(some)}
    pool = viewed_pool(X, view if deciding else base, metric=metric, graph_of=make, **deciding)
    for seen in pool.views:
        if seen.name == base:
            return seen.graph, pool
    with stage(f"neighbor graph, {base}"):
        return make(base, fit_view(X, base).transform(X)), pool


def _issues(pool: ViewedPool, known: Known, skipped: dict[str, str]) -> LabelIssues | None:
    """What the labels say of each other; classes of one spelling are one class."""
    if not known.checkable:
        skipped["wrong labels"] = known.obstacle
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreachedWarning)  # parts without labels are a finding
        if known.task == "regression":
            return value_issues(pool, known.samples, known.values)
        kept, codes = np.unique(known.spelled[known.values], return_inverse=True)
        found = class_issues(pool, known.samples, range(len(kept)), codes)
    if not found.judged.any():
        skipped["wrong labels"] = "too few labels a class for the others to tell"
    names = [known.classes[code] for code in kept]
    return replace(found, labels=known.labels, suggested=decode(names, found.suggested))


def _samples(
    X: Any,
    graph: NeighborGraph,
    known: Known | None,
    counting: list[int],
    texts: list[str] | None,
    skipped: dict[str, str],
) -> list[Finding]:
    """Copies, outliers and parts; a column that counts hides no copies."""
    n = graph.n_samples
    codes = None if known is None or known.task == "regression" else known.codes(n)
    found: list[Finding] = []
    if isinstance(X, NeighborGraph) and (graph.metric == "edges" or graph.n_neighbors is None):
        skipped["duplicates and outliers"] = "the pool is a graph, which has links and no distances"
    else:
        chance = False
        if texts is not None:
            first, exact = text_groups(texts)
        elif isinstance(X, NeighborGraph):
            first, exact = np.arange(n), ()
        else:
            rows = _without(X, counting)
            first, exact = exact_groups(rows)
            chance = bool(exact) and by_chance(rows)
        faint = texts is not None
        near = near_groups(graph, first)
        if codes is not None:
            apart = conflicts(exact, first, codes), conflicts(near, first, codes)
            found += conflict_findings(*apart, chance, faint)
        found += copy_findings(exact, near, chance, faint)
        found += outlier_findings(*outliers(graph))
    return found + part_findings(graph, known)


def _without(X: Any, columns: list[int]) -> Any:
    return X if not columns else np.delete(X, columns, axis=1)


def _columns(
    X: Any,
    known: Known | None,
    issues: LabelIssues | None,
    asked: bool,
    skipped: dict[str, str],
    rng: np.random.Generator,
) -> list[Finding]:
    if isinstance(X, NeighborGraph):
        skipped["columns"] = "the pool is a graph, which has none"
        return []
    if not asked:
        skipped["columns"] = "those of pixels and of texts have no meaning of their own"
        return []
    constant = constant_columns(X)
    leaking: tuple[Ints, bool] = np.empty(0, dtype=np.int64), False
    if known is not None:
        targets = known.spelled[known.values] if known.task == "classification" else known.values[:, 0]
        trusted = known.trusted(issues)
        leaking = leaking_columns(X, known.samples[trusted], targets[trusted], rng)
    return column_findings(constant, repeated_columns(X, constant), counting_columns(X), *leaking)
