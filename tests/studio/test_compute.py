"""What the worker computes, without its process."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import trigpoint as tp
from trigpoint.io import ids_digest, pool_signature, read_pool, remember_pool
from trigpoint.studio import _compute
from trigpoint.studio._compute import (
    PICTURES,
    SlowResults,
    draw_map,
    framed,
    load_pool,
    make_learner,
    relative,
    round_messages,
)
from trigpoint.studio._events import Settings
from trigpoint.studio._messages import (
    Advice,
    Bound,
    Issues,
    Job,
    Map,
    Predictions,
    Proposals,
    Request,
    Stage,
)

X = np.random.default_rng(0).random((200, 2))
GRAPH = tp.neighbor_graph(X, 6)
NAMES = np.array(["left", "right"])[(X[:, 0] > 0.5).astype(int)].tolist()
CLASSES = ["right", "left", "nobody"]


def told(samples, labels):
    return [
        {"event": "ask", "samples": samples, "audits": [False] * len(samples)},
        {"event": "tell", "samples": samples, "labels": labels},
    ]


def learner(task="classification", **options):
    return tp.ActiveLearner(graph=GRAPH, task=task, **options)


def test_without_a_label_there_are_proposals_alone():
    (message,) = round_messages(learner(), Request(7, [], CLASSES, 20), task="classification", std=None)
    assert isinstance(message, Proposals)
    assert message.version == 7
    samples, audits = learner().peek(20)
    assert (message.samples, message.audits) == (samples.tolist(), audits.tolist())
    assert all(type(i) is int for i in message.samples)


def test_classes_are_told_by_their_place_among_those_of_now():
    samples = [3, 50, 120, 7]
    log = told(samples, [NAMES[i] for i in samples])
    mine = learner(classes=["was renamed"])
    proposals, predictions = round_messages(mine, Request(8, log, CLASSES, 5), "classification", None)
    assert not set(proposals.samples) & set(samples)
    assert predictions.classes == ("right", "left", "nobody")
    assert (predictions.codes.dtype, predictions.probability.dtype, predictions.uncertainty.dtype) == (
        "i2",
        "f4",
        "f4",
    )
    assert [predictions.classes[predictions.codes[i]] for i in samples] == [NAMES[i] for i in samples]
    assert_allclose(predictions.uncertainty, 1 - predictions.probability, atol=1e-6)
    assert_array_equal(predictions.uncertainty[samples], 0)
    assert np.mean([predictions.classes[c] for c in predictions.codes] == np.array(NAMES)) > 0.8


def test_parts_that_no_label_reaches_are_unknown():
    parts = tp.graph_from_edges([[0, 1], [1, 2], [3, 4]])
    request = Request(1, told([0], ["a"]), ["a", "b"], 9)
    proposals, predictions = round_messages(tp.ActiveLearner(graph=parts), request, "classification", None)
    assert sorted(proposals.samples) == [1, 2, 3, 4], "all that is left"
    assert_array_equal(predictions.codes, [0, 0, 0, -1, -1])
    assert_array_equal(np.isnan(predictions.probability), [False, False, False, True, True])
    assert_array_equal(predictions.uncertainty[3:], 1.0)


def test_real_targets_have_values_and_relative_deviations():
    samples = [3, 50, 120, 7, 180]
    log = told(samples, [[float(X[i, 0]), float(X[i, 1])] for i in samples])
    request = Request(2, log, [], 5)
    _, predictions = round_messages(learner("regression"), request, task="regression", std=None)
    assert predictions.values.shape == (200, 2)
    assert_allclose(predictions.values[samples], X[samples], atol=1e-6)
    assert predictions.std.shape == predictions.uncertainty.shape == (200,)
    assert predictions.uncertainty.max() == 1
    assert predictions.uncertainty[samples].max() == 0
    assert_allclose(predictions.uncertainty * predictions.std.max(), predictions.std, rtol=1e-5)
    assert (predictions.codes == -1).all()


@pytest.mark.parametrize("size", [1e-60, 1e60])
def test_real_targets_beyond_float32_are_told_as_they_are(size):
    samples = [3, 50, 120]
    request = Request(2, told(samples, [[size], [2 * size], [3 * size]]), [], 5)
    _, predictions = round_messages(learner("regression"), request, task="regression", std=None)
    assert predictions.values.dtype == np.float64
    assert_allclose(predictions.values[samples, 0], [size, 2 * size, 3 * size])
    assert (predictions.std.dtype, predictions.uncertainty.dtype) == ("f4", "f4")
    assert predictions.uncertainty.max() == 1
    assert predictions.uncertainty[samples].max() == 0


def test_in_large_pools_deviations_are_those_found_before(monkeypatch):
    monkeypatch.setattr(_compute, "AT_ONCE", 10)
    request = Request(2, told([3, 50], [[1.0], [2.0]]), [], 5)
    _, first = round_messages(learner("regression"), request, task="regression", std=None)
    assert_array_equal(np.flatnonzero(first.uncertainty < 1), [3, 50])
    _, later = round_messages(learner("regression"), request, task="regression", std=np.arange(200.0))
    assert_allclose(later.uncertainty[[3, 50, 100, 199]], [0, 0, 100 / 199, 1])


def test_relative_uncertainty():
    assert_allclose(relative(np.array([0.0, 1.0, 4.0, np.inf, np.nan])), [0, 0.25, 1, 1, 1])
    assert_allclose(relative(np.array([0.0, 0.0])), 0)
    assert_allclose(relative(np.array([np.inf])), 1)


def told_learner(count=20, task="classification"):
    mine = learner(task, audit=0.5)
    samples = mine.ask(count)
    mine.tell(samples, [NAMES[i] if task == "classification" else float(X[i, 0]) for i in samples])
    return mine


def test_advice_and_bound_are_those_of_the_labels():
    mine = told_learner()
    advice, bound, _ = SlowResults(GRAPH, task="classification").messages(mine, 4)
    exact = mine.stop_advice()
    assert isinstance(advice, Advice)
    assert advice == Advice(
        *(4, exact.error, exact.low, exact.high, 20, 10, exact.n_wrong),
        *(exact.next_labels, exact.expected_error, 180),
    )
    assert isinstance(bound, Bound)
    cert = tp.landmark_bound(tp.laplacian(GRAPH), list(mine.labels))
    assert (bound.version, bound.n_labels, bound.value) == (4, 20, cert.bound_inf)


def test_what_is_not_known_is_none():
    mine = learner("regression", audit=0.0)
    mine.tell([0], [1.0])
    advice, *_ = SlowResults(GRAPH, task="regression").messages(mine, 4)
    assert (advice.error, advice.high, advice.expected_error) == (None, None, None)
    assert advice.low == 0


def test_all_labeled():
    mine = learner(audit=0.0)
    mine.tell(np.arange(200), NAMES)
    advice, issues = SlowResults(GRAPH, task="classification").messages(mine, 4)
    assert isinstance(issues, Issues)
    assert advice.error == 0


def test_labels_that_look_wrong_are_those_of_the_learner():
    mine = learner(audit=0.0)
    names = [NAMES[i] if i != 150 else {"left": "right", "right": "left"}[NAMES[i]] for i in range(200)]
    mine.tell(np.arange(200), names)
    *_, issues = SlowResults(GRAPH, task="classification").messages(mine, 4)
    exact = mine.label_issues()
    assert (issues.version, issues.n_labels, issues.low, issues.high) == (4, 200, exact.low, exact.high)
    assert issues.samples == exact.wrong.tolist()
    assert 150 in issues.samples
    front = exact.ranked[: len(exact.wrong)]
    assert issues.labels == [names[i] for i in issues.samples]
    assert issues.suggested == exact.suggested[front].tolist()
    assert issues.probability == exact.suggested_probability[front].tolist()
    assert issues.quality == exact.quality[front].tolist()
    assert issues.quality == sorted(issues.quality)


@pytest.mark.parametrize("width", [1, 2])
def test_numbers_that_look_wrong_are_tuples_without_a_probability(width):
    mine = learner("regression", audit=0.0)
    values = np.tile(X[:, :1], width)
    values[150] += 40
    mine.tell(np.arange(200), values if width > 1 else values[:, 0])
    *_, issues = SlowResults(GRAPH, task="regression").messages(mine, 4)
    place = issues.samples.index(150)
    assert issues.labels[place] == tuple(values[150].tolist())
    assert issues.suggested[place] == pytest.approx((X[150, 0],) * width, abs=0.5)
    assert issues.probability[place] is None


@pytest.mark.parametrize(
    ("labels", "enough"),
    [(["left"] * 10 + ["right"] * 9, False), (["left"] * 10 + ["right"] * 10, True), (["left"] * 30, False)],
)
def test_few_labels_do_not_look_wrong(labels, enough):
    mine = learner(audit=0.0)
    mine.tell(range(len(labels)), labels)
    told = SlowResults(GRAPH, task="classification").messages(mine, 1)
    assert any(isinstance(message, Issues) for message in told) == enough


def test_a_slow_bound_waits_for_twice_the_labels(monkeypatch):
    seconds = [0.0]
    slow = SlowResults(GRAPH, task="classification", clock=lambda: seconds[0])
    bound = _compute.bound

    def late(*arguments):
        seconds[0] += 60
        return bound(*arguments)

    monkeypatch.setattr(_compute, "bound", late)
    told = [message for k in (10, 11, 19, 20, 39, 40) for message in slow.messages(told_learner(k), k)]
    assert [message.n_labels for message in told if isinstance(message, Bound)] == [10, 20, 40]


def test_pools_that_are_too_large_have_no_bound(monkeypatch):
    monkeypatch.setattr(_compute, "BOUNDED", 199)
    told = SlowResults(GRAPH, task="classification").messages(told_learner(), 1)
    assert [type(message) for message in told] == [Advice, Issues]


def test_deviations_of_large_pools_follow_later(monkeypatch):
    monkeypatch.setattr(_compute, "AT_ONCE", 10)
    slow, mine = SlowResults(GRAPH, task="regression"), told_learner(task="regression")
    _, predictions, _, _ = slow.messages(mine, 4)
    assert isinstance(predictions, Predictions)
    assert_array_equal(slow.std, mine.uncertainty())
    assert_allclose(predictions.std, slow.std, rtol=1e-6)


def test_the_map_unfolds_in_a_few_pictures():
    """A clock that ticks twice a second's worth a look, so that time never holds a picture back."""
    seen, seconds = [], iter(np.arange(0, 1e6, 2.0))
    found = draw_map(GRAPH, seen.append, clock=lambda: next(seconds))
    maps = [message for message in seen if isinstance(message, Map)]
    shares = [message.share for message in seen if isinstance(message, Stage)]
    assert len(maps) == PICTURES
    assert [message.done for message in maps] == [False] * (PICTURES - 1) + [True]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    for message in maps:
        assert message.coordinates.shape == (200, 2)
        assert message.coordinates.dtype == np.float32
        assert np.abs(message.coordinates).max() == 1
    assert_array_equal(found, maps[-1].coordinates)


