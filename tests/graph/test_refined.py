"""Neighbors that introduce each other: the rounds themselves, and the graphs that come of them."""

import errno
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trigpoint as tp
from reference.joins import company, round_of_joins
from trigpoint._errors import InputError
from trigpoint._kernels.joins import meet
from trigpoint.graph import Workspace, _refined, nearest
from trigpoint.graph._points import Points
from trigpoint.graph._refined import Neighbors, join_and_merge
from trigpoint.graph._regions import LENGTH, gather_lists, nearest_center, place, train


def curved(n, p=12, d=5, seed=0, dtype=np.float32):
    rng = np.random.default_rng(seed)
    X = np.tanh(rng.normal(size=(n, d)) @ rng.normal(size=(d, p)) / 4) + 0.01 * rng.normal(size=(n, p))
    return X.astype(dtype)


def lists_of(X, width, rng):
    """Random lists of neighbors, some places free, nearest first."""
    n = len(X)
    ids = np.full((n, width), -1, dtype=np.int32)
    near = np.full((n, width), np.inf, dtype=np.float32)
    fresh = rng.integers(0, 2, (n, width)).astype(np.uint8)
    for i in range(n):
        some = rng.choice(np.delete(np.arange(n), i), rng.integers(1, width + 1), replace=False)
        gaps = np.sum((X[some] - X[i]) ** 2, axis=1)
        order = np.lexsort((some, gaps))
        ids[i, : len(some)], near[i, : len(some)] = some[order], gaps[order]
    return ids, near, fresh


