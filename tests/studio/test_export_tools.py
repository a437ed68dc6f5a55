"""Files for other tools, read by the tools themselves where they are installed."""

import csv
import io
import json
import tarfile
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from reference.files import PIXELS, idx_bytes
from trigpoint.io import glimpse
from trigpoint.studio import _export_folders as folders
from trigpoint.studio._events import Event, Settings
from trigpoint.studio._export import write_export
from trigpoint.studio._export_values import NothingYetError
from trigpoint.studio._import import read_import
from trigpoint.studio._messages import Predictions
from trigpoint.studio._openapi import EXPORTS
from trigpoint.studio._state import State

NAMES = ["a.png", "b c.png", "sub/a.png", "sub/d.png"]


@pytest.fixture
def photos(tmp_path):
    folder = tmp_path / "photos"
    (folder / "sub").mkdir(parents=True)
    for k, name in enumerate(NAMES):
        Image.new("RGB", (20 + k, 10), (k, 50, 0)).save(folder / name)
    return glimpse(folder)


def filled(samples, settings, *drafts):
    state = State(settings, samples.ids)
    for k, (kind, who, i, body) in enumerate(drafts):
        sample = None if i is None else str(samples.ids[i])
        state.apply(Event(k + 1, 1e9 + k, kind, who, sample, f"c{k}", body))
    return state


def label(who, i, value):
    return "label", who, i, {"value": value, "source": "queue"}


def guesses(classes, codes, probability):
    chance = np.array(probability, dtype=np.float32)
    return Predictions(1, classes, np.array(codes, dtype=np.int16), chance, 1 - chance)


def export(folder, name, samples, state, predictions=None):
    write_export(name, folder / name, samples, state, predictions)
    return folder / name


@pytest.fixture
def load(tmp_path, monkeypatch):
    """`datasets.load_dataset`, with nothing kept and nobody asked."""
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True, raising=False)

    def load(*words, **options):
        return datasets.load_dataset(*words, split="train", cache_dir=str(tmp_path / "cache"), **options)

    return load


def unpacked(path):
    folder = path.parent / f"{path.name}.d"
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="fully_trusted")
    return folder


def test_pictures_for_hugging_face(tmp_path, photos, load):
    settings = Settings(classes=("cat", "= dog's: [x]"))
    state = filled(photos, settings, label("ann", 0, "= dog's: [x]"), label("bob", 0, "= dog's: [x]"))
    found = guesses(("cat",), [0, 0, -1, 0], [0.5, 0.75, np.nan, 1.0])
    data = load(str(unpacked(export(tmp_path, "hugging_face.tar", photos, state, found))))
    assert data.features["label"].names == ["cat", "= dog's: [x]"]
    assert data.features["predicted"].names == ["cat", "= dog's: [x]"]
    assert data["id"][:] == NAMES
    assert data["label"][:] == [1, None, None, None]
    assert data["predicted"][:] == [0, 0, None, 0]
    assert data["probability"][:] == [0.5, 0.75, None, 1.0]
    assert data["source"][:] == ["human", "predicted", None, "predicted"]
    assert data["annotators"][:] == [["ann", "bob"], [], [], []]
    assert [one.size for one in data["image"]] == [(20, 10), (21, 10), (22, 10), (23, 10)]
    assert [one.getpixel((0, 0))[0] for one in data["image"]] == [0, 1, 2, 3]


def test_names_that_collide_or_lie_beyond_the_first_plane(tmp_path, load):
    (tmp_path / "pool.csv").write_text("name,id,uncertainty\nt0,7,1\nt1,8,2\n")
    samples = glimpse(tmp_path / "pool.csv", id_column="name")
    smile, family = "\U0001f600", "\U0001f468\u200d\U0001f469"
    state = filled(samples, Settings(classes=(smile, family, 'a"\\ud83d')), label("ann", 0, family))
    data = load(str(unpacked(export(tmp_path, "hugging_face.tar", samples, state))))
    assert data.features["label"].names == [smile, family, 'a"\\ud83d']
    assert data["id"][:] == ["t0", "t1"]
    assert data["id_"][:] == [7.0, 8.0]
    settings = Settings("regression", targets=("value", "uncertainty", "source"))
    state = filled(samples, settings, label("ann", 1, [1.0, 2.0, 3.0]))
    lines = export(tmp_path, "metadata.jsonl", samples, state).read_text().splitlines()
    told = json.loads(lines[1])
    assert (told["id"], told["value"], told["uncertainty"], told["source"]) == ("t1", 1.0, 2.0, 3.0)
    folder = tmp_path / "numbers"
    folder.mkdir()
    data = load(str(unpacked(export(folder, "hugging_face.tar", samples, state))))
    assert data["source"][:] == [None, 3.0]


