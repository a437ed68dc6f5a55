"""Archives: what is written is read, and nothing else is believed."""

import io
import json
import pickle
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.testing import assert_array_equal

import trigpoint as tp
from trigpoint.io import ArchiveKind, read_archive, write_archive

KIND = ArchiveKind("thing", 3, "write_things")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "x.thing"


def zipped(path, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def about(**more):
    return json.dumps({"kind": "thing", "format": 3, **more})


def npy(array, **options):
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


NOTHING = npy(np.zeros(1, "U1")).replace(b"<U1", b"<U0")[:128]


@given(
    st.dictionaries(
        st.text("abc123", min_size=1, max_size=3),
        st.one_of(
            arrays.arrays(
                st.sampled_from(["f8", "f4", "i8", "?", "U3", "u1"]), arrays.array_shapes(max_side=4)
            ),
            arrays.arrays(st.sampled_from(["f8", ">i4"]), (0, 3)),
        ),
        max_size=4,
    )
)
def test_a_round_trip(tmp_path_factory, given):
    path = tmp_path_factory.mktemp("archive") / "x"
    write_archive(path, KIND, {"more": [1, "ä", None]}, given)
    told, found = read_archive(path, KIND)
    assert told == {"kind": "thing", "format": 3, "more": [1, "ä", None]}
    assert list(found) == list(given)
    for name, array in given.items():
        assert found[name].dtype == array.dtype
        assert_array_equal(found[name], array)


def test_fortran_order_and_memory_maps(path, tmp_path):
    X = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    np.save(tmp_path / "x.npy", X)
    write_archive(path, KIND, {}, {"X": X, "map": np.load(tmp_path / "x.npy", mmap_mode="r")})
    found = read_archive(path, KIND)[1]
    assert found["X"].flags.f_contiguous
    assert_array_equal(found["X"], X)
    assert_array_equal(found["map"], X)


def test_the_same_content_has_the_same_bytes(path):
    write_archive(path, KIND, {"a": 1}, {"x": np.arange(3)})
    before = path.read_bytes()
    write_archive(path, KIND, {"a": 1}, {"x": np.arange(3)})
    assert path.read_bytes() == before


def test_files_are_whole_or_not_at_all(path):
    write_archive(path, KIND, {}, {"x": np.arange(3)})
    before = path.read_bytes()
    with pytest.raises(ValueError, match="pickle"):
        write_archive(path, KIND, {}, {"x": np.arange(9), "y": np.array([object()])})
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"about.json": '{"kind": "graph", "format": 3}'}, "a thing; it is 'graph'"),
        (
            {"about.json": '{"kind": "thing", "format": 4}'},
            "must be of format 3 at most; .* a newer",
        ),
        ({"about.json": '{"kind": "thing", "format": 2}'}, "must be of format 3; it is of format 2"),
        ({"about.json": '{"kind": "thing"}'}, "must be of format 3; it is of format None"),
        ({"about.json": "[1]"}, "a thing; it is None"),
        ({"about.json": "{"}, "must be a file written by write_things, whole and undamaged"),
        ({"about.json": "[" * 100_000}, "must be a file written by write_things, whole and undamaged"),
        ({"x.npy": npy(np.arange(3))}, "another archive, or damaged"),
        ({"about.json": about(), "x.npy": b"no array"}, "whole and undamaged; reading it failed: "),
        ({"about.json": about(), "x.npy": npy(np.arange(3)) + b"!"}, "one of them is too long"),
        (
            {"about.json": about(), "x.npy": npy(np.arange(3))[:-1]},
            "whole and undamaged; reading it failed: ",
        ),
        (
            {"about.json": about(), "x.npy": npy(np.zeros(1, "U1")).replace(b"<U1", b"<U0")[:128]},
            "must hold arrays of numbers or text",
        ),
    ],
)
def test_other_archives_are_refused(path, members, said):
    zipped(path, members)
    with pytest.raises(tp.InputError, match=said):
        read_archive(path, KIND)


def test_nothing_is_unpickled(path):
    class Bomb:
        def __reduce__(self):
            return exec, ("raise SystemExit('it ran')",)

    bomb = np.empty(1, dtype=object)
    bomb[0] = Bomb()
    zipped(path, {"about.json": about(), "x.npy": npy(bomb, allow_pickle=True)})
    with pytest.raises(tp.InputError, match="must hold plain numbers or text; got pickled objects"):
        read_archive(path, KIND)
    zipped(path, {"about.json": about(), "x.npy": pickle.dumps(Bomb())})
    with pytest.raises(tp.InputError, match="whole and undamaged"):
        read_archive(path, KIND)
    path.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(tp.InputError, match="it is no archive"):
        read_archive(path, KIND)


def test_headers_that_lie_get_no_memory(path):
    header = io.BytesIO()
    said = {"descr": "<f8", "fortran_order": False, "shape": (2**40,)}
    np.lib.format.write_array_header_1_0(header, said)
    liar = header.getvalue() + bytes(8)
    packed = npy(np.zeros(3 * 10**6))
    for members, compression in (
        ({"about.json": about(), "x.npy": liar}, zipfile.ZIP_STORED),
        ({"about.json": about(), "x.npy": packed}, zipfile.ZIP_DEFLATED),  # 24 MB in 24 KB
    ):
        zipped(path, members, compression)
        tracemalloc.start()
        with pytest.raises(tp.InputError, match=r"must hold the 8796093022208 bytes|another archive"):
            read_archive(path, KIND)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
        tracemalloc.stop()


def test_members_that_share_their_bytes_get_no_memory(path):
    """Many entries of the directory that point to the same data."""
    zipped(path, {"about.json": about(), "x.npy": npy(np.zeros(1000))})
    data = path.read_bytes()
    end = data.rindex(b"PK\x05\x06")
    start = struct.unpack("<I", data[end + 16 : end + 20])[0]
    entry = data[data.rindex(b"PK\x01\x02") : end]
    entries = data[start:end] + b"".join(entry.replace(b"x.npy", b"%d.npy" % k) for k in range(9))
    count = struct.pack("<HH", 11, 11)
    whole = data[:start] + entries + data[end : end + 8] + count + struct.pack("<II", len(entries), start)
    path.write_bytes(whole + b"\0\0")
    with pytest.raises(tp.InputError, match="another archive, or damaged"):
        read_archive(path, KIND)


def test_paths_that_are_no_files(path):
    with pytest.raises(FileNotFoundError, match="must be a file that exists"):
        read_archive(path, KIND)
    with pytest.raises(IsADirectoryError, match="must be a file; it is a folder"):
        read_archive(path.parent, KIND)
    path.write_bytes(b"")
    with pytest.raises(tp.InputError, match="it is no archive"):
        read_archive(path, KIND)
