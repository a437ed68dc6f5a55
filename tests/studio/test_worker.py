"""What the worker computes, without its process."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import trigpoint as tp
from trigpoint.io import cached_graph, pool_signature, read_pool, remember_pool
from trigpoint.studio import _prepare, _round, _study
from trigpoint.studio._draw import PICTURES, draw, framed
from trigpoint.studio._job import Job, Survey, ids_digest
from trigpoint.studio._news import Advice, Beliefs, Bound, Map, Proposals, Stage
from trigpoint.studio._prepare import prepare
from trigpoint.studio._round import relative, round_news
from trigpoint.studio._settings import Settings
from trigpoint.studio._study import Study

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
    (news,) = round_news(learner(), Survey(7, [], CLASSES, 20), regresses=False, std=None)
    assert isinstance(news, Proposals)
    assert news.version == 7
    samples, audits = learner().peek(20)
    assert (news.samples, news.audits) == (samples.tolist(), audits.tolist())
    assert all(type(i) is int for i in news.samples)


def test_classes_are_told_by_their_place_among_those_of_now():
    samples = [3, 50, 120, 7]
    log = told(samples, [NAMES[i] for i in samples])
    mine = learner(classes=["was renamed"])
    proposals, beliefs = round_news(mine, Survey(8, log, CLASSES, 5), regresses=False, std=None)
    assert not set(proposals.samples) & set(samples)
    assert beliefs.classes == ("right", "left", "nobody")
    assert (beliefs.codes.dtype, beliefs.probability.dtype, beliefs.doubt.dtype) == ("i2", "f4", "f4")
    assert [beliefs.classes[beliefs.codes[i]] for i in samples] == [NAMES[i] for i in samples]
    assert_allclose(beliefs.doubt, 1 - beliefs.probability, atol=1e-6)
    assert_array_equal(beliefs.doubt[samples], 0)
    assert np.mean([beliefs.classes[c] for c in beliefs.codes] == np.array(NAMES)) > 0.8


def test_parts_that_no_label_reaches_are_unknown():
    parts = tp.graph_from_edges([[0, 1], [1, 2], [3, 4]])
    survey = Survey(1, told([0], ["a"]), ["a", "b"], 9)
    proposals, beliefs = round_news(tp.ActiveLearner(graph=parts), survey, regresses=False, std=None)
    assert sorted(proposals.samples) == [1, 2, 3, 4], "all that is left"
    assert_array_equal(beliefs.codes, [0, 0, 0, -1, -1])
    assert_array_equal(np.isnan(beliefs.probability), [False, False, False, True, True])
    assert_allclose(beliefs.doubt[3:], 0.5)


def test_real_targets_have_values_and_relative_deviations():
    samples = [3, 50, 120, 7, 180]
    log = told(samples, [[float(X[i, 0]), float(X[i, 1])] for i in samples])
    survey = Survey(2, log, [], 5)
    _, beliefs = round_news(learner("regression"), survey, regresses=True, std=None)
    assert beliefs.values.shape == (200, 2)
    assert_allclose(beliefs.values[samples], X[samples], atol=1e-6)
    assert beliefs.std.shape == beliefs.doubt.shape == (200,)
    assert beliefs.doubt.max() == 1
    assert beliefs.doubt[samples].max() == 0
    assert_allclose(beliefs.doubt * beliefs.std.max(), beliefs.std, rtol=1e-5)
    assert (beliefs.codes == -1).all()


@pytest.mark.parametrize("size", [1e-60, 1e60])
def test_real_targets_beyond_float32_are_told_as_they_are(size):
    samples = [3, 50, 120]
    survey = Survey(2, told(samples, [[size], [2 * size], [3 * size]]), [], 5)
    _, beliefs = round_news(learner("regression"), survey, regresses=True, std=None)
    assert beliefs.values.dtype == np.float64
    assert_allclose(beliefs.values[samples, 0], [size, 2 * size, 3 * size])
    assert (beliefs.std.dtype, beliefs.doubt.dtype) == ("f4", "f4")
    assert beliefs.doubt.max() == 1
    assert beliefs.doubt[samples].max() == 0


def test_in_large_pools_deviations_are_those_found_before(monkeypatch):
    monkeypatch.setattr(_round, "AT_ONCE", 10)
    survey = Survey(2, told([3, 50], [[1.0], [2.0]]), [], 5)
    _, first = round_news(learner("regression"), survey, regresses=True, std=None)
    assert_array_equal(np.flatnonzero(first.doubt < 1), [3, 50])
    _, later = round_news(learner("regression"), survey, regresses=True, std=np.arange(200.0))
    assert_allclose(later.doubt[[3, 50, 100, 199]], [0, 0, 100 / 199, 1])


def test_relative_doubts():
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
    advice, bound = Study(GRAPH, regresses=False).news(mine, 4)
    exact = mine.stop_advice()
    assert isinstance(advice, Advice)
    assert advice == Advice(
        4, exact.error, exact.low, exact.high, 20, 10, exact.next_labels, exact.expected_error
    )
    assert isinstance(bound, Bound)
    cert = tp.landmark_bound(tp.laplacian(GRAPH), list(mine.labels))
    assert (bound.version, bound.n_labels, bound.value) == (4, 20, cert.bound_inf)


def test_what_is_not_known_is_none():
    mine = learner("regression", audit=0.0)
    mine.tell([0], [1.0])
    advice, *_ = Study(GRAPH, regresses=True).news(mine, 4)
    assert (advice.error, advice.high, advice.expected_error) == (None, None, None)
    assert advice.low == 0


def test_all_labeled():
    mine = learner(audit=0.0)
    mine.tell(np.arange(200), NAMES)
    (advice,) = Study(GRAPH, regresses=False).news(mine, 4)
    assert advice.error == 0


def test_a_slow_bound_waits_for_twice_the_labels(monkeypatch):
    seconds = [0.0]
    study = Study(GRAPH, regresses=False, clock=lambda: seconds[0])
    bound = _study.bound

    def slow(*arguments):
        seconds[0] += 60
        return bound(*arguments)

    monkeypatch.setattr(_study, "bound", slow)
    told = [news for k in (10, 11, 19, 20, 39, 40) for news in study.news(told_learner(k), k)]
    assert [news.n_labels for news in told if isinstance(news, Bound)] == [10, 20, 40]


def test_pools_that_are_too_large_have_no_bound(monkeypatch):
    monkeypatch.setattr(_study, "BOUNDED", 199)
    assert [type(news) for news in Study(GRAPH, regresses=False).news(told_learner(), 1)] == [Advice]


def test_deviations_of_large_pools_follow_later(monkeypatch):
    monkeypatch.setattr(_study, "AT_ONCE", 10)
    study, mine = Study(GRAPH, regresses=True), told_learner(task="regression")
    _, beliefs, _ = study.news(mine, 4)
    assert isinstance(beliefs, Beliefs)
    assert_array_equal(study.std, mine.uncertainty())
    assert_allclose(beliefs.std, study.std, rtol=1e-6)


def test_the_map_unfolds_in_a_few_pictures():
    """A clock that ticks twice a second's worth a look, so that time never holds a picture back."""
    seen, seconds = [], iter(np.arange(0, 1e6, 2.0))
    found = draw(GRAPH, seen.append, clock=lambda: next(seconds))
    maps = [news for news in seen if isinstance(news, Map)]
    shares = [news.share for news in seen if isinstance(news, Stage)]
    assert len(maps) == PICTURES
    assert [news.done for news in maps] == [False] * (PICTURES - 1) + [True]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    for news in maps:
        assert news.coordinates.shape == (200, 2)
        assert news.coordinates.dtype == np.float32
        assert np.abs(news.coordinates).max() == 1
    assert_array_equal(found, maps[-1].coordinates)