def test_names_of_classes_stay_whole_in_the_config(tmp_path, photos):
    names = ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u0645\u06cc\u200c\u062e", "a\u00a0b", "x\x01y")
    config = export(tmp_path, "label_studio.xml", photos, filled(photos, Settings(classes=names)))
    found = [one.get("value") for one in ElementTree.parse(config).iter("Choice")]
    assert found == [*names[:3], "x\ufffdy"]


def test_a_damaged_picture_is_null(tmp_path, photos, load):
    (tmp_path / "photos" / "b c.png").write_bytes(b"no picture")
    path = export(tmp_path, "hugging_face.tar", photos, filled(photos, Settings(classes=("x",))))
    assert [one is None for one in load(str(unpacked(path)))["image"]] == [False, True, False, False]


def test_metadata_beside_the_pictures(tmp_path, photos, load):
    state = filled(photos, Settings(classes=("cat",)), label("ann", 2, "cat"))
    found = guesses(("cat",), [0] * 4, [0.5] * 4)
    export(tmp_path / "photos", "metadata.jsonl", photos, state, found)
    data = load("imagefolder", data_dir=str(tmp_path / "photos"))
    rows = {one["image"].size[0]: (one["label"], one["predicted"], one["source"]) for one in data}
    assert rows == dict.fromkeys((20, 21, 23), (None, "cat", "predicted")) | {22: ("cat", "cat", "human")}


def test_rows_and_texts_for_hugging_face(tmp_path, load):
    (tmp_path / "pool.csv").write_text("id,size,label,word\np,1.5,x,one\nq,,y,two\nr,3,,\n")
    samples = glimpse(tmp_path / "pool.csv")
    settings = Settings(task="regression", targets=("length",))
    state = filled(samples, settings, label("ann", 1, [2.5]))
    values = np.array([[1.0], [2.0], [np.nan]])
    found = Predictions(1, (), np.full(3, -1), np.full(3, np.nan), np.zeros(3), values, np.ones(3))
    data = load(str(unpacked(export(tmp_path, "hugging_face.tar", samples, state, found))))
    rows = data.to_list()
    assert [row["size"] for row in rows] == [1.5, None, 3.0]
    assert [row["length"] for row in rows] == [None, 2.5, None]
    assert [row["predicted_length"] for row in rows] == [1.0, 2.0, None]
    assert [row["source"] for row in rows] == ["predicted", "human", None]
    assert [row["word"] for row in rows] == ["one", "two", ""]
    (tmp_path / "t.csv").write_text("id,text\np,one cat\nq,=1+2\n")
    texts = glimpse(tmp_path / "t.csv", text_column="text")
    state = filled(texts, Settings(task="tags"), label("ann", 0, ["b", "a"]), label("ann", 1, []))
    data = load(str(unpacked(export(tmp_path, "hugging_face.tar", texts, state))))
    assert data["text"][:] == ["one cat", "=1+2"]
    assert data.features["label"].feature.names == list(state.classes)
    assert [[state.classes[code] for code in codes] for codes in data["label"]] == [["a", "b"], []]
    lines = export(tmp_path, "metadata.jsonl", texts, state).read_text().splitlines()
    assert [json.loads(line)["label"] for line in lines] == [["a", "b"], []]


def test_a_column_of_the_pool_that_is_called_as_ours_keeps_its_cells(tmp_path):
    (tmp_path / "pool.csv").write_text("id,label,label_\np,x,1\nq,y,2\n")
    samples = glimpse(tmp_path / "pool.csv")
    state = filled(samples, Settings(classes=("z",)), label("ann", 0, "z"))
    lines = export(tmp_path, "metadata.jsonl", samples, state).read_text().splitlines()
    row = json.loads(lines[0])
    assert row["label"] == "z"
    assert {"x", 1} <= {row[name] for name in row if name.startswith("label_")}


