"""What the worker computes: the graph, what to ask next, predictions, advice, wrong labels, and the map.

    load_pool        from the cache where the pool's files have not changed, else by reading the pool
    round_messages   the answer to one request: proposals first, since people wait for them, then predictions
    SlowResults      advice, the bound, labels that look wrong, and standard deviations in large pools: nobody
                     waits for these
    draw_map         the map of the pool, with pictures on the way to it

The page names samples by their index, so the pool must be the one that the page was opened on. For real
targets the standard deviations take long in large pools: there the last ones that `SlowResults` found are
sent, and an uncertainty of 1 until there are any. The bound is `landmark_bound`'s ``bound_inf`` of the
labeled samples; it takes about a second for 70,000 samples. Pools of more than `BOUNDED` samples go without
it, and after a slow call the next one waits until there are twice the labels.
"""

import math
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats
from trigpoint._validation import check_features
from trigpoint.alignment import laplacian
from trigpoint.annotators import Value
from trigpoint.bound import landmark_bound
from trigpoint.graph import NeighborGraph, neighbor_graph
from trigpoint.io import (
    Samples,
    cached_graph,
    ids_digest,
    pool_signature,
    read_pool,
    recall_pool,
    remember_pool,
)
from trigpoint.learner import ActiveLearner
from trigpoint.plots import map_coordinates
from trigpoint.prediction import viewed_pool
from trigpoint.studio._events import Settings
from trigpoint.studio._issues import few_labels
from trigpoint.studio._messages import (
    Advice,
    Bound,
    Issues,
    Job,
    Map,
    Predictions,
    Proposals,
    Ready,
    Request,
    Stage,
)
from trigpoint.studio._readable import Readable, all_ids, readable

AT_ONCE = 5000  # samples up to which standard deviations are computed with the predictions
BOUNDED = 100_000  # samples up to which there is a bound
SLOW = 3.0  # seconds
PICTURES = 12  # of the map, in all, at most
SECONDS = 1.0  # between two of them, at least


@dataclass(frozen=True, eq=False)
class StudioPool:
    """A pool: its features, or None; the view and the graph that the map and the bound show.

    ``view`` is the name of the view that looks best without labels; the learner may take others. ``readable``
    tells which samples of the page these are, where some could not be read.
    """

    X: Any
    view: str
    graph: NeighborGraph
    fingerprint: str
    readable: Readable | None = None

    def ready(self) -> Ready:
        graph = self.graph
        counts = graph.n_samples, graph.n_components, len(graph.isolated)
        return Ready(*counts, float(graph.recall), self.fingerprint)


def load_pool(job: Job, settings: Settings, send: Callable[[Stage], None]) -> StudioPool:
    """The pool and its graph; what takes long is announced with ``send``."""
    before = pool_signature(job.path, **job.reading)
    samples = None if job.cache is None else recall_pool(before, job.path, job.cache)
    if samples is None:
        send(Stage("reading the pool"))
        samples = read_pool(job.path, **job.reading)
        if job.cache is not None and pool_signature(job.path, **job.reading) == before:
            remember_pool(before, samples, job.cache)
    if job.ids and ids_digest(all_ids(samples)) != job.ids:
        raise InputError("the pool", "has changed since the studio was opened; start it again")
    if samples.graph is not None:
        return StudioPool(None, "graph", samples.graph, samples.fingerprint)
    send(Stage("finding neighbors"))
    return _seen(job, settings, samples)


def _seen(job: Job, settings: Settings, samples: Samples) -> StudioPool:
    X = check_features(samples.X, str(samples.path))
    k = min(settings.n_neighbors, max(samples.n_samples - 1, 1))

    def graph_of(view: str, features: Any) -> NeighborGraph:
        if job.cache is None:
            return neighbor_graph(features, k, metric=settings.metric)
        return cached_graph(samples, k, settings.metric, view=view, X=features, folder=job.cache)

    seen = viewed_pool(X, settings.view, metric=settings.metric, graph_of=graph_of, only_main=True).main
    return StudioPool(X, seen.name, seen.graph, samples.fingerprint, readable(samples))