def test_a_quick_map_is_told_once():
    seen = []
    draw(GRAPH, seen.append, clock=lambda: 0.0)
    assert [news.done for news in seen if isinstance(news, Map)] == [True]


def test_a_map_without_extent_is_left_alone():
    assert_array_equal(framed(np.zeros((1, 2))), np.zeros((1, 2)))


@pytest.fixture
def job(tmp_path):
    np.save(tmp_path / "x.npy", X)
    return Job(tmp_path / "x.npy", {}, tmp_path / "cache")


def test_a_pool_is_read_once(job, monkeypatch):
    stages = []
    first = prepare(job, Settings(n_neighbors=6), stages.append)
    assert [stage.name for stage in stages] == ["reading the pool", "finding neighbors"]
    assert first.ready().n_samples == 200
    assert first.ready().recall == 1
    assert_array_equal(first.graph.indices, GRAPH.indices)
    monkeypatch.setattr(_prepare, "read_pool", None)
    again = prepare(job, Settings(n_neighbors=6), stages.append)
    assert len(stages) == 2
    assert again.ready() == first.ready()
    assert_array_equal(again.graph.distances, first.graph.distances)


def test_a_pool_that_changed_is_read_again(job):
    prepare(job, Settings(), lambda _: None)
    np.save(job.path, X[:50])
    assert prepare(job, Settings(), lambda _: None).graph.n_samples == 50