def test_a_quick_map_is_told_once():
    seen = []
    draw_map(GRAPH, seen.append, clock=lambda: 0.0)
    assert [message.done for message in seen if isinstance(message, Map)] == [True]


def test_a_map_without_extent_is_left_alone():
    assert_array_equal(framed(np.zeros((1, 2))), np.zeros((1, 2)))


@pytest.fixture
def job(tmp_path):
    np.save(tmp_path / "x.npy", X)
    return Job(tmp_path / "x.npy", {}, tmp_path / "cache")


def test_a_pool_is_read_once(job, monkeypatch):
    stages = []
    raw = Settings(n_neighbors=6, view="raw")
    first = load_pool(job, raw, stages.append)
    assert [stage.name for stage in stages] == ["reading the pool", "finding neighbors"]
    assert first.ready().n_samples == 200
    assert first.ready().recall == 1
    assert_array_equal(first.graph.indices, GRAPH.indices)
    monkeypatch.setattr(_compute, "read_pool", None)
    monkeypatch.setattr("trigpoint.io._cache.neighbor_graph", None)
    again = load_pool(job, raw, stages.append)
    assert [stage.name for stage in stages[2:]] == ["finding neighbors"]
    assert_array_equal(again.X, X)
    assert again.ready() == first.ready()
    assert_array_equal(again.graph.distances, first.graph.distances)