@pytest.mark.parametrize("size", [1, 3])
def test_large_pools_are_written_in_parts(tmp_path, photos, load, monkeypatch, size):
    monkeypatch.setattr("trigpoint.io._dataset_parts.GROUP_ROWS", size)
    monkeypatch.setattr("trigpoint.io._dataset_parts.PART_BYTES", 1)
    path = export(tmp_path, "hugging_face.tar", photos, filled(photos, Settings(classes=("x",))))
    folder = unpacked(path)
    assert len(list(folder.glob("data/*.parquet"))) == -(-4 // size)
    assert load(str(folder))["id"][:] == NAMES


POINTS = Settings(task="regression", targets=("nose.x", "nose.y", "ear.x", "ear.y"), points=("nose", "ear"))


def test_points_in_the_form_of_coco(tmp_path, photos):
    state = filled(photos, POINTS, label("ann", 1, [1.0, 2.0, 11.5, 7.0]), label("ann", 3, [4, 4, 4, 4]))
    found = json.loads(export(tmp_path, "coco_keypoints.json", photos, state).read_text())
    assert found["images"] == [
        {"id": 2, "file_name": "b c.png", "width": 21, "height": 10},
        {"id": 4, "file_name": "sub/d.png", "width": 23, "height": 10},
    ]
    assert found["annotations"][0] == {
        "id": 2,
        "image_id": 2,
        "category_id": 1,
        "keypoints": [1.0, 2.0, 2, 11.5, 7.0, 2],
        "num_keypoints": 2,
        "bbox": [1.0, 2.0, 10.5, 5.0],
        "area": 52.5,
        "iscrowd": 0,
    }
    (category,) = found["categories"]
    assert (category["id"], category["keypoints"], category["skeleton"]) == (1, ["nose", "ear"], [])


def test_coco_is_read_by_its_own_tools(tmp_path, photos):
    coco = pytest.importorskip("pycocotools.coco")
    state = filled(photos, POINTS, label("ann", 1, [1.0, 2.0, 11.5, 7.0]))
    found = coco.COCO(str(export(tmp_path, "coco_keypoints.json", photos, state)))
    assert found.loadAnns(found.getAnnIds(imgIds=[2]))[0]["num_keypoints"] == 2


def test_points_go_to_label_studio_and_back(tmp_path, photos):
    state = filled(photos, POINTS, label("ann", 1, [1.0, 2.0, 11.5, 7.0]))
    values = np.tile([2.0, 5.0, 4.0, 10.0], (4, 1))
    found = Predictions(1, (), np.full(4, -1), np.full(4, np.nan), np.zeros(4), values, np.ones(4))
    path = export(tmp_path, "label_studio.json", photos, state, found)
    tasks = json.loads(path.read_text())
    first = tasks[1]["predictions"][0]["result"][0]  # of a.png, 20 × 10
    assert (first["value"]["x"], first["value"]["y"]) == (10.0, 50.0)
    assert first["value"]["keypointlabels"] == ["nose"]
    read = read_import(path, State(POINTS, photos.ids), photos.ids, POINTS)
    assert [(d.annotator, d.sample) for d in read.drafts] == [("ann", "b c.png")]
    assert read.drafts[0].body["value"] == pytest.approx([1.0, 2.0, 11.5, 7.0])
    config = export(tmp_path, "label_studio.xml", photos, state).read_text()
    assert '<KeyPointLabels name="points" toName="image">' in config
    assert '<Label value="ear"/>' in config


def test_tags_go_out_and_come_in_again(tmp_path, photos):
    settings = Settings(task="tags", classes=("a", "b;c"))
    said = [("ann", 0, ["a", "b;c"]), ("ann", 1, []), ("bob", 1, []), ("bob", 3, ["a"])]
    state = filled(photos, settings, *[label(*one) for one in said])
    for name in ("label_studio.json", "labels.csv", "labels.parquet", "answers.csv", "log.jsonl"):
        path = export(tmp_path, name, photos, state)
        read = read_import(path, State(settings, photos.ids), photos.ids, settings, "ann")
        again = filled(
            photos, settings, *[(d.kind, d.annotator, NAMES.index(d.sample), d.body) for d in read.drafts]
        )
        if name != "log.jsonl":
            assert again.labels == state.labels == {0: ("a", "b;c"), 1: (), 3: ("a",)}, name
        if name in ("label_studio.json", "answers.csv"):
            assert {(d.annotator, d.sample) for d in read.drafts} == {(who, NAMES[i]) for who, i, _ in said}
    assert 'choice="multiple"' in export(tmp_path, "label_studio.xml", photos, state).read_text()


def test_predicted_tags_go_out(tmp_path, photos, load):
    settings = Settings(task="tags", classes=("a", "b", "c"))
    state = filled(
        photos, settings, label("ann", 0, ["a"]), ("rename", "ann", None, {"old": "c", "new": "b"})
    )
    chances = np.array([[0.9, 0.1, 0.1], [0.9, 0.2, 0.8], [np.nan] * 3, [0.1, 0.1, 0.1]], dtype=np.float16)
    sure = np.array([0.9, 0.95, np.nan, 0.5], dtype=np.float32)
    codes = np.array([0, 0, -1, -1], dtype=np.int16)
    found = Predictions(1, ("a", "b", "c"), codes, sure, 1 - sure, tags=chances, threshold=0.5)
    path = export(tmp_path, "predictions.csv", photos, state, found)
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["predicted"] for row in rows] == ["a", "a;b", "", "[]"]
    assert [row["source"] for row in rows] == ["human", "predicted", "", "predicted"]
    data = load(str(unpacked(export(tmp_path, "hugging_face.tar", photos, state, found))))
    assert data["predicted"][:] == [[0], [0, 1], None, []]
    tasks = json.loads(export(tmp_path, "label_studio.json", photos, state, found).read_text())
    guessed = {task["data"]["id"]: task.get("predictions") for task in tasks}
    assert guessed["b c.png"][0]["result"][0]["value"] == {"choices": ["a", "b"]}
    assert guessed["sub/a.png"] is None
    assert guessed["sub/d.png"][0]["result"] == []
    links = [
        name
        for name in members(export(tmp_path, "classes.tar", photos, state, found))
        if "/predicted/" in name
    ]
    assert links == ["classes/predicted/a/b c.png", "classes/predicted/b/b c.png"]


