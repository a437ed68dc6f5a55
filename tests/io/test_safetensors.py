"""Files of safetensors, true ones and those that lie."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from reference.files import safetensors_bytes
from trigpoint.io import read_pool

X = np.array([[1.5, -2], [0, 3], [4, 0.25]])
TYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "<i1",
    "U8": "<u1",
}


def about(dtype="F32", shape=(3, 2), offsets=(0, 24)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def write(path, header, data=bytes(24)):
    path.write_bytes(safetensors_bytes(header, data))
    return path


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type(tmp_path, dtype):
    values = X if dtype[0] == "F" else np.abs(np.rint(X))
    data = values.astype(TYPES[dtype]).tobytes()
    samples = read_pool(write(tmp_path / "x.safetensors", {"e": about(dtype, offsets=(0, len(data)))}, data))
    assert_array_equal(samples.X, values)
    assert samples.X.dtype == (np.float32 if dtype == "F16" else TYPES[dtype])


def test_bfloat16_is_the_upper_half_of_float32(tmp_path):
    halves = (X.astype("<f4").view("<u4") >> 16).astype("<u2")
    samples = read_pool(
        write(tmp_path / "x.safetensors", {"e": about("BF16", offsets=(0, 12))}, halves.tobytes())
    )
    assert samples.X.dtype == np.float32
    assert_array_equal(samples.X, X)  # these numbers need no more digits


def test_the_library_writes_the_same(tmp_path):
    save_file = pytest.importorskip("safetensors.numpy").save_file
    save_file({"a": X.astype(np.float32), "b": np.arange(5)}, tmp_path / "x.safetensors", metadata={"k": "v"})
    assert_array_equal(read_pool(tmp_path / "x.safetensors").X, X)
    save_file({"a": X, "b": X * 2}, tmp_path / "x.safetensors")
    with pytest.raises(
        ValueError, match=r"must hold a tensor called X or only one .*, or give key=; got 'a', 'b'"
    ):
        read_pool(tmp_path / "x.safetensors")
    assert_array_equal(read_pool(tmp_path / "x.safetensors", key="b").X, X * 2)
    with pytest.raises(ValueError, match=r"key must be a column of .*'a', 'b'.*; got 'c'"):
        read_pool(tmp_path / "x.safetensors", key="c")


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"e": about(shape=(3, 3))}, "must have the 36 bytes of its shape"),
        ({"e": about(offsets=(0, 25))}, "must have the 24 bytes of its shape"),
        ({"e": about(shape=(2**40, 2**40), offsets=(0, 24))}, "must have the"),
        ({"e": about(shape=(-3, -2))}, "must have a type, sizes and two offsets"),
        ({"e": about(shape=(3.0, 2))}, "must have a type, sizes"),
        ({"e": about(shape=(True, 6))}, "must have a type, sizes"),
        ({"e": about(offsets=(24, 48))}, "must begin where the one before ends"),
        ({"e": about(offsets=(24, 0))}, "must have the 24 bytes"),
        ({"e": about(), "f": about()}, "must begin where the one before ends"),  # both in the same place
        ({"e": about(shape=(1, 2), offsets=(0, 8))}, "must end with its last tensor, after .* there is more"),
        (
            {"e": about(shape=(30, 2), offsets=(0, 240))},
            "must end with its last tensor, after .* it was cut short",
        ),
        ({"e": about("F33")}, "must be of a known type"),
        ({"e": about("F8_E4M3", shape=(12, 2))}, "must be of a type among"),
        ({"e": about(shape=(0, 6), offsets=(0, 0)), "f": about()}, "must hold a tensor called X or only one"),
        ({"e": {"dtype": "F32"}}, "must have a dtype, a shape and data_offsets"),
        ({"e": 3}, "must have a dtype, a shape and data_offsets"),
        ([1, 2], "must have a header that names tensors"),
        ({"e": about(), "__metadata__": {"k": 1}}, "__metadata__: must be text by name"),
        (b'{"e": 1, "e": 2}', "a name is there twice"),
        (b"{" * 50_000, "with a header in JSON"),
        (b"\xff\xfe\xfd", "with a header in JSON"),
    ],
)
def test_headers_that_lie(tmp_path, header, message):
    with pytest.raises(ValueError, match=message) as caught:
        read_pool(write(tmp_path / "x.safetensors", header))
    assert "x.safetensors" in str(caught.value)


@pytest.mark.parametrize("size", [0, 1, 2**22 + 1, 2**40, 2**63, 2**64 - 2])
def test_sizes_of_headers_that_lie(tmp_path, size):
    (tmp_path / "x.safetensors").write_bytes(size.to_bytes(8, "little") + b'{"e": 1}')
    with pytest.raises(ValueError, match="must start with the size of its header, at most 8 bytes here"):
        read_pool(tmp_path / "x.safetensors")


def test_features_beside_a_table(tmp_path):
    (tmp_path / "t.csv").write_text("id,text\na,x\nb,y\nc,z\n")
    write(tmp_path / "x.safetensors", {"e": about()}, X.astype("<f4").tobytes())
    samples = read_pool(tmp_path / "t.csv", text_column="text", features=str(tmp_path / "x.safetensors"))
    assert_array_equal(samples.X, X)


def test_numbers_that_are_not_finite(tmp_path):
    data = np.where(X == 0, np.nan, X).astype("<f4").tobytes()
    with pytest.raises(ValueError, match=r"x\.safetensors must hold finite numbers only; got 1 NaN"):
        read_pool(write(tmp_path / "x.safetensors", {"e": about()}, data))