def test_a_pool_that_changed_is_read_again(job):
    load_pool(job, Settings(), lambda _: None)
    np.save(job.path, X[:50])
    assert load_pool(job, Settings(), lambda _: None).graph.n_samples == 50


def sees(job, ids):
    return replace(job, ids=ids_digest(str(i) for i in ids))


def test_the_pool_must_be_the_one_that_people_see(job):
    """Read first, then recalled from the cache."""
    for _ in range(2):
        assert load_pool(sees(job, range(200)), Settings(), lambda _: None).graph.n_samples == 200
        with pytest.raises(ValueError, match="the pool has changed since the studio was opened"):
            load_pool(sees(job, range(201)), Settings(), lambda _: None)
        assert load_pool(job, Settings(), lambda _: None).graph.n_samples == 200, "nobody asks"


def test_a_pool_that_changed_is_refused_before_neighbors_are_found(job):
    stages = []
    with pytest.raises(ValueError, match="start it again"):
        load_pool(sees(job, range(199)), Settings(), stages.append)
    assert [stage.name for stage in stages] == ["reading the pool"]


def test_a_recalled_pool_of_other_ids_is_refused(tmp_path):
    file, cache = tmp_path / "x.csv", tmp_path / "cache"
    file.write_text("id,a\nx,1\ny,2\nz,4\n")
    remember_pool(pool_signature(file), read_pool(file), cache)
    seen = Job(file, {}, cache, ids_digest(["x", "y", "z"]))
    assert load_pool(seen, Settings(n_neighbors=2), lambda _: None).graph.n_samples == 3
    with pytest.raises(ValueError, match="the pool has changed"):
        load_pool(replace(seen, ids=ids_digest(["y", "x", "z"])), Settings(n_neighbors=2), lambda _: None)


