"""Files out of a studio, from a store that was really written."""

import csv
import json
from xml.etree import ElementTree

import numpy as np
import pyarrow.parquet as pq
import pytest

from trigpoint.io import glimpse
from trigpoint.studio._event_store import Store
from trigpoint.studio._events import Draft, Settings
from trigpoint.studio._export import write_export
from trigpoint.studio._export_values import NothingYetError
from trigpoint.studio._messages import Predictions
from trigpoint.studio._state import State

NASTY = ["=1+2", "+a", "-b", "@c", "\td", "'=e", 'say "hi"', "a,b", "<script>alert(1)</script>"]


class Studio:
    """A store and the state of it."""

    def __init__(self, folder, samples, settings):
        self.samples, self.settings = samples, settings
        self.store = Store.open(folder / "studio.db", {})
        self.state = State(settings, samples.ids)
        self.folder = folder

    def write(self, *drafts):
        for event in self.store.append(drafts):
            self.state.apply(event)

    def label(self, who, i, value, **more):
        body = {"value": value, "suggested": None, "seconds": 1.5, "final": False, "source": "queue", **more}
        self.write(Draft("label", who, str(self.samples.ids[i]), f"{who}-{i}-{value}", body))

    def export(self, name, predictions=None):
        path = self.folder / name
        write_export(name, path, self.samples, self.state, predictions, self.store.events())
        return path


@pytest.fixture
def studio(tmp_path):
    """Nine samples whose ids and classes are as nasty as they come."""
    rows = [{"id": name, "a": i} for i, name in enumerate(NASTY)]
    (tmp_path / "pool.json").write_text(json.dumps(rows))
    found = Studio(tmp_path, glimpse(tmp_path / "pool.json"), Settings(classes=("cat",), overlap=2, budget=9))
    yield found
    found.store.close()


def rows_of(path):
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_a_row_for_each_sample_that_people_spoke_of(studio):
    studio.write(Draft("ask", "ann", NASTY[0], None, {"audit": True}))
    studio.label("ann", 0, "cat")
    studio.label("bob", 0, "cat", seconds=2.5, source="map")
    studio.label("ann", 1, "dog")
    studio.label("bob", 1, "cat")  # a tie is no label
    studio.write(Draft("unsure", "ann", NASTY[2], "u", {}), Draft("skip", "ann", NASTY[3], "s", {}))
    rows = rows_of(studio.export("labels.parquet"))
    assert [(row["id"], row["label"]) for row in rows] == [
        (NASTY[0], "cat"),
        (NASTY[2], None),
        (NASTY[1], None),
    ]
    first = rows[0]
    assert first["time"].endswith("Z")
    assert {name: first[name] for name in list(first)[2:] if name != "time"} == {
        "n_annotators": 2,
        "annotators": "ann; bob",
        "n_unsure": 0,
        "source": "map",
        "seconds": 2.5,
        "audit": True,
        "confirmed": False,
        "note": None,
        "flag": False,
    }
    assert [row["n_unsure"] for row in rows] == [0, 1, 0]
    assert [row["n_annotators"] for row in rows] == [2, 0, 2]


def test_notes_and_flags_stand_beside_labels(studio):
    studio.label("ann", 0, "cat")
    studio.write(Draft("note", "ann", NASTY[0], "n", {"text": "=blurred", "flag": False}))
    studio.write(Draft("note", "ann", NASTY[4], "m", {"text": "", "flag": True}))
    rows = rows_of(studio.export("labels.parquet"))
    assert [(row["id"], row["label"], row["note"], row["flag"]) for row in rows] == [
        (NASTY[0], "cat", "=blurred", False),
        (NASTY[4], None, None, True),
    ]
    assert rows_of(studio.export("labels.csv"))[0]["note"] == "'=blurred"


def test_labels_that_were_checked_are_marked(studio):
    for i, value in enumerate(("cat", "cat", "dog")):
        studio.label("ann", i, value)
    studio.write(Draft("keep", "bob", NASTY[1], "k", {"value": "cat", "quality": 0.3, "source": "check"}))
    studio.label("bob", 2, "cat", source="check", was="dog")
    rows = rows_of(studio.export("labels.parquet"))
    assert [row["confirmed"] for row in rows] == [False, True, True]