@settings(max_examples=30, deadline=None)
@given(st.integers(9, 40), st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_a_round_is_its_definition(n, width, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-20, 20, (n, 3)).astype(np.float32)  # whole numbers: ties, and no rounding
    ids, near, fresh = lists_of(X, width, rng)
    reach, most = near[:, -1].copy(), width + 2
    wanted = round_of_joins(X, ids, near, fresh, reach, width, most)
    who, news = np.zeros((n, most), np.int32), np.zeros((n, most), np.uint8)
    sizes = np.zeros(n, np.int32)
    for a in range(0, n, 7):
        rows = slice(a, min(a + 7, n))
        meet(ids, fresh, a, rows.stop, who[rows], news[rows], sizes[rows])
    naive = company(ids, fresh, width, most)
    assert [list(zip(who[j, : sizes[j]], news[j, : sizes[j]], strict=True)) for j in range(n)] == naive
    pool = Points(X, None, 1.0, np.zeros(3), False)
    join_and_merge(pool, ids.copy(), reach, (who, news, sizes), Neighbors(ids, near, fresh))
    found = [[(d, i) for d, i in zip(near[j], ids[j], strict=True) if i >= 0] for j in range(n)]
    assert found == wanted


def test_the_graph_is_good_and_does_not_depend_on_how_work_is_split(monkeypatch):
    X = curved(9000, p=40, d=10)
    graph = tp.neighbor_graph(X, 10, method="approximate")
    truth = nearest(X, X, 11, method="exact")[0][:, -1:]
    assert graph.method == "approximate"
    assert np.mean(graph.distances.reshape(-1, 10) <= truth * (1 + 1e-9)) >= 0.99
    assert graph.recall >= 0.985
    for name, value in {"JOINED": 70, "NOTES": 5000, "COPIED": 333}.items():
        monkeypatch.setattr(_refined, name, value)
    monkeypatch.setattr("joblib.cpu_count", lambda: 3)
    again = tp.neighbor_graph(X, 10, method="approximate")
    np.testing.assert_array_equal(again.indices, graph.indices)
    np.testing.assert_array_equal(again.distances, graph.distances)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_distances_are_exact_in_every_metric_and_type(metric, dtype):
    X = curved(5500, dtype=dtype) * dtype(1e-9 if metric == "euclidean" else 3) + dtype(0)
    graph = tp.neighbor_graph(X, 7, metric=metric, method="approximate")
    assert graph.method == "approximate"
    i, j = np.repeat(np.arange(len(X)), 7), graph.indices
    A, B = X[i].astype(np.float64), X[j].astype(np.float64)
    if metric == "euclidean":
        gaps = np.linalg.norm(A - B, axis=1)
    else:
        gaps = 1 - np.sum(A * B, axis=1) / np.linalg.norm(A, axis=1) / np.linalg.norm(B, axis=1)
    np.testing.assert_allclose(graph.distances, gaps, rtol=1e-6, atol=1e-14)
    assert (i != j).all()
    assert (np.diff(graph.distances.reshape(-1, 7), axis=1) >= 0).all()


def test_samples_far_out_and_crowds_have_their_neighbors():
    X = curved(6000)
    X[:40] = X[40]  # a crowd
    X[100:103] = 1e6 * np.arange(1, 4)[:, None]  # three far from all, and far from each other
    X[200] = 3e20  # its square is more than float32 can hold
    graph = tp.neighbor_graph(X, 6, method="approximate")
    assert (graph.neighbors[:40] < 41).all()
    assert (graph.distances.reshape(-1, 6)[:40] == 0).all()
    rows = np.array([100, 101, 102, 200])
    wanted = nearest(X, X[rows], 7, method="exact")[0][:, 1:]
    np.testing.assert_allclose(graph.distances.reshape(-1, 6)[rows], wanted, rtol=1e-6)


def test_where_rounds_do_not_get_there_lists_are_searched():
    X = (
        np.random.default_rng(0).normal(size=(6000, 60)).astype(np.float32)
    )  # no structure: no shared neighbors
    graph = tp.neighbor_graph(X, 10, method="approximate")
    truth = nearest(X, X[:500], 11, method="exact")[0][:, -1:]
    assert np.mean(graph.distances.reshape(-1, 10)[:500] <= truth * (1 + 1e-9)) >= 0.98


@pytest.mark.parametrize("apart", [0, 1000])  # far from their center, float32 products tell samples nothing
def test_every_sample_is_in_one_list_whatever_block_it_comes_in(apart):
    X = curved(9000)
    X[::2] += apart
    X -= apart / 2
    rng = np.random.default_rng(1)
    cut = train(X[rng.permutation(len(X))[:4000]], len(X), rng)
    home = place(cut, X)
    for size in (1000, 37, 1):
        blocks = [place(cut, X[a : a + size]) for a in range(0, len(X) if size > 1 else 99, size)]
        np.testing.assert_array_equal(np.concatenate(blocks), home[: size * len(blocks)])
    lists = gather_lists(home, 0, len(cut.centers))
    assert sorted(lists.order) == list(range(len(X)))
    assert np.diff(lists.bounds).max() <= 4 * LENGTH


def test_the_nearest_center_is_the_nearest():
    rng = np.random.default_rng(2)
    Q, centers = (rng.integers(-3, 4, (n, 3)).astype(np.float32) for n in (700, 40))  # ties
    far = np.float32(2**20)
    gaps = ((Q[:, None] - centers) ** 2).sum(axis=2)
    for shift in (0, far):  # whole numbers, so differences are exact
        assert nearest_center(Q + shift, centers + shift).tolist() == gaps.argmin(axis=1).tolist()
    odd = np.vstack([centers, np.full((1, 3), np.inf, np.float32), np.full((1, 3), 3e30, np.float32)])
    strange = np.vstack([Q[:5], odd[-2:]])
    assert nearest_center(strange, odd)[:5].tolist() == gaps[:5].argmin(axis=1).tolist()
    assert nearest_center(strange, odd)[6] == 41


def test_a_search_in_a_folder_finds_the_same_and_leaves_nothing(tmp_path):
    X = curved(6000)
    graph = tp.neighbor_graph(X, 10, method="approximate")
    mapped = tp.neighbor_graph(X, 10, method="approximate", scratch=tmp_path / "scratch")
    np.testing.assert_array_equal(mapped.indices, graph.indices)
    np.testing.assert_array_equal(mapped.distances, graph.distances)
    assert not (tmp_path / "scratch").exists()


def test_a_search_that_is_stopped_after_any_step_goes_on_there(tmp_path, monkeypatch):
    X = curved(9000, p=40, d=10)
    graph = tp.neighbor_graph(X, 10, method="approximate")
    steps, searches = [], []
    finish, exactly = _refined.Workspace.finish, _refined.exact_by_products

    def stopping(self, step, **facts):
        finish(self, step, **facts)
        if step not in steps:
            steps.append(step)
            raise KeyboardInterrupt

    def counted(task, k):
        searches.append(task.pool.X.shape[1])
        return exactly(task, k)

    monkeypatch.setattr(_refined.Workspace, "finish", stopping)
    monkeypatch.setattr(_refined, "exact_by_products", counted)
    monkeypatch.setattr(_refined, "counts_to_try", lambda p: [2, 16])
    for _ in range(20):
        try:
            found = tp.neighbor_graph(X, 10, method="approximate", scratch=tmp_path / "scratch")
            break
        except KeyboardInterrupt:
            continue
    assert {"placed", "sorted", "truth", "without 2", "directions", "cut 0", "cut 1", "round 1"} <= set(steps)
    assert searches == [40, 2, 16]
    np.testing.assert_array_equal(found.indices, graph.indices)


def test_what_another_search_has_left_is_not_used(tmp_path):
    X = curved(6000)
    with pytest.raises(InputError, match="scratch"):
        tp.neighbor_graph(X, 10, scratch=tmp_path.parent)
    (tmp_path / "mine").write_text("precious")
    with pytest.raises(InputError, match="scratch must be new"):
        tp.neighbor_graph(X, 10, scratch=tmp_path)


BUILD = """
import sys, numpy as np, trigpoint as tp
tp.build_graph(sys.argv[2], np.load(sys.argv[1], mmap_mode="r"), 10, method="approximate")
"""


@pytest.mark.slow
def test_a_build_that_is_killed_again_and_again_ends_with_the_same_graph(tmp_path):
    X = curved(40_000, p=40, d=10)
    np.save(tmp_path / "pool.npy", X)
    whole = tp.neighbor_graph(X, 10, method="approximate")
    rng, kills = np.random.default_rng(0), 0
    command = [sys.executable, "-c", BUILD, str(tmp_path / "pool.npy"), str(tmp_path / "pool.graph")]
    for _ in range(40):
        process = subprocess.Popen(command)
        try:
            process.wait(timeout=float(rng.uniform(1.5, 4.0) * (1 + kills / 4)))
            break
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
            time.sleep(0.01)
    assert process.returncode == 0
    found = tp.open_graph(tmp_path / "pool.graph", check=True)
    np.testing.assert_array_equal(found.indices, whole.indices)
    np.testing.assert_array_equal(found.distances, whole.distances)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_what_is_left_by_a_build_that_was_killed_at_its_end_is_removed(tmp_path):
    X = curved(500)
    made = tp.build_graph(tmp_path / "pool.graph", X, 5)
    (tmp_path / ".trigpoint-search-pool.graph").mkdir()
    (tmp_path / ".trigpoint-search-pool.graph" / "lists.bin").write_bytes(b"lists")
    (tmp_path / ".trigpoint-pool.graph.lock").touch()
    found = tp.build_graph(tmp_path / "pool.graph", X, 5)
    np.testing.assert_array_equal(found.indices, made.indices)
    assert [path.name for path in tmp_path.iterdir()] == ["pool.graph"]


def test_where_a_disk_is_full_the_error_names_the_file(tmp_path, monkeypatch):
    """A hole in a file would only be filled when it is written to: that ends the process without a word."""

    def full(handle, start, size):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match=r"No space left on device \([\d,]+ bytes\): '.*scratch/home.bin'"):
        tp.neighbor_graph(curved(6000), 10, method="approximate", scratch=tmp_path / "scratch")


