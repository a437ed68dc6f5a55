"""Pictures from near and far, by wheel, hands and keys; and words that are marked in texts and tables."""

import io
import re
import time

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from studio import pools

SIZE = (2000, 1500)
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# 300 random views: what zooming about a place, and bringing a place into sight, must keep.
LAWS = """async () => {
  const { bounded, panned, revealing, toggled, WHOLE, zoomedAt } = await import("/static/zoom/view.js");
  let seed = 1;
  const random = (low, high) => low + (high - low) * ((seed = (seed * 16807) % 2147483647) / 2147483647);
  const near = (a, b) => Math.abs(a - b) < 1e-6;
  const inside = ({ k, x, y }, { fit }) =>
    k >= 1 && [x, y].every((at, a) => Math.abs(at) <= (fit[a] * (k - 1)) / 2 + 1e-6);
  const wrong = [];
  for (let n = 0; n < 300; n += 1) {
    const size = [random(1, 5000), random(1, 5000)];
    const stage = [random(50, 2000), random(50, 1000)];
    const unit = Math.min(stage[0] / size[0], stage[1] / size[1]) * random(0.2, 1);
    const frame = { stage, fit: size.map((n) => n * unit), unit };
    const view = bounded({ k: random(0.5, 40), x: random(-9999, 9999), y: random(-9999, 9999) }, frame);
    const [px, py] = frame.fit.map((length) => random(-length, length) / 2);
    const factor = random(0.3, 3);
    const next = zoomedAt(view, frame, px, py, factor);
    const point = size.map((length) => random(0, length));
    const seen = revealing(view, frame, point, size);
    const at = point.map((one, a) => (one - size[a] / 2) * unit * seen.k + [seen.x, seen.y][a]);
    const laws = {
      bounded: inside(view, frame) && inside(next, frame) && inside(seen, frame),
      "bounded twice": ["k", "x", "y"].every((name) => near(bounded(view, frame)[name], view[name])),
      "stays there": [0, 1].every((a) => {
        const [p, before, after] = [[px, py][a], [view.x, view.y][a], [next.x, next.y][a]];
        return factor < 1 || near((p - before) / view.k, (p - after) / next.k);
      }),
      "in sight": at.every((one, a) => Math.abs(one) <= stage[a] / 2 + 1e-6),
      "and back": next.k === 1 || toggled(next, frame, px, py, 1) === WHOLE,
      "its own pixels": unit > 0.8 || near(toggled(WHOLE, frame, 0, 0, 2).k, Math.min(
        Math.max(4, 32 / unit), 0.5 / unit > 1.2 ? 0.5 / unit : 3)),
      "a way and back": inside(panned(panned(view, frame, px, py), frame, -px, -py), frame),
    };
    for (const [law, holds] of Object.entries(laws))
      if (!holds) wrong.push([law, n, size, stage, view, next]);
  }
  return wrong;
}"""
# What is put together again, and what is found.
PIECES = """async ([text, typed]) => {
  const { finder, pieces, wordsOf } = await import("/static/store/highlight.js");
  const found = pieces(text, finder(wordsOf(typed)));
  const marked = found.filter(([, isFound]) => isFound);
  const texts = (some) => some.map(([piece]) => piece);
  return [texts(found).join(""), texts(marked)];
}"""


def discs(folder, n=40):
    """Dark photos with a bright disc, which is whole also from near; the name tells where its middle is."""
    rng = np.random.default_rng(1)
    for _ in range(n):
        x, y = rng.integers(500, 1500), rng.integers(550, 950)
        rows, columns = np.mgrid[-20:20, -20:20] + 0.5
        light = np.zeros(SIZE[::-1], dtype=np.uint8)
        light[y - 20 : y + 20, x - 20 : x + 20] = 255 * (np.hypot(rows, columns) < 15)
        Image.fromarray(light).save(folder / f"spot-{x}-{y}.jpg", quality=95)
    return folder


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    return discs(tmp_path_factory.mktemp("discs"))


@pytest.fixture(scope="module")
def running(shared_studio, photos):
    running = shared_studio(photos, "--classes", "near,far")
    running.wait_until(lambda state: state["ready"])  # until then there are few samples
    return running


