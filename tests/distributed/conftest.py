"""One cluster of two workers for all fast tests, and small pools."""

import warnings

import numpy as np
import pytest

import trigpoint as tp

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'trigpoint[dask]'")

from reference.clusters import curved, running


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with running(tmp_path_factory.mktemp("cluster")) as (_, client):
            yield client


@pytest.fixture(scope="session")
def graph():
    return tp.neighbor_graph(curved(2500), 10)


@pytest.fixture(scope="session")
def islands():
    """Two clouds far apart, and a sample that stands alone."""
    X = np.vstack([curved(400), curved(300) + 100.0])
    graph = tp.neighbor_graph(X, 6)
    indptr = np.append(graph.indptr, graph.indptr[-1])
    return tp.NeighborGraph(indptr, graph.indices, graph.distances)
