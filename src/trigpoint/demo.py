"""The main job on a pool that ships with scikit-learn: 1797 handwritten digits, a few dozen labels.

digits -> views and their graphs -> landmarks -> their labels -> labels for all the others -> a report
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from trigpoint._progress import stage
from trigpoint._types import Floats, Ints
from trigpoint._validation import check_integer
from trigpoint.bound import SelectionPath, selection_path
from trigpoint.datasets import load_digits
from trigpoint.graph import NeighborGraph
from trigpoint.plots import landmarks_picture, map_coordinates, save_picture
from trigpoint.prediction import ClassPredictor, ViewedPool, predict_classes, viewed_pool
from trigpoint.propagation import classify, decode, encode
from trigpoint.report import Basis, Curve, Report, library_versions
from trigpoint.selection import select

DRAWS = 10  # random selections that ours is compared with
UNCERTAIN = 24  # samples that the report shows


@dataclass(frozen=True, eq=False)
class Demo:
    """Everything that the demo found out."""

    X: Floats  # (n, 64) images of 8 x 8
    y: Ints  # (n,) the truth, looked up for landmarks only
    pool: ViewedPool
    landmarks: Ints  # (l,) in order of choice
    predictor: ClassPredictor
    predicted: Ints  # (n,)
    uncertainty: Floats  # (n,) one minus the largest probability
    budgets: Ints  # (b,)
    accuracy: Floats  # (b,) of our landmarks at each budget
    random_accuracy: Floats  # (DRAWS, b) of random ones
    path: SelectionPath
    coordinates: Floats  # (n, 2) a map of the pool
    seed: int
    seconds: dict[str, float]  # of each step

    @property
    def graph(self) -> NeighborGraph:
        """Of the view that landmarks are chosen in."""
        return self.pool.main.graph

    @property
    def rest(self) -> Ints:
        return np.setdiff1d(np.arange(len(self.y)), self.landmarks)

    @property
    def uncertain(self) -> Ints:
        """The tenth of the unlabeled samples that we are least sure of."""
        rest = self.rest
        return rest[np.argsort(-self.uncertainty[rest], kind="stable")[: max(1, len(rest) // 10)]]


def run_demo(budget: int = 50, seed: int = 0) -> Demo:
    """Label ``budget`` digits, infer the others, and compare with random choices of as many."""
    digits = load_digits()
    X, y = digits.X.astype(np.float64), digits.labels
    check_integer(budget, "budget", 2, len(X) - 1, f" for {len(X)} digits")
    seconds: dict[str, float] = {}

    @contextmanager
    def step(name: str) -> Iterator[None]:
        start = perf_counter()
        with stage(name):
            yield
        seconds[name] = perf_counter() - start

    with step("views and graphs"):
        pool = viewed_pool(X)
        main = pool.main
    with step("landmarks"):
        landmarks = select(main.phi, budget, X=main.X, graph=main.graph, random_state=seed)
    with step("prediction"):
        for seen in pool.views:
            _ = seen.inverse  # since many sets of labels follow
        predictor, predicted, uncertainty = _infer(pool, landmarks, y)
    with step("comparison with random"):
        budgets = np.unique(np.linspace(min(10, budget), budget, 5).astype(int))
        ours = _accuracies(pool, landmarks, y, budgets)
        draws = [select(main.phi, budget, method="random", random_state=seed + k) for k in range(DRAWS)]
        chance = np.array([_accuracies(pool, draw, y, budgets) for draw in draws])
    with step("bound"):
        path = selection_path(main.phi, landmarks)
    with step("map"):
        coordinates = map_coordinates(main.graph)
    return Demo(
        X,
        y,
        pool,
        landmarks,
        predictor,
        predicted,
        uncertainty,
        budgets,
        ours,
        chance,
        path,
        coordinates,
        seed,
        seconds,
    )


def _infer(pool: ViewedPool, landmarks: Ints, y: Ints) -> tuple[ClassPredictor, Ints, Floats]:
    """What predicts, the class of each digit and its uncertainty, from the labels of the landmarks."""
    classes, codes = encode(y[landmarks])
    predictor = predict_classes(pool, landmarks, codes, len(classes))
    found = classify(predictor.probabilities)
    return predictor, decode(classes, found.numbers), found.uncertainty


def _accuracies(pool: ViewedPool, landmarks: Ints, y: Ints, budgets: Ints) -> Floats:
    """On the samples that were not labeled, for the first b landmarks of each budget b."""
    scores = []
    for b in budgets:
        hit = _infer(pool, landmarks[:b], y)[1] == y
        scores.append(np.delete(hit, landmarks[:b]).mean())
    return np.array(scores)


def demo_report(demo: Demo) -> Report:
    """The run as a page."""
    low, high = np.quantile(demo.random_accuracy, [0.05, 0.95], axis=0)
    note = f"On the digits that were not labeled. Random: mean and 5 to 95 % of {DRAWS} choices."
    curve = Curve(demo.budgets, demo.accuracy, demo.random_accuracy.mean(axis=0), low, high, note=note)
    budget = len(demo.landmarks)
    return Report(
        title="Handwritten digits",
        pool="the digits that come with scikit-learn",
        noun="digits",
        n_samples=len(demo.y),
        landmarks=demo.landmarks,
        shown=[_shown(demo, i) for i in demo.landmarks],
        coordinates=demo.coordinates,
        labels=[str(label) for label in demo.predicted],
        uncertainty=demo.uncertainty,
        uncertain=[
            _shown(demo, i) | {"index": i, "uncertainty": demo.uncertainty[i], "truth": str(demo.y[i])}
            for i in demo.uncertain[:UNCERTAIN]
        ],
        curve=curve,
        path=demo.path,
        basis=_basis(demo),
        settings={
            "neighbors": str(demo.graph.n_neighbors),
            "alignment": "laplacian",
            "view": "auto",
            "selection": "auto",
            "predictor": "auto",
            "uncertainty": "1 - largest probability of a label",
            "budget": str(budget),
            "seed": str(demo.seed),
        },
        versions=library_versions(),
        seconds=demo.seconds,
        command=f"trigpoint demo --budget {budget} --seed {demo.seed}",
    )


def _basis(demo: Demo) -> Basis:
    predictor = demo.predictor
    return Basis(
        predictor.main.name,
        {name: said["nearness"] for name, said in demo.pool.considered.items()},
        predictor.weights,
        predictor.errors,
        "left-out labels wrong",
        share=True,
        temperature=predictor.temperature,
    )


def _shown(demo: Demo, i: int) -> dict[str, Any]:
    ink = np.rint(demo.X[i].reshape(8, 8) * 255)
    return {"id": str(i), "label": str(demo.predicted[i]), "image": (255 - ink).astype(np.uint8)}


def draw_demo(demo: Demo, path: Path) -> None:
    """The landmarks, the map of the pool that they fill in, and what each label bought."""
    wrong = demo.predicted != demo.y
    figure = landmarks_picture(
        demo.X[demo.landmarks].reshape(-1, 8, 8),
        demo.y[demo.landmarks],
        demo.coordinates,
        demo.landmarks,
        demo.predicted,
        wrong,
        demo.budgets,
        demo.accuracy,
        demo.random_accuracy,
    )
    save_picture(figure, path)
