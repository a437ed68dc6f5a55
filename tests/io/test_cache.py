import os
import threading
import time

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import trigpoint as tp
from reference.files import POOLS
from trigpoint.io import _cache, cache_folder, cached_graph, read_pool


@pytest.fixture
def samples(tmp_path):
    np.save(tmp_path / "x.npy", np.random.default_rng(0).normal(size=(60, 3)))
    return read_pool(tmp_path / "x.npy")


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cache"


def no_search(*_, **__):
    raise AssertionError("searched again")


def test_a_second_call_does_not_search(samples, folder, monkeypatch):
    first = cached_graph(samples, 5, "cosine", folder=folder)
    monkeypatch.setattr(_cache, "neighbor_graph", no_search)
    again = cached_graph(samples, 5, "cosine", folder=folder)
    direct = tp.neighbor_graph(samples.X, 5, metric="cosine")
    for graph in (first, again):
        assert repr(graph) == repr(direct)
        assert_array_equal(graph.neighbors, direct.neighbors)
        assert_array_equal(graph.distances, direct.distances)
    assert again.similarities is None
    with pytest.raises(ValueError, match="read-only"):
        again.indices[0] = 1


def test_other_settings_and_other_content_search_anew(samples, folder, tmp_path, monkeypatch):
    cached_graph(samples, 5, folder=folder)
    np.save(tmp_path / "x.npy", np.random.default_rng(1).normal(size=(60, 3)))
    changed = read_pool(tmp_path / "x.npy")
    monkeypatch.setattr(_cache, "neighbor_graph", no_search)
    for pool, k, metric in ((samples, 6, "euclidean"), (samples, 5, "cosine"), (changed, 5, "euclidean")):
        with pytest.raises(AssertionError, match="searched again"):
            cached_graph(pool, k, metric, folder=folder)
    with pytest.raises(AssertionError, match="searched again"):
        cached_graph(samples, 5, folder=folder, refresh=True)
    assert cached_graph(samples, 5, folder=folder).n_neighbors == 5
    monkeypatch.undo()
    assert cached_graph(samples, folder=folder).n_neighbors == 15


@pytest.mark.parametrize("view", ["raw", "standard", "half_white", "white"])
def test_each_view_has_a_graph_of_its_own(samples, folder, view, monkeypatch):
    features = tp.fit_view(samples.X, view).transform(samples.X)
    direct = tp.neighbor_graph(features, 5)
    found = cached_graph(samples, 5, view=view, folder=folder)
    assert_array_equal(found.distances, direct.distances)
    monkeypatch.setattr(_cache, "neighbor_graph", no_search)
    assert_array_equal(cached_graph(samples, 5, view=view, folder=folder).distances, direct.distances)
    for other in {"raw", "standard", "half_white", "white"} - {view}:
        with pytest.raises(AssertionError, match="searched again"):
            cached_graph(samples, 5, view=other, folder=folder)
    monkeypatch.undo()
    monkeypatch.setattr(_cache, "fit_view", no_search)
    given = cached_graph(samples, 5, view=view, X=features, folder=folder, refresh=True)
    assert_array_equal(given.distances, direct.distances)


def test_unknown_views_are_refused(samples, folder):
    with pytest.raises(ValueError, match="must be one of 'raw', 'standard'"):
        cached_graph(samples, 5, view="best", folder=folder)
    assert not folder.exists()


def damage(data, how):
    return {"cut": data[: len(data) // 2], "empty": b"", "text": b"hello", "flip": _flipped(data)}[how]


def _flipped(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 255]) + data[middle + 1 :]


@pytest.mark.parametrize("how", ["cut", "empty", "text", "flip"])
def test_a_damaged_file_is_made_anew(samples, folder, how, monkeypatch):
    good = cached_graph(samples, 5, folder=folder)
    (file,) = folder.iterdir()
    file.write_bytes(damage(file.read_bytes(), how))
    assert_array_equal(cached_graph(samples, 5, folder=folder).neighbors, good.neighbors)
    monkeypatch.setattr(_cache, "neighbor_graph", no_search)
    assert_array_equal(cached_graph(samples, 5, folder=folder).neighbors, good.neighbors)


@pytest.mark.parametrize(
    "change",
    [
        {"indices": np.full(300, 99, dtype=np.int32)},
        {"indptr": np.arange(61)[::-1] * 5},
        {"indptr": np.arange(60) * 5},
        {"distances": np.full(300, np.nan)},
        {"distances": np.ones(3)},
        {"indices": np.zeros(300)},
    ],
)
def test_a_file_that_makes_no_sense_is_made_anew(samples, folder, change):
    good = cached_graph(samples, 5, folder=folder)
    (file,) = folder.iterdir()
    with np.load(file) as stored:
        arrays = dict(stored)
    np.savez(file, **(arrays | change))
    anew = cached_graph(samples, 5, folder=folder)
    assert_array_equal(anew.neighbors, good.neighbors)
    assert_array_equal(anew.distances, good.distances)


def test_a_folder_that_cannot_be_written_costs_one_warning(samples, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.warns(UserWarning, match="the graph was not cached: .*file") as caught:
        graph = cached_graph(samples, 5, folder=tmp_path / "file")
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert graph.n_neighbors == 5


def test_graphs_are_returned_as_they_are(tmp_path, folder):
    POOLS["edges.csv"](tmp_path / "edges.csv")
    samples = read_pool(tmp_path / "edges.csv")
    assert cached_graph(samples, 5, folder=folder) is samples.graph
    assert not folder.exists()


def test_bad_settings_are_refused_as_by_the_search(samples, folder):
    with pytest.raises(ValueError, match="n_neighbors must be an integer"):
        cached_graph(samples, 60, folder=folder)
    with pytest.raises(ValueError, match="metric must be one of"):
        cached_graph(samples, 5, "manhattan", folder=folder)


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.delenv("TRIGPOINT_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert str(cache_folder()) == "/home/ann/.cache/trigpoint"
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/ann")
    assert str(cache_folder()) == "/var/ann/trigpoint"
    monkeypatch.setenv("TRIGPOINT_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path


def test_several_writers_at_once(samples, folder):
    threads = [
        threading.Thread(target=cached_graph, args=(samples, 5), kwargs={"folder": folder, "refresh": True})
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(folder.iterdir())) == 1
    assert cached_graph(samples, 5, folder=folder).n_neighbors == 5


def test_parts_of_writers_that_were_killed_go_after_a_day(samples, folder):
    folder.mkdir()
    old, new, other = (folder / name for name in (".trigpoint-0a.npz", ".trigpoint-1b.npy", ".other"))
    for file in (old, new, other):
        file.write_bytes(b"half")
    yesterday = time.time() - 25 * 60 * 60
    for file in (old, other):
        os.utime(file, (yesterday, yesterday))
    cached_graph(samples, 5, folder=folder)
    assert (old.exists(), new.exists(), other.exists()) == (False, True, True)
    assert len(list(folder.glob("graph-*"))) == 1