def test_no_cell_of_a_csv_is_a_formula(studio):
    for i, name in enumerate(NASTY):
        studio.label("=HYPERLINK()", i, name.strip())
    predictions = Predictions(
        1, tuple(studio.state.classes), np.arange(9, dtype=np.int16), np.ones(9), np.zeros(9)
    )
    for name in ("labels.csv", "predictions.csv"):
        for row in rows_of(studio.export(name, predictions)):
            assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row.values())


def test_a_studio_without_labels_writes_empty_tables(studio):
    assert rows_of(studio.export("labels.csv")) == []
    assert rows_of(studio.export("labels.parquet")) == []
    tasks = json.loads(studio.export("label_studio.json").read_text())
    assert [list(task) for task in tasks] == [["data"]] * 9  # the pool, for people to label there
    assert len(studio.export("log.jsonl").read_text().splitlines()) == 1


def test_predictions_of_classes(studio):
    with pytest.raises(
        NothingYetError, match="there are no predictions yet: label a sample and wait a moment"
    ):
        studio.export("predictions.csv")
    studio.label("ann", 4, "cat")
    codes = np.array([0, 1, -1, *[0] * 6], dtype=np.int16)
    sure = np.array([0.75, 0.5, np.nan, *[1.0] * 6], dtype=np.float32)
    predictions = Predictions(1, ("cat", "dog"), codes, sure, 1 - sure)
    rows = rows_of(studio.export("predictions.parquet", predictions))
    assert [row["id"] for row in rows] == NASTY
    assert rows[0] == {
        "id": "=1+2",
        "predicted": "cat",
        "probability": 0.75,
        "uncertainty": 0.25,
        "label": None,
        "source": "predicted",
        "annotators": None,
    }
    assert [row["predicted"] for row in rows[1:3]] == ["dog", None]
    assert [row["probability"] for row in rows[1:3]] == [0.5, None]
    assert [row["source"] for row in rows[:5]] == ["predicted", "predicted", None, "predicted", "human"]
    assert (rows[4]["label"], rows[4]["annotators"]) == ("cat", "ann")


def test_predictions_have_the_names_of_now(studio):
    studio.label("ann", 4, "cat")
    studio.write(Draft("rename", "ann", None, "r", {"old": "cat", "new": "tom"}))
    predictions = Predictions(1, ("cat",), np.zeros(9, dtype=np.int16), np.ones(9), np.zeros(9))
    for name in ("predictions.parquet", "metadata.jsonl", "label_studio.json"):
        text = studio.export(name, predictions).read_bytes()
        assert b"tom" in text
        assert b'"cat"' not in text
    assert {row["predicted"] for row in rows_of(studio.folder / "predictions.parquet")} == {"tom"}


def test_predictions_of_numbers(tmp_path):
    np.save(tmp_path / "pool.npy", np.eye(3))
    settings = Settings(task="regression", targets=("x", "y"), budget=3)
    studio = Studio(tmp_path, glimpse(tmp_path / "pool.npy"), settings)
    studio.label("ann", 1, [1.5, -2.0])
    values = np.array([[1, 2], [3, 4], [np.nan, np.nan]], dtype=np.float32)
    std = np.array([0.5, 0.0, np.inf], dtype=np.float32)
    none = np.full(3, -1, dtype=np.int16)
    predictions = Predictions(1, (), none, np.full(3, np.nan), std, values, std)
    first, second, third = rows_of(studio.export("predictions.parquet", predictions))
    assert first == {
        "id": "0",
        "predicted_x": 1.0,
        "predicted_y": 2.0,
        "uncertainty": 0.5,
        "label_x": None,
        "label_y": None,
        "source": "predicted",
        "annotators": None,
    }
    assert (second["label_x"], second["label_y"]) == (1.5, -2.0)
    assert third["predicted_x"] is None
    (row,) = rows_of(studio.export("labels.parquet"))
    assert (row["id"], row["x"], row["y"], row["n_annotators"]) == ("1", 1.5, -2.0, 1)
    studio.store.close()


