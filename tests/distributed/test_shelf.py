"""What a worker puts on its disk comes back as it was, and leaves nothing behind."""

import pickle
from pathlib import Path

import numpy as np

import trigpoint as tp
from trigpoint.distributed._cluster import Job
from trigpoint.distributed._shelf import Shelved, opened, opening, shelved


def test_a_value_comes_back_as_it_was(graph):
    phi = tp.laplacian(graph)
    back = shelved(phi).value()
    for name in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(back, name), getattr(phi, name))
        assert getattr(back, name).dtype == getattr(phi, name).dtype
    back.data[:] = 0.0  # a copy of its own
    assert opened(shelved({"a": np.arange(3), "b": "text"}))["a"].tolist() == [0, 1, 2]
    assert shelved((np.empty(0), 5)).value()[1] == 5


def test_entries_of_a_list_lie_by_themselves():
    both = shelved([np.arange(4), np.ones(2)])
    assert all(isinstance(one, Shelved) for one in both)
    assert both[1].value().tolist() == [1.0, 1.0]
    assert [one.tolist() for one in opened(both)] == [[0, 1, 2, 3], [1.0, 1.0]]


def test_whoever_sends_it_sends_the_value():
    assert pickle.loads(pickle.dumps(shelved(np.arange(5)))).tolist() == [0, 1, 2, 3, 4]
    assert opening(np.add, False, shelved(np.arange(3)), 1).tolist() == [1, 2, 3]
    assert isinstance(opening(np.add, True, 1, 1), Shelved)


def kinds(keys, dask_worker):
    return [type(dask_worker.data[key]).__name__ for key in keys if key in dask_worker.data]


def test_phi_lies_on_the_disks_of_the_workers_and_no_file_has_a_name(cluster, graph, tmp_path):
    there = tp.distributed.scatter(tp.laplacian(graph), cluster, 4)
    keys = [part.key for part in there.partitions]
    assert list(cluster.run(kinds, keys).values()) == [["Shelved"] * 2] * 2  # as many on each
    with Job(cluster, "test") as job:
        rows = job.results("rows", job.each("rows", np.shape, there.partitions))
    assert [one[0] for one in rows] == [625] * 4
    folders = cluster.run(lambda dask_worker: dask_worker.local_directory).values()
    for folder in folders:
        assert not [file for file in Path(folder).iterdir() if file.name.startswith("tmp")]
