"""Pictures that cannot be read are told and left out, and the commands go on with the rest."""

import csv
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sklearn.datasets import load_digits

TOLD = (
    "trigpoint: 2 of 40 pictures could not be read and are left out: "
    "07.png (truncated), 31.png (not a picture of a known kind)."
)
WHY = {"07.png": "truncated", "31.png": "not a picture of a known kind"}


@pytest.fixture
def photos(folder):
    """40 digits, of which one is cut off and one no picture; labels.csv knows them all."""
    digits = load_digits()
    Path("photos").mkdir()
    for i in range(40):
        Image.fromarray((digits.images[i] * 15).astype(np.uint8)).save(f"photos/{i:02d}.png")
    whole = Path("photos/07.png").read_bytes()
    Path("photos/07.png").write_bytes(whole[:60])
    Path("photos/31.png").write_text("no picture")
    rows = [f"{i:02d}.png,{digits.target[i]}" for i in range(40)]
    Path("labels.csv").write_text("\n".join(["id,label", *rows, ""]))
    return whole


def test_select_and_propagate_go_on(run, photos):
    done = run("select", "photos", "--budget", "12", "--json", "--report", "page.html")
    assert (done.code, done.err.strip()) == (0, TOLD)
    assert done.json["skipped"] == WHY
    assert done.json["n_samples"] == 38
    assert "07.png truncated, 31.png not a picture of a known kind" in Path("page.html").read_text()
    done = run("propagate", "photos", "--labels", "labels.csv", "-o", "out.csv")
    assert done.code == 0
    assert TOLD in done.err
    with Path("out.csv").open() as file:
        names = [row["id"] for row in csv.DictReader(file)]
    assert len(names) == 38
    assert not WHY.keys() & set(names)
    Path("photos/07.png").write_bytes(photos)
    done = run("select", "photos", "--budget", "12", "--json")
    assert done.json["skipped"] == {"31.png": "not a picture of a known kind"}
    assert "1 of 40 pictures could not be read and is left out" in done.err


def test_check_tells_of_them_too(run, photos):
    done = run("check", "photos", "--labels", "labels.csv", "--json", "--report", "page.html")
    assert TOLD in done.err
    assert done.json["skipped_files"] == WHY
    assert "07.png truncated" in Path("page.html").read_text()


def test_a_folder_without_a_picture_that_can_be_read(run, photos):
    for path in Path("photos").iterdir():
        path.write_bytes(b"")
    done = run("select", "photos", "--budget", "3")
    assert done.code == 2
    assert done.err == (
        "trigpoint: photos must hold pictures that can be read; none of 40 can; got 00.png (empty).\n"
    )


def test_how_pictures_and_texts_become_features(run, photos):
    assert run("select", "photos", "--budget", "3", "--image-features", "pixels").code == 0
    done = run("select", "photos", "--budget", "3", "--image-features", "edges")
    assert done.code == 2
    assert "--image-features must be one of 'auto', 'gradients', 'pixels'; got 'edges'" in done.err
    rows = [f"{i},{word} of the {word}s" for i, word in enumerate(["sea", "hill", "tide", "stone", "salt"])]
    Path("texts.csv").write_text("\n".join(["id,text", *rows, ""]))
    for method in ("words", "embeddings"):
        words = ("select", "texts.csv", "--text-column", "text", "--budget", "2", "--text-features", method)
        assert run(*words).code == 0
    done = run("select", "texts.csv", "--text-features", "words", "--budget", "2")
    assert (done.code, "--text-features has no meaning without --text-column" in done.err) == (2, True)
