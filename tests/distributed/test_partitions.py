"""Graphs and matrices go out to the cluster and come back as they were."""

import numpy as np
import pytest

import trigpoint as tp
from distributed import Client
from reference.clusters import tasks
from trigpoint.distributed import _whole
from trigpoint.distributed._cluster import Job


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


def test_a_client_that_is_closed_is_one_clear_error(cluster, graph):
    with Client(cluster.scheduler.address, set_as_default=False) as mine:
        there = tp.distributed.scatter(graph, mine, 2)
    for call in (there.gather, lambda: tp.distributed.laplacian(there)):
        with pytest.raises(tp.InputError, match="client must be connected to a scheduler; got one that is"):
            call()


class Hasty:
    """A client whose scheduler is asked by another hand, for no workers, the first time."""

    def __init__(self, client, looks):
        self.client, self.looks = client, looks

    def scheduler_info(self, n_workers):
        self.looks -= 1
        known = self.client.scheduler_info(n_workers=n_workers)
        return {**known, "workers": {} if self.looks >= 0 else known["workers"]}


def test_workers_are_seen_though_dask_looks_elsewhere(cluster):
    from trigpoint.distributed._cluster import LOOKS, ClusterError, worker_memory

    assert len(worker_memory(Hasty(cluster, 3))) == 2
    with pytest.raises(ClusterError, match="no workers"):
        worker_memory(Hasty(cluster, 10 * LOOKS))


def test_nothing_stays_once_nobody_refers_to_it(cluster, graph):
    phi = tp.distributed.laplacian(tp.distributed.scatter(graph, cluster, 3))
    assert any(key.startswith("trigpoint-laplacian-phi-") for key in tasks(cluster))
    del phi
    import time

    end = time.monotonic() + 600
    while any(key.startswith("trigpoint") for key in tasks(cluster)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [key for key in tasks(cluster) if key.startswith("trigpoint")]


def test_more_blocks_than_samples_is_refused(cluster, islands):
    with pytest.raises(tp.InputError, match=r"n_partitions must be an integer and lie in \[1, 701\]"):
        tp.distributed.scatter(islands, cluster, 702)


@pytest.mark.parametrize("n_partitions", [1, 4, 701])
def test_the_whole_of_blocks_on_one_worker(cluster, islands, n_partitions):
    phi = tp.laplacian(islands)
    there = tp.distributed.scatter(phi, cluster, n_partitions)
    worker = sorted(cluster.scheduler_info()["workers"])[-1]
    with Job(cluster, "test") as job:
        future = _whole.whole_matrix(job, there, worker)
        found = job.result("whole", future)
        assert list(cluster.who_has(future).values()) == [(worker,)]
    for name in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(found, name), getattr(phi, name))


def test_rows_are_copied_into_what_another_process_sent(islands):
    phi = tp.laplacian(islands)
    held = _whole._room(*phi.shape[:1], phi.nnz)
    for array in held:
        array.flags.writeable = False
    first = _whole._with_rows(held, phi[:300], 0, 0)
    rest = _whole._with_rows(first, phi[300:], 300, phi[:300].nnz)
    again = _whole._matrix(_whole._with_rows(rest, phi[:300], 0, 0))
    assert (again != phi).nnz == 0
    assert not held[0].any()
