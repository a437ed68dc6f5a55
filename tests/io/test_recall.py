import os
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from reference.files import POOLS, write_images
from trigpoint.io import (
    cached_graph,
    ids_digest,
    load_map,
    pool_signature,
    read_pool,
    recall_graph,
    remember_pool,
    store_map,
)


@pytest.fixture
def pool(tmp_path):
    np.save(tmp_path / "x.npy", np.random.default_rng(0).normal(size=(60, 3)))
    return tmp_path / "x.npy"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cache"


@pytest.mark.parametrize("name", POOLS)
def test_a_signature_opens_no_file(tmp_path, name, monkeypatch):
    POOLS[name](tmp_path / name)
    monkeypatch.setattr(Path, "open", None)
    monkeypatch.setattr("builtins.open", None)
    first = pool_signature(tmp_path / name)
    assert first == pool_signature(tmp_path / name)


def test_files_written_anew_have_another_signature(pool):
    before = pool_signature(pool)
    times = pool.stat()
    np.save(pool, np.zeros((60, 3)))
    assert pool_signature(pool) != before
    os.utime(pool, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert pool_signature(pool) != before, "the time of the change gives it away"


def test_folders_tell_their_pictures_apart(tmp_path):
    folder = tmp_path / "pictures"
    write_images(folder)
    seen = {pool_signature(folder)}
    (folder / "notes.txt").write_text("no picture")
    assert pool_signature(folder) in seen
    (folder / "a.png").rename(folder / "z.png")
    seen.add(pool_signature(folder))
    (folder / "z.png").unlink()
    seen.add(pool_signature(folder))
    seen.add(pool_signature(folder, color=True))
    seen.add(pool_signature(folder, image_size=(8, 8)))
    np.save(tmp_path / "f.npy", np.eye(3))
    seen.add(pool_signature(folder, features=tmp_path / "f.npy"))
    np.save(tmp_path / "f.npy", np.eye(3) + 1)
    seen.add(pool_signature(folder, features=tmp_path / "f.npy"))
    assert len(seen) == 7


def test_the_graph_comes_back_without_the_pool(pool, folder):
    signature, samples = pool_signature(pool), read_pool(pool)
    graph = cached_graph(samples, 5, folder=folder)
    assert recall_graph(signature, 5, "euclidean", folder) is None
    remember_pool(signature, samples, folder)
    pool.unlink()
    found = recall_graph(signature, 5, "euclidean", folder)
    assert_array_equal(found.graph.indices, graph.indices)
    assert (found.fingerprint, found.ids) == (samples.fingerprint, ids_digest(samples.ids))
    assert recall_graph(signature, 6, "euclidean", folder) is None
    assert recall_graph(signature, 5, "cosine", folder) is None
    assert recall_graph("another", 5, "euclidean", folder) is None


def test_more_neighbors_than_there_are_others(tmp_path, folder):
    np.save(tmp_path / "x.npy", np.eye(4))
    signature, samples = pool_signature(tmp_path / "x.npy"), read_pool(tmp_path / "x.npy")
    cached_graph(samples, 3, folder=folder)
    remember_pool(signature, samples, folder)
    assert recall_graph(signature, 10, "euclidean", folder).graph.n_neighbors == 3


@pytest.mark.parametrize("content", [b"", b"[]", b'{"fingerprint": "x", "n_samples": 60}', b"\xff"])
def test_damage_is_not_believed(pool, folder, content):
    signature = pool_signature(pool)
    remember_pool(signature, read_pool(pool), folder)
    (file,) = folder.glob("pool-*.json")
    file.write_bytes(content)
    assert recall_graph(signature, 5, "euclidean", folder) is None


def test_ids_and_their_order_make_the_digest():
    lists = [["a", "b"], ["b", "a"], ["ab"], ["a", "b", ""], ['a", "b'], ["a\udc80", "b"], []]
    assert len({ids_digest(ids) for ids in lists}) == len(lists)
    assert ids_digest(np.array(["a", "b"], dtype=object)) == ids_digest(("a", "b"))


def test_maps_are_kept_beside_the_graph(folder):
    Y = np.random.default_rng(0).random((9, 2))
    store_map(Y, "print", 5, "cosine", folder)
    assert_array_equal(load_map(9, "print", 5, "cosine", folder), Y.astype(np.float32))
    assert load_map(8, "print", 5, "cosine", folder) is None
    assert load_map(9, "print", 6, "cosine", folder) is None
    (file,) = folder.glob("map-*.npy")
    file.write_bytes(file.read_bytes()[:-4])
    assert load_map(9, "print", 5, "cosine", folder) is None


def test_a_folder_that_cannot_be_is_no_hindrance(tmp_path, pool):
    (tmp_path / "file").write_text("")
    with pytest.warns(UserWarning, match="the map was not cached"):
        store_map(np.zeros((3, 2)), "print", 5, "cosine", tmp_path / "file" / "cache")
    with pytest.warns(UserWarning, match="the pool was not remembered"):
        remember_pool("signature", read_pool(pool), tmp_path / "file" / "cache")
