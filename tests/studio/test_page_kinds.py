"""Pools of every kind, each labeled in its own way: texts, rows, graphs, numbers, points on pictures."""

import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from studio import pools

pytestmark = pytest.mark.slow

TARGETS = ("spot.x", "spot.y", "other.x", "other.y")


def test_texts(studio, join, tmp_path):
    running = studio(pools.texts(tmp_path / "texts.csv"), "--text-column", "text", "--classes", "sea,hill")
    ada = join(running)
    words = pools.TOPICS[ada.sees().partition("-")[0]].split()
    assert set(ada.page.get_by_role("region", name="Text").text_content().split()) <= set(words)
    ada.shoot("text")
    told = ada.label(20, lambda name: "1" if name.startswith("sea") else "2")
    ada.is_saved()
    assert running.labels() == {name: name.partition("-")[0] for name in told}


@pytest.mark.slow
def test_rows_of_a_table(studio, join, tmp_path):
    running = studio(pools.flowers(tmp_path / "flowers.csv"), "--classes", "setosa,versicolor,virginica")
    ada = join(running)
    table = ada.page.get_by_role("region", name="Values")
    expect(table.get_by_role("rowheader")).to_contain_text(["sepal length", "sepal width", "petal length"])
    ada.shoot("row")
    keys = {"setosa": "1", "versicolor": "2", "virginica": "3"}
    told = ada.label(20, lambda name: keys[name.partition("-")[0]])
    ada.is_saved()
    assert running.labels() == {name: name.partition("-")[0] for name in told}


@pytest.mark.slow
def test_nodes_of_a_graph(studio, join, tmp_path):
    running = studio(pools.ring(tmp_path / "ring.csv"), "--budget", "20", "--classes", "near,far")
    ada = join(running)
    assert ada.sees().startswith("node ")
    ada.shoot("graph")
    told = ada.label(10, lambda name: "1" if int(name.partition(" ")[2]) < 20 else "2")
    ada.is_saved()
    names = {"1": "near", "2": "far"}
    assert running.labels() == {name: names[key] for name, key in told.items()}


@pytest.fixture(scope="module")
def measured(shared_studio, tmp_path_factory):
    pool = pools.flowers(tmp_path_factory.mktemp("measured") / "flowers.csv")
    return shared_studio(pool, "--values", "height,weight", "--budget", "30")


def test_numbers(measured, join):
    running = measured
    ada = join(running)
    told = {}
    for k in range(3):
        told[ada.sees()] = (f"{k}.5", f"-{k}")
        expect(ada.page.get_by_label("height")).to_be_focused()
        ada.keyboard.type(f"{k}.5")
        ada.press("Tab")
        ada.keyboard.type(f"-{k}")
        ada.press("Enter")
    here = ada.sees()
    ada.keyboard.type("7")
    ada.press("Enter")  # one number of two
    assert ada.sees() == here
    expect(ada.page.get_by_label("weight")).to_be_focused()
    ada.keyboard.type("1e")
    expect(ada.page.get_by_label("weight")).to_have_attribute("aria-invalid", "true")
    ada.shoot("numbers")
    ada.is_saved()
    rows = {row["id"]: row for row in running.table("labels.csv")}
    for name, (height, weight) in told.items():
        assert (float(rows[name]["height"]), float(rows[name]["weight"])) == (float(height), float(weight))
    assert len(rows) == 3


def test_letters_in_a_number_are_no_commands(measured, join):
    ada = join(measured, "Grace")
    height, weight = ada.page.get_by_label("height"), ada.page.get_by_label("weight")
    expect(height).to_be_focused()
    here = ada.sees()
    ada.keyboard.type("hm2us?/")
    expect(height).to_have_value("hm2us?/")
    expect(height).to_have_attribute("aria-invalid", "true")
    ada.press("Tab")
    ada.keyboard.type("s")  # this field is empty, the other one is not
    expect(weight).to_have_value("s")
    ada.press("Escape", "h")
    sheet = ada.page.get_by_role("dialog", name="Keys")
    expect(sheet).to_contain_text("work while the fields are empty")
    ada.press("Escape")
    expect(sheet).to_have_count(0)
    assert ada.sees() == here
    for field in (weight, height):
        field.fill("")
    ada.press("s")
    assert ada.sees() != here
    ada.press("u")
    expect(ada.sample).to_have_text(here)
    ada.press("/")
    expect(ada.page.get_by_role("dialog", name="Search")).to_be_visible()


@pytest.fixture
def spots(tmp_path):
    folder = tmp_path / "spots"
    folder.mkdir()
    return pools.spots(folder)


def brightest(person):
    """Where on the page the spot is seen."""
    box = person.page.get_by_role("main").get_by_role("img").first.bounding_box()
    pixels = np.asarray(Image.open(io.BytesIO(person.page.screenshot(clip=box))).convert("L"))
    rows, columns = np.nonzero(pixels > 200)
    return box["x"] + columns.mean() + 0.5, box["y"] + rows.mean() + 0.5


@pytest.mark.slow
def test_points_clicked_on_a_picture(studio, join, spots):
    running = studio(spots, "--points", "spot,other", "--budget", "20")
    ada = join(running, color_scheme="dark")  # so that nothing around the picture is bright
    told = {}
    for _ in range(3):
        name = ada.sees()
        x, y = brightest(ada)
        ada.page.mouse.click(x, y)
        ada.page.mouse.click(x, y + 30)
        told[name] = pools.spot_of(name)
        ada.shoot("points")
        ada.press("Enter")
    ada.is_saved()
    rows = {
        row["id"]: {target: float(row[target]) for target in TARGETS} for row in running.table("labels.csv")
    }
    assert list(rows) == list(told)
    for name, (x, y) in told.items():
        assert rows[name]["spot.x"] == pytest.approx(x, abs=0.5)
        assert rows[name]["spot.y"] == pytest.approx(y, abs=0.5)
        assert rows[name]["other.x"] == rows[name]["spot.x"]
        assert rows[name]["other.y"] > rows[name]["spot.y"] + 2


@pytest.mark.slow
def test_points_by_the_keyboard(studio, join, spots):
    running = studio(spots, "--points", "spot", "--budget", "20")
    ada = join(running)
    name = ada.sees()
    ada.press("ArrowRight", "Shift+ArrowDown", "Enter", "Enter")
    ada.is_saved()
    (row,) = running.table("labels.csv")
    assert (row["id"], float(row["spot.x"]), float(row["spot.y"])) == (name, 62.4, 41.0)