def test_files_of_a_search_have_no_holes(tmp_path):
    work = Workspace(tmp_path / "work", "key")
    work.array("home", (100_000,), np.int64)
    assert (tmp_path / "work" / "home.bin").stat().st_blocks * 512 >= 800_000


def test_a_folder_without_room_of_its_own_is_good_enough(tmp_path, monkeypatch):
    def unknown(handle, start, size):
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    monkeypatch.setattr(os, "posix_fallocate", unknown)
    array = Workspace(tmp_path / "work", "key").array("home", (1000,), np.int64)
    array[:] = 1
    assert (tmp_path / "work" / "home.bin").stat().st_size == 8000


@pytest.mark.parametrize(
    "call", ["build_graph({0!r} + '/graph', X, 8)", "neighbor_graph(X, 8, scratch={0!r} + '/scratch')"]
)
def test_of_two_processes_one_searches_and_the_other_waits(tmp_path, call):
    """Both in one folder of work they would write over each other's lists."""
    X = curved(21_000, p=8)
    np.save(tmp_path / "pool.npy", X)
    code = f"import numpy as np, trigpoint as tp; X = np.load({str(tmp_path / 'pool.npy')!r}); "
    code += f"print(tp.{call.format(str(tmp_path))}.indices.sum(dtype='i8'))"
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    found = {process.communicate()[0] for process in both}
    assert found == {f"{tp.neighbor_graph(X, 8).indices.sum(dtype='i8')}\n"}
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
