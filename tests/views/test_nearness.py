import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import trigpoint as tp
from reference import views as oracle
from trigpoint._errors import InputError
from trigpoint.views import nearness

lists = st.tuples(st.integers(1, 9), st.integers(1, 14)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(0, 5).map(float))
)


def test_by_hand():
    assert nearness([[1, 2, 4], [3, 3, 4], [0, 1, 2]]) == 0.25
    assert nearness([[0, 0], [0, 0], [1, 2]]) == 0.0  # duplicates
    assert nearness([[5.0]]) == 1.0
    assert nearness([[1, *range(2, 10), 20, 10**6]]) == 1 / 20  # the tenth counts, not the last


@given(lists)
def test_it_matches_the_definition(distances):
    distances = np.sort(distances, axis=1)
    assert nearness(distances) == oracle.nearness(distances)
    assert nearness(8 * distances.astype(np.float32)) == pytest.approx(oracle.nearness(distances), rel=1e-6)


def test_clusters_are_nearer_than_a_cloud():
    rng = np.random.default_rng(0)
    cloud = rng.normal(size=(300, 5))
    pairs = np.repeat(cloud[:150], 2, axis=0) + 0.01 * rng.normal(size=(300, 5))

    def of(X):
        graph = tp.neighbor_graph(X, 10)
        return nearness(graph.distances.reshape(300, 10))

    assert of(pairs) < 0.1 < of(cloud)


@pytest.mark.parametrize("bad", [[1.0, 2.0], np.empty((0, 3)), [[np.nan, 1]], [[-1, 1]], [[2, 1]]])
def test_what_is_no_list_of_distances_is_refused(bad):
    with pytest.raises(InputError) as caught:
        nearness(bad)
    assert caught.value.argument == "distances"
