import csv
import json
from pathlib import Path

import pytest
from PIL import Image

from trigpoint.io import glimpse
from trigpoint.studio import Draft, Settings, default_store, open_studio


def keep(pool, settings, labels, **reading):
    """A store with these labels, as a studio leaves it behind."""
    store, _ = open_studio(default_store(Path(pool)), glimpse(pool, **reading), settings, (), reading)
    store.append([Draft("label", "ann", k, k, {"value": v, "source": "queue"}) for k, v in labels.items()])
    return store


@pytest.fixture
def blobs(folder):
    rows = [f"p{i},{i % 2 * 50 + i / 10},{i % 2 * 50 - i / 10}" for i in range(30)]
    Path("pool.csv").write_text("id,x,y\n" + "\n".join(rows) + "\n")
    keep("pool.csv", Settings(classes=("a", "b")), {"p0": "a", "p1": "b"}).close()
    return folder


def table(name):
    with Path(name).open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_labels_and_predictions(run, blobs):
    assert run("export", "pool.csv.trigpoint.db", "labels.csv").code == 0
    assert [(row["id"], row["label"]) for row in table("labels.csv")] == [("p0", "a"), ("p1", "b")]
    done = run("export", "pool.csv", "predictions.csv", "-o", "all.csv", "--json")
    assert json.loads(done.out) == {
        "store": str(blobs / "pool.csv.trigpoint.db"),
        "n_samples": 30,
        "output": "all.csv",
    }
    rows = table("all.csv")
    assert [row["predicted"] for row in rows] == ["a", "b"] * 15
    assert [row["source"] for row in rows[:3]] == ["human", "human", "predicted"]
    assert run("export", "pool.csv", "log.jsonl").code == 0
    assert len(Path("log.jsonl").read_text().splitlines()) == 3


def test_pictures_are_read_as_they_were(run, folder):
    Path("photos").mkdir()
    for i in range(6):
        Image.new("L", (8, 6), 40 * i).save(f"photos/{i}.png")
    Path("photos/5.png").write_bytes(b"damaged")
    keep(
        "photos", Settings(classes=("dark", "light")), {"0.png": "dark", "4.png": "light"}, image_size=(6, 8)
    ).close()
    assert run("export", "photos", "label_studio.json", "-o", "tasks.json").code == 0
    tasks = json.loads(Path("tasks.json").read_text())
    assert len(tasks) == 6
    guessed = {task["data"]["id"]: "predictions" in task for task in tasks}
    assert guessed == {f"{i}.png": i < 5 for i in range(6)}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["pool.csv", "labels.exe"], "NAME must be one of labels.csv, "),
        (
            ["pool.csv", "labels.csv", "-o", "x.json"],
            "--output must end in .csv, as labels.csv does; got x.json",
        ),
        (["gone.csv", "labels.csv"], "STORE must be a file that exists; there is no "),
        (["pool.csv", "coco_keypoints.json"], "COCO is for points on pictures"),
        (["pool.csv", "labels.csv", "-o", "no/x.csv"], "must lie in a folder that exists"),
    ],
)
def test_what_cannot_be_exported(run, blobs, words, message):
    done = run("export", *words)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_studio_that_is_open_is_left_alone(run, blobs):
    store = keep("pool.csv", Settings(classes=("a", "b")), {"p2": "a"})
    try:
        done = run("export", "pool.csv", "labels.csv")
    finally:
        store.close()
    assert done.code == 2
    assert "open" in done.err
    assert not Path("labels.csv").exists()


def test_rows_without_names_must_stay(run, folder):
    Path("pool.csv").write_text("x,y\n" + "".join(f"{i},{i}\n" for i in range(9)))
    keep("pool.csv", Settings(classes=("a",)), {"1": "a"}).close()
    Path("pool.csv").write_text("x,y\n" + "".join(f"{9 - i},{i}\n" for i in range(9)))
    assert "must keep the rows that it had" in run("export", "pool.csv", "labels.csv").err


def test_a_pool_that_moved_with_its_store(run, blobs):
    Path("new").mkdir()
    for name in ("pool.csv", "pool.csv.trigpoint.db"):
        Path(name).rename(f"new/{name}")
    for k, place in enumerate(("new/pool.csv", "new/pool.csv.trigpoint.db")):
        assert run("export", place, "labels.csv", "-o", f"{k}.csv").code == 0
        assert [row["id"] for row in table(f"{k}.csv")] == ["p0", "p1"]
    Path("new/pool.csv").rename("elsewhere.csv")
    done = run("export", "new/pool.csv.trigpoint.db", "labels.csv")
    assert done.code == 2
    assert "must have its pool where it was or beside it" in done.err
