import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array, issparse

from reference.files import GRAPHS, POOLS, write_images
from trigpoint.io import (
    _recall,
    ids_digest,
    load_map,
    pool_signature,
    read_pool,
    recall_pool,
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


@pytest.mark.parametrize("name", [name for name in POOLS if name not in GRAPHS])
def test_a_pool_comes_back_without_its_files(tmp_path, folder, name):
    path = tmp_path / name
    POOLS[name](path)
    signature, samples = pool_signature(path), read_pool(path)
    assert recall_pool(signature, path, folder) is None
    remember_pool(signature, samples, folder)
    path.unlink()
    found = recall_pool(signature, path, folder)
    assert found.ids.tolist() == samples.ids.tolist()
    assert (found.fingerprint, found.kind, found.graph) == (samples.fingerprint, samples.kind, None)
    assert (issparse(found.X), found.X.dtype) == (issparse(samples.X), samples.X.dtype)
    assert_array_equal(*(X.toarray() if issparse(X) else X for X in (found.X, samples.X)))
    assert recall_pool("another", path, folder) is None


def test_names_that_are_no_text_come_back(tmp_path, folder):
    np.save(tmp_path / "x.npy", np.eye(2))
    samples = replace(read_pool(tmp_path / "x.npy"), ids=np.array(["a\udc80", 'b"'], dtype=object))
    remember_pool("s", samples, folder)
    assert recall_pool("s", samples.path, folder).ids.tolist() == ["a\udc80", 'b"']


def test_graphs_and_large_pools_are_not_kept(tmp_path, pool, folder, monkeypatch):
    POOLS["edges.csv"](tmp_path / "edges.csv")
    remember_pool("g", read_pool(tmp_path / "edges.csv"), folder)
    monkeypatch.setattr(_recall, "MOST", 180 * 8 - 1)  # bytes of 180 numbers
    remember_pool("p", read_pool(pool), folder)
    assert not folder.exists()
    monkeypatch.undo()
    remember_pool("p", read_pool(pool), folder)
    assert recall_pool("p", pool, folder).n_samples == 60


@pytest.mark.parametrize("how", ["empty", "text", "cut", "ids", "shape", "objects", "indices"])
def test_damage_is_not_believed(tmp_path, folder, how):
    scipy.sparse.save_npz(tmp_path / "x.npz", csr_array(np.eye(4)))
    path = tmp_path / "x.npz"
    remember_pool("s", read_pool(path, graph=False), folder)
    (file,) = folder.glob("pool-*.npz")
    with np.load(file) as stored:
        held = dict(stored)
    if how == "ids":
        held["about"] = np.frombuffer(held["about"].tobytes().replace(b'"3"', b'"3", "4"'), dtype=np.uint8)
    changes = {
        "shape": {"shape": np.array([5, 4])},
        "objects": {"data": np.array(["a"] * 4)},
        "indices": {"indices": np.array([0, 1, 2, 9])},
    }
    content = file.read_bytes()
    np.savez(file, **held | changes.get(how, {}))
    if how in ("empty", "text", "cut"):
        file.write_bytes({"empty": b"", "text": b"hello", "cut": content[: len(content) // 2]}[how])
    assert recall_pool("s", path, folder) is None


def test_ids_and_their_order_make_the_digest():
    lists = [["a", "b"], ["b", "a"], ["ab"], ["a", "b", ""], ['a", "b'], ["a\udc80", "b"], []]
    assert len({ids_digest(ids) for ids in lists}) == len(lists)
    assert ids_digest(np.array(["a", "b"], dtype=object)) == ids_digest(("a", "b"))


def test_maps_are_kept_beside_the_graph(folder):
    Y = np.random.default_rng(0).random((9, 2))
    store_map(Y, "print", 5, "cosine", "raw", folder)
    assert_array_equal(load_map(9, "print", 5, "cosine", "raw", folder), Y.astype(np.float32))
    assert load_map(8, "print", 5, "cosine", "raw", folder) is None
    assert load_map(9, "print", 6, "cosine", "raw", folder) is None
    assert load_map(9, "print", 5, "cosine", "white", folder) is None
    (file,) = folder.glob("map-*.npy")
    file.write_bytes(file.read_bytes()[:-4])
    assert load_map(9, "print", 5, "cosine", "raw", folder) is None


def test_a_folder_that_cannot_be_is_no_hindrance(tmp_path, pool):
    (tmp_path / "file").write_text("")
    with pytest.warns(UserWarning, match="the map was not cached"):
        store_map(np.zeros((3, 2)), "print", 5, "cosine", "raw", tmp_path / "file" / "cache")
    with pytest.warns(UserWarning, match="the pool was not remembered"):
        remember_pool("signature", read_pool(pool), tmp_path / "file" / "cache")
