"""The front door: check everything, run the trials, count them."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from trigpoint._errors import InputError
from trigpoint._validation import check_choice, check_fraction, check_integer
from trigpoint.comparison._budgets import check_budgets
from trigpoint.comparison._comparison import WHERE, Comparison, gathered
from trigpoint.comparison._contestants import Method, check_against_pool, check_methods
from trigpoint.comparison._labeled import Labeled, check_labeled
from trigpoint.comparison._predictors import Predictor, check_predictors
from trigpoint.comparison._split import Setting, split
from trigpoint.comparison._trial import trial
from trigpoint.graph import N_NEIGHBORS
from trigpoint.trials import Memory, Store, Task, run_record, run_tasks

METRICS = ("euclidean", "cosine")


def compare(
    X: Any,
    y: Any,
    *,
    methods: Any = None,
    predictors: Any = None,
    budgets: Any = None,
    n_splits: int = 10,
    held_out: float = 0.25,
    n_neighbors: int = N_NEIGHBORS,
    metric: str = "euclidean",
    task: str = "auto",
    graph: Any = None,
    random_state: int = 0,
    n_jobs: int = 1,
    folder: str | Path | None = None,
) -> Comparison:
    """Compare selectors and predictors on a pool whose labels are known.

    Every split draws a part of the labeled samples as the pool and holds the others out. All methods choose
    landmarks from the same pool, and every predictor infers the classes or values of all other samples from
    those of the landmarks; errors are those on the rest of the pool and on the samples held out.
    Samples without a label take no part.

    Parameters
    ----------
    X : (n, p) features; None where there is only a graph
    y : (n,) classes, with -1, None or NaN for unlabeled; (n,) or (n, d) real values, with NaN
        Columns with larger values count more: scale columns that have different units.
    methods : names that `select` knows, or a dict
        Its values are options, ``{"discs": {"method": "gcls", "strategy": "two_candidates"}}``, None, or a
        function ``(X, graph, phi, n_landmarks, rng) -> indices`` of your own. "random" is always
        added. Default: auto, random, kmeans; without features auto, random, maxmin_geodesic.
        "auto" is `LandmarkSelector`; the others choose on one graph of the pool.
        "learner" is `ActiveLearner`, which sees labels while it chooses; with the option "model" it asks
        for what a model of yours doubts. A function with the attribute ``asks = True`` sees labels too,
        through one more argument, ``answer(indices) -> labels``.
    predictors : names, models and (name, model), or a dict of name: model
        A model is an estimator of scikit-learn, or any object with fit and predict.
        "auto" (`ManifoldClassifier` or `ManifoldRegressor`), "propagation" (plain least squares on the
        graph), "logistic" or for real values "ridge", "svm", "1-nn": all of them by default. Methods are
        held against random with the first one. For a pool that is a graph, "auto" is propagation on it, and
        the others need features.
    budgets : numbers of landmarks; by default four
        From 2 per class (20 for real values) to a sixth of the pool, at most 1000, evenly on a log scale.
    n_splits : number of splits
    held_out : share of the labeled samples that every split holds out
    n_neighbors, metric : of all graphs, each made from the pool of its split alone
    task : "classification", "regression", or "auto"
        "auto" is regression for several columns or values that are not whole, else classification.
    graph : NeighborGraph, edges (m, 2), or a sparse matrix of similarities, optional
        Used instead of graphs made from X. The graph of a split is the part between the samples of its
        pool; a sample held out takes the weighted mean of its neighbors in the pool.
    random_state : int, seed of everything
    n_jobs : number of parallel trials; it changes only the time
    folder : where trials are kept, optional
        The same call continues where an earlier one stopped; splits and methods may be added.

    Returns
    -------
    Comparison
        ``answer()`` and ``winner()`` in words, ``table()``, ``errors``, ``ratio(...)``, ``picture()``,
        ``write(folder)``.

    Notes
    -----
    Cost: for each split one graph, a choice for each method and budget (nested methods choose once for all
    budgets), and a fit for each method, predictor and budget. ``folder`` keeps finished trials, and
    ``n_jobs`` shares them among processes. With fewer than some dozens of labels the intervals are too wide
    to tell anything; at least 8 are needed.

    See Also
    --------
    select : the methods, and what each of them costs.
    ActiveLearner : "learner" in ``methods``; it sees labels while it chooses.

    Examples
    --------
    >>> import trigpoint as tp
    >>> X = [[i % 20 + 100 * (i // 20)] for i in range(40)]
    >>> y = [i // 20 for i in range(40)]
    >>> found = tp.compare(X, y, methods=["auto"], predictors=["auto", "1-nn"], budgets=[2], n_neighbors=3)
    >>> found.methods, found.predictors, found.errors["held_out"].shape
    (('auto', 'random'), ('auto', '1-nn'), (2, 2, 1, 10))
    """
    known = check_labeled(X, y, graph, task)
    setting = _check_setting(known, held_out, n_neighbors, metric, random_state)
    count, jobs = check_integer(n_splits, "n_splits", 1), _check_jobs(n_jobs)
    n_pool = setting.n_pool(known.n)
    numbers = check_budgets(budgets, n_pool, known.classes)
    chosen = check_methods(methods, known.X is not None)
    check_against_pool(chosen, n_pool, known.X is not None, known.task)
    used = check_predictors(predictors, known)
    tasks = _tasks(known, setting, chosen, used, numbers, count)
    settings = {"data": known.digest, "task": known.task, "budgets": list(numbers), **asdict(setting)}
    settings["predictors"] = {one.name: one.spelled for one in used}
    store: Memory | Store = Memory()
    if folder is not None:
        store = Store(Path(folder))
        store.open(settings, run_record(methods=[one.name for one in chosen], splits=count, jobs=jobs))
    run_tasks(store, tasks, trial, jobs, "compare")
    split.cache_clear()  # it holds the pool
    rows = [row for _, rows, _ in store.results(tasks) for row in rows]
    names, by = tuple(one.name for one in chosen), tuple(one.name for one in used)
    return Comparison(
        names,
        by,
        numbers,
        known.task,
        {where: gathered(rows, names, by, numbers, where) for where in WHERE},
        gathered(rows, names, by, numbers, "seconds")[:, 0],
        n_pool,
        known.n - n_pool,
        settings,
        rows,
        tuple(one.name for one in chosen if one.asks),
    )


def _tasks(
    known: Labeled,
    setting: Setting,
    methods: list[Method],
    predictors: list[Predictor],
    budgets: tuple[int, ...],
    n_splits: int,
) -> list[Task]:
    """A task a split and method, by split, so that a process makes its graph once."""
    shared = {"known": known, "setting": setting, "predictors": tuple(predictors), "budgets": budgets}
    return [
        Task(f"{number:03d}-{one.slug}", one.slug, {**shared, "method": one, "number": number})
        for number in range(n_splits)
        for one in methods
    ]


def _check_setting(known: Labeled, held_out: Any, n_neighbors: Any, metric: str, seed: Any) -> Setting:
    share = check_fraction(held_out, "held_out")
    if not 0.0 < share < 1.0:
        raise InputError("held_out", "must be greater than 0 and less than 1", repr(held_out))
    check_choice(metric, "metric", METRICS)
    seed = check_integer(seed, "random_state", 0)
    n_pool = Setting(share, 1, metric, seed).n_pool(known.n)
    if n_pool < 4:
        raise InputError("held_out", f"must leave a pool of at least 4 of {known.n} samples", repr(held_out))
    if known.graph is None:
        if n_neighbors is N_NEIGHBORS:
            n_neighbors = min(N_NEIGHBORS, n_pool - 1)
        of = f" for pools of {n_pool} samples"
        n_neighbors = check_integer(n_neighbors, "n_neighbors", 1, n_pool - 1, of)
    return Setting(share, int(n_neighbors), metric, seed)


def _check_jobs(n_jobs: Any) -> int:
    return (os.cpu_count() or 1) if n_jobs == -1 else check_integer(n_jobs, "n_jobs", 1)
