"""Sets of tags in files: every form in, and what is written comes back."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trigpoint as tp
from trigpoint.io import export_label_studio, import_label_studio, read_labels, read_pool, write_table
from trigpoint.io._tag_cells import tags_of, tags_text

IDS = ["a", "b", "c", "d"]
WANT = {0: ("cat", "outdoor"), 2: (), 3: ("dog",)}

LINES = [
    '{"id": "a", "label": ["cat", "outdoor"]}',
    '{"id": "b"}',
    '{"id": "c", "label": []}',
    '{"id": "d", "label": ["dog"]}',
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(labels):
    return dict(zip(labels.indices.tolist(), labels.values, strict=True))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("l.csv", "id,label\na,cat; outdoor\nb,\nc,[]\nd,dog\n"),
        ("l.csv", 'id,label\na,"[""cat"", ""outdoor""]"\nb,\nc,[]\nd,dog;dog\n'),
        ("l.tsv", "id\tlabel\na\tcat;outdoor\nc\t[]\nd\tdog\n"),
        ("l.json", "[" + ",".join(LINES) + "]"),
        ("l.jsonl", "\n".join(LINES)),
        ("l.csv", "id,cat,outdoor,dog\na,1,1,0\nb,,,\nc,0,0,0\nd,false,FALSE,true\n"),
    ],
)
def test_tables_of_every_kind(folder, name, text):
    Path(name).write_text(text)
    columns = ["cat", "outdoor", "dog"] if "outdoor,dog" in text else None
    found = read_labels(name, IDS, task="tags", label_column=columns)
    assert told(found) == WANT
    assert found.task == "tags"
    if name.endswith(("json", "jsonl")):
        assert told(read_labels(name, IDS)) == WANT  # lists are tags without a word


def test_parquet_lists(folder):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pa.table({"id": IDS, "label": [["cat", "outdoor"], None, [], ["dog"]]})
    parquet.write_table(table, "l.parquet")
    assert told(read_labels("l.parquet", IDS)) == WANT


@pytest.mark.parametrize("dtype", [np.int8, np.float32, np.int64])
def test_arrays_are_indicators(folder, dtype):
    np.save("l.npy", np.array([[1, 0, 1], [-1, -1, -1], [0, 0, 0], [0, 1, 0]], dtype=dtype))
    assert told(read_labels("l.npy", IDS, task="tags")) == {0: ("0", "2"), 2: (), 3: ("1",)}


@given(st.sets(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5), max_size=4))
def test_what_is_written_comes_back(tags):
    cell = tags_text(tags)
    assert cell.strip()
    assert set(tags_of(cell, "here")) == tags
    assert tags_text(tags_of(cell, "here")) == cell


def test_cells_through_a_table(folder):
    sets = [("a", "b"), (), ("=x;y", "[z"), ("plain",)]
    for name in ("l.csv", "l.tsv", "l.jsonl"):
        write_table(name, {"id": IDS, "label": [tags_text(tags) for tags in sets]})
        assert list(told(read_labels(name, IDS, task="tags")).values()) == sets


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("id,label\na,cat;;dog\n", {"task": "tags"}, "row 1.*column 'label': must hold tags with ; between"),
        ("id,label\na,;\n", {"task": "tags"}, "must hold tags"),
        ("id,x,y\na,1,2\n", {"task": "tags", "label_column": ["x", "y"]}, "column 'y': must be 1 or 0"),
        ("id,x,y\na,1,\n", {"task": "tags", "label_column": ["x", "y"]}, "column 'y': must be 1 or 0"),
        ('id,label\na,"[""cat""]"\n', {"task": "classification"}, "one label a sample for classification"),
        ("id,label\na,\n", {"task": "tags"}, "must hold at least one label"),
    ],
)
def test_what_is_refused(folder, text, options, message):
    Path("l.csv").write_text(text)
    with pytest.raises(tp.InputError, match=message.replace("row 1.*", "")):
        read_labels("l.csv", IDS, **options)


def test_arrays_that_are_refused(folder):
    for bad in ([[0, 2]] * 4, [[0, -1]] * 4, [0, 1, 1, 0]):
        np.save("l.npy", np.array(bad))
        with pytest.raises(tp.InputError, match="must be 1 or 0 for each tag of a sample"):
            read_labels("l.npy", IDS, task="tags")


def test_label_studio_there_and_back(folder):
    Path("pool.csv").write_text("id,x,y\n" + "".join(f"{name},{k},{k}\n" for k, name in enumerate(IDS)))
    samples = read_pool("pool.csv")
    Path("l.csv").write_text("id,label\na,cat;outdoor\nc,[]\nd,dog\n")
    labels = read_labels("l.csv", IDS, task="tags")
    guesses = [frozenset({"dog", "cat"}), None, frozenset(), {"cat"}]
    export_label_studio("tasks.json", samples, [0, 1, 2, 3], labels=labels, predictions=guesses)
    tasks = json.loads(Path("tasks.json").read_text())
    assert tasks[0]["annotations"][0]["result"][0]["value"] == {"choices": ["cat", "outdoor"]}
    assert tasks[0]["predictions"][0]["result"][0]["value"] == {"choices": ["cat", "dog"]}
    assert "annotations" not in tasks[1]
    assert "predictions" not in tasks[1]
    assert tasks[2]["annotations"] == [{"result": []}]
    assert told(import_label_studio("tasks.json", IDS, task="tags")) == WANT
    export_label_studio("labeled.json", samples, [0, 2, 3], labels=labels)
    assert told(read_labels("labeled.json", IDS, task="tags")) == WANT
    with pytest.raises(tp.InputError, match="must hold one label, or give task='tags'"):
        import_label_studio("tasks.json", IDS)


def test_label_studio_s_short_form(folder):
    records = [
        {"trigpoint_id": "a", "annotation_id": 1, "label": {"choices": ["cat", "outdoor"]}},
        {"trigpoint_id": "b", "annotation_id": 2},
        {"trigpoint_id": "d", "annotation_id": 3, "label": "dog"},
    ]
    Path("short.json").write_text(json.dumps(records))
    want = {0: ("cat", "outdoor"), 1: (), 3: ("dog",)}  # who chose nothing has answered, too
    assert told(import_label_studio("short.json", IDS, task="tags")) == want
    other = [{"data": {"id": "a"}, "annotations": [{"result": [{"type": "rectanglelabels", "value": {}}]}]}]
    Path("other.json").write_text(json.dumps(other))
    with pytest.raises(tp.InputError, match="at least one label"):
        import_label_studio("other.json", IDS, task="tags")


def test_tags_of_several_people(folder):
    Path("l.csv").write_text(
        "id,label,annotator,final\n"
        "a,cat;outdoor,ann,\na,outdoor;cat,bob,\na,[],eve,\n"  # the set that most people gave
        "c,cat,ann,false\nc,cat,bob,false\nc,[],eve,true\n"  # whoever decides is right
        "d,dog,ann,\n"
    )
    labels = read_labels("l.csv", IDS, task="tags")
    assert told(labels) == {0: ("cat", "outdoor"), 2: (), 3: ("dog",)}
    assert labels.answers.annotators == ["ann", "bob", "eve", "ann", "bob", "eve", "ann"]
