"""Rows of an array on disk: those of the array, and never a fault where the file is cut short."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes

from trigpoint.io import _arrays, content, glimpse
from trigpoint.io._arrays import Rows, read_rows


@given(
    array_shapes(min_dims=2, max_dims=4, max_side=4), st.sampled_from(["f8", ">f4", "i2", "?"]), st.booleans()
)
def test_rows_are_those_of_the_array(tmp_path_factory, shape, dtype, by_columns):
    path = tmp_path_factory.mktemp("rows") / "x.npy"
    X = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    np.save(path, np.asfortranarray(X) if by_columns else X)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_arrays, "MODEST", -1)
        seen, samples = read_rows(path), glimpse(path)
    flat = X.reshape(len(X), -1)
    assert isinstance(seen, Rows) or by_columns or X.flags.f_contiguous
    assert len(seen) == len(X)
    assert samples.X.shape == flat.shape
    for i, row in enumerate(flat):
        assert np.array_equal(samples.X[i], row)
        assert list(content(samples, i)["row"].values()) == row.astype(float).tolist()


@pytest.mark.parametrize("array", [np.zeros(3), np.array(["a" * 9] * 3), np.zeros((0, 2)), np.float64(1)])
def test_what_is_no_pool_is_refused_whatever_its_size(tmp_path, monkeypatch, array):
    np.save(tmp_path / "x.npy", array)
    for modest in (_arrays.MODEST, -1):
        monkeypatch.setattr(_arrays, "MODEST", modest)
        with pytest.raises(ValueError, match=r"x\.npy must hold"):
            glimpse(tmp_path / "x.npy")


def test_a_large_file_that_is_cut_short_is_an_error(tmp_path, monkeypatch):
    np.save(tmp_path / "x.npy", np.ones((2000, 3)))
    monkeypatch.setattr(_arrays, "MODEST", 1000)
    samples = glimpse(tmp_path / "x.npy")
    np.save(tmp_path / "x.npy", np.ones((10, 3)))  # in place
    for i in (0, 1999):
        with pytest.raises(ValueError, match=r"x\.npy must stay with 48128 bytes, .*; it has 368"):
            content(samples, i)


def test_a_modest_file_may_be_written_anew_while_it_is_looked_at(tmp_path):
    """In a process of its own: a memory map would end it with SIGBUS."""
    code = f"""
import numpy as np
from trigpoint.io import content, glimpse
path = {str(tmp_path / "x.npy")!r}
np.save(path, np.ones((20000, 30)))
samples = glimpse(path)
np.save(path, np.zeros((100, 30)))
print(content(samples, 19000)["row"]["0"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "1\n")
