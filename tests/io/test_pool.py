import numpy as np
import pytest

from reference.files import POOLS, write_images
from trigpoint.io import read_pool


def test_files_that_are_not_there_or_unknown(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no\.csv must be a file that exists"):
        read_pool(tmp_path / "no.csv")
    (tmp_path / "x.xlsx").write_text("x")
    with pytest.raises(
        ValueError, match=r"x\.xlsx must be of a known kind \(\.npy, \.npz, \.csv.*got '\.xlsx'"
    ):
        read_pool(tmp_path / "x.xlsx")
    (tmp_path / "x").write_text("x")
    with pytest.raises(ValueError, match="must be of a known kind"):
        read_pool(tmp_path / "x")


@pytest.mark.parametrize("name", POOLS)
def test_empty_files(tmp_path, name):
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(ValueError, match="must not be empty"):
        read_pool(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("pool.npy", {"id_column": "id"}, r"id_column has no meaning for a \.npy file"),
        ("pool.npy", {"graph": True}, "graph has no meaning"),
        ("pool.csv", {"key": "X"}, r"key has no meaning for a \.csv file"),
        ("pool.csv", {"image_size": (8, 8)}, "image_size has no meaning"),
        ("ring.mtx", {"text_column": "a"}, "text_column has no meaning"),
        ("images-idx3-ubyte", {"color": True}, "color has no meaning"),
        ("pool.csv", {"columns": []}, "columns must be distinct column names, at least one"),
        ("pool.csv", {"columns": ["a", "a"]}, "columns must be distinct"),
        ("pool.csv", {"columns": ["q"]}, "columns must be a column of .* got 'q'"),
        ("pool.csv", {"columns": ["id"]}, "columns must not name the ids"),
        ("pool.csv", {"columns": ["a"], "text_column": "note"}, "columns must not be used together with"),
        ("pool.csv", {"graph": True, "id_column": "id"}, "graph=True cannot be combined with other options"),
        ("pool.csv", {"image_size": 8}, r"image_size must be \(height, width\); got 8"),
        ("pool.csv", {"image_size": (8, 0)}, r"image_size must be an integer and lie in \[1, 4096\] a side"),
        ("pool.npz", {"graph": True}, "must be a sparse matrix to be a graph"),
    ],
)
def test_options_that_do_not_fit_are_refused(tmp_path, name, options, message):
    POOLS[name](tmp_path / name)
    with pytest.raises(ValueError, match=message):
        read_pool(tmp_path / name, **options)


def test_features_must_be_an_array_file(tmp_path):
    POOLS["pool.csv"](tmp_path / "pool.csv")
    with pytest.raises(FileNotFoundError, match=r"f\.npy must be a file that exists"):
        read_pool(tmp_path / "pool.csv", features=tmp_path / "f.npy")
    with pytest.raises(ValueError, match=r"must be of a known kind \(\.npy, \.npz, \.safetensors\)"):
        read_pool(tmp_path / "pool.csv", features=tmp_path / "pool.csv")


@pytest.mark.parametrize("name", POOLS)
def test_fingerprints_tell_content_not_place(tmp_path, name):
    first, second = tmp_path / "1" / name, tmp_path / "2" / name
    for path in (first, second):
        path.parent.mkdir()
        POOLS[name](path)
    assert read_pool(first).fingerprint == read_pool(second).fingerprint


def test_fingerprints_tell_options_and_bytes(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,a,b\nx,1,2\n")
    found = {read_pool(path).fingerprint, read_pool(path, columns=["a"]).fingerprint}
    np.save(tmp_path / "f.npy", np.ones((1, 1)))
    found.add(read_pool(path, features=tmp_path / "f.npy").fingerprint)
    np.save(tmp_path / "f.npy", np.zeros((1, 1)))
    found.add(read_pool(path, features=tmp_path / "f.npy").fingerprint)
    path.write_text("id,a,b\nx,1,3\n")
    found.add(read_pool(path).fingerprint)
    assert len(found) == 5


def test_fingerprints_of_folders_tell_names_and_contents(tmp_path):
    folder = tmp_path / "images"
    write_images(folder)
    found = {read_pool(folder).fingerprint, read_pool(folder, color=True).fingerprint}
    (folder / "a.png").rename(folder / "z.png")
    found.add(read_pool(folder).fingerprint)
    (folder / "z.png").rename(folder / "zz.png")  # the same order
    found.add(read_pool(folder).fingerprint)
    (folder / "d.bmp").write_bytes((folder / "b.jpg").read_bytes())
    found.add(read_pool(folder).fingerprint)
    assert len(found) == 5


@pytest.mark.parametrize(("name", "module"), [("pool.parquet", "pyarrow"), ("images", "PIL")])
def test_a_missing_extra_is_named_with_its_cure(tmp_path, monkeypatch, name, module):
    from trigpoint.io import _files, write_table

    path = tmp_path / name
    write_images(path) if name == "images" else POOLS[name](path)
    monkeypatch.setattr(_files, "find_spec", lambda asked: None if asked == module else object())
    with pytest.raises(ValueError, match=r'pip install "trigpoint\[files\]"'):
        read_pool(path)
    if name == "pool.parquet":
        with pytest.raises(
            ValueError, match=r'needs pyarrow; install it with: pip install "trigpoint\[files\]"'
        ):
            write_table(tmp_path / "out.parquet", {"a": [1]})