def sees(job, ids):
    return replace(job, ids=ids_digest(str(i) for i in ids))


def test_the_pool_must_be_the_one_that_people_see(job):
    """Read first, then recalled from the cache."""
    for _ in range(2):
        assert prepare(sees(job, range(200)), Settings(), lambda _: None).graph.n_samples == 200
        with pytest.raises(ValueError, match="the pool has changed since the studio was opened"):
            prepare(sees(job, range(201)), Settings(), lambda _: None)
        assert prepare(job, Settings(), lambda _: None).graph.n_samples == 200, "nobody asks"


def test_a_pool_that_changed_is_refused_before_neighbors_are_found(job):
    stages = []
    with pytest.raises(ValueError, match="start it again"):
        prepare(sees(job, range(199)), Settings(), stages.append)
    assert [stage.name for stage in stages] == ["reading the pool"]


def test_a_recalled_pool_of_other_ids_is_refused(tmp_path):
    """The same rows under other names have the same graph."""
    file, cache = tmp_path / "x.csv", tmp_path / "cache"
    file.write_text("id,a\nx,1\ny,2\nz,4\n")
    samples = read_pool(file)
    cached_graph(samples, 2, folder=cache)
    remember_pool(pool_signature(file), samples, cache)
    seen = Job(file, {}, cache, ids_digest(["x", "y", "z"]))
    assert prepare(seen, Settings(n_neighbors=2), lambda _: None).graph.n_samples == 3
    with pytest.raises(ValueError, match="the pool has changed"):
        prepare(replace(seen, ids=ids_digest(["y", "x", "z"])), Settings(n_neighbors=2), lambda _: None)


def test_a_pool_that_changes_while_it_is_read_is_not_remembered(job, monkeypatch):
    read = _prepare.read_pool

    def changing(path, **options):
        samples = read(path, **options)
        np.save(path, X[:50])
        return samples

    with monkeypatch.context() as patch:
        patch.setattr(_prepare, "read_pool", changing)
        assert prepare(job, Settings(), lambda _: None).graph.n_samples == 200
    assert not list(Path(job.cache).glob("pool-*"))


def test_without_a_cache_nothing_is_kept(job):
    assert prepare(replace(job, cache=None), Settings(n_neighbors=6), lambda _: None).graph.n_samples == 200
    assert not Path(job.cache).exists()


def test_a_pool_that_is_a_graph(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\n")
    found = prepare(Job(tmp_path / "edges.csv", {}, tmp_path), Settings(), lambda _: None).ready()
    assert (found.n_samples, found.n_components) == (3, 1)
    assert math.isfinite(found.recall)
    with pytest.raises(ValueError, match="the pool has changed"):
        prepare(Job(tmp_path / "edges.csv", {}, tmp_path, ids_digest("abd")), Settings(), lambda _: None)


def test_tiny_pools_have_fewer_neighbors(tmp_path):
    np.save(tmp_path / "x.npy", X[:3])
    for _ in range(2):
        found = prepare(Job(tmp_path / "x.npy", {}, tmp_path), Settings(n_neighbors=10), lambda _: None)
        assert found.graph.n_neighbors == 2