def test_tasks_are_the_whole_pool_with_what_everybody_said(studio):
    studio.label("ann", 0, "dog")
    studio.label("bob", 0, "cat")
    studio.label("eve", 0, "cat", final=True, source="disagreement")
    studio.label("ann", 3, "dog")
    studio.label("bob", 3, "cat")  # a tie
    studio.write(Draft("ask", "ann", NASTY[5], None, {"audit": False}))
    doubt = np.array([0.5, 0.1, 0.2, 0.5, 0.9, 0.5, 0.3, 0.8, 0.4])
    predictions = Predictions(1, ("cat",), np.zeros(9, dtype=np.int16), 1 - doubt, doubt)
    tasks = json.loads(studio.export("label_studio.json", predictions).read_text())
    assert [NASTY.index(task["data"]["trigpoint_id"]) for task in tasks] == [0, 3, 5, 4, 7, 8, 6, 2, 1]
    assert [said(annotation) for annotation in tasks[0]["annotations"]] == [
        (["ann"], "dog", False),
        (["bob"], "cat", False),
        (["eve", "decides"], "cat", True),
    ]
    assert [said(annotation) for annotation in tasks[1]["annotations"]] == [
        (["ann"], "dog", False),
        (["bob"], "cat", False),
    ]
    assert all("annotations" not in task for task in tasks[2:])
    label = {"from_name": "label", "to_name": "row", "type": "choices", "value": {"choices": ["cat"]}}
    assert tasks[3]["predictions"] == [
        {"model_version": "trigpoint", "result": [label], "score": pytest.approx(0.1)}
    ]


def said(annotation):
    label, author = annotation["result"]
    (choice,) = label["value"]["choices"]
    return author["value"]["text"], choice, annotation["ground_truth"]


def config(studio):
    return ElementTree.parse(studio.export("label_studio.xml")).getroot()


def test_the_config_of_classes(studio):
    names = ["cat", 'a "quoted" <b> & c', "two\tparts", "bell"]
    for name in names[1:]:
        studio.write(Draft("class", "ann", None, name, {"name": name}))
    (shown,) = config(studio).findall("Table")
    (choices,) = config(studio).findall("Choices")
    assert (shown.get("name"), shown.get("value")) == ("row", "$row")
    assert (choices.get("name"), choices.get("toName"), choices.get("choice")) == ("label", "row", "single")
    assert [choice.get("value") for choice in choices] == names


def test_a_config_needs_classes(tmp_path):
    np.save(tmp_path / "pool.npy", np.eye(3))
    studio = Studio(tmp_path, glimpse(tmp_path / "pool.npy"), Settings())
    with pytest.raises(NothingYetError, match="there are no classes yet"):
        studio.export("label_studio.xml")
    studio.store.close()


def test_the_config_of_numbers_and_a_name_that_is_taken(tmp_path):
    np.save(tmp_path / "pool.npy", np.eye(3))
    settings = Settings(task="regression", targets=("row", "b c"))
    studio = Studio(tmp_path, glimpse(tmp_path / "pool.npy"), settings)
    root = config(studio)
    assert [(one.get("name"), one.get("toName")) for one in root.findall("Number")] == [
        ("row", "row_"),
        ("b c", "row_"),
    ]
    assert [(one.get("name"), one.get("value")) for one in root.findall("Table")] == [("row_", "$row")]
    studio.label("ann", 1, [1.0, 2.5])
    task = json.loads(studio.export("label_studio.json").read_text())[0]
    results = task["annotations"][0]["result"][:2]
    assert [(r["from_name"], r["to_name"], r["value"]["number"]) for r in results] == [
        ("row", "row_", 1.0),
        ("b c", "row_", 2.5),
    ]
    studio.store.close()


def test_the_log_is_the_settings_and_every_event(studio):
    studio.write(Draft("ask", "ann", NASTY[0], None, {"audit": True}))
    studio.label("ann", 0, "cat")
    studio.write(Draft("undo", "ann", None, "back", {"target": "ann-0-cat"}))
    about, *events = map(json.loads, studio.export("log.jsonl").read_text().splitlines())
    assert about["format"] == "trigpoint studio log"
    assert about["settings"]["overlap"] == 2
    assert [event["kind"] for event in events] == ["ask", "label", "undo"]
    assert [event["seq"] for event in events] == [1, 2, 3]
    assert events[2]["body"] == {"target": "ann-0-cat"}


def test_a_target_may_be_called_as_one_of_our_columns(tmp_path):
    np.save(tmp_path / "pool.npy", np.eye(3))
    studio = Studio(tmp_path, glimpse(tmp_path / "pool.npy"), Settings(task="regression", targets=("time",)))
    studio.label("ann", 1, [7.0])
    assert rows_of(studio.export("labels.csv"))[0]["time"] == "7.0"
    studio.store.close()