def members(path):
    with tarfile.open(path) as archive:
        return {one.name: one.linkname for one in archive.getmembers()}


def test_folders_of_links(tmp_path, photos):
    classes = ("cat", "a/b", "..", "CON", "a_b", "CAT")
    said = [label("ann", i, name) for i, name in enumerate(("cat", "a/b", ".."))]
    state = filled(photos, Settings(classes=classes), *said)
    found = guesses(classes, [0, 0, 0, 3], [1.0, 1.0, 1.0, 0.9])
    path = export(tmp_path, "classes.tar", photos, state, found)
    assert members(path) == {
        "classes/labels/cat/a.png": "../../../photos/a.png",
        "classes/labels/a_b/b c.png": "../../../photos/b c.png",
        "classes/labels/_/sub__a.png": "../../../photos/sub/a.png",
        "classes/predicted/CON_/sub__d.png": "../../../photos/sub/d.png",
        "classes/folders.csv": "",
    }
    with tarfile.open(path) as archive:
        archive.extractall(tmp_path, filter="data")  # refuses what leads out of the folder
    with Image.open(tmp_path / "classes/labels/_/sub__a.png") as picture:
        assert picture.size == (22, 10)
    with (tmp_path / "classes/folders.csv").open(newline="") as stream:
        rows = [tuple(row.values()) for row in csv.DictReader(stream)]
    assert ("labels", "a_b", "a/b") in rows
    assert ("predicted", "CON_", "CON") in rows


def test_folders_are_distinct_and_predictions_that_are_not_sure_have_none(tmp_path, photos):
    classes = ("a/b", "a_b", "A?B")
    state = filled(
        photos, Settings(classes=classes), *[label("ann", i, name) for i, name in enumerate(classes)]
    )
    path = export(tmp_path, "classes.tar", photos, state, guesses(classes, [0] * 4, [0.89] * 4))
    places = {name.split("/")[2] for name in members(path) if "/labels/" in name}
    assert len({place.casefold() for place in places}) == 3
    assert not any("/predicted/" in name for name in members(path))


def test_pictures_of_an_idx_file_are_in_the_tar(tmp_path):
    (tmp_path / "x.idx").write_bytes(idx_bytes(PIXELS))
    samples = glimpse(tmp_path / "x.idx")
    state = filled(samples, Settings(), label("ann", 1, "cat"))
    with tarfile.open(export(tmp_path, "classes.tar", samples, state)) as archive:
        data = archive.extractfile("classes/labels/cat/1.png").read()
    with Image.open(io.BytesIO(data)) as picture:
        np.testing.assert_array_equal(np.asarray(picture), PIXELS[1])


@given(st.lists(st.text(max_size=120), max_size=8))
def test_names_of_folders_are_safe_and_distinct(names):
    given = folders.Names()
    found = {name: given("labels", name) for name in names}
    assert len({place.casefold() for place in found.values()}) == len(found)
    for place in found.values():
        assert place not in ("", ".", "..")
        assert not set(place) & set('<>:"/\\|?*\0\n')
        assert place == place.strip()
        assert not place.endswith(".")
        assert len(place.encode()) <= 110


def test_every_export_is_on_the_page_and_in_the_docs():
    root = Path(__file__).parents[2]
    page = (root / "src/trigpoint/studio/static/views/files.js").read_text()
    docs = (root / "docs/studio.md").read_text()
    for name in EXPORTS:
        assert f'"{name}"' in page
        assert f"`{name}`" in docs


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("coco_keypoints.json", Settings(), "this studio was not opened with --points"),
        ("classes.tar", POINTS, "folders of classes are for pictures with classes"),
    ],
)
def test_what_does_not_apply_says_so(tmp_path, photos, name, settings, message):
    with pytest.raises(NothingYetError, match=message):
        export(tmp_path, name, photos, filled(photos, settings))
    assert not (tmp_path / name).exists()


def test_a_file_that_fails_leaves_nothing(tmp_path, photos, monkeypatch):
    def fails(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("trigpoint.studio._export_dataset._card", fails)
    with pytest.raises(OSError, match="No space left"):
        export(tmp_path, "hugging_face.tar", photos, filled(photos, Settings(classes=("x",))))
    assert {path.name for path in tmp_path.iterdir()} == {"photos"}