def make_learner(pool: StudioPool, settings: Settings) -> ActiveLearner:
    source: dict[str, Any] = {"graph": pool.graph}
    if pool.X is not None:
        source = {
            "X": pool.X,
            "view": settings.view,
            "n_neighbors": min(settings.n_neighbors, max(pool.graph.n_samples - 1, 1)),
            "metric": settings.metric,
        }
    return ActiveLearner(
        **source,
        task=settings.task,
        method=settings.method,
        classes=settings.classes,
        audit=settings.audit,
        random_state=settings.seed,
    )


def round_messages(
    learner: ActiveLearner, request: Request, task: str, std: Floats | None
) -> Iterator[Proposals | Predictions]:
    """The answer to a request, whose log the learner takes over; ``std`` is what `SlowResults` found last."""
    learner.restore(request.log, classes=None if task == "regression" else request.classes)
    samples, audits = learner.peek(request.count)
    yield Proposals(request.version, samples.tolist(), audits.tolist())
    if not learner.labels:
        return
    if task != "regression":
        yield (tag_predictions if task == "tags" else class_predictions)(learner, request.version)
        return
    if learner.n_samples <= AT_ONCE:
        std = largest_std(learner)
    yield value_predictions(learner, request.version, std)


def class_predictions(learner: ActiveLearner, version: int) -> Predictions:
    found = learner.predict_proba()  # (n, n_classes)
    known = ~np.isnan(found).any(axis=1)
    codes = np.where(known, np.nan_to_num(found).argmax(axis=1), -1)
    best = np.where(known, found.max(axis=1), np.nan)
    classes = tuple(str(name) for name in learner.classes)
    uncertainty = learner.uncertainty()
    return Predictions(version, classes, codes.astype(np.int16), _single(best), _single(uncertainty))


def tag_predictions(learner: ActiveLearner, version: int) -> Predictions:
    """Of each tag how likely it is; half precision is enough to show, and keeps messages small."""
    found, threshold = learner.predict_proba(), learner.threshold  # (n, n_tags)
    known = ~np.isnan(found).any(axis=1)
    best = np.nan_to_num(found).max(axis=1, initial=0.0)
    codes = np.full(len(found), -1)
    some = known & (best > threshold)  # else it has no tag, or nothing is known
    codes[some] = found[some].argmax(axis=1) if some.any() else -1
    names = tuple(str(name) for name in learner.classes)
    doubts = _single(learner.uncertainty())
    right = np.where(known, 1 - doubts, np.nan)
    tags = found.astype(np.float16)
    return Predictions(
        version, names, codes.astype(np.int16), _single(right), doubts, tags=tags, threshold=threshold
    )


def value_predictions(learner: ActiveLearner, version: int, std: Floats | None) -> Predictions:
    n = learner.n_samples
    values = learner.predict().reshape(n, -1)
    std = np.full(n, np.inf) if std is None else std.copy()
    std[list(learner.labels)] = 0.0
    nothing = np.full(n, -1, dtype=np.int16), np.full(n, np.nan, dtype=np.float32)
    return Predictions(version, (), *nothing, relative(std), values, _single(std))


def largest_std(learner: ActiveLearner) -> Floats:
    """(n,), the largest of the targets' standard deviations."""
    found = learner.uncertainty()
    return found if found.ndim == 1 else np.asarray(found.max(axis=1))


def relative(std: Floats) -> Array:
    """Uncertainty in [0, 1]: std divided by the largest finite one, and 1 where it is not finite."""
    finite = np.isfinite(std)
    most = float(std[finite].max()) if finite.any() else 0.0
    return _single(np.where(finite, std / most if most > 0 else 0.0, 1.0))


def _single(x: Array) -> Array:
    with np.errstate(over="ignore"):  # a deviation beyond float32 is infinite
        return x.astype(np.float32)


