import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import trigpoint as tp
from reference.files import POOLS
from trigpoint import _lock
from trigpoint.io import _cache, _cache_folder, cache_folder, cached_graph, read_pool
from trigpoint.storage import graph_facts


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


def _flip(file):
    data = bytearray(file.read_bytes())
    data[-3] ^= 255
    file.write_bytes(bytes(data))


DAMAGE = {
    "cut": lambda entry: (entry / "indices.npy").write_bytes((entry / "indices.npy").read_bytes()[:-9]),
    "empty": lambda entry: (entry / "indptr.npy").write_bytes(b""),
    "flip": lambda entry: _flip(entry / "distances.npy"),
    "text": lambda entry: (entry / "about.json").write_text("hello"),
    "missing": lambda entry: (entry / "distances.npy").unlink(),
    "nothing left": lambda entry: [file.unlink() for file in entry.iterdir()],
    "a file": lambda entry: (shutil.rmtree(entry), entry.write_text("in the way")),
    "of another pool": lambda entry: tp.save_graph(entry, tp.neighbor_graph(np.eye(9), 5)),
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_entry_is_made_anew(samples, folder, how, monkeypatch):
    good = cached_graph(samples, 5, folder=folder)
    expected = good.neighbors.copy()
    (entry,) = folder.iterdir()
    DAMAGE[how](entry)
    assert_array_equal(cached_graph(samples, 5, folder=folder).neighbors, expected)
    monkeypatch.setattr(_cache, "neighbor_graph", no_search)
    again = cached_graph(samples, 5, folder=folder)
    assert_array_equal(again.neighbors, expected)
    assert_array_equal(again.distances, tp.neighbor_graph(samples.X, 5).distances)


def test_a_graph_is_a_folder_of_maps(samples, folder):
    first = cached_graph(samples, 5, view="standard", folder=folder)
    (entry,) = folder.iterdir()
    assert graph_facts(entry)["settings"]["view"] == "standard"
    for graph in (first, cached_graph(samples, 5, view="standard", folder=folder), tp.open_graph(entry)):
        assert isinstance(graph.indices.base, np.memmap) or isinstance(graph.indices.base.base, np.memmap)


def test_large_graphs_are_not_read_to_open_them(samples, folder, monkeypatch):
    cached_graph(samples, 5, folder=folder)
    (entry,) = folder.iterdir()
    _flip(entry / "distances.npy")
    monkeypatch.setattr(_cache, "READ", 0)
    monkeypatch.setattr(_cache, "neighbor_graph", no_search)
    cached_graph(samples, 5, folder=folder)


def test_a_folder_that_cannot_be_written_costs_one_warning(samples, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.warns(UserWarning, match="the graph was not cached: .*file") as caught:
        graph = cached_graph(samples, 5, folder=tmp_path / "file")
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert not str(caught[0].message).endswith("..")
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


SEARCH = """
import sys, time
from pathlib import Path
from trigpoint.io import _cache, cached_graph, read_pool

search = _cache.neighbor_graph
def slow(*given, **named):
    found = search(*given, **named)
    with Path("searches.txt").open("a") as log:
        log.write("one\\n")
    time.sleep(float(sys.argv[1]))
    return found

_cache.neighbor_graph = slow
print(cached_graph(read_pool("x.npy"), 5, folder="cache").indices.sum())
"""


def start(folder, seconds):
    command = [sys.executable, "-c", SEARCH, str(seconds)]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)


def until(true):
    for _ in range(30_000):  # ten minutes
        if true():
            return
        time.sleep(0.02)
    raise AssertionError("waited in vain")


def test_of_two_processes_one_searches_and_the_other_waits(samples, folder, tmp_path):
    searched = tmp_path / "searches.txt"
    first = start(tmp_path, 4)
    until(searched.exists)
    others = [start(tmp_path, 0) for _ in range(2)]
    found = {process.communicate()[0] for process in (first, *others)}
    assert found == {f"{tp.neighbor_graph(samples.X, 5).indices.sum()}\n"}
    assert searched.read_text() == "one\n"
    assert [path.name[:6] for path in folder.iterdir()] == ["graph-"]


def test_a_process_that_was_killed_keeps_nobody_waiting(samples, folder, tmp_path):
    killed = start(tmp_path, 600)
    until((tmp_path / "searches.txt").exists)
    (lock,) = folder.iterdir()
    (folder / f"{lock.name.removesuffix('.lock')}-0a").mkdir()  # what it would have begun to write
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert cached_graph(samples, 5, folder=folder).n_neighbors == 5
    assert [path.name[:6] for path in folder.iterdir()] == ["graph-"]


def test_without_locks_all_finish_with_one_entry(samples, folder, monkeypatch):
    monkeypatch.setattr(_lock, "fcntl", None)
    test_several_writers_at_once(samples, folder)


def fill(samples, folder, count):
    """Graphs of 5, 6, ... neighbors, each used later than the one before; the bytes of each."""
    sizes, before = [], set()
    for k in range(5, 5 + count):
        cached_graph(samples, k, folder=folder)
        (new,) = set(folder.iterdir()) - before
        before.add(new)
        os.utime(new, (k, k))
        sizes.append(sum(file.stat().st_size for file in new.iterdir()))
    return sizes


def test_what_was_not_used_for_longest_goes_first(samples, folder, monkeypatch):
    sizes = fill(samples, folder, 4)
    cached_graph(samples, 5, folder=folder)  # used again
    monkeypatch.setenv("TRIGPOINT_CACHE_SIZE", str(sum(sizes) + 3000))
    mapped = tp.open_graph(min(folder.iterdir(), key=lambda path: path.stat().st_mtime))
    cached_graph(samples, 9, folder=folder)
    monkeypatch.setattr(_cache, "neighbor_graph", no_search)
    kept = []
    for k in range(5, 10):
        try:
            cached_graph(samples, k, folder=folder)
            kept.append(k)
        except AssertionError:
            pass
    assert kept == [5, 7, 8, 9]
    assert mapped.n_neighbors == 6
    assert_array_equal(mapped.neighbors, tp.neighbor_graph(samples.X, 6).neighbors), "a map stays valid"


def test_an_entry_larger_than_the_cache_is_kept_alone(samples, folder, monkeypatch):
    fill(samples, folder, 2)
    monkeypatch.setenv("TRIGPOINT_CACHE_SIZE", "0")
    cached_graph(samples, 9, folder=folder)
    assert [graph_facts(path)["n_neighbors"] for path in folder.iterdir()] == [9]
    (folder / "mine.txt").write_text("not of the cache")
    cached_graph(samples, 10, folder=folder)
    assert (folder / "mine.txt").exists()


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [("", 20 * 10**9), ("123", 123), ("1.5 GB", 15 * 10**8), ("2k", 2000), ("3tb", 3 * 10**12)],
)
def test_the_size_of_the_cache(text, n_bytes, monkeypatch):
    monkeypatch.setenv("TRIGPOINT_CACHE_SIZE", text)
    assert _cache_folder.cache_size() == n_bytes


@pytest.mark.parametrize("text", ["much", "-1", "1e9", "5 XB", "nan"])
def test_a_size_that_makes_no_sense_is_refused_first(text, samples, folder, monkeypatch):
    monkeypatch.setenv("TRIGPOINT_CACHE_SIZE", text)
    with pytest.raises(tp.InputError, match="TRIGPOINT_CACHE_SIZE must be a number of bytes"):
        cached_graph(samples, 5, folder=folder)
    assert not folder.exists()
