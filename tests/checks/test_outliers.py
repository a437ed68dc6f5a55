import numpy as np
import pytest
from sklearn.datasets import load_digits

import trigpoint as tp
from trigpoint.checks._outliers import outliers


def far_in(X):
    return outliers(tp.neighbor_graph(X))


def test_samples_far_away_are_found_the_farthest_first():
    X = np.random.default_rng(0).normal(size=(300, 5))
    X[[7, 90, 200]] += np.array([[30.0], [60.0], [15.0]])
    found, far = far_in(X)
    assert found.tolist()[:3] == [90, 7, 200]
    assert (np.diff(far) <= 0).all()
    assert far[0] > 20
    assert len(found) <= 5


def test_outliers_are_told_in_units_of_the_usual_distance():
    X = np.random.default_rng(0).uniform(size=(500, 3))
    X[3] = 9.0
    graph = tp.neighbor_graph(X)
    s = graph.distances.reshape(500, -1)[:, -1]
    found, far = outliers(graph)
    assert found.tolist() == [3]
    np.testing.assert_allclose(far, s[3] / np.median(s))


def test_scale_and_order_do_not_matter():
    X = np.random.default_rng(0).normal(size=(200, 4))
    X[5] *= 20
    found, far = far_in(X)
    again, same = far_in(X * 4096)
    np.testing.assert_array_equal(again, found)
    np.testing.assert_allclose(same, far)
    turned = np.random.default_rng(1).permutation(200)
    assert turned[far_in(X[turned])[0]].tolist() == found.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_clean_pools_have_next_to_none(seed):
    rng = np.random.default_rng(seed)
    pools = (rng.normal(size=(400, 6)), rng.uniform(size=(400, 2)), load_digits().data[400 * seed :][:400])
    for X in pools:
        assert len(far_in(X)[0]) <= 4


def test_a_sample_may_be_far_for_its_neighbors_only():
    rng = np.random.default_rng(0)
    dense, wide = 0.01 * rng.normal(size=(300, 3)), 20 + rng.normal(size=(100, 3))
    X = np.concatenate([dense, wide, [[0.6, 0.6, 0.6]]])
    assert 400 in far_in(X)[0]


def test_outliers_may_be_neighbors_of_each_other():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(500, 5)), rng.normal(200, 12, (20, 5))])
    assert set(range(500, 520)) <= set(far_in(X)[0].tolist())


def test_where_all_distances_are_about_equal_there_are_none():
    X = np.random.default_rng(0).normal(size=(300, 400))
    X[5] *= 1.3
    assert len(far_in(X)[0]) == 0


def test_too_few_samples_and_copies_have_none():
    rng = np.random.default_rng(0)
    few = rng.normal(size=(20, 3))
    few[0] = 99
    for X in (few, np.ones((50, 2)), np.repeat(rng.normal(size=(2, 3)), 30, axis=0), np.eye(40)):
        found, far = far_in(X)
        assert len(found) == len(far) == 0
    edges = tp.graph_from_edges(np.array([[i, i + 1] for i in range(40)]))
    assert len(outliers(edges)[0]) == 0
