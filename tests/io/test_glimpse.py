import numpy as np
import pytest

from reference.files import PIXELS, POOLS, write_images
from trigpoint.io import _images, content, glimpse, read_pool


def same(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[key], b[key]) for key in a)


def check_same_samples(path, **options):
    seen, read = glimpse(path, **options), read_pool(path, **options)
    assert seen.ids.tolist() == read.ids.tolist()
    assert (seen.kind, seen.fingerprint, seen.named) == (read.kind, "", read.named)
    for i in range(read.n_samples):
        assert same(content(seen, i), content(read, i))
    return seen


@pytest.mark.parametrize("name", POOLS)
def test_a_glimpse_shows_what_reading_shows(tmp_path, name):
    POOLS[name](tmp_path / name)
    check_same_samples(tmp_path / name)


@pytest.mark.parametrize("name", ["pool.csv", "pool.parquet", "pool.jsonl"])
def test_texts_and_what_lies_beside(tmp_path, name):
    POOLS[name](tmp_path / name)
    np.save(tmp_path / "beside.npy", np.eye(4))
    texts = check_same_samples(tmp_path / name, text_column="note")
    assert texts.X is None
    check_same_samples(tmp_path / name, text_column="note", id_column="b")
    check_same_samples(tmp_path / name, features=tmp_path / "beside.npy")
    check_same_samples(tmp_path / name, columns=["b"])


def test_ids_are_names_where_the_file_gives_them(tmp_path):
    (tmp_path / "counted.csv").write_text("id,a\n0,5\n1,6\n")
    (tmp_path / "pandas.csv").write_text(",a\n0,5\n1,6\n")  # nobody gave this index
    (tmp_path / "sorted.csv").write_text(",a\n1,6\n0,5\n")
    (tmp_path / "plain.csv").write_text("a,b\n5,1\n6,2\n")
    (tmp_path / "edges.csv").write_text("source,target\n0,1\n1,2\n")
    np.savez(tmp_path / "named.npz", X=np.eye(2), ids=np.arange(2))
    np.savez(tmp_path / "plain.npz", X=np.eye(2))
    np.save(tmp_path / "plain.npy", np.eye(2))
    POOLS["images-idx3-ubyte"](tmp_path / "images-idx3-ubyte")
    write_images(tmp_path / "pictures")
    named = {path.name for path in tmp_path.iterdir() if check_same_samples(path).named}
    assert named == {"counted.csv", "sorted.csv", "edges.csv", "named.npz", "pictures"}
    assert check_same_samples(tmp_path / "plain.csv", id_column="a").named


def test_pictures_are_not_opened(tmp_path, monkeypatch):
    write_images(tmp_path / "pictures")
    (tmp_path / "pictures" / "e.png").write_bytes(b"not a picture")
    with pytest.raises(ValueError, match=r"e\.png must be a picture"):
        read_pool(tmp_path / "pictures")
    monkeypatch.setattr(_images, "_pixels", None)
    seen = glimpse(tmp_path / "pictures")
    assert seen.ids.tolist() == ["a.png", "b.jpg", "c.gif", "d.bmp", "e.png"]
    assert seen.X is None
    assert content(seen, 1) == {"id": "b.jpg", "image": tmp_path / "pictures" / "b.jpg"}


def test_pixels_are_those_of_the_file(tmp_path):
    POOLS["images-idx3-ubyte"](tmp_path / "images-idx3-ubyte")
    seen = glimpse(tmp_path / "images-idx3-ubyte")
    assert seen.X is None
    assert np.array_equal(content(seen, 2)["pixels"], PIXELS[2])


def test_numbers_are_not_checked(tmp_path):
    np.save(tmp_path / "x.npy", np.array([[1.0, np.nan]]))
    assert content(glimpse(tmp_path / "x.npy"), 0)["row"] == {"0": 1, "1": None}
    with pytest.raises(ValueError, match="must hold finite numbers only"):
        read_pool(tmp_path / "x.npy")


@pytest.mark.parametrize(
    ("name", "options", "kind", "message"),
    [
        ("no.csv", {}, FileNotFoundError, "must be a file that exists"),
        ("pool.csv", {"text_column": "q"}, ValueError, "text_column must be a column of"),
        ("pool.npy", {"color": True}, ValueError, "color has no meaning"),
        ("pool.csv", {"colour": True}, TypeError, "options must be among id_column, .*got 'colour'"),
    ],
)
def test_errors_are_those_of_reading(tmp_path, name, options, kind, message):
    if name in POOLS:
        POOLS[name](tmp_path / name)
    with pytest.raises(kind, match=message):
        glimpse(tmp_path / name, **options)


def test_a_table_without_numbers_is_refused_as_by_reading(tmp_path):
    file = tmp_path / "texts.csv"
    file.write_text("id,body\na,one\nb,two\n")
    for look in (glimpse, read_pool):
        with pytest.raises(ValueError, match="must have a column that can be a feature"):
            look(file)
    assert glimpse(file, text_column="body").kind == "text"
