"""Graphs out of files: only arrays that fit each other."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import trigpoint as tp
from trigpoint.graph import stored_graph

LISTS = {
    "indptr": np.array([0, 2, 3, 3]),
    "indices": np.array([1, 2, 0], dtype=np.int32),
    "distances": np.array([1.0, 2.0, 1.0]),
}


def test_a_graph_comes_back():
    graph = stored_graph(**LISTS, metric="cosine", method="given", recall=0.5)
    assert (graph.metric, graph.method, graph.recall, graph.n_samples) == ("cosine", "given", 0.5, 3)
    for name, array in LISTS.items():
        assert_array_equal(getattr(graph, name), array)


@pytest.mark.parametrize(
    "change",
    [
        {"indptr": np.array([1, 2, 3, 3])},
        {"indptr": np.array([0, 3, 2, 3])},
        {"indptr": np.array([0, 2, 3, 4])},
        {"indptr": np.array([0, 2, 3, 3], dtype=np.int32)},
        {"indptr": np.empty(0, dtype=np.int64)},
        {"indptr": np.array([[0, 2, 3, 3]])},
        {"indices": np.array([1, 3, 0], dtype=np.int32)},
        {"indices": np.array([1, -1, 0], dtype=np.int32)},
        {"indices": np.array([1, 2, 0])},
        {"indices": np.array([1, 2], dtype=np.int32)},
        {"distances": np.array([1.0, np.nan, 1.0])},
        {"distances": np.array([1.0, 1.0])},
        {"similarities": np.ones(2)},
        {"similarities": np.ones(3, dtype=np.int64)},
    ],
)
def test_arrays_that_do_not_fit_are_refused(change):
    with pytest.raises(tp.InputError, match="must hold neighbor lists whose arrays fit each other"):
        stored_graph(**LISTS | change)
