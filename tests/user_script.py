"""A user's script with every public name. It runs where only the wheel is, and mypy --strict accepts it."""

import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import trigpoint as tp
from trigpoint.annotators import Consensus
from trigpoint.bound import LandmarkBound, SelectionPath
from trigpoint.checks import LabelIssues, PoolCheck
from trigpoint.comparison import Comparison
from trigpoint.io import Samples

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def step_by_step(X: Floats, y: Ints) -> None:
    view = assert_type(tp.fit_view(X, "standard"), tp.View)
    graph = assert_type(tp.neighbor_graph(view.transform(X), 8), tp.NeighborGraph)
    assert graph.recall == 1.0
    for phi in (tp.laplacian(graph), tp.diffusion(graph), tp.lle(graph, X), tp.ltsa(graph, X, 2)):
        assert phi.shape == (len(X), len(X))
    assert_type(tp.isomap(graph, 2), Floats)
    phi = tp.laplacian(graph)
    picks = assert_type(tp.select(phi, 8, graph=graph), Ints)
    values = assert_type(tp.propagate(phi, picks, np.eye(3)[y[picks]]), Floats)
    assert_type(tp.uncertainty(phi, picks), Floats)
    assert_type(tp.embed(phi, 2), Floats)
    assert_type(tp.extend(graph, X, X[:2] + 0.01, values), Floats)
    assert_type(tp.landmark_bound(phi, picks), LandmarkBound)
    assert_type(tp.selection_path(phi, picks), SelectionPath)
    assert_type(tp.grow_graph(graph, view.transform(X), view.transform(X[:2] + 0.01)), tp.NeighborGraph)
    assert_type(tp.graph_from_edges([(0, 1), (1, 2)]), tp.NeighborGraph)


def on_disk(X: Floats, folder: Path) -> None:
    graph = assert_type(tp.build_graph(folder / "built", X, 8), tp.NeighborGraph)
    tp.save_graph(folder / "graph", graph)
    assert_type(tp.open_graph(folder / "graph"), tp.NeighborGraph)
    tp.save_alignment(folder / "phi", tp.laplacian(graph))
    assert tp.open_alignment(folder / "phi").shape == (len(X), len(X))
    (folder / "pool.csv").write_text("a,b\n" + "\n".join(f"{a},{b}" for a, b in X[:, :2].tolist()))
    assert assert_type(tp.read_pool(folder / "pool.csv"), Samples).n_samples == len(X)


def estimators(X: Floats, y: Ints, folder: Path) -> None:
    picks = assert_type(tp.LandmarkSelector(8).fit(X).landmarks_, Ints)
    known = np.full(len(y), -1)
    known[picks] = y[picks]
    classifier = assert_type(tp.ManifoldClassifier(8).fit(X, known), tp.ManifoldClassifier)
    assert_type(classifier.label_distributions_, Floats)
    assert_type(classifier.graph_, tp.NeighborGraph)
    assert (classifier.transduction_ == y).mean() > 0.6
    tp.save_model(folder / "model.trigpoint", classifier)
    model: Any = tp.load_model(folder / "model.trigpoint")
    assert (model.predict(X[:5]) == classifier.predict(X[:5])).all()
    regressor = tp.ManifoldRegressor(8).fit(X, np.where(known >= 0, X[:, 0], np.nan))
    assert_type(regressor.uncertainty_, Floats | None)
    dictionary = tp.LCKSVDClassifier(6, sparsity=3, n_iterations=2).fit(X, y)
    assert_type(dictionary.components_, Floats)
    dictionary.predict(X)


def labels(X: Floats, y: Ints) -> None:
    learner = tp.ActiveLearner(X, n_neighbors=8)
    asked = learner.ask(6)
    learner.tell(asked, y[asked])
    learner.predict()
    learner.stop_advice()
    assert_type(tp.label_issues(X, y, n_neighbors=8), LabelIssues)
    assert_type(tp.check_pool(X, y, n_neighbors=8), PoolCheck)
    assert_type(tp.consensus([0, 0, 1], ["a", "a", "b"], ["ann", "bob", "ann"]), Consensus)
    compared = tp.compare(X, y, methods=["random"], budgets=[6], n_splits=2, n_neighbors=8)
    assert_type(compared, Comparison)


def refusals(X: Floats) -> None:
    phi = tp.laplacian(tp.neighbor_graph(X, 8))
    try:
        tp.select(phi, 0)
    except tp.InputError as error:
        assert_type(error.argument, str)
    else:
        raise SystemExit("no landmarks were accepted")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tp.UnreachedWarning)
        tp.propagate(tp.laplacian(tp.graph_from_edges([(0, 1), (2, 3)])), [0], [1.0])
    tp.nothing  # type: ignore[attr-defined]  # noqa: B018


def main() -> None:
    X = np.random.default_rng(0).random((150, 3))
    y = (3 * X[:, 0]).astype(np.int64)  # three classes, side by side
    assert_type(tp.datasets.load_digits().labels, Ints)
    with TemporaryDirectory() as folder, tp.progress(lambda step: None):
        step_by_step(X, y)
        on_disk(X, Path(folder))
        estimators(X, y, Path(folder))
        labels(X, y)
        try:
            refusals(X)
        except AttributeError as error:
            print(f"trigpoint {tp.__version__}: {error}")  # noqa: T201


main()