class Eye:
    """The picture on the desk, as somebody sees it."""

    def __init__(self, person):
        self.person, self.page = person, person.page
        self.image = person.page.get_by_role("img", name="Sample ")
        expect(self.image).to_be_visible()

    @property
    def box(self):
        """Of the picture that is there: a sharper one may just take its place."""
        for _ in range(1000):
            expect(self.image).to_be_visible()
            box = self.image.bounding_box()
            if box is not None:
                return box
        raise AssertionError("no picture stays")

    @property
    def stage(self):
        return self.page.locator(".stage").bounding_box()

    def middle(self):
        box = self.stage
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def share(self, x, y):
        """Where in the picture a place of the page lies, as a share of its box."""
        box = self.box
        return (x - box["x"]) / box["width"], (y - box["y"]) / box["height"]

    def times(self, whole):
        """How many times larger than ``whole``."""
        return self.box["width"] / whole["width"]

    def is_whole(self):
        return self.page.locator(".picture").get_attribute("data-zoomed") == "no"

    def disc(self):
        """Where on the page the disc is seen."""
        left, top, width, height = (int(self.stage[name]) for name in ("x", "y", "width", "height"))
        pixels = np.asarray(Image.open(io.BytesIO(self.page.screenshot())).convert("RGB"))
        part = pixels[top + 2 : top + height - 50, left + 2 : left + width - 2]  # above the bar
        rows, columns = np.nonzero(part.min(axis=2) > 240)
        return left + 2 + columns.mean() + 0.5, top + 2 + rows.mean() + 0.5


def test_views_keep_their_laws_and_wheel_and_keys_use_them(running, join):
    ada = join(running)
    eye = Eye(ada)
    whole = eye.box
    expect(eye.image).to_have_attribute("src", re.compile(r"/api/pictures/\d+\?side=800$"))
    assert ada.page.evaluate(LAWS) == []

    x, y = (a + b for a, b in zip(eye.middle(), (60, -40), strict=True))
    held = eye.share(x, y)
    ada.page.mouse.move(x, y)
    ada.page.mouse.wheel(0, -240)
    ada.page.mouse.wheel(0, -240)
    expect(ada.page.locator(".picture")).to_have_attribute("data-zoomed", "yes")
    expect(eye.image).to_have_attribute("src", re.compile(r"/api/pictures/\d+(\?side=1600)?$"))  # sharper
    assert eye.times(whole) > 2
    assert eye.share(x, y) == pytest.approx(held, abs=0.002)

    before = eye.box
    ada.press("Shift+ArrowRight")
    assert eye.box["x"] < before["x"]
    ada.press("z")
    assert eye.box == whole
    ada.press("+")
    assert eye.times(whole) == pytest.approx(1.5)
    ada.press("-")
    assert eye.times(whole) == pytest.approx(1)
    ada.press("z")
    expect(ada.button("Zoom 100 %")).to_be_visible()
    expect(eye.image).to_have_attribute("src", re.compile(r"/api/pictures/\d+$"))  # the original
    here = ada.sees()
    ada.press("1")  # keys of classes are what they were, and the next picture is whole
    expect(ada.sample).not_to_have_text(here)
    assert eye.is_whole()


@pytest.mark.slow
def test_double_click_drag_and_buttons(running, join):
    ada = join(running)
    eye = Eye(ada)
    whole, (x, y) = eye.box, eye.middle()
    ada.page.mouse.dblclick(x + 100, y + 50)
    expect(ada.button("Zoom 100 %")).to_be_visible()
    before = eye.box
    ada.page.mouse.move(x, y)
    ada.page.mouse.down()
    ada.page.mouse.move(x - 30, y - 20, steps=4)
    ada.page.mouse.move(x - 60, y - 40, steps=4)
    ada.page.mouse.up()
    assert eye.box["x"] == pytest.approx(before["x"] - 60, abs=8)
    assert eye.box["y"] == pytest.approx(before["y"] - 40, abs=8)
    ada.page.mouse.dblclick(x, y)
    assert eye.box == whole
    ada.button("Zoom in").click()
    ada.button("Zoom in").click()
    assert eye.times(whole) == pytest.approx(2.25)
    ada.button("Zoom out").click()
    assert eye.times(whole) == pytest.approx(1.5)
    ada.button("Pin").click()
    ada.press("1")  # the next picture is shown in the same way
    expect(ada.button("Pin")).to_have_attribute("aria-pressed", "true")
    assert eye.times(whole) == pytest.approx(1.5)
    ada.button("Pin").click()
    ada.press("2")
    assert eye.is_whole()


@pytest.mark.slow
def test_keys_belong_to_the_map_where_it_has_the_focus(running, join):
    ada = join(running)
    eye = Eye(ada)
    ada.page.get_by_role("img", name="Map of the pool").focus()
    ada.press("+")
    assert eye.is_whole()
    ada.press("m", "+", "m")
    assert eye.is_whole()
    ada.page.evaluate("document.activeElement.blur()")
    ada.press("+")
    assert not eye.is_whole()
    ada.press("h")
    sheet = ada.page.get_by_role("dialog", name="Keys")
    expect(sheet).to_contain_text("the whole picture, or its own pixels")


