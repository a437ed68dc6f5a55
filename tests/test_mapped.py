"""What is made of a large memory map lies in files that nobody sees, and is the same."""

import errno
import gc
import os
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import trigpoint as tp
from trigpoint import _mapped
from trigpoint._mapped import empty_beside, is_large_map


@pytest.fixture
def pool(tmp_path, monkeypatch):
    """Maps from 1,000 bytes on are large, and temporary files lie in a folder of their own."""
    rng = np.random.default_rng(0)
    X = np.sin(rng.random((6000, 3)) @ rng.normal(size=(3, 8)) * 3) + 0.01 * rng.normal(size=(6000, 8))
    np.save(tmp_path / "x.npy", X.astype(np.float32))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(_mapped, "LARGE", 1000)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    return np.load(tmp_path / "x.npy", mmap_mode="r")


def open_files(folder):
    """Of this process, those without a name that lie in a folder and are mapped."""
    return [line for line in Path("/proc/self/maps").read_text().splitlines() if f" {folder}/" in line]


def test_what_is_a_large_map(pool):
    assert is_large_map(pool)
    assert is_large_map(np.asarray(pool)[5:])
    assert not is_large_map(pool[:1])
    assert not is_large_map(np.array(pool))
    assert not is_large_map(pool.tolist())


@pytest.mark.parametrize("name", ["raw", "standard", "half_white", "white"])
def test_a_view_of_a_large_map_is_one(pool, name):
    found = tp.fit_view(pool, name).transform(pool)
    assert is_large_map(found)
    assert_array_equal(found, tp.fit_view(np.array(pool), name).transform(np.array(pool)))
    assert_array_equal(pickle.loads(pickle.dumps(found)), found)


def test_a_search_in_a_large_map_keeps_its_arrays_in_files(pool, tmp_path, monkeypatch):
    made = []

    def noted(given, shape, dtype):
        made.append(is_large_map(given))
        return empty_beside(given, shape, dtype)

    monkeypatch.setattr("trigpoint.graph._workspace.empty_beside", noted)
    found = tp.neighbor_graph(pool, 10, method="approximate")
    assert len(made) >= 5
    assert all(made)
    assert_array_equal(found.indices, tp.neighbor_graph(np.array(pool), 10, method="approximate").indices)
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells")
def test_a_file_goes_with_the_last_reference(pool, tmp_path):
    array = empty_beside(pool, (1000,), np.float64)
    array[:] = 1
    assert open_files(tmp_path / "temporary")
    del array
    gc.collect()
    assert not open_files(tmp_path / "temporary")


def test_nothing_is_no_file(pool):
    assert empty_beside(pool, (0, 4), np.float32).shape == (0, 4)


def test_where_a_disk_is_full_the_error_names_the_folder(pool, monkeypatch, tmp_path):
    """A hole in a file would only be filled when it is written to: that ends the process without a word."""

    def full(handle, start, size):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match=r"No space left on device \(8,000 bytes\): '.*temporary'"):
        empty_beside(pool, (1000,), np.float64)


def test_a_disk_that_cannot_set_room_aside_is_good_enough(pool, monkeypatch):
    def unknown(handle, start, size):
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    monkeypatch.setattr(os, "posix_fallocate", unknown)
    empty_beside(pool, (1000,), np.float64)[:] = 1
