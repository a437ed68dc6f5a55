"""Graphs and matrices go out to the cluster and come back as they were."""

import numpy as np
import pytest

import trigpoint as tp
from reference.clusters import tasks


def test_out_and_back(cluster, graph):
    there = tp.distributed.scatter(graph, cluster, 5)
    back = there.gather()
    assert there.n_samples == graph.n_samples
    assert len(there.partitions) == 5
    for name in ("indptr", "indices", "distances"):
        assert np.array_equal(getattr(back, name), getattr(graph, name))
    phi = tp.laplacian(graph)
    assert (tp.distributed.scatter(phi, cluster, 3).gather() != phi).nnz == 0


def test_the_current_client_is_taken_and_none_is_one_clear_error(cluster, graph):
    assert tp.distributed.scatter(graph, n_partitions=2).client is cluster
    from trigpoint.distributed._cluster import current_client

    with cluster.as_current(), pytest.raises(TypeError, match="client must be a distributed"):
        current_client("tcp://nowhere")


def test_nothing_stays_once_nobody_refers_to_it(cluster, graph):
    phi = tp.distributed.laplacian(tp.distributed.scatter(graph, cluster, 3))
    assert any(key.startswith("trigpoint-laplacian-phi-") for key in tasks(cluster))
    del phi
    import time

    end = time.monotonic() + 10
    while any(key.startswith("trigpoint") for key in tasks(cluster)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [key for key in tasks(cluster) if key.startswith("trigpoint")]


def test_more_blocks_than_samples_is_refused(cluster, islands):
    with pytest.raises(tp.InputError, match=r"n_partitions must be an integer and lie in \[1, 701\]"):
        tp.distributed.scatter(islands, cluster, 702)