def touch(person, *moves, at=None):
    """Fingers: each move is a list of places. The first puts them down, and after the last they are lifted.

    ``at`` is the time that the browser is told, in seconds; otherwise it is now.
    """
    session = person.context.new_cdp_session(person.page)
    when = {} if at is None else {"timestamp": at}

    def send(kind, places):
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, **when})

    for k, places in enumerate(moves):
        send("touchMove" if k else "touchStart", places)
    send("touchEnd", [])


@pytest.mark.slow
def test_two_fingers_zoom_the_picture_and_not_the_page(running, join):
    ada = join(running, **PHONE)
    eye = Eye(ada)
    whole, (x, y) = eye.box, eye.middle()
    held = eye.share(x, y)
    apart = [[(x - d, y), (x + d, y)] for d in range(20, 81, 5)]
    touch(ada, *apart)
    assert eye.times(whole) == pytest.approx(4, rel=0.1)
    assert eye.share(x, y) == pytest.approx(held, abs=0.01)
    before = eye.box
    touch(ada, *[[(x + d, y + d)] for d in range(0, 61, 5)])  # one finger moves it
    assert eye.box["x"] == pytest.approx(before["x"] + 60, abs=20)
    touch(ada, *reversed(apart))
    assert eye.times(whole) == pytest.approx(1, rel=0.1)
    if not eye.is_whole():
        ada.button("show the whole picture").tap()
    now = time.time()
    touch(ada, [(x, y)], at=now)
    touch(ada, [(x, y)], at=now + 0.1)
    expect(ada.page.locator(".picture")).to_have_attribute("data-zoomed", "yes")
    assert ada.page.evaluate("[visualViewport.scale, scrollX, scrollY]") == [1, 0, 0]


@pytest.mark.slow
def test_points_are_exact_however_closely_somebody_looks(studio, join, photos):
    running = studio(photos, "--points", "disc,corner", "--budget", "10")
    ada = join(running, color_scheme="dark")
    eye = Eye(ada)
    told = {}  # id -> pixels of the page for one of the original
    for turns in (0, 3, 6, 10):
        name = ada.sees()
        expect(eye.image).to_have_attribute("alt", f"Sample {name}")
        ada.page.evaluate("document.querySelector('.glass img').decode()")
        ada.page.mouse.move(*eye.disc())
        for _ in range(turns):
            ada.page.mouse.wheel(0, -100)
        expect(ada.page.locator(".picture")).to_have_attribute("data-zoomed", "yes" if turns else "no")
        side = r"pictures/\d+$|side=1600$" if turns else "side=800$"
        expect(eye.image).to_have_attribute("src", re.compile(side))
        told[name] = int(ada.page.locator(".percent").text_content().removesuffix(" %")) / 100
        x, y = eye.disc()
        before = eye.box
        ada.page.mouse.click(x, y)
        ada.page.mouse.move(x - 60, y - 60)  # a drag places nothing
        ada.page.mouse.down()
        ada.page.mouse.move(x - 90, y - 75, steps=5)
        ada.page.mouse.up()
        expect(ada.page.locator(".spot")).to_have_count(1)
        assert (eye.box != before) == (turns > 0)
        ada.press("ArrowUp", "Enter")
        expect(ada.page.locator(".spot")).to_have_count(2)
        ada.shoot(f"points_near_{turns}")
        ada.press("Enter")
        expect(ada.sample).not_to_have_text(name)
    ada.is_saved()
    rows = {row["id"]: row for row in running.table("labels.csv")}
    assert list(rows) == list(told)
    assert max(told.values()) > 5
    for name, unit in told.items():
        x, y = map(int, re.findall(r"\d+", name))
        assert float(rows[name]["disc.x"]) == pytest.approx(x, abs=1 / unit + 0.1)  # a pixel of the page
        assert float(rows[name]["disc.y"]) == pytest.approx(y, abs=1 / unit + 0.1)