class SlowResults:
    """Advice, bound and wrong labels for one set of labels after another.

    ``std`` has the last standard deviations in large pools, for `round_messages` to send.
    """

    def __init__(self, graph: NeighborGraph, task: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._graph, self._task, self._clock = graph, task, clock
        self._enough = 0  # labels from which on the bound is computed again
        self.std: Floats | None = None

    def messages(
        self, learner: ActiveLearner, version: int
    ) -> Iterator[Advice | Predictions | Bound | Issues]:
        """``learner`` must have a label, and nobody else may change it."""
        yield advice(learner, version)
        regresses = self._task == "regression"
        if regresses and learner.n_samples > AT_ONCE:
            self.std = largest_std(learner)
            yield value_predictions(learner, version, self.std)
        count = len(learner.labels)
        if self._graph.n_samples <= BOUNDED and count >= self._enough:
            start = self._clock()
            found = bound(self._graph, learner, version)
            self._enough = 2 * count if self._clock() - start > SLOW else 0
            if found is not None:
                yield found
        if self._task == "tags":  # sets of tags are taken to be right
            return
        if few_labels(count, len(set(learner.labels.values())), regresses) is None:
            yield issues(learner, version)


def advice(learner: ActiveLearner, version: int) -> Advice:
    found = learner.stop_advice()
    return Advice(
        version,
        _finite(found.error),
        _finite(found.low),
        _finite(found.high),
        found.n_labels,
        found.n_audits,
        found.n_wrong,
        found.next_labels,
        _finite(found.expected_error),
        learner.n_samples - len(learner.labels),
    )


def bound(graph: NeighborGraph, learner: ActiveLearner, version: int) -> Bound | None:
    """The bound of the labeled samples; None where it is infinite."""
    landmarks = np.array(list(learner.labels), dtype=np.int64)
    if len(landmarks) == graph.n_samples:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of an accuracy beyond what the page shows
        value = landmark_bound(laplacian(graph), landmarks).bound_inf
    return Bound(version, len(landmarks), float(value)) if math.isfinite(value) else None


def issues(learner: ActiveLearner, version: int) -> Issues:
    """The labels that are probably wrong; a class by its name, real targets as a tuple."""
    found = learner.label_issues()
    front = found.ranked[: len(found.wrong)]
    return Issues(
        version,
        len(found.samples),
        _finite(found.low),
        _finite(found.high),
        found.samples[front].tolist(),
        _values(found.labels[front]),
        _values(found.suggested[front]),
        [_finite(p) for p in found.suggested_probability[front].tolist()],
        found.quality[front].tolist(),
    )


def _values(labels: Array) -> list[Value]:
    if labels.dtype.kind == "f":
        return [tuple(np.atleast_1d(row).tolist()) for row in labels]
    return [str(name) for name in labels]


def _finite(x: float) -> float | None:
    return float(x) if math.isfinite(x) else None


def draw_map(
    graph: NeighborGraph,
    send: Callable[[Map | Stage], None],
    clock: Callable[[], float] = time.monotonic,
) -> Array:
    """The map of the graph, which is sent last; some pictures on the way to it are sent before."""
    sent, last = 0, clock()

    def on_step(share: float, Y: Floats) -> None:
        nonlocal sent, last
        send(Stage("drawing the map", share))
        if share * PICTURES >= sent + 1 and sent < PICTURES - 1 and clock() - last >= SECONDS:
            sent, last = sent + 1, clock()
            send(Map(framed(Y), done=False))

    coordinates = framed(map_coordinates(graph, on_step))
    send(Map(coordinates, done=True))
    return coordinates


def framed(Y: Floats) -> Array:
    """(n, 2) float32 within [-1, 1], in proportion."""
    widest = float(np.abs(Y).max(initial=0.0))
    return np.asarray(Y / widest if widest > 0 else Y, dtype=np.float32)
