import numpy as np
import pytest

import trigpoint as tp
from reference import acquisition as oracle
from reference.learner import cover
from trigpoint.learner import _coverage as room
from trigpoint.learner._beliefs import known_classes
from trigpoint.learner._coverage import candidates, few_questions
from trigpoint.learner._situation import Situation
from trigpoint.prediction import graph_pool
from trigpoint.selection import coarse_pool as selection_coarse_pool
from trigpoint.selection._scale import scale_for

NONE = np.empty(0, dtype=np.int64)


@pytest.fixture
def small(monkeypatch):
    """Pools of more than 100 samples are large, and have 40 cells."""
    monkeypatch.setattr("trigpoint.learner._coverage.WHOLE", 100)
    monkeypatch.setattr("trigpoint.learner._coverage.CELLS", 40)


def coarse_pool(phi, given):
    return selection_coarse_pool(phi, given, 40)


def plane(n=300):
    X = np.random.default_rng(0).random((n, 2))
    return X, tp.neighbor_graph(X, 6)


def test_only_few_questions_of_large_pools():
    assert few_questions(100_000, 250)
    assert not few_questions(100_000, 251)
    assert not few_questions(2000, 1)


def test_a_cell_is_asked_of_through_the_nearest_allowed_sample(small):
    cells = coarse_pool(tp.laplacian(plane()[1]), NONE)
    found = candidates(cells, np.ones(300, dtype=bool))
    assert found.samples.tolist() == cells.centers.tolist()
    allowed = np.random.default_rng(1).random(300) < 0.3
    found = candidates(cells, allowed)
    for c in range(40):
        members = [j for j in range(300) if cells.owner[j] == c and allowed[j]]
        assert found.free[c] == bool(members)
        if members:
            assert found.samples[c] == max(members, key=lambda j: (cells.nearness[j], -j))


def test_questions_are_those_of_the_definition(small):
    _, graph = plane()
    cost = 1 + np.random.default_rng(2).random(300)
    learner = tp.ActiveLearner(graph=graph, audit=0, method="coverage", cost=cost)
    learner.tell([7, 200], ["a", "b"])
    found = learner.ask(5)
    cells = coarse_pool(tp.laplacian(graph), NONE)
    scale = scale_for(cells.A, cells.R, 4)  # 2 + 5 questions, rounded up, by 2
    S, best = scale.S.astype(float), np.zeros(40)
    for i in (7, 200):
        best = np.maximum(best, S[cells.owner[i]])
    allowed = np.ones(300, dtype=bool)
    allowed[[7, 200]] = False
    samples = candidates(cells, allowed).samples
    weights = np.ones(300)
    weights[[7, 200]] = 0.0
    each = np.array([weights[cells.owner == c].sum() for c in range(40)])
    expected = cover(S, each, best, list(range(40)), cost[samples], 5)
    assert found.tolist() == samples[expected].tolist()


def test_the_uncertainty_of_its_samples_adds_up_in_a_cell(small, monkeypatch):
    _, graph = plane()
    learner = tp.ActiveLearner(graph=graph, audit=0)
    first = learner.ask(4)
    learner.tell(first, ["a", "a", "b", "b"])
    given = []
    monkeypatch.setattr(room, "cover", lambda *a: (given.append(a[3].copy()), cover_kernel(*a)))
    learner.ask(3)
    w = oracle.weights(learner.predict_proba(), [first], [["a", "a", "b", "b"]])
    cells = coarse_pool(tp.laplacian(graph), NONE)
    expected = [w[cells.owner == c].sum() for c in range(40)]
    np.testing.assert_allclose(given[0], expected, rtol=1e-6)


cover_kernel = room.cover


def test_more_questions_than_cells_with_a_free_sample_are_asked_of_samples(small):
    _, graph = plane()
    groups = np.where(np.arange(300) == 5, 1, 0)
    learner = tp.ActiveLearner(graph=graph, audit=0, at_least_one_per=groups)
    asked = np.concatenate([learner.ask(k) for k in (2, 8, 200, 90)])
    assert sorted(asked) == list(range(300))
    assert 5 in asked[:2]


def test_few_questions_reach_a_large_pool(small, monkeypatch):
    """With S of samples alone, the first questions of a large pool left most of it out."""
    X, graph = plane(2000)
    monkeypatch.setattr("trigpoint.learner._coverage.CELLS", 200)

    def gap():
        samples = tp.ActiveLearner(graph=graph, audit=0, method="coverage").ask(6)
        return np.linalg.norm(X[:, None] - X[samples], axis=2).min(axis=1).max()

    by_cells = gap()
    monkeypatch.setattr("trigpoint.learner._coverage.few_questions", lambda n, count: False)
    assert by_cells < 0.9 * gap()


def test_samples_of_no_cell_are_neither_asked_for_nor_counted(small):
    """60 parts of three samples, 40 cells."""
    triangle = np.array([[0, 1], [1, 2], [0, 2]])
    graph = tp.graph_from_edges(np.concatenate([3 * k + triangle for k in range(60)]))
    cells = coarse_pool(tp.laplacian(graph), NONE)
    outside = np.flatnonzero(cells.owner < 0)
    assert len(outside) == 60
    allowed = cells.owner != 39
    assert candidates(cells, allowed).samples[39] == cells.centers[39]
    assert not candidates(cells, allowed).free[39]
    learner = tp.ActiveLearner(graph=graph, audit=0)
    learner.tell(outside[:2], ["a", "b"])
    assert (cells.owner[learner.ask(5)] >= 0).all()


def test_questions_around_audits_are_of_different_cells(small):
    _, graph = plane()
    learner = tp.ActiveLearner(graph=graph, audit=0.5, method="coverage")
    asked = np.setdiff1d(learner.ask(10), learner.audits)
    assert len(asked) == 5
    assert len(set(coarse_pool(tp.laplacian(graph), NONE).owner[asked])) == 5


def test_as_many_questions_as_cells_have_a_free_sample_are_asked_of_cells(small):
    _, graph = plane()
    phi = tp.laplacian(graph)
    owner = coarse_pool(phi, NONE).owner
    nobody = known_classes({}, ()), np.empty((300, 0)), NONE
    now = Situation(graph_pool(graph).main, *nobody, 3, np.ones(300), np.ones(300), {})
    found = room.cover_cells(now, np.ones(300), NONE, owner < 3, 3)
    assert sorted(owner[found]) == [0, 1, 2]
    assert room.cover_cells(now, np.ones(300), NONE, owner < 3, 4) is None