@pytest.mark.slow
def test_small_pictures_can_be_smooth_and_stay_so(studio, digits, join):
    running = studio(digits, "--classes", pools.DIGITS)
    ada = join(running)
    eye = Eye(ada)
    drawn = "getComputedStyle(document.querySelector('.glass img')).imageRendering"
    assert ada.page.evaluate(drawn) == "pixelated"
    ada.button("Smooth").click()
    assert ada.page.evaluate(drawn) == "auto"
    ada.page.reload()
    expect(eye.image).to_be_visible()
    assert ada.page.evaluate(drawn) == "auto"
    expect(ada.button("Smooth")).to_have_attribute("aria-pressed", "true")
    ada.button("Smooth").click()
    assert ada.page.evaluate(drawn) == "pixelated"


@pytest.mark.slow
def test_a_damaged_picture_is_named_and_the_next_one_is_fine(studio, join, tmp_path):
    folder = discs(tmp_path, 4)
    running = studio(folder, "--classes", "near,far")
    for path in folder.iterdir():
        path.write_bytes(path.read_bytes()[:300])
    ada = join(running)
    ada.forgives("415")
    expect(ada.page.get_by_text("cannot be shown")).to_be_visible()
    ada.press("+", "z", "-")  # nothing to look at, and nothing breaks


@pytest.mark.slow
def test_words_are_marked_in_texts(studio, join, tmp_path):
    bad = "<img src=x onerror=alert(1)> & Straße, SAIL and sail. " * 2
    path = pools.write_csv(tmp_path / "t.csv", ("id", "text"), [(f"t{i}", bad) for i in range(30)])
    running = studio(path, "--text-column", "text", "--classes", "sea,hill")
    ada = join(running)
    text, marks = ada.page.get_by_role("region", name="Text"), ada.page.locator("mark")
    expect(text).to_have_text(bad)
    field = ada.page.get_by_label("Highlight words")
    field.fill('sail "& STRASSE" "& straße" onerror=')
    expect(marks).to_have_text(["onerror=", "& Straße", "SAIL", "sail"] * 2)
    expect(text).to_have_text(bad)
    ada.shoot("highlight")
    here = ada.sees()
    ada.press("Enter")  # the field is left, and keys are commands again
    ada.press("1")
    expect(ada.sample).not_to_have_text(here)
    expect(marks).to_have_count(8)
    ada.page.reload()
    expect(marks).to_have_count(8)
    field.fill("")
    expect(marks).to_have_count(0)
    ada.press("Escape", "/")
    ada.keyboard.type("and SAIL.")
    expect(ada.page.get_by_text("30 samples found")).to_be_visible()
    ada.press("Enter")
    expect(marks).to_have_text(["and sail."] * 2)
    ada.press("Escape")  # back to the queue
    expect(marks).to_have_count(0)
    for sought, typed, found in [
        ("a+b (c) [d] a.b", "a+b (c) [d] .", ["a+b", "(c)", "[d]", "."]),
        ("İstanbul ISTANBUL ß", "istanbul ß", ["ISTANBUL", "ß"]),
        ("aaa abab", '"" aba a', ["a", "a", "a", "aba"]),
        ("", "x", []),
        ("one two", "", []),
    ]:
        assert ada.page.evaluate(PIECES, [sought, typed]) == [sought, found]


@pytest.mark.slow
def test_texts_have_a_comfortable_measure(studio, join, tmp_path):
    rows = [(f"t{i}", "some words of a usual length in every line of it " * 60) for i in range(12)]
    path = pools.write_csv(tmp_path / "t.csv", ("id", "text"), rows)
    ada = join(studio(path, "--text-column", "text", "--classes", "a,b"))
    text = ada.page.get_by_role("region", name="Text")
    expect(text).to_be_visible()
    for width in (1440, 3840):
        ada.page.set_viewport_size({"width": width, "height": 900})
        letters = text.evaluate("""(box) => {
          const range = document.createRange();
          range.selectNodeContents(box);
          const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
          return box.textContent.length / lines.size;
        }""")
        assert 55 < letters < 85
    top = "document.querySelector('.stage .scrolls').scrollTop"
    ada.page.set_viewport_size({"width": 1000, "height": 500})
    ada.press("PageDown")
    assert ada.page.evaluate(top) > 50
    ada.press("ArrowUp")
    assert ada.page.evaluate(top) > 0


@pytest.mark.slow
def test_words_are_marked_in_tables(studio, join, tmp_path):
    rows = [(f"r{i}", i, "red and green", 2 * i) for i in range(30)]
    path = pools.write_csv(tmp_path / "t.csv", ("id", "a", "words", "b"), rows)
    ada = join(studio(path, "--classes", "x,y"))
    ada.page.get_by_label("Highlight words").fill("GREEN")
    expect(ada.page.get_by_role("region", name="Values").locator("mark")).to_have_text(["green"])
