"""The gallery: many samples at once, those that are wrong get a tick, the rest is labeled by one press."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from studio import pools
from studio.pools import DIGITS, digit_of

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

SEEN = "async (sample) => (await import('/static/store/gallery.js')).gallery.get().seen.has(sample)"


def grid(person):
    return person.page.get_by_role("grid")


def tiles(person):
    return person.page.get_by_role("gridcell")


def show(person, words):
    """Choose what the gallery shows, and wait for it."""
    person.page.get_by_label("Which samples").select_option(label=words)
    expect(grid(person)).to_have_attribute("aria-label", re.compile(f"^{re.escape(words)}: "))
    expect(grid(person)).to_have_attribute("aria-busy", "false")


def seen_all(person, n):
    expect(person.page.get_by_text(f"{n} samples, {n} seen")).to_be_visible()


def names(pool):
    return sorted(path.name for path in pool.iterdir())


def rename(running, old, new):
    """As another owner does."""
    actions = [{"client": f"{old}-{new}", "kind": "rename", "old": old, "new": new}]
    with running.client() as client:
        client.post("/api/actions", json={"annotator": "Bob", "actions": actions}).raise_for_status()


def is_learned(running, n):
    """Until all labels are learned, so that nothing is predicted anew."""
    running.wait_until_learned()
    running.wait_until(lambda state: state["labeled"] == n and not state["learning"])


@pytest.fixture(scope="module")
def lamps(tmp_path_factory):
    return pools.lamps(tmp_path_factory.mktemp("lamps"), 40)


def test_the_rest_is_accepted_at_once_and_taken_back_at_once(studio, lamps, join):
    running = studio(lamps, "--budget", "30", "--classes", "north,east,south,west")
    ada = join(running)
    keys = {"north": "1", "east": "2", "south": "3", "west": "4"}
    ada.label(12, lambda name: keys[name.removesuffix(".png")[3:]])
    ada.is_saved()
    is_learned(running, 12)
    before = running.labels()
    ada.press("g")
    expect(grid(ada)).to_be_focused()
    show(ada, "Predicted north")
    n = int(re.search(r": (\d+)", grid(ada).get_attribute("aria-label"))[1])
    assert n > 2
    seen_all(ada, n)
    ada.shoot("gallery")
    on_the_way = []
    ada.page.route("**/api/gallery?*east*", lambda route: on_the_way.append(route))
    ada.page.get_by_label("Which samples").select_option(label="Predicted east")
    expect(grid(ada)).to_have_attribute("aria-busy", "true")
    expect(tiles(ada).first).to_be_visible()
    expect(ada.button("Accept the 0 seen")).to_be_disabled()  # these tiles are still those of the north
    on_the_way.pop().continue_()
    show(ada, "Predicted north")
    seen_all(ada, n)

    tiles(ada).first.click()
    ada.press("Shift+ArrowRight")  # the first two are wrong
    expect(ada.page.get_by_text("2 ticked")).to_be_visible()
    expect(ada.button(f"Accept the {n - 2} seen")).to_be_visible()
    ada.press("Shift+Enter")
    ada.is_saved()
    expect(ada.page.locator(".banner")).to_have_text(f"{n - 2} samples labeled north.")
    accepted = running.labels()
    assert len(accepted) == 12 + n - 2
    assert {accepted[name] for name in accepted.keys() - before.keys()} == {"north"}
    assert running.state()["spent"] == 12, "they cost nothing"
    ada.press("4")  # the ticked ones
    ada.is_saved()
    expect(ada.page.get_by_text("0 ticked")).to_be_visible()
    west = {name: label for name, label in running.labels().items() if name not in accepted}
    assert list(west.values()) == ["west", "west"]
    assert {event["body"]["source"] for event in running.events("label")[12:]} == {"gallery"}

    cards = ada.history()
    expect(cards.nth(0)).to_have_text(re.compile("2 × west"))
    expect(cards.nth(1)).to_have_text(re.compile(f"{n - 2} × north"))
    ada.press("u")
    ada.is_saved()
    assert running.labels() == accepted

    tiles(ada).nth(2).click()
    ada.press("Shift+ArrowLeft", "Shift+Space")  # a new class, for the ticked ones and not for the desk
    ada.page.get_by_label("Which class are the ticked ones?").last.fill("nowhere")
    ada.press("Enter")
    expect(cards.nth(0)).to_have_text(re.compile("2 × nowhere"))
    ada.is_saved()
    assert list(running.labels().values()).count("nowhere") == 2
    ada.press("u")
    ada.is_saved()
    assert running.labels() == accepted

    ada.page.reload()  # the history comes from the server
    expect(cards.nth(0)).to_have_text(re.compile(f"{n - 2} × north"))
    cards.nth(0).click()
    expect(grid(ada)).to_have_attribute("aria-label", re.compile(f"^Labeled together: {n - 2} "))
    ada.press("Escape", "u")
    ada.is_saved()
    assert running.labels() == before
    assert len(running.events("undo")) == 3

    expect(grid(ada)).to_have_count(0)
    ada.press("g")
    show(ada, "Without a label")
    ada.page.get_by_label("Class for the rest").select_option("south")
    rename(running, "south", "down")
    expect(ada.page.get_by_text("There is no class south any more")).to_be_visible()
    expect(ada.button("Label the 0 seen")).to_be_disabled()
    show(ada, "Predicted down")
    n = int(re.search(r": (\d+)", grid(ada).get_attribute("aria-label"))[1])
    seen_all(ada, n)
    rename(running, "down", "below")
    expect(grid(ada)).to_have_attribute("aria-label", f"Predicted below: {n} samples")
    ada.button(f"Accept the {n} seen").click()
    ada.is_saved()
    assert list(running.labels().values()).count("below") == n + list(before.values()).count("south")
    assert not {"south", "down"} & set(running.state()["classes"])


@pytest.mark.slow
def test_a_picture_that_did_not_come_is_not_seen_until_it_does(shared_studio, digits, join):
    running = shared_studio(digits, "--budget", "60", "--classes", DIGITS)
    ada = join(running)
    expect(ada.sample).to_be_visible()
    ada.forgives("ERR_FAILED|503")
    cut, on_the_way = re.compile("/api/pictures/3$|/api/pictures/3[?]"), []
    ada.page.route("**/api/pictures/**", lambda route: on_the_way.append(route))
    ada.page.route(cut, lambda route: route.abort())
    busy = '{"error": "Too much is asked at once."}'
    ada.page.route("**/api/gallery?*", lambda route: route.fulfill(status=503, body=busy))
    ada.press("g")
    expect(ada.page.get_by_text("Too much is asked at once.")).to_be_visible()
    ada.page.unroute("**/api/gallery?*")
    ada.page.get_by_label("Search for the gallery").fill("000")
    ada.press("Enter")
    expect(grid(ada)).to_have_attribute("aria-label", "Search: 000: 10 samples")
    expect(ada.page.get_by_text("#3 cannot be shown")).to_be_visible()
    ada.page.unroute("**/api/pictures/**")
    for route in on_the_way:  # the others come after it
        route.continue_()
    expect(ada.page.get_by_text("10 samples, 9 seen")).to_be_visible()
    assert not ada.page.evaluate(SEEN, 3)
    ada.page.unroute(cut)
    seen_all(ada, 10)  # it was tried again


@pytest.mark.slow
def test_one_is_seen_large_and_the_place_is_kept(shared_studio, digits, join):
    running = shared_studio(digits, "--budget", "60", "--classes", DIGITS)
    ada = join(running)
    expect(ada.sample).to_be_visible()
    ada.press("g")
    show(ada, "All samples")
    listed = names(digits)
    ada.press("+", "+", "End", "ArrowUp")
    here = ada.page.locator("[data-here]")
    label = here.get_attribute("aria-label")
    top = grid(ada).evaluate("(box) => box.scrollTop")
    assert top > 0
    ada.press("Enter")
    expect(ada.page.get_by_text("from the gallery")).to_be_visible()
    large = ada.sees()
    assert label.startswith(f"Sample {listed.index(large)},") or label.startswith(large)
    ada.press("Escape")
    expect(here).to_have_attribute("aria-label", re.compile(f"^{re.escape(large)},"))
    assert grid(ada).evaluate("(box) => box.scrollTop") == top
    ada.press("Enter")
    expect(ada.page.get_by_text("from the gallery")).to_be_visible()
    ada.press(digit_of(large))  # a label given there comes back here, too
    expect(here).to_have_attribute("aria-label", f"{large}, labeled {digit_of(large)}")
    ada.is_saved()
    assert running.labels()[large] == digit_of(large)
    ada.press("u")
    expect(ada.sample).to_have_text(large)
    ada.is_saved()
    found = Axe().run(ada.page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_passes_axe_and_works_by_touch(shared_studio, digits, join, scheme):
    running = shared_studio(digits, "--budget", "60", "--classes", DIGITS)
    ada = join(running, color_scheme=scheme, **PHONE)
    expect(ada.sample).to_be_visible()
    ada.button("many samples at once").tap()
    tiles(ada).nth(1).tap()
    expect(tiles(ada).nth(1)).to_have_attribute("aria-selected", "true")
    expect(ada.page.get_by_text("1 ticked")).to_be_visible()
    ada.shoot(f"gallery_phone_{scheme}")
    found = Axe().run(ada.page)
    assert found.violations_count == 0, found.generate_report()
    ada.page.get_by_role("group", name="The ticked ones").get_by_role("button", name="7", exact=True).tap()
    ada.is_saved()
    assert running.labels()[names(digits)[1]] == "7"
    box = tiles(ada).nth(2).bounding_box()
    touch = ada.context.new_cdp_session(ada.page)
    place = {"x": box["x"] + 20, "y": box["y"] + 20}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
    expect(ada.sample).to_have_text(names(digits)[2])  # a long press opens
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    ada.button("Back to the gallery").tap()
    expect(grid(ada)).to_be_visible()
    ada.button("Undo").tap()
    ada.is_saved()
    assert names(digits)[1] not in running.labels()


@pytest.mark.slow
def test_texts_are_cards_and_a_search_is_a_gallery(studio, join, tmp_path):
    pool = pools.texts(tmp_path / "texts.csv")
    running = studio(pool, "--text-column", "text", "--budget", "9", "--classes", "sea,hill")
    ada = join(running)
    expect(ada.sample).to_be_visible()
    ada.press("g")
    ada.page.get_by_label("Search for the gallery").fill("SEA-00")
    ada.press("Enter")
    expect(grid(ada)).to_have_attribute("aria-label", "Search: SEA-00: 5 samples")
    seen_all(ada, 5)
    ada.shoot("gallery_texts")
    ada.page.get_by_label("Class for the rest").select_option("sea")
    ada.button("Label the 5 seen").click()
    ada.is_saved()
    assert running.labels() == dict.fromkeys([f"sea-{i:03d}" for i in range(0, 10, 2)], "sea")
    ada.press("u")
    ada.is_saved()
    assert running.labels() == {}


@pytest.mark.slow
def test_unseen_samples_need_a_second_press(studio, digits, join):
    running = studio(digits, "--budget", "60", "--classes", DIGITS)
    ada = join(running)
    expect(ada.sample).to_be_visible()
    ada.press("g")
    expect(grid(ada)).to_have_attribute("aria-busy", "false")
    ada.page.get_by_label("Size").fill("400")
    ada.page.get_by_label("Class for the rest").select_option("3")
    ada.button("All 300…").click()
    yes = ada.button(re.compile("Yes, all 300, also 2.. unseen"))
    expect(yes).to_be_visible()
    assert running.labels() == {}
    yes.click()
    ada.is_saved()
    assert running.labels() == dict.fromkeys(names(digits), "3")
    ada.press("u")
    ada.is_saved()
    assert running.labels() == {}
