"""Samples as the page shows them, of every kind of pool."""

import json

import numpy as np
import pytest
from PIL import Image

from trigpoint.io import glimpse, read_pool
from trigpoint.studio._items import LONGEST, WIDEST, item_fields, search

NOTHING = {"image": None, "size": None, "text": None, "row": None}


def test_a_row_keeps_the_order_of_its_columns_and_the_types_of_its_cells(tmp_path):
    file = tmp_path / "pool.csv"
    file.write_text("id,z,a,note,far\ns1,1,2.5,=x<b>,inf\ns2,,-3,,1e300\n")
    samples = glimpse(file, drop=["far"])
    first = item_fields(samples, 0)
    assert first == {
        **NOTHING,
        "sample": 0,
        "id": "s1",
        "kind": "row",
        "row": [["id", "s1"], ["z", 1], ["a", 2.5], ["note", "=x<b>"], ["far", "inf"]],
    }
    assert item_fields(samples, 1)["row"] == [
        ["id", "s2"],
        ["z", None],
        ["a", -3],
        ["note", ""],
        ["far", 1e300],
    ]
    assert "1e+300" in json.dumps([first, item_fields(samples, 1)], allow_nan=False)


def test_a_text(tmp_path):
    file = tmp_path / "pool.csv"
    file.write_text('id,body\nx,"two\nlines"\ny,<script>\n')
    samples = glimpse(file, text_column="body")
    assert item_fields(samples, 0) == {
        **NOTHING,
        "sample": 0,
        "id": "x",
        "kind": "text",
        "text": "two\nlines",
    }
    assert item_fields(samples, 1)["text"] == "<script>"


def test_what_is_too_long_is_cut_and_says_so(tmp_path):
    file = tmp_path / "pool.json"
    bodies = {"a": "x" * (LONGEST + 7), "b": "y" * LONGEST}
    file.write_text(json.dumps([{"id": name, "body": body, "n": 1.5} for name, body in bodies.items()]))
    samples = glimpse(file, text_column="body")
    long, whole = (item_fields(samples, i)["text"] for i in (0, 1))
    assert long == "x" * LONGEST + " … (cut here: the first 100,000 of 100,007 characters)"
    assert whole == "y" * LONGEST
    assert item_fields(glimpse(file), 0)["row"][1][1] == long


def test_a_wide_row_is_cut_and_says_so(tmp_path):
    np.save(tmp_path / "wide.npy", np.zeros((2, WIDEST + 30)))
    row = item_fields(glimpse(tmp_path / "wide.npy"), 1)["row"]
    assert len(row) == WIDEST + 1
    assert row[-1] == ["…", "and 30 more columns"]


def test_an_array_is_shown_as_numbers_even_where_it_might_be_a_picture(tmp_path):
    np.save(tmp_path / "pool.npy", np.arange(32.0).reshape(2, 16) + 0.5)
    item = item_fields(glimpse(tmp_path / "pool.npy"), 1)
    assert (item["id"], item["kind"], item["image"]) == ("1", "row", None)
    assert item["row"][:2] == [["0", 16.5], ["1", 17.5]]


def test_a_node_of_a_graph_is_shown_by_its_neighbors(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\na,b\na,c\nb,c\nc,d\n")
    samples = glimpse(tmp_path / "edges.csv")
    assert item_fields(samples, 0)["row"] == [["neighbors", "b, c"]]
    assert item_fields(samples, 3)["row"] == [["neighbors", "c"]]


def test_a_picture_comes_by_its_address_and_tells_its_size(tmp_path):
    Image.new("RGB", (30, 20)).save(tmp_path / "a<b>.png")
    turned = Image.Exif()
    turned[0x0112] = 6  # a camera held upright: browsers turn it by a quarter
    Image.new("RGB", (30, 20)).save(tmp_path / "b.jpg", exif=turned)
    (tmp_path / "c.png").write_bytes(b"no picture")
    samples = glimpse(tmp_path)
    items = [item_fields(samples, i) for i in range(3)]
    assert items[0] == {
        **NOTHING,
        "sample": 0,
        "id": "a<b>.png",
        "kind": "image",
        "image": "/api/pictures/0",
        "size": [30, 20],
    }
    assert items[1]["size"] == [20, 30]
    assert items[2]["size"] is None
    (tmp_path / "a<b>.png").unlink()
    assert item_fields(samples, 0)["size"] is None


def test_pixels_of_an_idx_file(tmp_path):
    images = np.zeros((2, 3, 5), dtype=np.uint8)
    header = bytes([0, 0, 8, 3]) + np.array(images.shape, ">i4").tobytes()
    (tmp_path / "x-idx3-ubyte").write_bytes(header + images.tobytes())
    item = item_fields(glimpse(tmp_path / "x-idx3-ubyte"), 1)
    assert (item["kind"], item["image"], item["size"]) == ("image", "/api/pictures/1", [5, 3])


@pytest.mark.parametrize("i", [-1, 2, 10**30])
def test_a_sample_that_is_not_there(tmp_path, i):
    np.save(tmp_path / "pool.npy", np.zeros((2, 2)))
    with pytest.raises(ValueError, match=r"i must be an integer and lie in \[0, 1\]"):
        item_fields(glimpse(tmp_path / "pool.npy"), i)


@pytest.fixture
def texts(tmp_path):
    file = tmp_path / "pool.csv"
    file.write_text("id,body\na1,The HERON stands\nb2,a duck\nc3,Straße\nheron4,nothing\n")
    return read_pool(file, text_column="body")


def test_words_are_found_in_ids_and_texts_in_any_case(texts):
    assert search(texts, "heron", 50) == ([0, 3], 2)
    assert search(texts, "STRASSE", 50) == ([2], 1)
    assert search(texts, "heron", 1) == ([0], 2)
    assert search(texts, "goose", 9) == ([], 0)


def test_cells_of_tables_are_searched(tmp_path):
    file = tmp_path / "pool.csv"
    file.write_text("id,x,y,note\n1,1,2,green\n2,3,4,red\n")
    assert search(read_pool(file), "RED", 5) == ([1], 1)
