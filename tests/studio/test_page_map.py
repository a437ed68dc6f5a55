"""The map: it is drawn, moves, tells what lies under the pointer, and labels what the lasso holds."""

import io
import re
import time

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from studio import pools
from studio.pools import DIGITS, digit_of
from studio.running import PATIENCE

CAMERA = """async ([box, places]) => {
  const { WHOLE, toScreen } = await import("/static/map/camera.js");
  return places.map(([x, y]) => toScreen(WHOLE, box, x, y));
}"""
WHOLE = """async () => {
  const { atlas } = await import("/static/map/atlas.js");
  const { current, page } = await import("/static/store/page.js");
  const frame = () => new Promise(requestAnimationFrame);
  while (!atlas.get().coordinates || !atlas.get().landmarks || !current(page.get())) await frame();
  await frame(); // after it the page hands them to the map,
  await new Promise((then) => setTimeout(then));
  await frame(); // which draws them in the next one
}"""
PREDICTED = """async (code) => {
  const { atlas } = await import("/static/map/atlas.js");
  const codes = new Int16Array(atlas.get().coordinates.length / 2).fill(code);
  atlas.set({ codes, classes: [..."0123456789"] });
  await new Promise(requestAnimationFrame); // the page has drawn it
}"""
TOP, BOTTOM = 50, 40  # pixels of the map that its bar and its legend may cover


class Map:
    """The map as somebody sees it."""

    def __init__(self, person):
        self.page = person.page
        self.canvas = person.page.get_by_role("img", name="Map of the pool")

    @property
    def box(self):
        return self.canvas.bounding_box()

    def pixels(self):
        """What is free of bars and legends."""
        box = self.box
        clip = {**box, "y": box["y"] + TOP, "height": box["height"] - TOP - BOTTOM}
        return np.asarray(Image.open(io.BytesIO(self.page.screenshot(clip=clip))).convert("RGB"), dtype=int)

    def wait_until(self, holds):
        """Until its picture is so; nothing says when a frame was drawn."""
        end = time.monotonic() + PATIENCE
        while not holds(pixels := self.pixels()):
            assert time.monotonic() < end, "the map never looked as it should"
            self.page.wait_for_timeout(50)
        return pixels

    def drawn(self):
        """With all that lies on it: points, landmarks, and the sample on the desk."""
        self.page.evaluate(WHOLE)
        return self.wait_until(lambda pixels: share_of_ink(pixels) > 0.003)

    def changed(self, before):
        return self.wait_until(lambda pixels: np.mean(pixels != before) > 0.003)

    def places(self, running):
        """(n, 2) pixels of the page where the samples lie on the whole map, as its camera sees them."""
        raw = np.frombuffer(running.get("/api/map/coordinates").content, dtype="<f4").reshape(-1, 2)
        seen = self.page.evaluate(CAMERA, [self.box, raw.tolist()])
        return np.add(seen, (self.box["x"], self.box["y"]))


def share_of_ink(pixels):
    """The share of pixels that are not of the color most of them have."""
    colors = pixels @ (1 << 16, 1 << 8, 1)
    return 1 - np.unique(colors, return_counts=True)[1].max() / colors.size


def loneliest(places, box):
    """The sample whose neighbors are farthest, among those that nothing covers."""
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + 1e9 * np.eye(len(places))
    covered = (places[:, 1] < box["y"] + TOP) | (places[:, 1] > box["y"] + box["height"] - BOTTOM)
    return int(np.where(covered, 0, gaps.min(axis=1)).argmax())


