from pathlib import Path

import numpy as np
import pytest

from trigpoint.io import label_column_of, read_labels, read_pool


@pytest.mark.parametrize(
    ("heads", "column"),
    [("id,a,Label", "Label"), ("id,a,class", "class"), ("id,a,b", None), ("id,a,label,target", None)],
)
def test_a_table_has_one_column_of_labels_or_none(tmp_path, heads, column):
    path = tmp_path / "pool.csv"
    rows = ["x,1,2,3", "y,4,5,6"]
    path.write_text(
        "\n".join([heads, *(row[: len("x,1,2,3") - 2 * (heads.count(",") == 2)] for row in rows)])
    )
    samples = read_pool(path)
    assert label_column_of(samples) == column
    if column is not None:
        assert read_labels(path, samples.ids, label_column=column).values == ["2", "5"]


def test_texts_have_labels_beside_them(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("text,target\nsome words,x\nother words,y\n")
    assert label_column_of(read_pool(path, text_column="text")) == "target"


def test_an_archive_has_an_array_of_as_many_labels(tmp_path):
    path = tmp_path / "pool.npz"
    for arrays, name in (
        ({"y": np.arange(5)}, "y"),
        ({"labels": np.arange(5)}, "labels"),
        ({"y": np.arange(4)}, None),
        ({"y": np.arange(5), "target": np.arange(5)}, None),
        ({}, None),
    ):
        np.savez(path, X=np.eye(5), **arrays)
        assert label_column_of(read_pool(path)) == name


def test_other_pools_have_none(tmp_path):
    np.save(tmp_path / "pool.npy", np.eye(3))
    assert label_column_of(read_pool(tmp_path / "pool.npy")) is None
    Path(tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\n")
    assert label_column_of(read_pool(tmp_path / "edges.csv")) is None