def test_a_pool_that_changes_while_it_is_read_is_not_remembered(job, monkeypatch):
    read = _compute.read_pool

    def changing(path, **options):
        samples = read(path, **options)
        np.save(path, X[:50])
        return samples

    with monkeypatch.context() as patch:
        patch.setattr(_compute, "read_pool", changing)
        assert load_pool(job, Settings(), lambda _: None).graph.n_samples == 200
    assert not list(Path(job.cache).glob("pool-*"))


def skewed():
    """Three clusters in eight columns, and noise in a unit of its own."""
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    return np.column_stack([rng.normal(0, 0.1, (90, 8)) + np.eye(8)[y], rng.normal(0, 1e4, 90)]), y


@pytest.mark.parametrize("view", ["auto", "raw", "white"])
def test_the_map_shows_the_view_that_landmarks_are_chosen_in(tmp_path, view):
    rows, _ = skewed()
    np.save(tmp_path / "x.npy", rows)
    found = load_pool(Job(tmp_path / "x.npy", {}, tmp_path), Settings(view=view), lambda _: None)
    model = tp.LandmarkSelector(3, view=view).fit(rows)
    assert found.view == model.view_.name
    assert_array_equal(found.graph.indices, model.graph_.indices)
    assert_array_equal(found.X, rows)


def test_the_learner_knows_the_view(tmp_path):
    """Raw distances know the last column only."""
    rows, y = skewed()
    np.save(tmp_path / "x.npy", rows)
    right = {}
    for view in ("auto", "raw"):
        settings = Settings(view=view, audit=0.0)
        pool = load_pool(Job(tmp_path / "x.npy", {}, tmp_path), settings, lambda _: None)
        mine = make_learner(pool, settings)
        assert mine.n_samples == 90
        mine.tell(range(9), y[:9].tolist())
        right[view] = (mine.predict() == y).mean()
    assert right["auto"] > 0.95
    assert right["raw"] < right["auto"]


def test_the_learner_of_a_graph_has_its_links(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\nc,d\n")
    settings = Settings(audit=0.0)
    pool = load_pool(Job(tmp_path / "edges.csv", {}, tmp_path), settings, lambda _: None)
    assert (pool.X, pool.view) == (None, "graph")
    mine = make_learner(pool, settings)
    mine.tell([0, 3], ["low", "high"])
    assert mine.predict().tolist() == ["low", "low", "high", "high"]


def test_without_a_cache_nothing_is_kept(job):
    assert load_pool(replace(job, cache=None), Settings(n_neighbors=6), lambda _: None).graph.n_samples == 200
    assert not Path(job.cache).exists()


def test_a_pool_that_is_a_graph(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\n")
    found = load_pool(Job(tmp_path / "edges.csv", {}, tmp_path), Settings(), lambda _: None).ready()
    assert (found.n_samples, found.n_components) == (3, 1)
    assert math.isfinite(found.recall)
    with pytest.raises(ValueError, match="the pool has changed"):
        load_pool(Job(tmp_path / "edges.csv", {}, tmp_path, ids_digest("abd")), Settings(), lambda _: None)


def test_tiny_pools_have_fewer_neighbors(tmp_path):
    np.save(tmp_path / "x.npy", X[:3])
    for _ in range(2):
        found = load_pool(Job(tmp_path / "x.npy", {}, tmp_path), Settings(n_neighbors=10), lambda _: None)
        assert found.graph.n_neighbors == 2