def widest_gap(x):
    """The middle of the widest gap in the middle third."""
    ordered = np.sort(x)[len(x) // 3 : -len(x) // 3]
    k = np.diff(ordered).argmax()
    return ordered[k : k + 2].mean()


def with_map(start, pool):
    running = start(pool, "--budget", "300", "--classes", DIGITS)
    running.wait_until(lambda state: state["versions"]["map"] and not state["stage"])
    return running


@pytest.fixture(scope="module")
def running(shared_studio, digits):
    return with_map(shared_studio, digits)


def test_it_moves(running, join):
    ada = join(running)
    chart = Map(ada)
    whole = chart.drawn()
    box = chart.box
    ada.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    ada.page.mouse.wheel(0, -300)
    closer = chart.changed(whole)
    ada.page.mouse.down()
    ada.page.mouse.move(box["x"] + box["width"] / 3, box["y"] + box["height"] / 3, steps=4)
    ada.page.mouse.up()
    moved = chart.changed(closer)
    chart.canvas.focus()  # else the key is about the picture
    ada.press("+")
    chart.changed(moved)
    chart.canvas.blur()
    ada.button("The whole map").click()
    ada.page.mouse.move(0, 0)
    chart.wait_until(lambda pixels: np.mean(pixels != whole) < 0.003)
    ada.press("m")
    expect(ada.button("Back m")).to_be_visible()
    ada.shoot("large_map")
    ada.press("m")
    expect(ada.button("Large m")).to_be_visible()


def test_points_are_where_the_camera_sees_them(running, join):
    ada = join(running)
    chart = Map(ada)
    pixels = chart.drawn()
    columns, rows = np.floor(chart.places(running) - (chart.box["x"], chart.box["y"] + TOP)).astype(int).T
    seen = (rows >= 0) & (rows < len(pixels))
    assert seen.mean() > 0.8
    assert (pixels[rows[seen], columns[seen]] != pixels[0, 0]).any(axis=1).mean() > 0.98


def test_pointer_tells_the_sample(running, join, digits):
    ada = join(running)
    chart = Map(ada)
    chart.drawn()
    places = chart.places(running)
    sample = loneliest(places, chart.box)
    name = sorted(path.name for path in digits.iterdir())[sample]
    side = ada.page.get_by_role("region", name="Map and figures")
    ada.page.mouse.move(*places[sample])  # and rests there while the samples are indexed
    expect(side.get_by_text(name)).to_be_visible()
    ada.shoot("hover")
    ada.page.mouse.click(*places[sample])
    expect(ada.sample).to_have_text(name)
    expect(ada.page.get_by_text("from the map")).to_be_visible()


def test_the_first_tap_opens_the_sample(running, join, digits):
    ada = join(running, has_touch=True)
    chart = Map(ada)
    chart.drawn()
    places = chart.places(running)
    sample = loneliest(places, chart.box)
    ada.page.touchscreen.tap(*places[sample])
    expect(ada.sample).to_have_text(sorted(path.name for path in digits.iterdir())[sample])


def draw_lasso(person, chart, middle):
    """Around all that lies left of a line."""
    box = chart.box
    left, top, bottom = box["x"] + 1, box["y"] + 1, box["y"] + box["height"] - 1
    person.button("Lasso").click()
    start = middle, box["y"] + box["height"] / 2  # where no bar covers the map
    person.page.mouse.move(*start)
    person.page.mouse.down()
    for corner in [(middle, top), (left, top), (left, bottom), (middle, bottom), start]:
        person.page.mouse.move(*corner, steps=5)
    person.page.mouse.up()
    return person.page.get_by_role("region", name="Selected samples")


@pytest.mark.slow
def test_lasso_labels_many_and_leaves_the_labels_of_others(studio, join, digits):
    running = with_map(studio, digits)
    ada = join(running, "Grace")
    chart = Map(ada)
    chart.drawn()
    places = chart.places(running)
    names = np.array(sorted(path.name for path in digits.iterdir()))
    middle = widest_gap(places[:, 0])
    inside = np.flatnonzero(places[:, 0] < middle)
    theirs, differ = inside[:5], inside[5]
    with running.client() as client:
        for person, samples in (("Bob", [*theirs, differ]), ("Eve", [differ])):
            actions = [
                {
                    "client": f"{person}{i}",
                    "kind": "label",
                    "sample": int(i),
                    "value": "2" if person == "Bob" else "3",
                }
                for i in samples
            ]
            client.post("/api/actions", json={"annotator": person, "actions": actions}).raise_for_status()
    before = running.labels()
    assert before == dict.fromkeys(names[theirs].tolist(), "2")

    chosen = draw_lasso(ada, chart, middle)
    n = len(inside)
    expect(chosen.get_by_role("heading", level=2)).to_have_text(f"{n} samples")
    beside, seen = chosen.bounding_box(), chart.box
    assert beside["y"] >= seen["y"] + seen["height"]  # nothing of the map is covered
    told = f"{n - 6} without a label, 5 labeled 2, 1 in dispute; only the {n - 6} get the label."
    expect(chosen.get_by_text(told)).to_be_visible()
    ada.shoot("lasso")
    chosen.get_by_label("Class for all").select_option("7")
    ada.page.evaluate(PREDICTED, 4)  # what is chosen stays
    chosen.get_by_role("button", name=f"Label {n - 6}").click()
    chosen.get_by_role("button", name=f"Yes, {n - 6} as 7").click()
    ada.is_saved()
    labeled = {**dict.fromkeys(names[inside[6:]].tolist(), "7"), **before}
    assert running.labels() == labeled
    assert running.state()["spent"] == 0
    expect(ada.history().first).to_have_text(re.compile(f"{n - 6} × 7"))
    ada.page.reload()  # one undo takes all of it back, also on another day
    expect(ada.history().first).to_have_text(re.compile(f"{n - 6} × 7"))
    ada.press("u")
    ada.is_saved()
    assert running.labels() == before
    assert len(running.events("undo")) == 1

    chart.drawn()
    chosen = draw_lasso(ada, chart, middle)
    expect(chosen.get_by_text(told)).to_be_visible()
    chosen.get_by_role("button", name="Show them in the gallery").click()
    expect(ada.page.get_by_role("grid")).to_have_attribute("aria-label", f"Chosen on the map: {n} samples")
    ada.press("Enter")
    expect(ada.page.get_by_text("from the gallery")).to_be_visible()
    ada.press("Escape")
    expect(ada.page.get_by_role("grid")).to_be_visible()
    ada.press("Escape")  # one press each, and what was chosen is still there
    expect(ada.page.get_by_role("grid")).to_have_count(0)
    chosen.get_by_label("also relabel the 6").check()
    expect(chosen.get_by_text(f"1 in dispute; all {n} get the label.")).to_be_visible()
    chosen.get_by_label("Class for all").select_option("7")
    chosen.get_by_role("button", name=f"Label {n}").click()
    chosen.get_by_role("button", name=f"Yes, {n} as 7").click()
    ada.is_saved()
    assert running.labels() == dict.fromkeys(names[inside].tolist(), "7")
    ada.press("u")
    ada.is_saved()
    assert running.labels() == before

    chosen = draw_lasso(ada, chart, middle)
    chosen.get_by_label("Class for all").select_option("7")
    rename = {"client": "seven", "kind": "rename", "old": "7", "new": "seven"}
    with running.client() as client:
        client.post("/api/actions", json={"annotator": "Bob", "actions": [rename]}).raise_for_status()
    expect(chosen.get_by_label("Class for all")).to_contain_text("7 is no more")  # and is not made again
    expect(chosen.get_by_role("button", name=f"Label {n - 6}")).to_be_disabled()


@pytest.mark.slow
def test_colors_tell_labels_or_uncertainty(studio, digits, join):
    ada = join(with_map(studio, digits))  # where nothing has a color yet
    chart = Map(ada)
    grey = chart.drawn()
    ada.label(12, digit_of)
    labels = chart.wait_until(
        lambda pixels: np.mean(np.ptp(pixels, axis=2) > 40) > np.mean(np.ptp(grey, axis=2) > 40) + 0.001
    )
    ada.button("Uncertainty").click()
    chart.changed(labels)
    expect(ada.page.get_by_text(re.compile("sure.*least sure"))).to_be_visible()
    ada.shoot("uncertainty")


@pytest.mark.slow
def test_hundred_thousand_points(studio, join, tmp_path):
    running = studio(pools.cloud(tmp_path / "cloud.npy", 100_000), "--budget", "20", "--classes", "a,b,c,d")
    ada = join(running)
    expect(ada.sample).to_be_visible()  # long before the graph is there
    told = ada.label(2, lambda name: "abcd"[int(name) % 4])
    ada.is_saved()
    running.wait_until(lambda state: state["versions"]["map"])  # a first one, which unfolds from there
    chart = Map(ada)
    whole = chart.wait_until(lambda pixels: share_of_ink(pixels) > 0.05)
    ada.button("Closer").click()
    chart.changed(whole)
    ada.button("The whole map").click()
    middle = chart.box["x"] + chart.box["width"] / 2, chart.box["y"] + chart.box["height"] / 2
    ada.page.mouse.move(*middle)
    ada.shoot("hundred_thousand")
    assert running.labels() == told
